"""Which documents are looked at: matches of the inverted index within a restriction, best first, and their counts."""

import json
from collections.abc import Iterable, Sequence

from frugal.search.codes import code_of
from frugal.search.protocol import Grouping, Restriction
from frugal.search.scoring import Row
from frugal.store import Connection

# CROSS keeps the inverted index in front: SQLite would else drive the query by the ids, one look-up each.
ALLOWED_EACH = "CROSS JOIN ({select}) AS allowed ON allowed.id = search_index.rowid"
# The plus keeps SQLite from doing the same here: seconds instead of milliseconds.
ALLOWED_ONCE = "WHERE +search_index.rowid IN (SELECT id FROM ({select}))"

BEST = """
SELECT search_index.rowid FROM search_index {allowed} search_index MATCH :search_match
ORDER BY bm25(search_index), search_index.rowid DESC LIMIT :search_limit
"""
COUNT = "SELECT count(*) FROM search_index {allowed} search_index MATCH :search_match"
COUNT_UNITS = """
SELECT count(*) - count(unit) + count(DISTINCT unit)
FROM (SELECT search_index.rowid AS document FROM search_index {allowed} search_index MATCH :search_match)
LEFT JOIN ({grouping}) AS grouped ON grouped.id = document
"""
ANY_UNIT = "SELECT 1 FROM ({grouping}) LIMIT 1"
EVERY = "SELECT search_index.rowid FROM search_index {allowed} search_index MATCH :search_match"
ANY = "SELECT 1 FROM search_index {allowed} search_index MATCH :search_match LIMIT 1"
ROWS = """
SELECT document, sitting, length, title, codes FROM search_forward
WHERE document IN (SELECT value FROM json_each(:search_ids))
"""
UNITS = "SELECT id, unit FROM ({grouping}) WHERE id IN (SELECT value FROM json_each(:search_ids))"


def any_of(terms: Iterable[int]) -> str:
    """Return the FTS5 expression that a document with any of *terms* satisfies."""
    return " OR ".join(code_of(term) for term in terms)


def all_of(groups: Iterable[Iterable[int]]) -> str:
    """Return the FTS5 expression that a document with a term of each of *groups* satisfies."""
    return " AND ".join(f"({any_of(terms)})" for terms in groups)


class Matches:
    """The documents of one restriction that satisfy FTS5 expressions."""

    def __init__(self, db: Connection, restriction: Restriction) -> None:
        self._db = db
        self._restriction = restriction

    def best(self, expression: str, limit: int) -> list[int]:
        """Return at most *limit* documents, best by FTS5's bm25, then higher id."""
        return [row[0] for row in self._rows(BEST, expression, search_limit=limit)]

    def count(self, expression: str, grouping: Grouping | None) -> int:
        """Return how many documents match, those of one group counted once."""
        if (
            grouping is None
            or not self._db.execute(ANY_UNIT.replace("{grouping}", grouping.select)).fetchone()
        ):
            return int(self._rows(COUNT, expression)[0][0])
        return int(self._rows(COUNT_UNITS.replace("{grouping}", grouping.select), expression)[0][0])

    def every(self, expression: str) -> set[int]:
        """Return all documents that match."""
        return {row[0] for row in self._rows(EVERY, expression)}

    def has_any(self, expression: str) -> bool:
        """Whether any document matches."""
        return bool(self._rows(ANY, expression))

    def _rows(self, statement: str, expression: str, **more: int) -> list[tuple[int, ...]]:
        form = f"{ALLOWED_ONCE} AND" if self._restriction.is_small else f"{ALLOWED_EACH} WHERE"
        allowed = form.replace("{select}", self._restriction.select)
        parameters = {**self._restriction.parameters, "search_match": expression, **more}
        return self._db.execute(statement.replace("{allowed}", allowed), parameters).fetchall()


def forward_rows(db: Connection, documents: Sequence[int]) -> list[Row]:
    """Return the rows of the forward index of *documents*, in no order."""
    return [Row._make(row) for row in db.execute(ROWS, {"search_ids": json.dumps(documents)})]


def units_of(db: Connection, documents: Sequence[int], grouping: Grouping | None) -> dict[int, int]:
    """Return the group of each of *documents* that belongs to one."""
    if grouping is None or not documents:
        return {}
    statement = UNITS.replace("{grouping}", grouping.select)
    return dict(db.execute(statement, {"search_ids": json.dumps(documents)}).fetchall())
