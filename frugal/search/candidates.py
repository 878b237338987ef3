"""Which documents are looked at: matches of the inverted index within a restriction, best first, and their counts."""

import json
from collections.abc import Iterable, Sequence

from frugal.search.codes import code_of
from frugal.search.protocol import Grouping, Labels, Restriction
from frugal.search.scoring import Row
from frugal.store import Connection

# CROSS keeps the inverted index in front: SQLite would else drive the query by the ids, one look-up each.
ALLOWED_EACH = "CROSS JOIN ({select}) AS allowed ON allowed.id = search_index.rowid"
# The plus keeps SQLite from doing the same here: seconds instead of milliseconds.
ALLOWED_ONCE = "WHERE +search_index.rowid IN (SELECT id FROM ({select}))"

RESERVE = 2
"""How many times the wanted documents are ranked before the restriction is looked at."""

BEST = """
SELECT search_index.rowid FROM search_index {allowed} search_index MATCH :search_match
ORDER BY bm25(search_index), search_index.rowid DESC LIMIT :search_limit
"""
BEST_OF_ALL = """
SELECT rowid FROM search_index WHERE search_index MATCH :search_match
ORDER BY bm25(search_index), rowid DESC LIMIT :search_limit
"""
ALLOWED_OF = """
SELECT allowed.id FROM json_each(:search_ids) AS wanted
CROSS JOIN ({select}) AS allowed ON allowed.id = wanted.value
"""
COUNT = "SELECT count(*) FROM search_index {allowed} search_index MATCH :search_match"
COUNT_UNITS = """
SELECT count(*) - count(unit) + count(DISTINCT unit)
FROM (SELECT search_index.rowid AS document FROM search_index {allowed} search_index MATCH :search_match)
LEFT JOIN ({grouping}) AS grouped ON grouped.id = document
"""
ANY_UNIT = "SELECT 1 FROM ({grouping}) LIMIT 1"
COUNT_BY = """
SELECT label, count(*) - count(unit) + count(DISTINCT unit) FROM search_index
CROSS JOIN ({labels}) AS labelled ON labelled.id = search_index.rowid
LEFT JOIN ({grouping}) AS grouped ON grouped.id = search_index.rowid
WHERE search_index MATCH :search_match GROUP BY label
"""
COUNT_BY_WITHOUT_UNITS = """
SELECT label, count(*) FROM search_index CROSS JOIN ({labels}) AS labelled ON labelled.id = search_index.rowid
WHERE search_index MATCH :search_match GROUP BY label
"""
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
        """Return at most *limit* documents, best by FTS5's bm25, then higher id.

        The best of all are tried first: if enough of them are allowed, the others need not be looked at one by one.
        """
        if not self._restriction.is_small:
            parameters = {"search_match": expression, "search_limit": RESERVE * limit}
            every = [row[0] for row in self._db.execute(BEST_OF_ALL, parameters)]
            allowed = self.allowed(every)
            found = [document for document in every if document in allowed]
            if len(found) >= limit or len(every) < RESERVE * limit:
                return found[:limit]
        return [row[0] for row in self._rows(BEST, expression, search_limit=limit)]

    def allowed(self, documents: Sequence[int]) -> set[int]:
        """Return those of *documents* that the restriction allows."""
        statement = ALLOWED_OF.replace("{select}", self._restriction.select)
        parameters = {**self._restriction.parameters, "search_ids": json.dumps(documents)}
        return {row[0] for row in self._db.execute(statement, parameters)}

    def count(self, expression: str, grouping: Grouping | None) -> int:
        """Return how many documents match, those of one group counted once."""
        if grouping is None or not self._has_units(grouping):
            return int(self._rows(COUNT, expression)[0][0])
        return int(self._rows(COUNT_UNITS.replace("{grouping}", grouping.select), expression)[0][0])

    def _has_units(self, grouping: Grouping | None) -> bool:
        if grouping is None:
            return False
        return bool(self._db.execute(ANY_UNIT.replace("{grouping}", grouping.select)).fetchone())

    def count_by(self, expression: str, labels: Labels, grouping: Grouping | None) -> dict[str, int]:
        """Return how many documents of each label match, whatever the restriction; a group counts once a label."""
        statement = COUNT_BY if self._has_units(grouping) else COUNT_BY_WITHOUT_UNITS
        statement = statement.replace("{labels}", labels.select)
        statement = statement.replace("{grouping}", grouping.select if grouping else "")
        return dict(self._db.execute(statement, {**labels.parameters, "search_match": expression}).fetchall())

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
