"""erase: a recorded text gives way to a dated stub, for good. For secrets; everything else is superseded."""

from collections.abc import Mapping
from dataclasses import dataclass

from frugal.api import (
    Answer,
    BadValue,
    Call,
    Connection,
    Refusal,
    Refused,
    backups_holding,
    compact_index,
    echo,
)
from frugal_modes.notebook.index import reindex
from frugal_modes.notebook.journal import open_journal
from frugal_modes.notebook.keys import fold
from frugal_modes.notebook.measurements import READ_AGAIN, columns_of
from frugal_modes.notebook.reading import read_value
from frugal_modes.notebook.rowids import EVENT, MEASUREMENT, RECIPE, RESULT, parse_row_ids
from frugal_modes.notebook.series import matching

TOOL = "row_erase"
STUB = "[⌫ {date}]"
"""What is left of a text: a date and a sign, no word of any language. The triggers of the file know its form."""

SERIES = "series"


@dataclass(frozen=True)
class Place:
    """Where a field lies: *table* and *column*, the row by *number_column*; *same* = rows of one call share the text."""

    table: str
    column: str
    number_column: str = "number"
    same: str = ""


def _columns(table: str, *names: str) -> dict[str, Place]:
    return {name: Place(table, name) for name in names}


PLACES: Mapping[str, Mapping[str, Place]] = {
    MEASUREMENT: {
        **_columns("measurement", "quantity", "value", "arm", "seed", "n"),
        "source": Place("measurement", "source", same="event"),
    },
    RECIPE: _columns("recipe", "command", "arm", "code", "parameters", "seed", "machine", "logs", "note"),
    RESULT: _columns("result", "conclusion", "open_questions", "file"),
    EVENT: {
        "criterion": Place("criterion", "text", "event"),
        "plan": Place("plan", "text", "event"),
        "note": Place("event", "text"),
        "reason": Place("event", "reason", same="at"),
    },
    SERIES: _columns("series", "question", "backfill"),
}
OLD_LAYOUTS = (
    ("messwert", "groesse"),
    ("messwert", "wert"),
    ("messwert", "quelle"),
    ("rezept", "befehl"),
    ("rezept", "parameter"),
    ("rezept", "notiz"),
    ("ergebnis", "fazit"),
    ("reihe", "frage"),
    ("reihe", "kriterium"),
    ("reihe", "plan"),
    ("chronik", "was"),
)
"""Where the published program kept such texts: a backup may hold them there."""


@dataclass(frozen=True)
class Target:
    """What is to be erased: the row as typed in *shown*, its kind, its number and its series."""

    shown: str
    kind: str
    number: int
    series: int


@dataclass(frozen=True)
class Erased:
    """What was done: the *text* that is gone, the *stub* in its place, and how many rows had it."""

    text: str
    stub: str
    rows: int


def erase(call: Call, *, row: str, field: str) -> Answer:
    """Erase one field, overwrite the freed pages, and list the backups that still hold the text."""
    surface = call.surface
    if not field:
        raise BadValue("missing_argument", parameter=surface.parameter_word(TOOL, "field"))
    with call.store.write() as db:
        target = _target(call, db, row)
        name = _field(call, target, field)
        place = PLACES[target.kind][name]
        erased = _erase(call, db, target, name, place)
        reindex(db, target.series)
        compact_index(db)
    is_log_empty = call.store.scrub()
    layouts = [(item.table, item.column) for fields in PLACES.values() for item in fields.values()]
    holding, unreadable = backups_holding(call.store.path, [erased.text], [*layouts, *OLD_LAYOUTS])
    shown = surface.text(f"fields.{name}")
    lines = [surface.text("erase.done", row=target.shown, field=shown, stub=erased.stub)]
    if erased.rows > 1:
        lines.append(surface.text("erase.shared", count=erased.rows))
    if not is_log_empty:
        lines.append(surface.text("erase.log_kept"))
    lines += [surface.text("erase.backup", path=path) for path in holding]
    lines += [surface.text("erase.backup_unreadable", path=path) for path in unreadable]
    if not holding and not unreadable:
        lines.append(surface.text("erase.no_backups"))
    item = {"row": target.shown, "field": name, "rows": erased.rows}
    return Answer("\n".join(lines), items=(item,), counts={"backups": [str(path) for path in holding]})


SERIES_OF = "SELECT series FROM {table} WHERE number = :number"


def _target(call: Call, db: Connection, text: str) -> Target:
    """Return what *text* names: a row by its id, an event, or a series by its key."""
    parsed = parse_row_ids(text)
    if len(parsed.spans) == 1 and not parsed.rejected and parsed.spans[0].first == parsed.spans[0].last:
        span = parsed.spans[0]
        if span.name and span.name.casefold() not in call.surface.names:
            parameter = call.surface.parameter_word(TOOL, "row")
            raise Refusal("foreign_rows", parameter=parameter, value=echo(span.name), name=call.surface.name)
        table = "event" if span.letter == EVENT else next(iter(PLACES[span.letter].values())).table
        found = db.execute(SERIES_OF.format(table=table), {"number": span.first}).fetchone()
        if found:
            return Target(f"{span.letter}{span.first}", span.letter, span.first, found[0])
    series = matching(db, text)
    if len(series) != 1:
        parameter = call.surface.parameter_word(TOOL, "row")
        raise Refusal("bad_target", parameter=parameter, value=echo(text))
    return Target(series[0].key, SERIES, series[0].number, series[0].number)


def _field(call: Call, target: Target, text: str) -> str:
    """Return the English name of the field called *text* in this language or in English."""
    surface = call.surface
    names = {surface.text(f"fields.{name}"): name for name in PLACES[target.kind]}
    wanted = fold(text)
    name = names.get(wanted) or (wanted if wanted in names.values() else None)
    if name is None:
        parameter = surface.parameter_word(TOOL, "field")
        known = ", ".join(names)
        raise Refused(
            [Refusal("unknown_field", parameter=parameter, value=echo(text), row=target.shown, known=known)]
        )
    return name


def _erase(call: Call, db: Connection, target: Target, name: str, place: Place) -> Erased:
    """Put the stub in the place of the text, wherever the same call wrote it, and record that."""
    where = f"{place.number_column} = :number"
    columns = f"{place.column}, {place.same or 'NULL'}"
    found = db.execute(
        f"SELECT {columns} FROM {place.table} WHERE {where}", {"number": target.number}
    ).fetchone()
    shown = call.surface.text(f"fields.{name}")
    if found is None or not found[0]:
        raise Refusal("field_empty", row=target.shown, field=shown)
    journal = open_journal(call, db)
    stub = STUB.format(date=journal.at[:10])
    if is_stub(found[0]):
        raise Refusal("field_erased", row=target.shown, field=shown)
    values = {
        "stub": stub,
        "number": target.number,
        "text": found[0],
        "series": target.series,
        "same": found[1],
    }
    if place.same:
        where = f"series = :series AND {place.column} = :text AND {place.same} = :same"
    count = db.execute(f"UPDATE {place.table} SET {place.column} = :stub WHERE {where}", values).rowcount
    if place.table == "measurement":
        _read_stub(db, target.number)
    journal.record(target.series, "erased", {"row": target.shown, "field": name})
    return Erased(found[0], stub, count)


def is_stub(text: str) -> bool:
    """Tell whether *text* is what `erase` leaves of one."""
    return len(text) == len(STUB.format(date="2026-11-30")) and text.startswith("[⌫ ") and text.endswith("]")


STORED = "SELECT quantity, value FROM measurement WHERE number = :number"


def _read_stub(db: Connection, number: int) -> None:
    """Read a row again after its value or quantity has gone."""
    quantity, value = db.execute(STORED, {"number": number}).fetchone()
    row = {"number": number, "quantity_folded": fold(quantity), **columns_of(read_value(value))}
    db.execute(READ_AGAIN, row)
