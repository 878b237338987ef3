"""Series of the published predecessor become ours: read from its tables, written to ours, counted on both sides.

Everything happens inside the transaction of the upgrade. Numbers of rows and texts stay as they
are; the order of record is that of the old history. Local stamps are read in the zone of this machine.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from frugal.api import Call, Connection, OldFile, TakenOver
from frugal_modes.notebook.index import reindex
from frugal_modes.notebook.keys import fold
from frugal_modes.notebook.measurements import columns_of
from frugal_modes.notebook.moments import to_minute
from frugal_modes.notebook.numbering import highest
from frugal_modes.notebook.old_counts import Measured, compared, measure
from frugal_modes.notebook.old_history import OldEvent, OldHistory, tell
from frugal_modes.notebook.old_rows import (
    ZONE_NOTE,
    OldRow,
    OldSeries,
    read_lines,
    read_rows,
    read_series,
    zone_name,
)
from frugal_modes.notebook.old_successors import successors
from frugal_modes.notebook.reading import read_value
from frugal_modes.notebook.rowids import MEASUREMENT, RECIPE, RESULT
from frugal_modes.notebook.transfer.writing import INSERT_EVENT, as_json
from frugal_modes.notebook.vocabulary import OBSERVATION, PLANNED, STATUSES, VERDICTS, find

TABLES = {RECIPE: "recipe", MEASUREMENT: "measurement", RESULT: "result"}


@dataclass
class Copying:
    """One takeover on its way: what was read, and the numbers here of what had others there."""

    call: Call
    db: Connection
    old: OldFile
    series: list[OldSeries]
    rows: list[OldRow]
    history: OldHistory
    successors: dict[int, int]
    numbers: dict[int, int] = field(default_factory=dict)
    row_numbers: dict[tuple[str, int], int] = field(default_factory=dict)
    event_numbers: dict[int, int] = field(default_factory=dict)
    apart: dict[str, list[str]] = field(default_factory=dict)

    def event(self, event: OldEvent) -> int:
        """Return the number of an event."""
        return self.event_numbers[id(event)]

    def set_apart(self, key: str, row: str) -> None:
        """Name a row that is counted apart under *key*."""
        self.apart.setdefault(key, []).append(row)


def take_over(call: Call, db: Connection, old: OldFile) -> TakenOver:
    """Copy every series of *old* with its rows and history; return what to compare and to tell."""
    before = measure(db)
    series = read_series(db, old)
    known = {one.id for one in series}
    rows, lines = list(read_rows(db, old)), read_lines(db, old)
    linked, unlinked = successors(series)
    copying = Copying(call, db, old, series, [], OldHistory([]), linked)
    copying.rows = [row for row in rows if _has_series(copying, known, row.series, f"{row.letter}{row.id}")]
    kept = [line for line in lines if _has_series(copying, known, line.series, f"h{line.id}")]
    copying.history = tell(series, copying.rows, kept, linked)
    for one in unlinked:
        copying.set_apart("successors", f"{one.fields['kennung']} -> {one.fields['abgeloest_durch']}")
    for one in series:
        if one.unread_start:
            copying.set_apart("starts", f"{one.fields['kennung']} ({one.unread_start[:40]})")
    zone = zone_name(call.clock())
    _number(copying)
    _write_series(copying)
    _write_events(copying)
    _write_criteria(copying)
    _write_links(copying)
    _write_rows(copying)
    _note_zone(copying, zone)
    for number in copying.numbers.values():
        reindex(db, number)
    return _report(copying, before, zone)


def _has_series(copying: Copying, known: set[int], series: int, name: str) -> bool:
    if series not in known:
        copying.set_apart("rows", name)
    return series in known


def _number(copying: Copying) -> None:
    """Give everything its number: its own, or the next free one if the file has series of ours already."""

    def numbered(table: str, ids: Iterable[int]) -> dict[int, int]:
        if not copying.old.is_late:
            return {number: number for number in ids}
        first = highest(copying.db, table) + 1
        return {number: first + index for index, number in enumerate(ids)}

    copying.numbers = numbered("series", (one.id for one in copying.series))
    for letter, table in TABLES.items():
        found = numbered(table, (row.id for row in copying.rows if row.letter == letter))
        copying.row_numbers |= {(letter, number): new for number, new in found.items()}
    first = highest(copying.db, "event") + 1
    copying.event_numbers = {id(event): first + index for index, event in enumerate(copying.history.events)}


# Series

ADD_SERIES = """
    INSERT INTO series (number, key, folded, project, short, question, backfill, started_on, status, successor,
                        created_at, created_event, moved_at, moved_event)
    VALUES (:number, :key, :folded, :project, :short, :question, :backfill, :started, :status, :successor,
            :created_at, :created_event, :moved_at, :moved_event)
"""
IS_TAKEN = "SELECT 1 FROM series WHERE folded = :folded"


def _write_series(copying: Copying) -> None:
    last = {event.series: event for event in copying.history.events}
    for one in copying.series:
        fields = one.fields
        project, _, short = fields["kennung"].rpartition("/")
        status = find(STATUSES, fields["status"]) or PLANNED
        successor = copying.successors.get(one.id)
        row = {
            "number": copying.numbers[one.id],
            "key": fields["kennung"],
            "folded": _free_key(copying, one),
            "project": fold(project or fields["projekt"]),
            "short": fold(short),
            "question": fields["frage"],
            "backfill": fields["nachtrag"],
            "started": one.started_on,
            "status": status.code,
            "successor": None if successor is None else copying.numbers[successor],
            "created_at": one.created_at,
            "created_event": copying.event(copying.history.created[one.id]),
            "moved_at": one.moved_at,
            "moved_event": copying.event(last[one.id]),
        }
        copying.db.execute(ADD_SERIES, row)


def _free_key(copying: Copying, series: OldSeries) -> str:
    """Return the folded key; where another series has the same one, with its number behind it, and named."""
    key = fold(series.fields["kennung"])
    if copying.db.execute(IS_TAKEN, {"folded": key}).fetchone() is None:
        return key
    key = f"{key}~{copying.numbers[series.id]}"
    copying.set_apart("keys", f"{series.fields['kennung']}: {key}")
    return key


# Events


def _write_events(copying: Copying) -> None:
    started = {one.id: one.started_on for one in copying.series}
    for event in copying.history.events:
        row = {
            "number": copying.event(event),
            "series": copying.numbers[event.series],
            "at": event.at,
            "type": event.type,
            "details": as_json(_details(copying, event, started)),
            "text": event.text,
            "reason": event.reason,
        }
        copying.db.execute(INSERT_EVENT, row)


def _details(copying: Copying, event: OldEvent, started: Mapping[int, str]) -> dict[str, object]:
    """Return the neutral codes of an event, as the tools write them."""
    if event.type == "created":
        return {"started": started[event.series]}
    if event.type == "criterion":
        return {"version": 1, "timing": event.timing}
    rows = [copying.row_numbers[event.letter, number] for number in event.rows]
    if event.letter == MEASUREMENT:
        return {"first": rows[0], "last": rows[-1]}
    return {"row": rows[0]} if rows else {}


ADD_CRITERION = """
    INSERT INTO criterion (event, series, version, text, timing) VALUES (:event, :series, 1, :text, :timing)
"""
ADD_PLAN = "INSERT INTO plan (event, series, text) VALUES (:event, :series, :text)"


def _write_criteria(copying: Copying) -> None:
    """Write the criterion of each series, and its plan."""
    for one in copying.series:
        series = copying.numbers[one.id]
        if event := copying.history.criteria.get(one.id):
            row = {"event": copying.event(event), "series": series, "timing": event.timing}
            copying.db.execute(ADD_CRITERION, {**row, "text": one.fields["kriterium"]})
        if event := copying.history.plans.get(one.id):
            row = {"event": copying.event(event), "series": series}
            copying.db.execute(ADD_PLAN, {**row, "text": one.fields["plan"]})


# Links

ADD_LINK = """
    INSERT OR IGNORE INTO link (series, key, folded, target, added_event)
    VALUES (:series, :key, :folded, :target, :event)
"""
TARGET = "SELECT number FROM series WHERE folded = :folded"


def _write_links(copying: Copying) -> None:
    for one in copying.series:
        for key in filter(None, (word.strip() for word in one.fields["baut_auf"].split(","))):
            target = copying.db.execute(TARGET, {"folded": fold(key)}).fetchone()
            row = {
                "series": copying.numbers[one.id],
                "key": key,
                "folded": fold(key),
                "target": target[0] if target else None,
                "event": copying.event(copying.history.created[one.id]),
            }
            copying.db.execute(ADD_LINK, row)


# Rows

ADD_RECIPE = """
    INSERT INTO recipe (number, series, event, arm, command, code, parameters, seed, machine, logs, note, superseded_event)
    VALUES (:number, :series, :event, :arm, :befehl, :quelltext, :parameter, :seed, :rechner, :logs, :notiz, :superseded)
"""
ADD_MEASUREMENT = """
    INSERT INTO measurement (number, series, event, quantity, value, arm, seed, n, source, superseded_event,
                             quantity_folded, value_number, unit, qualifier, spread, k, out_of, reading)
    VALUES (:number, :series, :event, :groesse, :wert, :arm, :start, :n, :quelle, :superseded,
            :quantity_folded, :value_number, :unit, :qualifier, :spread, :k, :out_of, :reading)
"""
ADD_RESULT = """
    INSERT INTO result (number, series, event, verdict, conclusion, open_questions, file, superseded_event)
    VALUES (:number, :series, :event, :verdict, :fazit, :offen, :datei, :superseded)
"""
ADD = {RECIPE: ADD_RECIPE, MEASUREMENT: ADD_MEASUREMENT, RESULT: ADD_RESULT}


def _write_rows(copying: Copying) -> None:
    derive: dict[str, Callable[[OldRow], dict[str, object]]] = {
        RECIPE: lambda row: {},
        MEASUREMENT: lambda row: {
            **columns_of(read_value(row.fields["wert"])),
            "quantity_folded": fold(row.fields["groesse"]),
        },
        RESULT: lambda row: {"verdict": _verdict(copying, row)},
    }
    for row in copying.rows:
        key = (row.letter, row.id)
        superseded = copying.history.superseded.get(key)
        values = {
            "number": copying.row_numbers[key],
            "series": copying.numbers[row.series],
            "event": copying.event(copying.history.recorded[key]),
            "superseded": copying.event(superseded) if superseded else None,
        }
        copying.db.execute(ADD[row.letter], {**row.fields, **values, **derive[row.letter](row)})


def _verdict(copying: Copying, row: OldRow) -> str:
    verdict = find(VERDICTS, row.fields["urteil"])
    if verdict is None:
        copying.set_apart("verdicts", f"{row.letter}{row.id} ({row.fields['urteil'][:40]})")
    return (verdict or OBSERVATION).code


NEWEST = "SELECT max(at) FROM event"


def _note_zone(copying: Copying, zone: str) -> None:
    """Record in each series how its stamps were read, as its newest event; it does not count as movement."""
    newest = copying.db.execute(NEWEST).fetchone()[0]
    at = max(to_minute(copying.call.now()), newest or "")
    first = highest(copying.db, "event") + 1
    for number, series in enumerate(copying.numbers.values(), first):
        row = {"number": number, "series": series, "at": at, "type": "text", "details": "{}", "reason": ""}
        copying.db.execute(INSERT_EVENT, {**row, "text": f"{ZONE_NOTE}{zone}"})


def _report(copying: Copying, before: Measured, zone: str) -> TakenOver:
    kept = [copying.event(event) for event in copying.history.events if event.is_line]
    counts = {"series": len(copying.series), "rows": len(copying.rows), "events": len(kept)}
    apart = {key: tuple(names) for key, names in copying.apart.items()}
    return TakenOver(compared(copying.db, copying.old, before, kept), counts, apart, zone)
