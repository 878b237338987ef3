"""How well a document answers a query: pure arithmetic over rows of the forward index.

BM25 (Robertson and Zaragoza 2009, formula 3.15, without query frequencies) over stems, and on top of it what
`Tuning` lists.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log
from typing import NamedTuple

from frugal.search.codes import SECTION_END, STOPS_BELOW, TAG_END, code_of
from frugal.search.tuning import Tuning

_FIRST_COUNTED = code_of(STOPS_BELOW)


class Collection(NamedTuple):
    """What ranking knows about the live documents: their number and mean length in counted words."""

    documents: int
    mean_length: float

    def weight(self, df: int) -> float:
        """Return the inverse document frequency of a word in *df* documents; never negative."""
        df = min(df, self.documents)
        return log(1 + (self.documents - df + 0.5) / (df + 0.5))


class Row(NamedTuple):
    """One row of the forward index; *title* = words of the text that are its title."""

    document: int
    sitting: int | None
    length: int
    title: int
    codes: str


@dataclass(frozen=True, slots=True)
class Other:
    """A store word asked for in place of a word: its codes, its share, the weight of a hit on it alone."""

    codes: tuple[str, ...]
    share: float
    weight: float


@dataclass(frozen=True, slots=True)
class Asked:
    """One word of a query: its codes, those spelled alike, those of identifiers around it, others in its place."""

    codes: tuple[str, ...]
    exact: tuple[str, ...]
    around: tuple[str, ...]
    weight: float
    is_piece: bool = False
    others: tuple[Other, ...] = ()


@dataclass(frozen=True, slots=True)
class Score:
    """*value*, the share of each word in it, and which words stand outside the search words (one bit each)."""

    value: float
    words: tuple[float, ...]
    on_text: int


class Scorer:
    """Scores rows for one query."""

    def __init__(self, asked: Sequence[Asked], collection: Collection, tuning: Tuning) -> None:
        self._asked = tuple(asked)
        self._mean = max(collection.mean_length, 1.0)
        self._tuning = tuning

    @property
    def codes(self) -> frozenset[str]:
        """Every code that the query asks for."""
        return frozenset(code for word in self._asked for code in word.codes)

    def score(self, row: Row) -> Score:
        """Return how well *row* answers the query, its neighbours left out."""
        text, tags, also, wholes, _ = row.codes.split(SECTION_END)
        tuning = self._tuning
        norm = tuning.k1 * (1 - tuning.b + tuning.b * row.length / self._mean)
        single_tags = frozenset(tags.split(TAG_END)) if tags else frozenset()
        beside = f"{tags} {wholes}" if wholes else tags
        shares = [0.0] * len(self._asked)
        lifts = 0.0
        on_text = 0
        places: list[tuple[int, int]] = []
        for number, word in enumerate(self._asked):
            found = _places(text, word.codes)
            tf = len(found) + _count(text, word.around)
            if beside:
                tf += _count(beside, word.codes)
            if tf:
                on_text |= 1 << number
                places += [(place, number) for place in found]
                near = sum(other.share * _count(text, other.codes) for other in word.others)
                shares[number] = word.weight * self._saturated(tf + near, norm)
                shares[number] += tuning.exact * word.weight * self._saturated(_count(text, word.exact), norm)
                lifts += self._lift(word, found, row, single_tags)
            elif also and _count(also, word.codes):
                shares[number] = tuning.also * word.weight
            elif word.others:
                shares[number] = self._other(text, beside, word.others, norm)
                on_text |= bool(shares[number]) << number
        places.sort()
        lifts += self._phrases(text, places)
        if row.length > tuning.passage_words and len(places) > 1:
            lifts += tuning.passage * (self._best_passage(places) - self._whole_text(places, norm))
        return Score(sum(shares) + lifts, tuple(shares), on_text)

    def _saturated(self, tf: float, norm: float) -> float:
        return tf * (self._tuning.k1 + 1) / (tf + norm)

    def _lift(self, word: Asked, found: Sequence[int], row: Row, tags: frozenset[str]) -> float:
        share = 0.0
        if row.title and found and min(found) < row.title:
            share += self._tuning.title
        if word.around and any(code in row.codes for code in word.around):
            share += self._tuning.whole
        if tags and not tags.isdisjoint(word.codes):
            share += self._tuning.tag
        return share * word.weight

    def _other(self, text: str, beside: str, others: Iterable[Other], norm: float) -> float:
        best = 0.0
        for other in others:
            if tf := _count(text, other.codes) + _count(beside, other.codes):
                best = max(best, other.weight * self._saturated(tf, norm))
        return best

    def _phrases(self, text: str, places: Sequence[tuple[int, int]]) -> float:
        """Return the lift of words that follow each other as in the query, stop words between them or not."""
        counts: dict[int, int] = {}
        for (left, first), (right, second) in pairwise(places):
            if second == first + 1 and (right == left + 1 or max(text[left + 1 : right]) < _FIRST_COUNTED):
                counts[first] = counts.get(first, 0) + 1
        total = 0.0
        for first, tf in counts.items():
            one, other = self._asked[first], self._asked[first + 1]
            is_run = one.is_piece and other.is_piece
            share = self._tuning.piece_phrase if is_run else self._tuning.phrase
            total += share * (one.weight + other.weight) / 2 * self._saturated(tf, self._tuning.k1)
        return total

    def _whole_text(self, places: Iterable[tuple[int, int]], norm: float) -> float:
        counts: dict[int, int] = {}
        for _, number in places:
            counts[number] = counts.get(number, 0) + 1
        return sum(self._asked[number].weight * self._saturated(tf, norm) for number, tf in counts.items())

    def _best_passage(self, places: Sequence[tuple[int, int]]) -> float:
        """Return the best BM25 of a stretch of `passage_words` words, as if it were a text of mean length."""
        norm = self._tuning.k1
        counts = [0] * len(self._asked)
        value = best = 0.0
        start = 0
        for place, number in places:
            while places[start][0] <= place - self._tuning.passage_words:
                gone = places[start][1]
                step = self._saturated(counts[gone], norm) - self._saturated(counts[gone] - 1, norm)
                value -= self._asked[gone].weight * step
                counts[gone] -= 1
                start += 1
            step = self._saturated(counts[number] + 1, norm) - self._saturated(counts[number], norm)
            value += self._asked[number].weight * step
            counts[number] += 1
            best = max(best, value)
        return best


def _places(text: str, codes: Iterable[str]) -> list[int]:
    places = []
    for code in codes:
        place = text.find(code)
        while place >= 0:
            places.append(place)
            place = text.find(code, place + 1)
    return places


def _count(text: str, codes: Iterable[str]) -> int:
    return sum(text.count(code) for code in codes)
