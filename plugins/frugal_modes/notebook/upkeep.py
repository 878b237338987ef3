"""Upkeep: number columns and the search index are recomputed; texts, ids and dates never change.

Transactions are short, so that servers go on. Twice is the same as once.
"""

from dataclasses import dataclass, field

from frugal.api import (
    EVERY_DOCUMENT,
    Answer,
    Call,
    Connection,
    Progress,
    is_outdated,
    no_progress,
    note_analysis,
)
from frugal_modes.notebook.index import FORGET_DIGESTS, is_indexed, reindex
from frugal_modes.notebook.keys import fold
from frugal_modes.notebook.measurements import READ_AGAIN, columns_of
from frugal_modes.notebook.reading import read_value

AT_ONCE = 500
SHOWN_IDS = 12

ROWS = """
    SELECT number, value, quantity, quantity_folded, value_number, unit, qualifier, spread, k, out_of, reading
    FROM measurement WHERE number > :after ORDER BY number LIMIT :limit
"""
SERIES = "SELECT number, key FROM series WHERE number > :after ORDER BY number LIMIT :limit"
TOTALS = "SELECT (SELECT count(*) FROM measurement), (SELECT count(*) FROM series)"


@dataclass
class Changes:
    """What differed: the rows whose numbers did, and the series whose index did."""

    rows: list[str] = field(default_factory=list)
    series: list[str] = field(default_factory=list)


def upkeep(call: Call, *, is_dry_run: bool = False, progress: Progress = no_progress) -> Answer:
    """Recompute everything derived and report what differed; a dry run writes nothing."""
    with call.store.read() as db:
        values, series = db.execute(TOTALS).fetchone()
        is_old = is_outdated(db)
    total, changes = values + series, Changes()
    after = done = 0
    while True:
        with call.store.read() if is_dry_run else call.store.write() as db:
            last, count = _read_values(db, after, changes, is_dry_run=is_dry_run)
        if not count:
            break
        after, done = last, done + count
        progress(min(done, total), total)
    after = 0
    while True:
        with call.store.read() if is_dry_run else call.store.write() as db:
            last, count = _index(db, after, changes, is_dry_run=is_dry_run, is_outdated=is_old)
        if not count:
            break
        after, done = last, done + count
        progress(min(done, total), total)
    if not is_dry_run:
        with call.store.write() as db:
            note_analysis(db)
    return _answer(call, changes, values=values, series=series, is_dry_run=is_dry_run)


def _read_values(db: Connection, after: int, changes: Changes, *, is_dry_run: bool) -> tuple[int, int]:
    """Read a batch of values again; return the last row looked at and how many there were."""
    rows = db.execute(ROWS, {"after": after, "limit": AT_ONCE}).fetchall()
    for number, value, quantity, *stored in rows:
        right = {"quantity_folded": fold(quantity), **columns_of(read_value(value))}
        if stored != list(right.values()):
            changes.rows.append(f"m{number}")
            if not is_dry_run:
                db.execute(READ_AGAIN, {"number": number, **right})
    return (rows[-1][0], len(rows)) if rows else (after, 0)


def _index(
    db: Connection, after: int, changes: Changes, *, is_dry_run: bool, is_outdated: bool
) -> tuple[int, int]:
    """Bring the index of a batch of series up to date; return the last series looked at and how many there were."""
    rows = db.execute(SERIES, {"after": after, "limit": AT_ONCE}).fetchall()
    present = {number for (number,) in db.execute(EVERY_DOCUMENT.select)}
    for number, key in rows:
        if is_outdated or not is_indexed(db, number, present):
            changes.series.append(key)
            if not is_dry_run:
                db.execute(FORGET_DIGESTS, {"live": 2 * number, "stale": 2 * number + 1})
                reindex(db, number)
    return (rows[-1][0], len(rows)) if rows else (after, 0)


def _answer(call: Call, changes: Changes, *, values: int, series: int, is_dry_run: bool) -> Answer:
    surface = call.surface
    lines = [surface.text("upkeep.dry")] if is_dry_run else []
    lines.append(surface.text("upkeep.totals", series=series, values=values))
    for item, ids in (("numbers", changes.rows), ("index", changes.series)):
        line = surface.text(f"upkeep.{item}", count=len(ids))
        if ids:
            line += ": " + ", ".join(ids[:SHOWN_IDS]) + (", ..." if len(ids) > SHOWN_IDS else "")
        lines.append(line)
    counts = {"series": series, "values": values, "dry_run": is_dry_run}
    return Answer(
        "\n".join(lines),
        items=(
            {"item": "numbers", "count": len(changes.rows), "ids": changes.rows[:SHOWN_IDS]},
            {"item": "index", "count": len(changes.series), "ids": changes.series[:SHOWN_IDS]},
        ),
        counts={**counts, "changes": len(changes.rows) + len(changes.series)},
    )
