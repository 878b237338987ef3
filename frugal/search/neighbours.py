"""Entries written together support each other: what an entry lacks, the one before or after it may say."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from frugal.search.protocol import Restriction
from frugal.search.scoring import Row, Score, Scorer
from frugal.search.tuning import Tuning
from frugal.store import Connection

# CROSS keeps the few wanted ids in front: SQLite would else read the whole restriction.
ALLOWED_ROWS = """
SELECT document, sitting, length, title, codes
FROM json_each(:search_ids) AS wanted
CROSS JOIN search_forward ON search_forward.document = wanted.value
CROSS JOIN ({select}) AS allowed ON allowed.id = search_forward.document
WHERE sitting IS NOT NULL
"""
# A narrow restriction may have no index to look an id up by: it is read once.
ALLOWED_ROWS_OF_FEW = """
SELECT document, sitting, length, title, codes
FROM json_each(:search_ids) AS wanted
CROSS JOIN search_forward ON search_forward.document = wanted.value
WHERE sitting IS NOT NULL AND +search_forward.document IN (SELECT id FROM ({select}))
"""


@dataclass(frozen=True, slots=True)
class Rated:
    """A row of the forward index and its score."""

    row: Row
    score: Score


def support(
    db: Connection, rated: Sequence[Rated], restriction: Restriction, *, scorer: Scorer, tuning: Tuning
) -> list[tuple[Rated, float]]:
    """Return every document of *rated* (best first) and matching neighbours of the best with their final scores.

    Only documents of the restriction support and are supported; one without a word of the query gets nothing.
    """
    known = {item.row.document: item for item in rated}
    if tuning.neighbour_words or tuning.neighbour_score:
        best = [item for item in rated[: tuning.neighbour_candidates] if item.row.sitting is not None]
        for row in _missing_rows(db, best, known, restriction, tuning.neighbour_reach):
            known[row.document] = Rated(row, scorer.score(row))
    return [
        (item, item.score.value + _support(item, known, tuning))
        for item in known.values()
        if item.score.value > 0
    ]


def _missing_rows(
    db: Connection, best: Iterable[Rated], known: Mapping[int, Rated], restriction: Restriction, reach: int
) -> list[Row]:
    wanted = {item.row.document + step for item in best for step in range(-reach, reach + 1)} - known.keys()
    if not wanted:
        return []
    statement = ALLOWED_ROWS_OF_FEW if restriction.is_small else ALLOWED_ROWS
    statement = statement.replace("{select}", restriction.select)
    parameters = {**restriction.parameters, "search_ids": json.dumps(sorted(wanted))}
    return [Row._make(row) for row in db.execute(statement, parameters)]


def _support(item: Rated, known: Mapping[int, Rated], tuning: Tuning) -> float:
    row, score = item.row, item.score
    if row.sitting is None:
        return 0.0
    missing = [number for number, share in enumerate(score.words) if not share]
    words = [0.0] * len(missing)
    whole = 0.0
    for step in range(1, tuning.neighbour_reach + 1):
        share = tuning.neighbour_falloff ** (step - 1)
        for document in (row.document - step, row.document + step):
            other = known.get(document)
            if other is None or other.row.sitting != row.sitting:
                continue
            whole = max(whole, share * other.score.value)
            for place, number in enumerate(missing):
                words[place] = max(words[place], share * other.score.words[number])
    helped = min(1.0, tuning.neighbour_length / max(row.length, 1))
    return helped * (tuning.neighbour_words * sum(words) + tuning.neighbour_score * whole)
