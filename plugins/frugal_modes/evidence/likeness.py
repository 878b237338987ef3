"""How alike two messages are: near copies by masked shingles, and what they have in common beside the query."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from frugal.api import STOP, WHOLE, analyse

NEAR_SHARE = 0.8
"""Jaccard similarity of the shingles from which a message is a near copy."""

LOOKED_AT = 4_000
"""Characters of a message that are compared."""

_LEAST_WORDS = 6
_LINK = re.compile(r"(?:https?://|www\.)\S+|<(?:https?://|mailto:)[^>\s]*>", re.IGNORECASE)
_MENTION = re.compile(r"<[@#!][^>\s]*>|(?<![\w@])@[\w.-]+")
_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")


class Profile(NamedTuple):
    """*shingles* for near copies, *stems* of the words that count."""

    shingles: frozenset[int]
    stems: frozenset[str]


def profile(text: str, *, without: Iterable[str] = ()) -> Profile:
    """Return the profile of *text*, numbers, links and mentions masked; *without* are stems that do not count."""
    masked = _MENTION.sub(" mentionmask ", _LINK.sub(" linkmask ", text[:LOOKED_AT]))
    tokens = [token for token in analyse(_NUMBER.sub("0", masked)) if not token.flags & WHOLE]
    words = [token.surface for token in tokens]
    stems = {token.term for token in tokens if not token.flags & STOP}
    return Profile(_shingles(words), frozenset(stems.difference(without)))


def _shingles(words: list[str]) -> frozenset[int]:
    """Return every three words in a row; of a text under six words its words."""
    if len(words) < _LEAST_WORDS:
        return frozenset(map(hash, words))
    return frozenset(map(hash, zip(words, words[1:], words[2:], strict=False)))


def is_near(one: Profile, other: Profile) -> bool:
    """Tell whether two texts are near copies of each other."""
    few, many = sorted((len(one.shingles), len(other.shingles)))
    if few < NEAR_SHARE * many or not many:
        return False
    common = len(one.shingles & other.shingles)
    return common >= NEAR_SHARE * (few + many - common)


def overlap(one: Profile, other: Profile) -> float:
    """Return how much the stems of two texts have in common, 0 to 1 (Dice)."""
    both = len(one.stems) + len(other.stems)
    return 2 * len(one.stems & other.stems) / both if both else 0.0
