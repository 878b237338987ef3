"""How well a document answers a query: pure arithmetic over rows of the forward index.

BM25 (Robertson and Zaragoza 2009, formula 3.15, without query frequencies) over stems, and on top of it what
`Tuning` lists.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log
from typing import NamedTuple, TypeVar

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


class _Found:
    """What one row has of the query: how often each word, spelled alike, and each other word; places in order."""

    __slots__ = ("beside", "exact", "first", "others", "places", "tf")

    def __init__(self, words: int) -> None:
        self.tf = [0] * words
        self.exact = [0] * words
        self.first = [-1] * words
        self.places: list[tuple[int, int]] = []
        self.others: dict[tuple[int, int], int] = {}
        self.beside: dict[tuple[int, int], int] = {}


class Scorer:
    """Scores rows for one query. One pass of a regular expression finds every code that matters in a row."""

    def __init__(self, asked: Sequence[Asked], collection: Collection, tuning: Tuning) -> None:
        self._asked = tuple(asked)
        self._mean = max(collection.mean_length, 1.0)
        self._tuning = tuning
        self._own = _by_code((code, number) for number, word in enumerate(asked) for code in word.codes)
        self._exact = _by_code((code, number) for number, word in enumerate(asked) for code in word.exact)
        self._around = _by_code((code, number) for number, word in enumerate(asked) for code in word.around)
        self._others = _by_code(
            (code, (number, place))
            for number, word in enumerate(asked)
            for place, other in enumerate(word.others)
            for code in other.codes
        )
        codes = {**self._own, **self._exact, **self._around, **self._others}
        self._pattern = _any_code(codes)

    @property
    def codes(self) -> frozenset[str]:
        """Every code that the query asks for."""
        return frozenset(self._own)

    def weight(self, numbers: Iterable[int]) -> float:
        """Return the weight of the words *numbers* together."""
        return sum(self._asked[number].weight for number in numbers)

    def most(self, numbers: Iterable[int]) -> float:
        """Return more than a document without any word but those *numbers* can score, its neighbours left out."""
        tuning = self._tuning
        share = (
            (tuning.k1 + 1) * (1 + tuning.exact + tuning.phrase + tuning.passage) + tuning.title + tuning.tag
        )
        words = [self._asked[number] for number in numbers]
        return sum((share + (tuning.whole if word.around else 0.0)) * word.weight for word in words)

    def score(self, row: Row) -> Score:
        """Return how well *row* answers the query, its neighbours left out."""
        text, tags, also, wholes, _ = row.codes.split(SECTION_END)
        tuning = self._tuning
        norm = tuning.k1 * (1 - tuning.b + tuning.b * row.length / self._mean)
        single_tags = frozenset(tags.split(TAG_END)) if tags else frozenset()
        found = self._find(text, f"{tags} {wholes}" if wholes else tags)
        shares = [0.0] * len(self._asked)
        lifts = 0.0
        on_text = 0
        for number, word in enumerate(self._asked):
            if found.tf[number]:
                on_text |= 1 << number
                tf = found.tf[number] + self._near(number, word, found)
                shares[number] = word.weight * self._saturated(tf, norm)
                if found.exact[number]:
                    shares[number] += tuning.exact * word.weight * self._saturated(found.exact[number], norm)
                lifts += self._lift(word, found.first[number], row, single_tags)
            elif also and any(code in also for code in word.codes):
                shares[number] = tuning.also * word.weight
            elif word.others and (found.others or found.beside):
                shares[number] = self._other(number, word, found, norm)
                on_text |= bool(shares[number]) << number
        places = found.places
        if len(places) > 1:
            lifts += self._phrases(text, places)
            if row.length > tuning.passage_words:
                lifts += tuning.passage * (self._best_passage(places) - self._whole_text(places, norm))
        return Score(sum(shares) + lifts, tuple(shares), on_text)

    def _find(self, text: str, beside: str) -> _Found:
        found = _Found(len(self._asked))
        own, exact, around, others = self._own, self._exact, self._around, self._others
        for match in self._pattern.finditer(text):
            code = match[0]
            for number in own.get(code, ()):
                place = match.start()
                found.tf[number] += 1
                found.places.append((place, number))
                if found.first[number] < 0:
                    found.first[number] = place
            for number in exact.get(code, ()):
                found.exact[number] += 1
            for number in around.get(code, ()):
                found.tf[number] += 1
            for key in others.get(code, ()):
                found.others[key] = found.others.get(key, 0) + 1
        if beside:
            for code in self._pattern.findall(beside):
                for number in own.get(code, ()):
                    found.tf[number] += 1
                for key in others.get(code, ()):
                    found.beside[key] = found.beside.get(key, 0) + 1
        return found

    def _near(self, number: int, word: Asked, found: _Found) -> float:
        if not found.others:
            return 0.0
        counts = found.others
        return sum(other.share * counts.get((number, place), 0) for place, other in enumerate(word.others))

    def _saturated(self, tf: float, norm: float) -> float:
        return tf * (self._tuning.k1 + 1) / (tf + norm)

    def _lift(self, word: Asked, first: int, row: Row, tags: frozenset[str]) -> float:
        share = 0.0
        if 0 <= first < row.title:
            share += self._tuning.title
        if word.around and any(code in row.codes for code in word.around):
            share += self._tuning.whole
        if tags and not tags.isdisjoint(word.codes):
            share += self._tuning.tag
        return share * word.weight

    def _other(self, number: int, word: Asked, found: _Found, norm: float) -> float:
        best = 0.0
        for place, other in enumerate(word.others):
            key = (number, place)
            if tf := found.others.get(key, 0) + found.beside.get(key, 0):
                best = max(best, other.weight * self._saturated(tf, norm))
        return best

    def _phrases(self, text: str, places: Sequence[tuple[int, int]]) -> float:
        """Return the lift of words that follow each other as in the query, stop words between them or not."""
        counts: dict[int, int] = {}
        for (left, first), (right, second) in pairwise(places):
            is_next = second == first + 1 and right > left
            if is_next and (right == left + 1 or max(text[left + 1 : right]) < _FIRST_COUNTED):
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


_Key = TypeVar("_Key")


def _by_code(pairs: Iterable[tuple[str, _Key]]) -> dict[str, tuple[_Key, ...]]:
    found: dict[str, tuple[_Key, ...]] = {}
    for code, key in pairs:
        if key not in found.get(code, ()):
            found[code] = (*found.get(code, ()), key)
    return found


def _any_code(codes: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern for any of *codes*: a set of characters, and alternatives for codes of two."""
    singles = "".join(re.escape(code) for code in codes if len(code) == 1)
    parts = [re.escape(code) for code in codes if len(code) > 1]
    if singles:
        parts.append(f"[{singles}]")
    return re.compile("|".join(parts) or "(?!)")
