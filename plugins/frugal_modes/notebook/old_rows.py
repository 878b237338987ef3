"""Series and rows as the published predecessor keeps them, read with their local stamps turned into UTC."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from frugal.api import Connection, OldFile, old_text
from frugal_modes.notebook.moments import to_minute
from frugal_modes.notebook.rowids import MEASUREMENT, RECIPE, RESULT

SERIES = """
    SELECT id, kennung, projekt, frage, kriterium, kriterium_ts, kriterium_nachtraeglich, nachtrag, plan, baut_auf,
           status, abgeloest_durch, angelegt, bewegt, {started} AS begonnen
    FROM "{main}" ORDER BY id
"""
ROWS = {
    RECIPE: """
        SELECT id, reihe, ts, veraltet, arm, befehl, quelltext, parameter, seed, rechner, logs, notiz
        FROM rezept ORDER BY id
    """,
    MEASUREMENT: """
        SELECT id, reihe, ts, veraltet, groesse, wert, arm, start, n, quelle FROM messwert ORDER BY id
    """,
    RESULT: "SELECT id, reihe, ts, veraltet, urteil, fazit, offen, datei FROM ergebnis ORDER BY id",
}
LINES = "SELECT id, reihe, ts, was FROM chronik ORDER BY id"
ZONE_NOTE = "TZ: "
"""What an event begins with that says how the stamps of an older file were read."""
FIRST_STAMP = "1970-01-01 00:00"

_ROW = re.compile(r"\b([rme])(\d+)\b")


@dataclass(frozen=True)
class OldSeries:
    """One series: *fields* by their old names, *created_at* and *moved_at* in UTC."""

    id: int
    fields: dict[str, str]
    created_at: str
    moved_at: str
    started_on: str

    @property
    def unread_start(self) -> str:
        """The start as it stands, if it is no date; then *started_on* is that of the creation."""
        text = self.fields["begonnen"].strip()
        return text if text and _day(text) is None else ""


@dataclass(frozen=True)
class OldRow:
    """One recipe, measurement or result by its *letter*; *stale* says in words what superseded it, "" = live."""

    letter: str
    id: int
    series: int
    at: str
    stale: str
    fields: dict[str, str]

    @property
    def superseded_by(self) -> tuple[str, int] | None:
        """The row that *stale* names, None if it names none."""
        match = _ROW.search(self.stale)
        return (match[1], int(match[2])) if match else None


@dataclass(frozen=True)
class OldLine:
    """One line of the history."""

    id: int
    series: int
    at: str
    text: str


def read_series(db: Connection, old: OldFile) -> list[OldSeries]:
    """Return the series of *old* in order."""
    if not old.has(old.table):
        return []
    started = "begonnen" if old.has(old.table, "begonnen") else "''"
    found = []
    for row in db.execute(SERIES.format(main=old.main, started=started)):
        fields = _texts(row)
        created = utc(fields["angelegt"]) or FIRST_STAMP
        found.append(
            OldSeries(
                int(row["id"]),
                fields,
                created,
                utc(fields["bewegt"]) or created,
                _day(fields["begonnen"]) or _day(fields["angelegt"]) or created[:10],
            )
        )
    return found


def read_rows(db: Connection, old: OldFile) -> Iterator[OldRow]:
    """Yield every recipe, then every measurement, then every result, each in order."""
    tables = {RECIPE: "rezept", MEASUREMENT: "messwert", RESULT: "ergebnis"}
    for letter, statement in ROWS.items():
        if not old.has(tables[letter]):
            continue
        for row in db.execute(statement):
            fields = _texts(row)
            at = utc(fields["ts"]) or FIRST_STAMP
            yield OldRow(letter, int(row["id"]), int(row["reihe"]), at, fields["veraltet"], fields)


def read_lines(db: Connection, old: OldFile) -> list[OldLine]:
    """Return the history in order; a stamp that cannot be read is that of the line before."""
    found: list[OldLine] = []
    for number, series, ts, text in db.execute(LINES) if old.has("chronik") else ():
        before = found[-1].at if found else FIRST_STAMP
        found.append(OldLine(number, series, utc(old_text(ts)) or before, old_text(text)))
    return found


def _texts(row: Any) -> dict[str, str]:
    return {name: old_text(row[name]) for name in row.keys()}  # noqa: SIM118 - a row iterates over its values


def utc(stamp: str) -> str | None:
    """Return a local stamp as it is stored, None if it is none; of an hour that the clock repeats, the first."""
    try:
        return to_minute(datetime.fromisoformat(stamp.strip()))
    except (ValueError, OverflowError, OSError):
        return None


def _day(text: str) -> str | None:
    try:
        return date.fromisoformat(text.strip()[:10]).isoformat()
    except ValueError:
        return None


def zone_name(now: datetime) -> str:
    """Return the zone of this machine: `CET, UTC+01:00`."""
    local = now.astimezone()
    minutes = int((local.utcoffset() or timedelta(0)).total_seconds() // 60)
    sign = "+" if minutes >= 0 else "-"
    offset = f"UTC{sign}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d}"
    name = local.tzname() or ""
    return f"{name}, {offset}" if name and name != "UTC" else offset if minutes else UTC.tzname(None)
