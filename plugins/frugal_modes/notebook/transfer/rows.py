"""The rows of a notebook as values, under the numbers of their file."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from frugal.api import Record
from frugal_modes.notebook.rowids import MEASUREMENT, RECIPE, RESULT

LETTERS = {"recipe": RECIPE, "measurement": MEASUREMENT, "result": RESULT}
TEXTS: Mapping[str, tuple[str, ...]] = {
    RECIPE: ("arm", "command", "code", "parameters", "seed", "machine", "logs", "note"),
    MEASUREMENT: ("quantity", "value", "arm", "seed", "n", "source"),
    RESULT: ("verdict", "conclusion", "open_questions", "file"),
}


@dataclass(frozen=True, slots=True)
class SeriesRow:
    """One series."""

    number: int
    key: str
    folded: str
    project: str
    short: str
    question: str
    backfill: str
    started_on: str
    status: str
    successor: int | None
    created_at: str
    created_event: int
    moved_at: str
    moved_event: int


@dataclass(frozen=True, slots=True)
class EventRow:
    """One event."""

    number: int
    series: int
    at: str
    type: str
    details: Mapping[str, object]
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class CriterionRow:
    """One version of a criterion, by its event."""

    number: int
    series: int
    version: int
    text: str
    timing: str


@dataclass(frozen=True, slots=True)
class PlanRow:
    """One version of a plan, by its event."""

    number: int
    series: int
    text: str


@dataclass(frozen=True, slots=True)
class LinkRow:
    """What a series builds on, or did until *removed_event*."""

    number: int
    series: int
    key: str
    folded: str
    added_event: int
    removed_event: int | None


@dataclass(frozen=True, slots=True)
class Row:
    """One recipe, measurement or result by its *letter*; *texts* in the order of `TEXTS`."""

    letter: str
    number: int
    series: int
    event: int
    superseded_event: int | None
    texts: tuple[str, ...]


@dataclass(frozen=True)
class Parts:
    """The contents of a notebook, each kind in the order of its numbers."""

    series: tuple[SeriesRow, ...] = ()
    events: tuple[EventRow, ...] = ()
    criteria: tuple[CriterionRow, ...] = ()
    plans: tuple[PlanRow, ...] = ()
    links: tuple[LinkRow, ...] = ()
    rows: tuple[Row, ...] = ()


def parts_of(records: Iterable[Record]) -> Parts:
    """Return *records* as rows; their fields are those that `records` writes."""
    by_type: dict[str, list[Record]] = {}
    for record in records:
        by_type.setdefault(record.type, []).append(record)
    for found in by_type.values():
        found.sort(key=lambda record: record.id)

    def all_of(kind: str) -> list[dict[str, object]]:
        return [{"number": record.id, **record.fields} for record in by_type.get(kind, ())]

    return Parts(
        series=tuple(SeriesRow(**fields) for fields in all_of("series")),  # type: ignore[arg-type]  # checked before
        events=tuple(EventRow(type=fields.pop("action"), **fields) for fields in all_of("event")),  # type: ignore[arg-type]  # checked before
        criteria=tuple(CriterionRow(**fields) for fields in all_of("criterion")),  # type: ignore[arg-type]  # likewise
        plans=tuple(PlanRow(**fields) for fields in all_of("plan")),  # type: ignore[arg-type]  # likewise
        links=tuple(LinkRow(**fields) for fields in all_of("link")),  # type: ignore[arg-type]  # likewise
        rows=tuple(_row(letter, fields) for kind, letter in LETTERS.items() for fields in all_of(kind)),
    )


def _row(letter: str, fields: Mapping[str, object]) -> Row:
    texts = tuple(str(fields[name]) for name in TEXTS[letter])
    own = {name: fields[name] for name in ("number", "series", "event", "superseded_event")}
    return Row(letter, texts=texts, **own)  # type: ignore[arg-type]  # checked before
