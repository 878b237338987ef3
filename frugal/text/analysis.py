"""The one analysis of every text and every query: what the index holds and what a query asks for.

How search is to read the tokens:

- Length counts the tokens that are neither WHOLE nor STOP. A WHOLE repeats what its parts say: it is one more term
  that lifts, and a part of a query is present where a WHOLE around it is (`QueryWord.wholes`). So `GitHub` finds
  `github`, and the other way round.
- The two spellings of an umlaut word are one scoring unit. The index holds *term*, spelled out, only. The store keeps
  `alias -> term` for tokens with an alias; a query word asks for its term, its alias and what its term is an alias of.
- The vocabulary's key is (*surface*, *term*): `Käse` and `Kase` share the surface `kase` and differ in their terms.
- A run of n characters without spaces (Chinese, kana, Hangul, Thai) gives n - 1 pieces of two characters and its last
  character, flagged STOP, so that every character begins exactly one piece. Pieces in sequence prove a longer run. A
  single character of a query (`QueryWord.is_prefix`) stands for every piece that begins with it, and so matches
  wherever it occurs.
- Terms hold no white space, NUL, quote or upper-case ASCII letter; besides letters, digits and marks only
  `TERM_PUNCTUATION`. The term of a stop word begins with `_`, and no other does.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from frugal.text.normalise import bare, compose, spelled_out
from frugal.text.stem import stem
from frugal.text.stopwords import STOP_WORDS
from frugal.text.tokenise import LONGEST_WORD, Form, Lexeme, lexemes

ANALYSIS_VERSION = 2

STOP = 1
WHOLE = 2
PIECE = 4

TERM_PUNCTUATION = "._-/:@&+#"

_MEMO_SIZE = 1 << 16
_MEMO_CHUNK = 48  # longer chunks are rare and would fill the memo with text


class Token(NamedTuple):
    """One unit of a text in the index.

    *term* is what the index holds, *surface* the folded word as written, *alias* the term of the bare spelling of a
    word with an umlaut (else ""), *flags* a sum of STOP, WHOLE and PIECE, *position* the number of the word.
    """

    term: str
    surface: str
    alias: str
    flags: int
    position: int


class QueryWord(NamedTuple):
    """One distinct word of a query; *wholes* are the terms of the identifiers it is a part of."""

    term: str
    surface: str
    alias: str
    flags: int
    position: int
    wholes: tuple[str, ...]

    @property
    def is_prefix(self) -> bool:
        """True for a single character of a script without spaces: it stands for every piece beginning with it."""
        return bool(self.flags & PIECE) and len(self.term) == 1


class Cut(NamedTuple):
    """A token of one chunk; *offset* counts words from its start, *width* is the number of words a WHOLE covers."""

    term: str
    surface: str
    alias: str
    flags: int
    offset: int
    width: int


_Shape = tuple[tuple[Cut, ...], int]
_memo: dict[str, _Shape] = {}

# A chunk that needs no cutting: most of a text. What it lets through gives the same as the long way.
_PLAIN_CHUNK = re.compile(r"""["'(\[{*„“‚»«]*([A-Za-zÄÖÜ][a-zäöüß]*)[.,;:!?)\]}*"”“‘«»…]*""")
_SIGNS = str.maketrans(
    {"\\": "/", "\u2044": "/", "\u2215": "/", "\u2010": "-", ",": "."} | dict.fromkeys("'‘’ʼ", "")
)
_SLASHES = re.compile("//+")


def analyse(text: str) -> list[Token]:
    """Return the tokens of *text* in order; equal for texts that differ in Unicode normalisation form only."""
    tokens: list[Token] = []
    position = 0
    remembered = _memo.get
    new = tuple.__new__  # half the price of Token(...), and this loop is what an analysis costs
    for chunk in text.split():
        found, width = remembered(chunk) or _shape_of(chunk)
        for term, surface, alias, flags, offset, _ in found:
            tokens.append(new(Token, (term, surface, alias, flags, position + offset)))
        position += width
    return tokens


def cuts(chunk: str) -> tuple[Cut, ...]:
    """Return what `analyse` makes of one of the chunks `str.split` gives: a text is the sum of its chunks."""
    return (_memo.get(chunk) or _shape_of(chunk))[0]


def query_words(text: str) -> list[QueryWord]:
    """Return the distinct words of a query that count, in order of appearance.

    Stop words, lone letters and the last characters of runs are left out unless nothing else is there. Identifiers
    are in *wholes* of their parts. The caller limits their number.
    """
    words, around = _words_and_wholes(text)
    counted = [token for token in words if not token.flags & STOP] or words
    wholes: dict[str, dict[str, None]] = {}
    first: dict[str, Token] = {}
    for token in counted:
        first.setdefault(token.term, token)
        wholes.setdefault(token.term, {}).update(dict.fromkeys(around.get(token.position, ())))
    return [QueryWord(*token, tuple(wholes[term])) for term, token in first.items()]


def as_written(text: str) -> dict[str, str]:
    """Return for each surface of *text* its first spelling in the text, for showing a word to a reader."""
    spellings: dict[str, str] = {}
    for chunk in text.split():
        for lexeme in lexemes(compose(chunk)):
            spellings.setdefault(_cut(lexeme).surface, lexeme.text)
    return spellings


def forget() -> None:
    """Analyse every chunk anew: for measurements that change a part of the analysis."""
    _memo.clear()


def _words_and_wholes(text: str) -> tuple[list[Token], dict[int, list[str]]]:
    words: list[Token] = []
    around: dict[int, list[str]] = {}
    position = 0
    for chunk in text.split():
        found, width = _memo.get(chunk) or _shape_of(chunk)
        for cut in found:
            place = position + cut.offset
            if cut.flags & WHOLE:
                for covered in range(place, place + cut.width):
                    around.setdefault(covered, []).append(cut.term)
            else:
                words.append(Token(*cut[:4], place))
        position += width
    return words, around


def _shape_of(chunk: str) -> _Shape:
    if plain := _PLAIN_CHUNK.fullmatch(chunk):
        found: _Shape = ((_plain_cut(plain[1][:LONGEST_WORD]),), 1)
    else:
        single = [_cut(lexeme) for lexeme in lexemes(compose(chunk))]
        found = (tuple(_with_counted_wholes(single)), single[-1].offset + 1 if single else 0)
    if len(chunk) <= _MEMO_CHUNK:
        if len(_memo) >= _MEMO_SIZE:
            _memo.clear()
        _memo[chunk] = found
    return found


def _plain_cut(word: str) -> Cut:
    """Return what `_cut` makes of a plain word; in ASCII, where nothing has to be spelled otherwise, at once."""
    if not word.isascii():
        return _cut(Lexeme(word, Form.WORD, 0))
    folded = word.lower()
    if len(folded) == 1 or folded in STOP_WORDS:
        return Cut(f"_{folded}", folded, "", STOP, 0, 1)
    return Cut(stem(folded), folded, "", 0, 0, 1)


def _cut(lexeme: Lexeme) -> Cut:
    text, form, offset, width = lexeme
    surface = bare(text)
    if form is Form.PIECE or form is Form.TAIL:
        return Cut(surface, surface, "", PIECE if form is Form.PIECE else PIECE | STOP, offset, width)
    spelled = spelled_out(text)
    if not spelled.isalnum():
        surface, spelled = _plain_signs(surface), _plain_signs(spelled)
    if form is Form.ACRONYM:
        surface = spelled = _joined(text, spelled)
    if form is Form.WHOLE:
        return Cut(stem(spelled), surface, _alias(surface, spelled), WHOLE, offset, width)
    if spelled in STOP_WORDS or (len(surface) == 1 and not surface.isdecimal()):
        # Stop words live apart: the stem of `notes` is `not`.
        return Cut(f"_{spelled}", surface, "", STOP, offset, width)
    return Cut(stem(spelled), surface, _alias(surface, spelled), 0, offset, width)


def _alias(surface: str, spelled: str) -> str:
    if surface == spelled or (alias := stem(surface)) == stem(spelled):
        return ""
    return alias


def _plain_signs(word: str) -> str:
    return _SLASHES.sub("/", word.translate(_SIGNS))


def _joined(text: str, acronym: str) -> str:
    """`U.S.A` is `usa`; `U.S` stays, for `us` is a stop word; `e.g` and `z.B` are stop words themselves."""
    joined = acronym.replace(".", "")
    return acronym if joined in STOP_WORDS and text.isupper() else joined


def _with_counted_wholes(found: list[Cut]) -> Iterator[Cut]:
    """Turn a whole without any counted part (`I/O`, `AT&T`) into a word: nothing else would speak for it."""
    counted = {cut.offset for cut in found if not cut.flags & (STOP | WHOLE)}
    spoken_for = 0
    for cut in found:
        end = cut.offset + cut.width
        if cut.flags & WHOLE and cut.offset >= spoken_for and counted.isdisjoint(range(cut.offset, end)):
            spoken_for = end
            yield cut._replace(flags=0)
        else:
            yield cut
