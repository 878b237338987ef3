"""Near-duplicates among many documents: an inverted index of the rare terms instead of a loop over all pairs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from frugal.search.codes import SECTION_END, STOPS_BELOW, number_of, split_codes
from frugal.search.protocol import Restriction
from frugal.search.similar import term_weight
from frugal.store import Connection

LEAST_RARE = 20
RARE_SHARE = 50
"""A term is rare if at most max(20, N / 50) of the N documents have it."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """Documents connected by similar pairs, ids ascending, and the best similarity among them (0 to 1)."""

    ids: tuple[int, ...]
    best: float


@dataclass(frozen=True, slots=True)
class Clusters:
    """What was found among *documents* documents: *compared* pairs share a rare term; largest cluster first."""

    documents: int
    compared: int
    clusters: tuple[Cluster, ...]


class _Forest:
    """Documents joined into trees (union-find), with the best similarity of each."""

    def __init__(self, size: int) -> None:
        self.parent = list(range(size))
        self.best = [0.0] * size

    def root(self, node: int) -> int:
        parent = self.parent
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    def join(self, left: int, right: int, score: float) -> None:
        self.best[left] = max(self.best[left], score)
        self.best[right] = max(self.best[right], score)
        self.parent[self.root(left)] = self.root(right)


def find_clusters(
    db: Connection, restriction: Restriction, threshold: float, *, copies: Iterable[Sequence[int]] = ()
) -> Clusters:
    """Return the documents of *restriction* whose weighted Jaccard similarity connects them at *threshold*.

    Exact for every pair that shares a rare term. *copies* are ids known to be identical; they count as 1.0.
    """
    ids, sets = _term_sets(db, restriction)
    weights = _weights(db, sets)
    forest = _Forest(len(ids))
    place = {document: index for index, document in enumerate(ids)}
    for group in copies:
        known = [place[document] for document in group if document in place]
        for left, right in pairwise(known):
            forest.join(left, right, 1.0)
    compared = _join_similar(sets, weights, forest, threshold)
    return Clusters(len(ids), compared, _collect(ids, forest))


FORWARD = """
    SELECT document, codes FROM search_forward
    WHERE document IN ({select}) ORDER BY document
"""
OTHER_WORDS = "SELECT id, term_id FROM search_word WHERE term_id <> id"


def _term_sets(db: Connection, restriction: Restriction) -> tuple[list[int], list[frozenset[int]]]:
    ids: list[int] = []
    sets: list[frozenset[int]] = []
    numbers: dict[str, int] = {}
    terms = dict(db.execute(OTHER_WORDS))
    for document, codes in db.execute(
        FORWARD.format(select=restriction.select), dict(restriction.parameters)
    ):
        text = codes.partition(SECTION_END)[0]
        found: set[int] = set()
        for code in set(split_codes(text)):
            number = numbers.get(code)
            if number is None:
                number = number_of(code)
                number = numbers[code] = terms.get(number, number)
            if number >= STOPS_BELOW:
                found.add(number)
        ids.append(document)
        sets.append(frozenset(found))
    return ids, sets


DOCUMENTS = "SELECT documents FROM search_statistics WHERE id = 1"
FREQUENCIES = "SELECT id, df FROM search_word WHERE term_id = id"


def _weights(db: Connection, sets: Sequence[frozenset[int]]) -> dict[int, float]:
    wanted = frozenset().union(*sets) if sets else frozenset()
    documents = db.execute(DOCUMENTS).fetchone()[0]
    return {
        number: term_weight(documents, frequency)
        for number, frequency in db.execute(FREQUENCIES)
        if number in wanted
    }


def _join_similar(
    sets: Sequence[frozenset[int]], weights: Mapping[int, float], forest: _Forest, threshold: float
) -> int:
    """Join every pair that reaches *threshold*; return how many pairs were compared.

    The weight of the shared rare terms is summed up pair by pair; only where the common terms could still lift a
    pair over the threshold is it computed in full.
    """
    rare = _rare_terms(sets)
    totals = [sum(weights[number] for number in terms) for terms in sets]
    commons = [sum(weights[number] for number in terms if number not in rare) for terms in sets]
    postings: dict[int, list[int]] = {}
    compared = 0
    for index, terms in enumerate(sets):
        shared: dict[int, float] = {}
        for number in terms & rare.keys():
            weight = weights[number]
            earlier = postings.setdefault(number, [])
            for other in earlier:
                shared[other] = shared.get(other, 0.0) + weight
            earlier.append(index)
        compared += len(shared)
        total, common = totals[index], commons[index]
        for other, weight in shared.items():
            most = weight + min(common, commons[other])
            if most >= threshold * (total + totals[other] - most):
                score = _similarity(terms, sets[other], total + totals[other], weights)
                if score >= threshold:
                    forest.join(index, other, score)
    return compared


def _rare_terms(sets: Sequence[frozenset[int]]) -> dict[int, int]:
    frequency: dict[int, int] = {}
    for terms in sets:
        for number in terms:
            frequency[number] = frequency.get(number, 0) + 1
    limit = max(LEAST_RARE, len(sets) // RARE_SHARE)
    return {number: count for number, count in frequency.items() if 2 <= count <= limit}


def _similarity(
    left: frozenset[int], right: frozenset[int], both: float, weights: Mapping[int, float]
) -> float:
    shared = sum(weights[number] for number in left & right)
    return shared / (both - shared) if both > shared else 1.0


def _collect(ids: Sequence[int], forest: _Forest) -> tuple[Cluster, ...]:
    groups: dict[int, list[int]] = {}
    for index in range(len(ids)):
        if forest.best[index]:
            groups.setdefault(forest.root(index), []).append(index)
    clusters = [
        Cluster(tuple(ids[index] for index in group), max(forest.best[index] for index in group))
        for group in groups.values()
        if len(group) > 1
    ]
    return tuple(sorted(clusters, key=lambda cluster: (-len(cluster.ids), -cluster.best, cluster.ids)))
