"""How much the old tables hold and how much of it has come to ours, for the comparison at the end of a takeover."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from frugal.api import Compared, Connection, OldFile

MEASURE = """
    SELECT (SELECT count(*) FROM series),
           (SELECT count(*) FROM recipe) + (SELECT count(*) FROM measurement) + (SELECT count(*) FROM result),
           (SELECT coalesce(sum(length(CAST(key || question AS BLOB))), 0) FROM series)
           + (SELECT coalesce(sum(length(CAST(command || note AS BLOB))), 0) FROM recipe)
           + (SELECT coalesce(sum(length(CAST(quantity || value AS BLOB))), 0) FROM measurement)
           + (SELECT coalesce(sum(length(CAST(conclusion || open_questions AS BLOB))), 0) FROM result)
"""
OLD_SERIES = """
    SELECT count(*), coalesce(sum(length(CAST(kennung || frage AS BLOB))), 0), coalesce(min(id), 0),
           coalesce(max(id), 0)
    FROM "{main}"
"""
OLD_ROWS = """
    SELECT count(*), coalesce(sum(length(CAST(befehl || notiz AS BLOB))), 0) FROM rezept
    WHERE reihe IN (SELECT id FROM "{main}")
    UNION ALL
    SELECT count(*), coalesce(sum(length(CAST(groesse || wert AS BLOB))), 0) FROM messwert
    WHERE reihe IN (SELECT id FROM "{main}")
    UNION ALL
    SELECT count(*), coalesce(sum(length(CAST(fazit || offen AS BLOB))), 0) FROM ergebnis
    WHERE reihe IN (SELECT id FROM "{main}")
"""
OLD_LINES = """
    SELECT count(*), coalesce(sum(length(CAST(was AS BLOB))), 0) FROM chronik WHERE reihe IN (SELECT id FROM "{main}")
"""
LINES = """
    SELECT count(*), coalesce(sum(length(CAST(text AS BLOB))), 0) FROM event
    WHERE number IN (SELECT value FROM json_each(:numbers))
"""
SPAN = "SELECT coalesce(min(number), 0), coalesce(max(number), 0) FROM series"


@dataclass(frozen=True)
class Measured:
    """How much there is here: series, rows of the three sorts, bytes of their texts."""

    series: int
    rows: int
    text_bytes: int


def measure(db: Connection) -> Measured:
    """Return how much there is here now."""
    return Measured(*db.execute(MEASURE).fetchone())


def compared(db: Connection, old: OldFile, before: Measured, events: Sequence[int]) -> tuple[Compared, ...]:
    """Return what *old* holds beside what has come here since *before*; *events* were lines of the old history."""
    now = measure(db)
    series, size, least, largest = db.execute(OLD_SERIES.format(main=old.main)).fetchone()
    rows = db.execute(OLD_ROWS.format(main=old.main)).fetchall()
    lines, line_bytes = db.execute(OLD_LINES.format(main=old.main)).fetchone()
    kept_lines, kept_bytes = db.execute(LINES, {"numbers": json.dumps(list(events))}).fetchone()
    found = [
        Compared("series", series, now.series - before.series),
        Compared("rows", sum(row[0] for row in rows), now.rows - before.rows),
        Compared("text_bytes", size + sum(row[1] for row in rows), now.text_bytes - before.text_bytes),
        Compared("events", lines, kept_lines),
        Compared("event_bytes", line_bytes, kept_bytes),
    ]
    if not old.is_late:
        first, last = db.execute(SPAN).fetchone()
        found += [Compared("smallest id", least, first), Compared("largest id", largest, last)]
    return tuple(found)
