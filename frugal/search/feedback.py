"""The first hits tell what the others are about: their words reorder the tail, never the first two."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from frugal.search.codes import SECTION_END, STOPS_BELOW, code_of, number_of, split_codes
from frugal.search.protocol import Scored
from frugal.search.scoring import Collection, Row
from frugal.search.tuning import Tuning
from frugal.store import Connection

FREQUENCIES = """
SELECT word.id, term.df FROM search_word AS word JOIN search_word AS term ON term.id = word.term_id
WHERE word.id IN (SELECT value FROM json_each(:ids))
"""
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
    words = _telling_words(db, hits[: tuning.feedback_from], rows, asked=asked, collection=collection)
    words = words[: tuning.feedback_words]
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
    """Return *tail* in its order with scores that fall from hit to hit, none above *ceiling*."""
    scale = min(1.0, ceiling / tail[0].score)
    return [Scored(hit.id, hit.score * scale) for hit in tail]


def _share(tf: int, norm: float) -> float:
    return tf / (tf + norm)


def _telling_words(
    db: Connection,
    first: Iterable[Scored],
    rows: Mapping[int, Row],
    *,
    asked: frozenset[str],
    collection: Collection,
) -> list[tuple[str, float]]:
    """Return the codes that the *first* hits have in common or often, rarest first, and their weights."""
    counts: dict[str, float] = {}
    best = 0.0
    for hit in first:
        best = best or hit.score
        worth = hit.score / best
        for code, tf in Counter(split_codes(rows[hit.id].codes.partition(SECTION_END)[0])).items():
            if code >= _FIRST_COUNTED and code not in asked:
                counts[code] = counts.get(code, 0.0) + worth * _share(tf, 0.9)
    numbers = {number_of(code): code for code in counts}
    frequencies = db.execute(FREQUENCIES, {"ids": json.dumps(list(numbers))})
    found = [(numbers[word], collection.weight(df)) for word, df in frequencies if df > 1]
    weighted = [(code, counts[code] * weight) for code, weight in found]
    return sorted(weighted, key=lambda item: (-item[1], item[0]))
