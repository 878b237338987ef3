"""measurements: values as they were read off, one a line, kept verbatim beside the number that they say."""

from collections.abc import Sequence
from dataclasses import dataclass

from frugal.api import Answer, Call, Refusal, echo
from frugal_modes.notebook.checks import Field, Kept, credential_notices, refuse, text_problems
from frugal_modes.notebook.criteria import current_criterion
from frugal_modes.notebook.index import reindex
from frugal_modes.notebook.journal import Journal, open_journal
from frugal_modes.notebook.keys import fold
from frugal_modes.notebook.numbering import highest
from frugal_modes.notebook.reading import READING_VERSION, Reading, read_value
from frugal_modes.notebook.rowids import MEASUREMENT, RESULT, RowSpan, row_list, row_prefix
from frugal_modes.notebook.rows import FIELDS, MOST_ROWS, Fault, RowDraft, parse_rows
from frugal_modes.notebook.series import Series, find_series
from frugal_modes.notebook.supersession import (
    Named,
    live_result,
    named_rows,
    supersede,
    supersede_problems,
)
from frugal_modes.notebook.vocabulary import CLOSED

TOOL = "measurements"
SHOWN_FAULTS = 5
QUOTED = 3
SOURCE = "source"

ADD = """
    INSERT INTO measurement (
        series, event, quantity, value, arm, seed, n, source,
        quantity_folded, value_number, unit, qualifier, spread, k, out_of, reading
    ) VALUES (
        :series, :event, :quantity, :value, :arm, :seed, :n, :source,
        :quantity_folded, :value_number, :unit, :qualifier, :spread, :k, :out_of, :reading
    )
"""
REPEATED = """
    SELECT new.number, (
        SELECT max(old.number) FROM measurement AS old
        WHERE old.series = new.series AND old.quantity_folded = new.quantity_folded AND old.arm = new.arm
            AND old.seed = new.seed AND old.n = new.n AND old.superseded_event IS NULL AND old.number < new.number
    ) AS earlier
    FROM measurement AS new WHERE new.event = :event AND earlier IS NOT NULL ORDER BY new.number
"""


@dataclass(frozen=True)
class Recorded:
    """What was written: rows *first* to *last* with their readings, and what is worth a note."""

    first: int
    readings: tuple[Reading, ...]
    superseded: tuple[int, ...]
    status: str
    repeats: tuple[tuple[int, int], ...]
    has_criterion: bool
    result: int | None

    @property
    def numbers(self) -> range:
        """The numbers of the new rows."""
        return range(self.first, self.first + len(self.readings))


def measurements(call: Call, *, key: str, rows: str, source: str, supersedes: tuple[RowSpan, ...]) -> Answer:
    """Record every row of the text, or none."""
    parsed = parse_rows(rows)
    problems = [*call.problems]
    problems += row_problems(call, parsed.faults, len(parsed.rows)) if rows else []
    problems += text_problems(call, TOOL, row_fields(parsed.rows, source))
    with call.store.write() as db:
        series = find_series(call, db, key, tool=TOOL, problems=problems)
        named = named_rows(db, MEASUREMENT, supersedes, series)
        problems += supersede_problems(call, TOOL, MEASUREMENT, named)
        refuse(problems)
        assert series is not None
        recorded = write_rows(open_journal(call, db), series, parsed.rows, source, named)
        reindex(db, series.number)
    return _answer(call, series, parsed.rows, source, recorded)


def row_problems(call: Call, faults: Sequence[Fault], count: int) -> list[Refusal]:
    """Return what is wrong with the rows: up to five faults by line, too many rows, none at all."""
    surface = call.surface
    parameter = surface.parameter_word(TOOL, "rows")
    problems = []
    for fault in faults[:SHOWN_FAULTS]:
        reason = surface.text(f"rows.{fault.key}", length=fault.length)
        problems.append(
            Refusal("bad_row", parameter=parameter, line=fault.line, value=echo(fault.text), reason=reason)
        )
    if len(faults) > SHOWN_FAULTS:
        problems.append(Refusal("more_bad_rows", parameter=parameter, count=len(faults) - SHOWN_FAULTS))
    if count > MOST_ROWS:
        problems.append(Refusal("too_many_rows", parameter=parameter, count=count, most=MOST_ROWS))
    if not count and not faults:
        problems.append(Refusal("no_rows", parameter=parameter))
    return problems


def row_fields(rows: Sequence[RowDraft], source: str) -> list[Field]:
    """Return every text of *rows* and their source, as what is to be checked."""
    fields = [Field(SOURCE, source)] if source else []
    for row in rows:
        fields += [Field(name, text, row.line) for name in FIELDS if (text := getattr(row, name))]
    return fields


def write_rows(
    journal: Journal, series: Series, rows: Sequence[RowDraft], source: str, named: Named
) -> Recorded:
    """Write the rows and their event, supersede what they replace, start a planned series."""
    db = journal.db
    first = highest(db, "measurement") + 1
    last = first + len(rows) - 1
    details = {"first": first, "last": last, "supersedes": list(named.usable)}
    event = journal.record(series.number, "measurements", details)
    supersede(db, MEASUREMENT, named.usable, event)
    readings = tuple(read_value(row.value) for row in rows)
    db.executemany(
        ADD,
        [
            {
                "series": series.number,
                "event": event,
                "quantity": row.quantity,
                "value": row.value,
                "arm": row.arm,
                "seed": row.seed,
                "n": row.n,
                "source": source,
                "quantity_folded": fold(row.quantity),
                **columns_of(reading),
            }
            for row, reading in zip(rows, readings, strict=True)
        ],
    )
    return Recorded(
        first=first,
        readings=readings,
        superseded=named.usable,
        status=journal.start_running(series.number),
        repeats=tuple((new, old) for new, old in db.execute(REPEATED, {"event": event})),
        has_criterion=current_criterion(db, series.number) is not None,
        result=live_result(db, series.number),
    )


def columns_of(reading: Reading) -> dict[str, object]:
    """Return the derived columns of a value."""
    return {
        "value_number": reading.number,
        "unit": reading.unit,
        "qualifier": reading.qualifier,
        "spread": reading.spread,
        "k": reading.k,
        "out_of": reading.of,
        "reading": READING_VERSION,
    }


READ_AGAIN = """
    UPDATE measurement SET value_number = :value_number, unit = :unit, qualifier = :qualifier, spread = :spread,
        k = :k, out_of = :out_of, reading = :reading, quantity_folded = :quantity_folded
    WHERE number = :number
"""


def _answer(call: Call, series: Series, rows: Sequence[RowDraft], source: str, recorded: Recorded) -> Answer:
    surface = call.surface
    prefix = row_prefix(surface)
    numbers = list(recorded.numbers)
    old = row_list(MEASUREMENT, recorded.superseded, prefix)
    lines = [
        surface.text(
            "measurements.recorded",
            ids=row_list(MEASUREMENT, numbers, prefix),
            series=series.key,
            count=len(numbers),
            read=sum(reading.number is not None for reading in recorded.readings),
            supersedes=surface.text("measurements.supersedes", ids=old) if old else "",
        )
    ]
    lines += _notes(call, series, rows, recorded, prefix)
    kept = [
        Kept(f"{MEASUREMENT}{number}", name, text)
        for number, row in zip(numbers, rows, strict=True)
        for name in FIELDS
        if (text := getattr(row, name))
    ]
    if source:
        kept.insert(0, Kept(f"{MEASUREMENT}{recorded.first}", SOURCE, source))
    lines += credential_notices(call, kept)
    item = {
        "first": f"{MEASUREMENT}{numbers[0]}",
        "last": f"{MEASUREMENT}{numbers[-1]}",
        "key": series.key,
        "status": recorded.status,
    }
    counts = {"values": len(numbers), "numbers": sum(item.number is not None for item in recorded.readings)}
    return Answer("\n".join(lines), items=(item,), counts=counts)


def _notes(
    call: Call, series: Series, rows: Sequence[RowDraft], recorded: Recorded, prefix: str
) -> list[str]:
    surface = call.surface
    lines = _reading_notes(call, rows, recorded.readings)
    if not recorded.has_criterion:
        tool = surface.call("edit_series", key=series.key, criterion="...")
        lines.append(surface.text("notes.no_criterion", call=tool))
    if recorded.repeats:
        shown = [
            surface.text(
                "notes.repeat",
                new=row_list(MEASUREMENT, [new], prefix),
                old=row_list(MEASUREMENT, [earlier], prefix),
            )
            for new, earlier in recorded.repeats[:QUOTED]
        ]
        more = f" (+{len(recorded.repeats) - QUOTED})" if len(recorded.repeats) > QUOTED else ""
        lines.append(surface.text("notes.repeats", rows=", ".join(shown) + more))
    if series.status in CLOSED:
        status = series.status.shown(surface.language)
        lines.append(surface.text("notes.closed", status=status))
        if recorded.result is not None:
            row = row_list(RESULT, [recorded.result], prefix)
            lines.append(surface.text("notes.older_result", id=row))
    return lines


def _reading_notes(call: Call, rows: Sequence[RowDraft], readings: Sequence[Reading]) -> list[str]:
    """Return notes about values that are no numbers: unread ones, and those that may mean two."""
    surface = call.surface
    pairs = list(zip(rows, readings, strict=True))
    lines = []
    for key, values in (
        ("notes.not_numbers", [row.value for row, it in pairs if it.number is None and not it.is_ambiguous]),
        ("notes.ambiguous", [row.value for row, it in pairs if it.is_ambiguous]),
    ):
        if values:
            quoted = ", ".join(f'"{echo(value, 40)}"' for value in values[:QUOTED])
            more = f" (+{len(values) - QUOTED})" if len(values) > QUOTED else ""
            example = values[0].replace(",", "")
            lines.append(
                surface.text(key, values=quoted + more, whole=echo(example, 40), point=_with_point(values[0]))
            )
    return lines


def _with_point(value: str) -> str:
    return echo(value.replace(",", "."), 40)
