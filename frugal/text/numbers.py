"""Numbers of a text, and which of them changed between two texts that say nearly the same."""

import re
import string
import unicodedata
from dataclasses import dataclass

NUMBERS_A_SIDE = 3

# One digit in front of the alternatives lets the search skip text without digits quickly.
_NUMBER = re.compile(
    r"""
    \d (?: \d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]) (?!\d)
         | \d*+ (?:[.,]\d++)*+ (?P<percent> [ \u00a0\u202f]?[%\uff05] )? )
    """,
    re.VERBOSE,
)
_WORD_CHARACTERS = string.ascii_letters + string.digits
_JOINING = frozenset(string.ascii_letters + "-")
# Digits of hashes and UUIDs are no numbers.
_HASH = re.compile(r"(?=[0-9]*+[a-f])(?=[a-f]*+[0-9])[0-9a-f]{7,128}+(?![0-9A-Za-z])")
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9A-Za-z])")
_LONGEST_HASH = 128
_LONGEST_UUID = 36


@dataclass(frozen=True)
class NumberChange:
    """Numbers that only one of two texts has: *old* and *new* are shown, *old_rest* and *new_rest* more exist."""

    old: tuple[str, ...]
    new: tuple[str, ...]
    old_rest: int = 0
    new_rest: int = 0

    def __str__(self) -> str:
        return f"{_side(self.old, self.old_rest)} -> {_side(self.new, self.new_rest)}"


def numbers(text: str) -> tuple[str, ...]:
    """Return the numbers of *text* in order of appearance, repeats included.

    An ISO date, an integer, a decimal or a version with `.` or `,`; a percent sign belongs to its number and closes
    up to it. Digits of any script are given as ASCII.
    """
    found: list[str] = []
    done = 0
    for match in _NUMBER.finditer(text):
        start, end = match.span()
        if start >= done and (text[start - 1 : start] in _JOINING or text[end : end + 1] in _JOINING):
            done = max(done, _hash_end(text, start))
        if start < done:
            continue
        percent = match.start("percent")
        found.append(_ascii(match[0]) if percent < 0 else _ascii(text[start:percent]) + "%")
    return tuple(found)


def _hash_end(text: str, index: int) -> int:
    """Return where the hash or the UUID around *index* ends, 0 if there is none."""
    before = text[max(index - _LONGEST_HASH, 0) : index]
    if found := _HASH.match(text, index - len(before) + len(before.rstrip(_WORD_CHARACTERS))):
        return found.end()
    for uuid in _UUID.finditer(text, max(index - _LONGEST_UUID, 0), index + _LONGEST_UUID):
        if uuid.start() <= index < uuid.end():
            return uuid.end()
    return 0


def changed(new: str, old: str, most: int = NUMBERS_A_SIDE) -> NumberChange | None:
    """Return what to show as `22 -> 49222`, None unless each text has a number that the other lacks.

    At most *most* numbers a side, each once, in order of appearance.
    """
    in_new, in_old = dict.fromkeys(numbers(new)), dict.fromkeys(numbers(old))
    only_new = tuple(number for number in in_new if number not in in_old)
    only_old = tuple(number for number in in_old if number not in in_new)
    if not only_new or not only_old:
        return None
    return NumberChange(
        old=only_old[:most],
        new=only_new[:most],
        old_rest=max(len(only_old) - most, 0),
        new_rest=max(len(only_new) - most, 0),
    )


def _side(shown: tuple[str, ...], rest: int) -> str:
    return ", ".join(shown) + (f" (+{rest})" if rest else "")


def _ascii(number: str) -> str:
    if number.isascii():
        return number
    return "".join(str(unicodedata.decimal(character, character)) for character in number)
