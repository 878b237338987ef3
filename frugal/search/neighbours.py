"""Entries written together support each other: what an entry lacks, the one before or after it may say."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from frugal.search.candidates import Matches
from frugal.search.scoring import Row, Score, Scorer
from frugal.search.tuning import Tuning
from frugal.store import Connection

ROWS = """
SELECT document, sitting, length, title, codes
FROM json_each(:search_ids) AS wanted
CROSS JOIN search_forward ON search_forward.document = wanted.value
WHERE sitting IS NOT NULL
"""


class Rated(NamedTuple):
    """A row of the forward index and its score."""

    row: Row
    score: Score


def support(
    db: Connection, rated: Sequence[Rated], matches: Matches, *, scorer: Scorer, tuning: Tuning
) -> list[tuple[Rated, float]]:
    """Return every document of *rated* (best first) and matching neighbours of the best with their final scores.

    Only documents that *matches* allows support and are supported; one without a word of the query gets nothing.
    """
    known = {item.row.document: item for item in rated}
    if tuning.neighbour_words or tuning.neighbour_score:
        best = [item for item in rated[: tuning.neighbour_candidates] if item.row.sitting is not None]
        for row in _missing_rows(db, best, known, matches, tuning.neighbour_reach):
            known[row.document] = Rated(row, scorer.score(row))
    return [
        (item, item.score.value + _support(item, known, tuning))
        for item in known.values()
        if item.score.value > 0
    ]


def _missing_rows(
    db: Connection, best: Iterable[Rated], known: Mapping[int, Rated], matches: Matches, reach: int
) -> list[Row]:
    wanted = {item.row.document + step for item in best for step in range(-reach, reach + 1)} - known.keys()
    if not wanted:
        return []
    allowed = {"search_ids": json.dumps(sorted(matches.allowed(wanted)))}
    return [Row._make(row) for row in db.execute(ROWS, allowed)]


def _support(item: Rated, known: Mapping[int, Rated], tuning: Tuning) -> float:
    row, score = item
    if row.sitting is None:
        return 0.0
    beside = [
        (step, other)
        for step in range(1, tuning.neighbour_reach + 1)
        for document in (row.document - step, row.document + step)
        if (other := known.get(document)) is not None and other.row.sitting == row.sitting
    ]
    if not beside:
        return 0.0
    missing = [number for number, share in enumerate(score.words) if not share]
    words = [0.0] * len(missing)
    whole = 0.0
    for step, other in beside:
        share = tuning.neighbour_falloff ** (step - 1)
        whole = max(whole, share * other.score.value)
        for place, number in enumerate(missing):
            words[place] = max(words[place], share * other.score.words[number])
    helped = min(1.0, tuning.neighbour_length / max(row.length, 1))
    return helped * (tuning.neighbour_words * sum(words) + tuning.neighbour_score * whole)
