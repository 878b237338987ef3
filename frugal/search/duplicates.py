"""Texts that say the same in nearly the same words: shingles in common, unless a number or a "not" tells them apart."""

import re
from collections import Counter
from collections.abc import Sequence
from functools import cached_property

from frugal.text.normalise import compose
from frugal.text.tokenise import classes_of

FLOOR = 0.9
"""Jaccard similarity from which two texts count as near duplicates."""
WORDS = 5
CHARACTERS = 8
"""Length of a shingle: words, or characters where a text is mostly written without spaces."""
LEAST_LENGTH = 0.85
LENGTH_SLACK = 40
"""A text shorter than this share of another, less some characters, cannot share nine tenths of its shingles."""

_TELLING = re.compile(
    r"[A-Za-z_]*\d[\w.:/@%+#=~&?-]*|[A-Za-z_][\w-]*(?:[./:@]+[\w~-]+)+|[一二三四五六七八九十百千万萬零〇两兩]+",
    re.ASCII,
)
"""Numbers with what hangs on them, names with a dot, slash, colon or @ inside, Chinese numerals."""
_NEGATIONS = frozenset(
    {
        "not",
        "no",
        "never",
        "none",
        "neither",
        "nor",
        "without",
        "cannot",
        "nothing",
        "nobody",
        "kein",
        "keine",
    }
    | {
        "keinen",
        "keinem",
        "keiner",
        "keines",
        "nicht",
        "nichts",
        "nie",
        "niemals",
        "niemand",
        "ohne",
        "weder",
    }
)
_NEGATED = re.compile(r"\b\w+n['’]t\b")
_NEGATING = re.compile("[不没沒无無未非勿别別莫]|ない|ません|않|못|아니")
_WORD = re.compile(r"\w+")


class Fingerprint:
    """What two texts are compared by; costly parts are made when they are asked for."""

    def __init__(self, text: str) -> None:
        self.text = " ".join(compose(text).split())
        self._lower = self.text.casefold()

    @cached_property
    def shingles(self) -> frozenset[int]:
        """The hashes of all stretches of 5 words, or of 8 characters."""
        classes = classes_of(self._lower)
        run_characters = classes.count("c") + classes.count("t")
        if run_characters * 2 > len(classes) - classes.count(" "):
            joined = "".join(self._lower.split())
            return _stretches(joined, CHARACTERS)
        return _stretches(_WORD.findall(self._lower), WORDS)

    @cached_property
    def telling(self) -> tuple[Counter[str], Counter[str]]:
        """The numbers, versions, addresses and dates, and the negations."""
        numbers = Counter(
            found.rstrip(".:/-,") for found in _TELLING.findall(_with_ascii_digits(self._lower))
        )
        negations = Counter(word for word in _WORD.findall(self._lower) if word in _NEGATIONS)
        negations.update(_NEGATED.findall(self._lower))
        negations.update(_NEGATING.findall(self._lower))
        return numbers, negations


def _with_ascii_digits(text: str) -> str:
    if text.isascii():
        return text
    return "".join(str(int(char)) if char.isdecimal() else char for char in text)


def _stretches(items: Sequence[str] | str, size: int) -> frozenset[int]:
    """Return the hashes of all stretches of *size* items; of a text, of its characters."""
    last = max(len(items) - size, 0)
    if isinstance(items, str):
        return (
            frozenset(hash(items[place : place + size]) for place in range(last + 1))
            if items
            else frozenset()
        )
    return (
        frozenset(hash(tuple(items[place : place + size])) for place in range(last + 1))
        if items
        else frozenset()
    )


def is_near_duplicate(one: Fingerprint, other: Fingerprint) -> bool:
    """Tell whether two texts say the same: nearly all shingles in common, all numbers and negations equal."""
    if not _is_as_long(len(one.text), len(other.text)):
        return False
    left, right = one.shingles, other.shingles
    if not left or not right:
        return False
    common = len(left & right)
    return common >= FLOOR * (len(left) + len(right) - common) and one.telling == other.telling


def _is_as_long(one: int, other: int) -> bool:
    """Tell whether texts of these lengths can have enough in common at all."""
    longer, shorter = (one, other) if one > other else (other, one)
    return shorter > 0 and shorter >= LEAST_LENGTH * longer - LENGTH_SLACK


def groups_of(texts: Sequence[str], same: Sequence[str], limit: int | None = None) -> list[list[int]]:
    """Return the places of *texts*, best first, in groups of duplicates; each group stands where its best member does.

    Texts with an equal, non-empty key in *same* are equal. A text joins the first group whose best member it is near.
    Only the first *limit* groups are returned, with all their members.
    """
    groups: list[list[int]] = []
    heads: list[Fingerprint] = []
    by_key: dict[str, int] = {}
    for place, text in enumerate(texts):
        found = by_key.get(same[place]) if same[place] else None
        if found is None:
            mark = Fingerprint(text)
            found = next((number for number, head in enumerate(heads) if is_near_duplicate(head, mark)), None)
        if found is None:
            if limit is not None and len(groups) >= limit:
                continue
            found = len(groups)
            groups.append([])
            heads.append(mark)
        groups[found].append(place)
        if same[place]:
            by_key.setdefault(same[place], found)
    return groups
