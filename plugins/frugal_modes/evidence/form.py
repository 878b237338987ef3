"""The matching form of a text: what counts as the same spelling, with the way back to the original offsets.

NFD, full case folding, NFC, without the characters that are never seen (soft hyphen, zero-width, direction marks). A text
that folds one character to one character, which is nearly every text, needs no map.
"""

import re
import unicodedata
from typing import NamedTuple

_IGNORABLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)  # Default_Ignorable_Code_Point
_LONGEST_JOINED = (
    512  # canonical ordering takes quadratic time, and nobody writes so many marks on one letter
)
_PIECE = 2_048
_MEMO_SIZE = 1 << 14
_JOINS, _IS_UNSEEN = 1, 2
_ASCII = re.compile(r"[\x00-\x7f]+")


class Form(NamedTuple):
    """A folded text; *starts* and *ends* give for each of its characters where it stands in the original.

    Both are empty if the offsets are the same.
    """

    text: str
    starts: tuple[int, ...] = ()
    ends: tuple[int, ...] = ()

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of the original text for a span of the form that is not empty."""
        return (self.starts[start], self.ends[end - 1]) if self.starts else (start, end)


class _Joining(dict[str, int]):
    """Whether a character belongs to the one before it: a mark, a vowel or final of Hangul, or what is never seen."""

    def __missing__(self, character: str) -> int:
        if _IGNORABLE.match(character):
            found = _IS_UNSEEN
        elif unicodedata.category(character)[0] == "M" or is_inner_jamo(character):
            found = _JOINS
        else:
            found = 0
        self[character] = found
        return found


_joining = _Joining()
_memo: dict[str, str] = {}


def is_inner_jamo(character: str) -> bool:
    """Tell whether *character* is a vowel or a final of a Hangul syllable that is written in its parts."""
    return "\u1160" <= character <= "\u11ff" or "\ud7b0" <= character <= "\ud7fb"


def fold(text: str) -> str:
    """Return the matching form of *text* alone."""
    return form_of(text).text


def form_of(text: str) -> Form:
    """Return the matching form of *text* with the way back."""
    if text.isascii():
        return Form(text.lower())
    pieces: list[str] = []
    start = 0
    while start < len(text):
        end = _end_of_piece(text, start)
        folded = _folded_one_to_one(text[start:end])
        if folded is None:
            return _by_segments(text)
        pieces.append(folded)
        start = end
    return Form("".join(pieces))


def _end_of_piece(text: str, start: int) -> int:
    """Return where a piece ends that can be folded alone. Short ones: a look at a long run of marks takes long."""
    end = start + _PIECE
    while end < len(text) and _joining[text[end]]:
        end += 1
    return min(end, len(text))


def _folded_one_to_one(piece: str) -> str | None:
    """Return *piece* folded if each of its characters becomes exactly one."""
    if len(piece) > _PIECE + _LONGEST_JOINED or _IGNORABLE.search(piece):
        return None
    folded = piece.casefold()
    is_same = (
        len(folded) == len(piece)
        and unicodedata.is_normalized("NFC", piece)
        and unicodedata.is_normalized("NFC", folded)
    )
    return folded if is_same else None


def _by_segments(text: str) -> Form:
    """Fold each character together with what joins it: nothing outside has an influence on it."""
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    length = len(text)
    position = 0
    while position < length:
        end = _end_of_ascii(text, position)
        if end > position:
            pieces.append(text[position:end].lower())
            starts += range(position, end)
            ends += range(position + 1, end + 1)
            position = end
            continue
        end = position + 1
        while end < length and _joining[text[end]] and end - position < _LONGEST_JOINED:
            end += 1
        if folded := _fold_segment(text[position:end]):
            seen = end
            while _joining[text[seen - 1]] == _IS_UNSEEN:
                seen -= 1
            pieces.append(folded)
            starts += [position] * len(folded)
            ends += [seen] * len(folded)
        position = end
    return Form("".join(pieces), tuple(starts), tuple(ends))


def _end_of_ascii(text: str, position: int) -> int:
    """Return where the plain characters from *position* end; the one before a mark belongs to the mark."""
    found = _ASCII.match(text, position)
    if found is None:
        return position
    end = found.end()
    return end - 1 if end < len(text) and _joining[text[end]] else end


def _fold_segment(segment: str) -> str:
    folded = _memo.get(segment)
    if folded is None:
        seen = _IGNORABLE.sub("", segment)
        folded = unicodedata.normalize("NFC", unicodedata.normalize("NFD", seen).casefold())
        if len(_memo) >= _MEMO_SIZE:
            _memo.clear()
        _memo[segment] = folded
    return folded
