"""How well a document answers a query: pure arithmetic over rows of the forward index.

BM25 (Robertson and Zaragoza 2009, formula 3.15, without query frequencies) over stems, and on top of it what
`Tuning` lists.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log
from operator import attrgetter
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
    """One word of a query: its codes, those spelled alike, those of identifiers around it, others in its place.

    *is_glued*: one of the identifiers is the word with a number behind it, or the number of such a word.
    """

    codes: tuple[str, ...]
    exact: tuple[str, ...]
    around: tuple[str, ...]
    weight: float
    is_piece: bool = False
    others: tuple[Other, ...] = ()
    is_glued: bool = False


class Score(NamedTuple):
    """*value*, the share of each word in it, and which words stand outside the search words (one bit each)."""

    value: float
    words: tuple[float, ...]
    on_text: int


class _Role(NamedTuple):
    """What a code stands for: numbers of words (own, spelled alike, identifiers around), places of other words."""

    own: tuple[int, ...]
    exact: tuple[int, ...]
    around: tuple[int, ...]
    others: tuple[tuple[int, int], ...]


class _Found:
    """What one row has of the query: how often each word, spelled alike, and each other word; places in order."""

    __slots__ = ("beside", "exact", "others", "places", "tf")

    def __init__(self) -> None:
        self.tf: dict[int, int] = {}
        self.exact: dict[int, int] = {}
        self.others: dict[tuple[int, int], int] = {}
        self.beside: dict[tuple[int, int], int] = {}
        self.places: list[tuple[int, int]] = []


class Scorer:
    """Scores rows for one query. One pass of a regular expression finds every code that matters in a row."""

    def __init__(self, asked: Sequence[Asked], collection: Collection, tuning: Tuning) -> None:
        self._asked = tuple(asked)
        self._mean = max(collection.mean_length, 1.0)
        self._tuning = tuning
        self._roles = _roles(self._asked)
        self._pattern = _any_code(self._roles)
        self._glued = [number for number, word in enumerate(self._asked) if word.is_glued]
        self._weights = [word.weight for word in self._asked]
        sums = [self._saturated(tf, tuning.k1) for tf in range(tuning.passage_words + 2)]
        self._steps = [after - before for before, after in pairwise(sums)]
        """What a word adds to a passage that has it so many times already."""
        self._nothing = Score(0.0, (0.0,) * len(self._asked), 0)

    @property
    def codes(self) -> frozenset[str]:
        """Every code that the query asks for."""
        return frozenset(code for code, role in self._roles.items() if role.own)

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

    def most_of_others(self) -> float:
        """Return the most that others in place of the words can bring a document that has none of the words."""
        best = (max((other.weight for other in word.others), default=0.0) for word in self._asked)
        return (self._tuning.k1 + 1) * sum(best)

    def score(self, row: Row) -> Score:
        """Return how well *row* answers the query, its neighbours left out.

        Called hundreds of times a search: what most rows have stands here in one piece, the rest in functions.
        """
        text, tags, also, wholes, _ = row.codes.split(SECTION_END)
        found = self._find(text, f"{tags}{TAG_END}{wholes}" if tags or wholes else "")
        tf = found.tf
        if not (tf or found.others or found.beside or also):
            return self._nothing
        tuning = self._tuning
        norm = tuning.k1 * (1 - tuning.b + tuning.b * row.length / self._mean)
        gain = tuning.k1 + 1
        shares = [0.0] * len(self._asked)
        on_text = 0
        near = self._near(found) if found.others else {}
        weights = self._weights_in(row) if self._glued else self._weights
        for number, count in tf.items():
            on_text |= 1 << number
            times = count + near.get(number, 0.0) if near else count
            shares[number] = weights[number] * gain * times / (times + norm)
            if number in found.exact:
                times = found.exact[number]
                shares[number] += tuning.exact * weights[number] * gain * times / (times + norm)
        if also or found.others or found.beside:
            on_text |= self._fill(shares, found, also, norm)
        lifts = self._lifts(found, row, tags, weights) if tf else 0.0
        if len(found.places) > 1:
            lifts += self._phrases(text, found.places, weights)
            if row.length > tuning.passage_words:
                lifts += tuning.passage * (
                    self._best_passage(found.places) - self._whole_text(found.places, norm)
                )
        return Score(sum(shares) + lifts, tuple(shares), on_text)

    def _weights_in(self, row: Row) -> list[float]:
        """Return the weights of the words for a row: little for parts that do not stand together as in the query."""
        weights = list(self._weights)
        for number in self._glued:
            if not any(code in row.codes for code in self._asked[number].around):
                weights[number] *= self._tuning.apart
        return weights

    def _find(self, text: str, beside: str) -> _Found:
        found = _Found()
        roles, tf, exact, others = self._roles, found.tf, found.exact, found.others
        for match in self._pattern.finditer(text):
            own, alike, around, instead = roles[match[0]]
            for number in own:
                tf[number] = tf.get(number, 0) + 1
                found.places.append((match.start(), number))
            for number in alike:
                exact[number] = exact.get(number, 0) + 1
            for number in around:
                tf[number] = tf.get(number, 0) + 1
            for key in instead:
                others[key] = others.get(key, 0) + 1
        if beside:
            for code in self._pattern.findall(beside):
                role = roles[code]
                for number in role.own:
                    tf[number] = tf.get(number, 0) + 1
                for key in role.others:
                    found.beside[key] = found.beside.get(key, 0) + 1
        return found

    def _near(self, found: _Found) -> dict[int, float]:
        """Return by how much each word that the row has counts more often because of others in its place."""
        near: dict[int, float] = {}
        for (number, place), count in found.others.items():
            if number in found.tf:
                near[number] = near.get(number, 0.0) + self._asked[number].others[place].share * count
        return near

    def _fill(self, shares: list[float], found: _Found, also: str, norm: float) -> int:
        """Give the words that the row lacks the share of search words or of others; return which stand in the text."""
        on_text = 0
        if also:
            for number, word in enumerate(self._asked):
                if number not in found.tf and any(code in also for code in word.codes):
                    shares[number] = self._tuning.also * word.weight
        settled = {number for number, share in enumerate(shares) if share}
        for key in {**found.others, **found.beside}:
            number, place = key
            if number in settled:
                continue
            tf = found.others.get(key, 0) + found.beside.get(key, 0)
            value = self._asked[number].others[place].weight * self._saturated(tf, norm)
            if value > shares[number]:
                shares[number] = value
                on_text |= 1 << number
        return on_text

    def _saturated(self, tf: float, norm: float) -> float:
        return tf * (self._tuning.k1 + 1) / (tf + norm)

    def _lifts(self, found: _Found, row: Row, tags: str, weights: Sequence[float]) -> float:
        """Return the lifts of words in the title, of whole identifiers, of tags."""
        single_tags = frozenset(tags.split(TAG_END)) if tags else frozenset()
        titled = 0
        for place, number in found.places:
            if place >= row.title:
                break
            titled |= 1 << number
        lifts = 0.0
        for number in sorted(found.tf):  # the same order in every row, or equal rows would differ by rounding
            word = self._asked[number]
            if titled >> number & 1:
                lifts += self._tuning.title * weights[number]
            if word.around and any(code in row.codes for code in word.around):
                lifts += self._tuning.whole * weights[number]
            if tags and not single_tags.isdisjoint(word.codes):
                lifts += self._tuning.tag * weights[number]
        return lifts

    def _phrases(self, text: str, places: Sequence[tuple[int, int]], weights: Sequence[float]) -> float:
        """Return the lift of words that follow each other as in the query, stop words between them or not."""
        counts: dict[int, int] = {}
        left, first = places[0]
        for right, second in places:
            is_next = second == first + 1 and right > left
            if is_next and (right == left + 1 or max(text[left + 1 : right]) < _FIRST_COUNTED):
                counts[first] = counts.get(first, 0) + 1
            left, first = right, second
        total = 0.0
        for first, tf in counts.items():
            one, other = self._asked[first], self._asked[first + 1]
            is_run = one.is_piece and other.is_piece
            share = self._tuning.piece_phrase if is_run else self._tuning.phrase
            total += share * (weights[first] + weights[first + 1]) / 2 * self._saturated(tf, self._tuning.k1)
        return total

    def _whole_text(self, places: Iterable[tuple[int, int]], norm: float) -> float:
        counts: dict[int, int] = {}
        for _, number in places:
            counts[number] = counts.get(number, 0) + 1
        return sum(self._asked[number].weight * self._saturated(tf, norm) for number, tf in counts.items())

    def _best_passage(self, places: Sequence[tuple[int, int]]) -> float:
        """Return the best BM25 of a stretch of `passage_words` words, as if it were a text of mean length."""
        weights, steps, width = self._weights, self._steps, self._tuning.passage_words
        counts = [0] * len(weights)
        value = best = 0.0
        start = 0
        for place, number in places:
            while places[start][0] <= place - width:
                gone = places[start][1]
                counts[gone] -= 1
                value -= weights[gone] * steps[counts[gone]]
                start += 1
            value += weights[number] * steps[counts[number]]
            counts[number] += 1
            best = max(best, value)
        return best


def _roles(asked: Sequence[Asked]) -> dict[str, _Role]:
    own, exact, around = (
        _by_code((code, number) for number, word in enumerate(asked) for code in codes(word))
        for codes in (attrgetter("codes"), attrgetter("exact"), attrgetter("around"))
    )
    others = _by_code(
        (code, (number, place))
        for number, word in enumerate(asked)
        for place, other in enumerate(word.others)
        for code in other.codes
    )
    return {
        code: _Role(own.get(code, ()), exact.get(code, ()), around.get(code, ()), others.get(code, ()))
        for code in {**own, **exact, **around, **others}
    }


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
