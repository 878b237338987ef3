"""Cuts text into words, identifiers with their parts, and pieces of scripts that are written without spaces.

Every character is translated into a class (one letter of a small alphabet), and the patterns run over the classes:

    a A   letter without case or lower case / upper case     0   digit       m   mark that belongs to a letter
    c t   Chinese, kana, Hangul / Thai, Lao, Khmer, Burmese   '   apostrophe  ' ' everything that separates
    . , - _ / : @ & + #   what may stand inside an identifier (`\\` counts as `/`)
"""

import re
import unicodedata
from collections.abc import Iterator
from enum import IntEnum
from typing import NamedTuple

from frugal.text.normalise import TATWEEL, bare, script_of

LONGEST_WORD = 64  # characters; a longer word is cut, in text and query alike
LONGEST_WHOLE = 128  # characters; a longer identifier has its parts only


class Form(IntEnum):
    """What a lexeme is: a word, an identifier whose parts follow, two characters of a run, its last one, `U.S.A`."""

    WORD = 0
    WHOLE = 1
    PIECE = 2
    TAIL = 3
    ACRONYM = 4


class Lexeme(NamedTuple):
    """A stretch of composed text in its original case; *offset* counts words from the start of the chunk.

    *width* is the number of words a whole covers, else 1.
    """

    text: str
    form: Form
    offset: int
    width: int = 1


_EAST_ASIAN = frozenset(
    {"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "HANGUL", "BOPOMOFO", "IDEOGRAPHIC", "YI", "TANGUT"}
)
_SOUTH_EAST_ASIAN = frozenset({"THAI", "LAO", "KHMER", "MYANMAR"})
_IDEOGRAPHIC_PLANES = range(0x20000, 0x40000)  # also what this Python's Unicode tables do not name yet
_SYMBOLS = {character: character for character in "'.,-_/:@&+#"} | {
    "\\": "/",
    "\u2044": "/",  # fraction slash, which NFKC makes of `½`
    "\u2215": "/",
    "\u2018": "'",
    "\u2019": "'",
    "\u02bc": "'",
    "\u2010": "-",
}
_CLASS_OF_CATEGORY = {"Lu": "A", "Lt": "A", "L": "a", "N": "0", "M": "m"}


class _ClassMap(dict[int, str]):
    def __missing__(self, code: int) -> str:
        self[code] = found = _class_of(chr(code))
        return found


def _class_of(character: str) -> str:
    if character in _SYMBOLS:
        return _SYMBOLS[character]
    category = unicodedata.category(character)
    if run := _run_class(character, category):
        return run
    if character == TATWEEL:
        return "m"
    return _CLASS_OF_CATEGORY.get(category) or _CLASS_OF_CATEGORY.get(category[0], " ")


def _run_class(character: str, category: str) -> str:
    """Return the class of a script written without spaces, "" for all others."""
    script = script_of(character)
    if script in _SOUTH_EAST_ASIAN and category[0] in "LM":
        return "t"
    if ord(character) in _IDEOGRAPHIC_PLANES or (script in _EAST_ASIAN and category[0] in "LMN"):
        return "c"
    return ""


_CLASSES = _ClassMap()


def classes_of(text: str) -> str:
    """Return the classes of *text*, composed: a letter of the alphabet above for each character."""
    return text.translate(_CLASSES)


_WORD = r"[aA0][aA0m]*(?:(?<=[aA])(?:\+\+(?![aAm+])|#(?![aA0m+#])))?"  # also `C++` and `C#`
# One joiner between two words: a path or scope mark, a dot, ... A comma joins digits only.
# The `://` of an address joins nothing, so that an address is the same with and without its scheme.
_JOINER = r"(?:(?:::?(?!//)/?|//?)(?:[.@-]|_*)|\._*|_+|[-@&']|(?<=0),(?=0))"
_UNIT = re.compile(rf"(?P<unit>{_WORD}(?:{_JOINER}{_WORD})*)|c[cm]*|t[tm]*")
_PLAIN_WORD = re.compile("[aA]?[am]*|A[Am]*|0+")
_LEVELS = (
    re.compile("(?<=0000-00-00)A(?=00:?00)"),  # the T of a time stamp
    re.compile(r"[:/]{1,4}[.@_-]*|[@&]"),
    re.compile(r"\._*|,"),
    re.compile("[-']"),
    re.compile("_+"),
)
_VERSION = re.compile(r"[aA](?=0+(?:\.0+)+$)")
_HUMPS = re.compile("A[Am]*(?=Am*a)|A?[am]+|A[Am]*")
_PLURAL_CAPITALS = re.compile("A{2,}a")  # `APIs`
_LETTERS_AND_DIGITS = re.compile(
    "[aAm]{2,}(?=0+$)|0+(?=[aA]{2,4}$)|0000(?=a$)"
)  # `python3`, `100ms`, `1990s`
_ACRONYM = re.compile(r"[aA](?:\.[aA]){1,9}")
_GROUPED_NUMBER = re.compile(
    r"0{1,3}(?:(?:,000){1,6}(?:\.0{1,9})?|(?:'000){1,6}(?:\.0{1,9})?|(?:\.000){1,2}(?:,0{1,9})?)"
)
_CONTRACTION = re.compile("(?:'(?:s|re|ve|ll|d|m))+$", re.IGNORECASE)
_NEGATION = re.compile("[a-z]{1,9}n't", re.IGNORECASE)
_IOTA_SUBSCRIPT = "\u0345"  # the only mark that folding makes a letter
_APOSTROPHES = str.maketrans("\u2018\u2019\u02bc", "'''")


def is_of_run(word: str) -> bool:
    """Whether a folded *word* is a piece of a run, whose last character may be a mark; other words begin otherwise."""
    return _CLASSES[ord(word[0])] in "ctm"


def lexemes(chunk: str) -> Iterator[Lexeme]:
    """Yield the lexemes of *chunk*: composed text (`normalise.compose`) of any length, a whole before its parts."""
    classes = chunk.translate(_CLASSES)
    offset = 0
    for found in _UNIT.finditer(classes):
        text = chunk[found.start() : found.end()]
        parts = list(_pieces(text, offset) if found["unit"] is None else _unit(text, found[0], offset))
        yield from parts
        offset = parts[-1].offset + 1


def _pieces(text: str, offset: int) -> Iterator[Lexeme]:
    run = bare(text.replace(_IOTA_SUBSCRIPT, ""))  # first of all, for stray accents go
    for place in range(len(run) - 1):
        yield Lexeme(run[place : place + 2], Form.PIECE, offset + place)
    yield Lexeme(run[-1], Form.TAIL if len(run) > 1 else Form.PIECE, offset + len(run) - 1)


def _unit(text: str, classes: str, offset: int) -> Iterator[Lexeme]:
    if _PLAIN_WORD.fullmatch(classes):
        yield Lexeme(text[:LONGEST_WORD], Form.WORD, offset)
        return
    if "'" in classes:
        text = _CONTRACTION.sub("", text.translate(_APOSTROPHES))
        classes = classes[: len(text)]
        if _NEGATION.fullmatch(text):
            yield Lexeme(text, Form.WORD, offset)
            return
    if text[0] != "0" and _GROUPED_NUMBER.fullmatch(classes):
        yield Lexeme(_ungrouped(text), Form.WORD, offset)
    elif _ACRONYM.fullmatch(classes):
        yield Lexeme(text, Form.ACRONYM, offset)
    else:
        yield from _identifier(text, classes, offset)


def _ungrouped(number: str) -> str:
    """`1,234.5`, `1.234,5` and `1'234.5` all become `1234.5`; `1.234` becomes `1234`."""
    mark = next(character for character in number if not character.isdecimal())
    return number.replace(mark, "").replace(",", ".")


def _identifier(text: str, classes: str, offset: int) -> Iterator[Lexeme]:
    spans = _components(text, classes)
    if spans == [(0, len(text))]:
        yield Lexeme(text[:LONGEST_WORD], Form.WORD, offset)
        return
    parts: list[Lexeme] = []
    following = offset
    for start, end in spans:
        parts.extend(_identifier(text[start:end], classes[start:end], following))
        following = parts[-1].offset + 1
    if len(text) <= LONGEST_WHOLE:
        yield Lexeme(text, Form.WHOLE, offset, following - offset)
    yield from parts


def _components(text: str, classes: str) -> list[tuple[int, int]]:
    """Return the spans of the parts at the outermost level that divides: path, dots, hyphens, underscores, case."""
    if text[0] in "vV" and _VERSION.match(classes):
        return [(0, 1), (1, len(text))]
    for joiner in _LEVELS:
        spans = _between(joiner, classes)
        if len(spans) > 1:
            return spans
    if classes[-1] in "+#":  # `C++` is a word of its own, `notepad++` is found without its sign too
        base = len(classes.rstrip("+#"))
        return [(0, base if base > 1 else len(text))]
    if "A" in classes[1:] and "0" not in classes and not _PLURAL_CAPITALS.fullmatch(classes):
        humps = [found.span() for found in _HUMPS.finditer(classes)]
        if humps[-1][1] - humps[-1][0] > 1:  # not `PhD`
            return humps
    if found := _LETTERS_AND_DIGITS.match(classes):
        return [found.span(), (found.end(), len(text))]
    return [(0, len(text))]


def _between(joiner: re.Pattern[str], classes: str) -> list[tuple[int, int]]:
    spans = []
    start = 0
    for found in joiner.finditer(classes):
        if found.start() > start:
            spans.append((start, found.start()))
        start = found.end()
    if start < len(classes):
        spans.append((start, len(classes)))
    return spans
