"""Which documents are looked at: matches of the inverted index within a restriction, best first, and their counts."""

import json
from collections.abc import Container, Iterable, Sequence

from frugal.search.codes import code_of
from frugal.search.protocol import Grouping, Labels, Restriction
from frugal.search.scoring import Row
from frugal.store import Connection

# CROSS keeps the inverted index in front: SQLite would else drive the query by the ids, one look-up each.
ALLOWED_EACH = "CROSS JOIN ({select}) AS allowed ON allowed.id = search_index.rowid WHERE"
# The plus keeps SQLite from doing the same here: seconds instead of milliseconds.
ALLOWED_ONCE = "WHERE +search_index.rowid IN (SELECT id FROM ({select})) AND"
# A byte of a bound value costs a tenth of a look-up.
ALLOWED_BY_MARK = "WHERE substr(:search_mask, search_index.rowid, 1) = x'01' AND"

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
# A narrow restriction may have no index to look an id up by: it is read once.
ALLOWED_OF_FEW = """
SELECT wanted.value FROM json_each(:search_ids) AS wanted WHERE wanted.value IN (SELECT id FROM ({select}))
"""
COUNT = "SELECT count(*) FROM search_index {allowed} search_index MATCH :search_match"
COUNT_UNITS = """
SELECT count(*) - count(unit) + count(DISTINCT unit)
FROM (SELECT search_index.rowid AS document FROM search_index {allowed} search_index MATCH :search_match)
LEFT JOIN ({grouping}) AS grouped ON grouped.id = document
"""
COUNT_EACH = "SELECT {counts} FROM search_index WHERE search_index MATCH :search_match"
COUNT_EACH_UNITS = """
SELECT {counts} FROM search_index LEFT JOIN ({grouping}) AS grouped ON grouped.id = search_index.rowid
WHERE search_index MATCH :search_match
"""
ONE_COUNT = "count(*) FILTER (WHERE {mark})"
ONE_COUNT_UNITS = """
count(*) FILTER (WHERE {mark} AND unit IS NULL) + count(DISTINCT unit) FILTER (WHERE {mark})
"""
MARK = "substr(:search_mask_{number}, search_index.rowid, 1) = x'01'"
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
        self._mask = mask_of(restriction)

    def best(self, expression: str, limit: int) -> list[int]:
        """Return at most *limit* documents, best by FTS5's bm25, then higher id.

        Without marks the best of all are tried first: if enough of them are allowed, the others need not be looked at
        one by one.
        """
        if self._mask is None and not self._restriction.is_small:
            parameters = {"search_match": expression, "search_limit": RESERVE * limit}
            every = [row[0] for row in self._db.execute(BEST_OF_ALL, parameters)]
            allowed = self.allowed(every)
            found = [document for document in every if document in allowed]
            if len(found) >= limit or len(every) < RESERVE * limit:
                return found[:limit]
        return [row[0] for row in self._rows(BEST, expression, search_limit=limit)]

    def allowed(self, documents: Iterable[int]) -> set[int]:
        """Return those of *documents* that the restriction allows."""
        if self._mask is not None:
            mask, most = self._mask, len(self._mask)
            return {document for document in documents if 0 < document <= most and mask[document - 1]}
        form = ALLOWED_OF_FEW if self._restriction.is_small else ALLOWED_OF
        statement = form.replace("{select}", self._restriction.select)
        parameters = {**self._restriction.parameters, "search_ids": json.dumps(list(documents))}
        return {row[0] for row in self._db.execute(statement, parameters)}

    def count(self, expression: str, grouping: Grouping | None) -> int:
        """Return how many documents match, those of one group counted once."""
        if not has_units(self._db, grouping):
            return int(self._rows(COUNT, expression)[0][0])
        assert grouping is not None
        return int(self._rows(COUNT_UNITS.replace("{grouping}", grouping.select), expression)[0][0])

    def count_by(self, expression: str, labels: Labels, grouping: Grouping | None) -> dict[str, int]:
        """Return how many documents of each label match, whatever the restriction; a group counts once a label."""
        statement = COUNT_BY if has_units(self._db, grouping) else COUNT_BY_WITHOUT_UNITS
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
        parameters: dict[str, str | int | bytes] = {"search_match": expression, **more}
        if self._mask is not None:
            allowed = "WHERE" if is_open(self._restriction) else ALLOWED_BY_MARK
            parameters["search_mask"] = self._mask
        else:
            allowed = ALLOWED_ONCE if self._restriction.is_small else ALLOWED_EACH
            allowed = allowed.replace("{select}", self._restriction.select)
            parameters.update(self._restriction.parameters)
        return self._db.execute(statement.replace("{allowed}", allowed), parameters).fetchall()


def is_open(restriction: Restriction) -> bool:
    """Whether the marks of *restriction* leave nothing out."""
    return restriction.marks is not None and set(restriction.marks.present) <= set(restriction.marks.allowed)


def mask_of(restriction: Restriction) -> bytes | None:
    """Return a byte for each document, 1 where *restriction* allows it; None if it has no marks."""
    marks = restriction.marks
    if marks is None:
        return None
    return _mask(marks.each, marks.allowed)


def _mask(each: bytes, allowed: Container[int]) -> bytes:
    return each.translate(bytes(code in allowed for code in range(256)))


def has_units(db: Connection, grouping: Grouping | None) -> bool:
    """Whether any document belongs to a group."""
    if grouping is None:
        return False
    return bool(db.execute(ANY_UNIT.replace("{grouping}", grouping.select)).fetchone())


def count_each(
    db: Connection, expression: str, restrictions: Sequence[Restriction], grouping: Grouping | None
) -> list[int]:
    """Return how many documents of each of *restrictions* match, those of one group counted once.

    One pass over the matches where all restrictions read the same marks, else one for each.
    """
    if not restrictions:
        return []
    marks = [restriction.marks for restriction in restrictions if restriction.marks is not None]
    if len(marks) < len(restrictions) or any(other.each is not marks[0].each for other in marks):
        return [Matches(db, restriction).count(expression, grouping) for restriction in restrictions]
    grouped = grouping if has_units(db, grouping) else None
    every = frozenset(marks[0].present)
    parts = [every.intersection(other.allowed) for other in marks]
    statement = COUNT_EACH_UNITS.replace("{grouping}", grouped.select) if grouped else COUNT_EACH
    columns = _columns(parts, every, is_grouped=grouped is not None)
    parameters: dict[str, str | bytes] = {"search_match": expression}
    each = marks[0].each
    parameters |= {
        f"search_mask_{number}": _mask(each, part) for number, part in enumerate(columns) if part != every
    }
    counted = ", ".join(_count_of(number, part == every, grouped) for number, part in enumerate(columns))
    row = db.execute(statement.replace("{counts}", counted), parameters).fetchone()
    found = dict(zip(columns, row, strict=True))
    return [found[part] if part in found else found[every] - found[every - part] for part in parts]


def _columns(
    parts: Sequence[frozenset[int]], every: frozenset[int], *, is_grouped: bool
) -> list[frozenset[int]]:
    """Return which sets of marks to count: what is the rest of another set is had by subtraction.

    Groups may lie in both parts, so with them nothing is subtracted.
    """
    if is_grouped:
        return list(dict.fromkeys(parts))
    columns = [every]
    for part in parts:
        if part not in columns and every - part not in columns:
            columns.append(part)
    return columns


def _count_of(number: int, is_all: bool, grouping: Grouping | None) -> str:
    """Return the SQL that counts the documents whose mark is in set *number*."""
    mark = "TRUE" if is_all else MARK.replace("{number}", str(number))
    return (ONE_COUNT_UNITS if grouping else ONE_COUNT).replace("{mark}", mark)


def forward_rows(db: Connection, documents: Sequence[int]) -> list[Row]:
    """Return the rows of the forward index of *documents*, in no order."""
    return [Row._make(row) for row in db.execute(ROWS, {"search_ids": json.dumps(documents)})]


def units_of(db: Connection, documents: Sequence[int], grouping: Grouping | None) -> dict[int, int]:
    """Return the group of each of *documents* that belongs to one."""
    if grouping is None or not documents or not has_units(db, grouping):
        return {}
    statement = UNITS.replace("{grouping}", grouping.select)
    return dict(db.execute(statement, {"search_ids": json.dumps(documents)}).fetchall())
