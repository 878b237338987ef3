"""Everything that the file holds of one series, as frozen values."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from frugal.api import Connection
from frugal_modes.notebook.criteria import Criterion
from frugal_modes.notebook.series import Series

RECIPE_FIELDS = ("command", "code", "parameters", "seed", "machine", "logs", "note")
RESULT_FIELDS = ("conclusion", "open_questions", "file")

CRITERIA = """
    SELECT c.event, c.version, c.text, c.timing, e.at, e.reason
    FROM criterion AS c JOIN event AS e ON e.number = c.event WHERE c.series = :series ORDER BY e.at, c.version
"""
PLANS = """
    SELECT p.event, p.text FROM plan AS p JOIN event AS e ON e.number = p.event
    WHERE p.series = :series ORDER BY e.at, p.event
"""
BUILDS_ON = "SELECT key, target FROM link WHERE series = :series AND removed_event IS NULL ORDER BY number"
BUILT_ON_BY = """
    SELECT s.key FROM link AS l JOIN series AS s ON s.number = l.series
    WHERE l.folded = :folded AND l.removed_event IS NULL ORDER BY s.number
"""
REPLACES = "SELECT key FROM series WHERE successor = :series ORDER BY number"
RECIPES = """
    SELECT p.number, e.at, p.arm, p.superseded_event, p.command, p.code, p.parameters, p.seed, p.machine, p.logs, p.note
    FROM recipe AS p JOIN event AS e ON e.number = p.event WHERE p.series = :series ORDER BY p.number
"""
MEASUREMENTS = """
    SELECT m.number, e.at, m.quantity, m.value, m.arm, m.seed, m.n, m.source, m.superseded_event,
        m.value_number, m.unit, m.qualifier, m.spread, m.k, m.out_of
    FROM measurement AS m JOIN event AS e ON e.number = m.event WHERE m.series = :series ORDER BY m.number
"""
RESULTS = """
    SELECT r.number, e.at, r.verdict, r.superseded_event, r.conclusion, r.open_questions, r.file
    FROM result AS r JOIN event AS e ON e.number = r.event WHERE r.series = :series ORDER BY r.number
"""
EVENTS = """
    SELECT number, at, type, details, text, reason FROM event WHERE series = :series ORDER BY number
"""


@dataclass(frozen=True)
class Event:
    """One event: *details* hold neutral codes and numbers."""

    number: int
    at: str
    type: str
    details: Mapping[str, object]
    text: str
    reason: str


@dataclass(frozen=True)
class Recipe:
    """One recipe; *superseded* is the event that superseded it, None = live."""

    number: int
    at: str
    arm: str
    superseded: int | None
    fields: Mapping[str, str]


@dataclass(frozen=True)
class Measurement:
    """One value as written and as read; *number* is the row's, *value_number* what the value says."""

    number: int
    at: str
    quantity: str
    value: str
    arm: str
    seed: str
    n: str
    source: str
    superseded: int | None
    value_number: float | None
    unit: str
    qualifier: str
    spread: float | None
    k: int | None
    out_of: int | None

    @property
    def is_exact(self) -> bool:
        """Whether statistics may use it: live, a number, without qualifier."""
        return self.superseded is None and self.value_number is not None and not self.qualifier


@dataclass(frozen=True)
class Result:
    """One result; *superseded* as in `Recipe`."""

    number: int
    at: str
    verdict: str
    superseded: int | None
    fields: Mapping[str, str]


@dataclass(frozen=True)
class SheetData:
    """One series with all its rows, in order of record."""

    series: Series
    criteria: Sequence[Criterion]
    plans: Sequence[tuple[int, str]]
    builds_on: Sequence[tuple[str, bool]]
    built_on_by: Sequence[str]
    replaces: Sequence[str]
    recipes: Sequence[Recipe]
    measurements: Sequence[Measurement]
    results: Sequence[Result]
    events: Sequence[Event]
    event_by_number: Mapping[int, Event] = field(default_factory=dict)

    @property
    def criterion(self) -> Criterion | None:
        """The newest version."""
        return self.criteria[-1] if self.criteria else None

    @property
    def plan(self) -> str:
        """The newest plan."""
        return self.plans[-1][1] if self.plans else ""

    @property
    def has_values(self) -> bool:
        """Whether any measurement was ever recorded."""
        return bool(self.measurements)


def load_sheet(db: Connection, series: Series) -> SheetData:
    """Read one series whole."""
    own = {"series": series.number}
    events = tuple(
        Event(number, at, type_, json.loads(details), text, reason)
        for number, at, type_, details, text, reason in db.execute(EVENTS, own)
    )
    return SheetData(
        series=series,
        criteria=tuple(Criterion(*row) for row in db.execute(CRITERIA, own)),
        plans=tuple((event, text) for event, text in db.execute(PLANS, own)),
        builds_on=tuple((key, target is not None) for key, target in db.execute(BUILDS_ON, own)),
        built_on_by=tuple(key for (key,) in db.execute(BUILT_ON_BY, {"folded": series.folded})),
        replaces=tuple(key for (key,) in db.execute(REPLACES, own)),
        recipes=tuple(
            Recipe(number, at, arm, event, dict(zip(RECIPE_FIELDS, texts, strict=True)))
            for number, at, arm, event, *texts in db.execute(RECIPES, own)
        ),
        measurements=load_measurements(db, series),
        results=tuple(
            Result(number, at, verdict, event, dict(zip(RESULT_FIELDS, texts, strict=True)))
            for number, at, verdict, event, *texts in db.execute(RESULTS, own)
        ),
        events=events,
        event_by_number={event.number: event for event in events},
    )


def load_measurements(db: Connection, series: Series) -> tuple[Measurement, ...]:
    """Return every value of *series* in order of record."""
    return tuple(Measurement(*row) for row in db.execute(MEASUREMENTS, {"series": series.number}))


def by_source(rows: Sequence[Measurement]) -> list[Measurement]:
    """Return *rows* grouped by source: sources in order of first appearance, rows in order of record."""
    groups: dict[str, list[Measurement]] = {}
    for row in rows:
        groups.setdefault(row.source, []).append(row)
    return [row for group in groups.values() for row in group]
