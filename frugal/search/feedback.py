"""The first hits tell what the others are about: their words reorder the tail, never the first two."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import nextafter

from frugal.search.codes import SECTION_END, STOPS_BELOW, code_of, number_of, split_codes
from frugal.search.protocol import Scored
from frugal.search.scoring import Collection, Row
from frugal.search.tuning import Tuning
from frugal.store import Connection

FREQUENCIES = """
SELECT word.id, term.df FROM search_word AS word JOIN search_word AS term ON term.id = word.term_id
WHERE word.id IN (SELECT value FROM json_each(:ids))
"""
LEAST_DOCUMENTS = 2
"""A word of one document alone tells nothing about others."""
LOOKED_UP = 100
"""Words whose frequency is looked up."""
_FIRST_COUNTED = code_of(STOPS_BELOW)


def reorder(
    db: Connection,
    hits: Sequence[Scored],
    rows: Mapping[int, Row],
    *,
    asked: frozenset[str],
    collection: Collection,
    tuning: Tuning,
) -> list[Scored]:
    """Return *hits* (best first) with those lifted that share telling words with the first ones.

    Pseudo-relevance feedback (Rocchio 1971) without its risk: the first `feedback_kept` hits stay where they are.
    *asked* are the codes that the query asks for already.
    """
    kept = tuning.feedback_kept
    if not tuning.feedback or len(hits) <= kept + 1:
        return list(hits)
    counts = _counts(hits[: tuning.feedback_from], rows, asked=asked)
    words = _telling_words(db, counts, collection, most=tuning.feedback_words)
    whole = sum(weight for _, weight in words)
    if not whole:
        return list(hits)
    lifted: list[Scored] = []
    for hit in hits[kept : tuning.feedback_candidates]:
        row = rows[hit.id]
        norm = tuning.k1 * (1 - tuning.b + tuning.b * row.length / collection.mean_length)
        share = 0.0
        for code, weight in words:
            if tf := row.codes.count(code):
                share += weight * _share(tf, norm)
        lifted.append(Scored(hit.id, hit.score + tuning.feedback * hits[0].score * share / whole))
    lifted.sort(key=lambda hit: (-hit.score, -hit.id))
    tail = [*lifted, *hits[tuning.feedback_candidates :]]
    return [*hits[:kept], *_below(tail, hits[kept - 1].score)]


def _below(tail: Sequence[Scored], ceiling: float) -> list[Scored]:
    """Return *tail* in its order with scores that fall from hit to hit, all below *ceiling*."""
    most = nextafter(ceiling, 0.0)
    scale = min(1.0, most / tail[0].score)
    return [Scored(hit.id, min(hit.score * scale, most)) for hit in tail]


def _share(tf: int, norm: float) -> float:
    return tf / (tf + norm)


def _counts(first: Iterable[Scored], rows: Mapping[int, Row], *, asked: frozenset[str]) -> dict[str, float]:
    """Return the codes of the *first* hits that nobody asked for, and how much they have of each."""
    counts: dict[str, float] = {}
    best = 0.0
    for hit in first:
        best = best or hit.score
        worth = hit.score / best
        for code, tf in Counter(split_codes(rows[hit.id].codes.partition(SECTION_END)[0])).items():
            if code >= _FIRST_COUNTED and code not in asked:
                counts[code] = counts.get(code, 0.0) + worth * _share(tf, 0.9)
    return counts


def _telling_words(
    db: Connection, counts: Mapping[str, float], collection: Collection, *, most: int
) -> list[tuple[str, float]]:
    """Return the *most* codes of the greatest weight, frequency in the first hits times rarity, greatest first.

    Only the most frequent codes are looked up: the others are of one of the first hits alone.
    """
    ordered = sorted(counts, key=lambda code: (-counts[code], code))
    numbers = {number_of(code): code for code in ordered[:LOOKED_UP]}
    found = [
        (numbers[word], counts[numbers[word]] * collection.weight(df))
        for word, df in db.execute(FREQUENCIES, {"ids": json.dumps(list(numbers))})
        if df >= LEAST_DOCUMENTS
    ]
    found.sort(key=lambda item: (-item[1], item[0]))
    return found[:most]
