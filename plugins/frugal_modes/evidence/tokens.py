"""Words and pieces: what a word is for matching and what the index holds.

A word character is a letter, a number or a combining mark. Chinese, kana, Hangul, Thai, Lao, Khmer and Myanmar are
written without spaces: there every character stands for itself. A mark belongs to the character before it.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from frugal.api import stem
from frugal_modes.evidence.form import is_inner_jamo

LONGEST_TOKEN = 64
"""Characters of a word that the index holds: it only proposes, and the text decides."""

WORD, SPACELESS, MARK, OTHER = "w", "c", "m", " "

_SPACELESS_BLOCKS = (
    (0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1100, 0x11FF), (0x1780, 0x17FF), (0x3005, 0x3007), (0x3021, 0x3029),
    (0x3031, 0x3035), (0x3038, 0x303C), (0x3040, 0x30FF), (0x3130, 0x318F), (0x31F0, 0x31FF), (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF), (0xA960, 0xA97F), (0xA9E0, 0xA9FF), (0xAA60, 0xAA7F), (0xAC00, 0xD7FF), (0xF900, 0xFAFF),
    (0xFF66, 0xFFDC), (0x1AFF0, 0x1B16F), (0x20000, 0x3FFFF),
)  # fmt: skip
_COMPLEX = re.compile("[^\x00-\u02ff\u2000-\u20cf\u2100-\u2bff\U0001f000-\U0001faff]")
_PLAIN_WORD = re.compile(r"[^\W_]+")
_RUN = re.compile("w[wm]*|c[cm]*|m[mw]*")
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})


class _Kinds(dict[int, str]):
    """Translation of a folded text into the kinds of its characters."""

    def __missing__(self, code: int) -> str:
        self[code] = found = _kind_of(code)
        return found


def _kind_of(code: int) -> str:
    category = unicodedata.category(chr(code))[0]
    if category == "M":
        return MARK
    if category not in "LN":
        return OTHER
    return SPACELESS if any(first <= code <= last for first, last in _SPACELESS_BLOCKS) else WORD


_kinds = _Kinds()


class Token(NamedTuple):
    """A word of a folded text, or one character of a script without spaces; *is_tight* if such a one touches it before."""

    text: str
    start: int
    end: int
    is_word: bool
    is_tight: bool = False


def is_simple(folded: str) -> bool:
    """Tell whether a folded text has no marks and no script without spaces: patterns of `re` decide all about it."""
    return folded.isascii() or not _COMPLEX.search(folded)


def plain_words(folded: str) -> list[str]:
    """Return the words of a simple text."""
    return _PLAIN_WORD.findall(folded)


def tokens(folded: str) -> list[Token]:
    """Return the words and the single characters of a folded text, in order."""
    if is_simple(folded):
        return [Token(found[0], found.start(), found.end(), True) for found in _PLAIN_WORD.finditer(folded)]
    result: list[Token] = []
    for start, end, is_word in _runs(folded):
        if is_word:
            result.append(Token(folded[start:end], start, end, True))
        else:
            result += (
                Token(folded[place], place, place + 1, False, place > start) for place in range(start, end)
            )
    return result


def _runs(folded: str) -> Iterator[tuple[int, int, bool]]:
    for run in _RUN.finditer(folded.translate(_kinds)):
        yield run.start(), run.end(), run[0][0] != SPACELESS


def may_divide(folded: str, place: int) -> bool:
    """Tell whether a match may start or end before *place*: not before a mark, not inside a syllable, not inside a word."""
    if place <= 0 or place >= len(folded):
        return True
    after = folded[place]
    if _kinds[ord(after)] == MARK or is_inner_jamo(after):
        return False
    before = folded[place - 1]
    if is_leading_jamo(before) and is_leading_jamo(after):
        return False
    return not (_kinds[ord(after)] == WORD and _kind_at(folded, place - 1) == WORD)


def is_leading_jamo(character: str) -> bool:
    """Tell whether *character* is an initial consonant of a Hangul syllable that is written in its parts."""
    return "\u1100" <= character <= "\u115f" or "\ua960" <= character <= "\ua97c"


def _kind_at(folded: str, place: int) -> str:
    """Return the kind of a character, of a mark that of its base; a mark without one counts as a word."""
    kind = _kinds[ord(folded[place])]
    if kind != MARK:
        return kind
    while kind == MARK and place > 0:
        place -= 1
        kind = _kinds[ord(folded[place])]
    return SPACELESS if kind == SPACELESS else WORD


@lru_cache(maxsize=1 << 16)
def stem_of(word: str) -> str:
    """Return the engine's stem of a folded word. Accents count, as everywhere in matching; umlauts are spelled out."""
    return stem(word if word.isascii() else word.translate(_UMLAUTS))
