"""Word numbers as code points: the compact text of the forward index and the tokens of the inverted one.

A number below `PAIRS_FROM` is one character, a larger one a pair whose halves occur nowhere else, so `str.count`
counts a word and `in` finds a sequence of words. Surrogates and U+FFFE/U+FFFF are left out because neither
UTF-8 nor SQLite carries them.
"""

import re
from collections.abc import Iterable

STOPS_BELOW = 640
"""Numbers below this are stop words: kept in the forward index, left out of the inverted one."""

SECTION_END = "\n"
TAG_END = " "
PAIRS_FROM = 0xE0000 - 0x802
_SURROGATES = 0xD800
_NONCHARACTERS = 0xFFFE - 0x800
_HIGH, _LOW, _HALF = 0xE0000, 0xF0000, 0x10000
_NOT_STOPS = (ord(SECTION_END), ord(TAG_END))
_FIRST_PAIR = chr(_HIGH)
_ENDS = frozenset((SECTION_END, TAG_END))
_EVERY = re.compile("[\U000e0000-\U000effff].|[^\n ]", re.DOTALL)


def code_of(number: int) -> str:
    """Return the code of word *number*: one character, or a pair from `PAIRS_FROM` on."""
    if number < _SURROGATES:
        return chr(number)
    if number < _NONCHARACTERS:
        return chr(number + 0x800)
    if number < PAIRS_FROM:
        return chr(number + 0x802)
    high, low = divmod(number - PAIRS_FROM, _HALF)
    return chr(_HIGH + high) + chr(_LOW + low)


def number_of(code: str) -> int:
    """Return the word number of one *code*."""
    if len(code) == 2:
        return PAIRS_FROM + (ord(code[0]) - _HIGH) * _HALF + ord(code[1]) - _LOW
    point = ord(code)
    if point < _SURROGATES:
        return point
    return point - (0x800 if point < 0xFFFE else 0x802)


def next_stop(highest: int) -> int | None:
    """Return the stop-word number after *highest* (0 for none yet), None when they are used up."""
    number = highest + 1
    while number in _NOT_STOPS:
        number += 1
    return number if number < STOPS_BELOW else None


def split_codes(codes: str) -> list[str]:
    """Return the single codes of a forward text in order, blanks and section ends left out."""
    return _EVERY.findall(codes)


def distinct_codes(codes: str) -> set[str]:
    """Return the single codes that a forward text has, each once."""
    if max(codes, default="") < _FIRST_PAIR:
        return set(codes) - _ENDS
    return set(_EVERY.findall(codes))


def numbers_in(codes: str) -> list[int]:
    """Return the word numbers of a forward text in order."""
    return [number_of(code) for code in _EVERY.findall(codes)]


def index_text(terms: Iterable[int]) -> str:
    """Return the text whose tokens stand in the inverted index for a document's *terms*: no stop words."""
    return " ".join(code_of(number) for number in terms if number >= STOPS_BELOW)
