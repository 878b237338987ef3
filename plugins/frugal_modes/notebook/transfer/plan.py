"""What a merge adds to a notebook, under the numbers that it will have here."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from frugal_modes.notebook.rowids import EVENT, LETTER_OF_EVENT, MEASUREMENT, RECIPE, RESULT
from frugal_modes.notebook.transfer.rows import (
    CriterionRow,
    EventRow,
    LinkRow,
    Parts,
    PlanRow,
    Row,
    SeriesRow,
)
from frugal_modes.notebook.transfer.units import Book, Matched, Unit, match

NOTHING = Matched({}, {})


@dataclass(frozen=True)
class Pair:
    """A series of theirs, the same here if there is one, and what both have."""

    theirs: Book
    ours: Book | None
    matched: Matched


def pair_up(theirs: Book, ours: Book | None) -> Pair:
    """Return *theirs* beside *ours*."""
    return Pair(theirs, ours, match(theirs, ours) if ours else NOTHING)


@dataclass
class Plan:
    """What is to be done: *parts* are to be written, *superseded* are rows here that an event hides.

    *numbers*, *events* and *rows* give for numbers of theirs those of this file.
    """

    pairs: Sequence[Pair]
    numbers: dict[int, int] = field(default_factory=dict)
    events: dict[int, int] = field(default_factory=dict)
    rows: dict[tuple[str, int], int] = field(default_factory=dict)
    parts: Parts = field(default_factory=Parts)
    superseded: list[tuple[str, int, int]] = field(default_factory=list)


def plan(pairs: Sequence[Pair], highest: Mapping[str, int]) -> Plan:
    """Return what the series of *pairs* lack here; *highest* are the largest numbers given so far, by table."""
    made = Plan(pairs)
    units = _new_units(made, highest)
    rows = _new_rows(made, units, highest)
    _supersede(made)
    made.parts = Parts(
        series=tuple(_series(made)),
        events=tuple(_event(made, unit) for unit in units),
        criteria=tuple(_criteria(made, units)),
        plans=tuple(
            PlanRow(made.events[unit.event.number], made.numbers[unit.plan.series], unit.plan.text)
            for unit in units
            if unit.plan
        ),
        links=tuple(_links(made, highest["link"])),
        rows=tuple(_settled(made, rows)),
    )
    _with_versions(made)
    return made


# Numbers


def _new_units(made: Plan, highest: Mapping[str, int]) -> list[Unit]:
    """Number series and events: those known by what they are here, the others in the order of their stamps."""
    new: list[Unit] = []
    last_series = highest["series"]
    for item in made.pairs:
        number = item.theirs.series.number
        if item.ours is None:
            last_series += 1
        made.numbers[number] = item.ours.series.number if item.ours else last_series
        made.events.update(item.matched.events)
        made.rows.update({key: row.number for key, row in item.matched.rows.items()})
        new += _lacking(made, item)
    new.sort(key=lambda unit: (unit.event.at, unit.event.number))
    for number, unit in enumerate(new, highest["event"] + 1):
        made.events[unit.event.number] = number
    return new


def _lacking(made: Plan, item: Pair) -> Iterator[Unit]:
    """Yield the units of theirs that are not here, each with the rows that are not here."""
    known = item.matched.rows
    for unit in item.theirs.units:
        if unit.event.number in item.matched.events:
            continue
        rows = tuple(row for row in unit.rows if (row.letter, row.number) not in known)
        if unit.rows and not rows:  # other calls recorded the same here
            made.events[unit.event.number] = known[unit.rows[0].letter, unit.rows[0].number].event
        elif item.ours and unit.event.type == "erased" and not _is_of_new_row(item, unit.event):
            made.events[unit.event.number] = item.ours.series.moved_event  # here the text stands
        else:
            yield replace(unit, rows=rows)


def _is_of_new_row(item: Pair, event: EventRow) -> bool:
    target = str(event.details["row"])
    letter, digits = target[:1], target[1:]
    if not digits.isdecimal():
        return False
    number = int(digits)
    if letter == EVENT:
        return number not in item.matched.events
    return (letter, number) not in item.matched.rows


def _new_rows(made: Plan, units: Sequence[Unit], highest: Mapping[str, int]) -> list[Row]:
    """Number the rows in the order of their events, so that those of one event stand together."""
    last = {RECIPE: highest["recipe"], MEASUREMENT: highest["measurement"], RESULT: highest["result"]}
    rows: list[Row] = []
    for unit in units:
        for row in sorted(unit.rows, key=lambda row: row.number):
            last[row.letter] += 1
            made.rows[row.letter, row.number] = last[row.letter]
            rows.append(row)
    return rows


# Rows


def _series(made: Plan) -> Iterator[SeriesRow]:
    for item in made.pairs:
        if item.ours is None:
            row = item.theirs.series
            yield replace(
                row,
                number=made.numbers[row.number],
                successor=None,
                created_event=made.events[row.created_event],
                moved_event=made.events[row.moved_event],
            )


def _event(made: Plan, unit: Unit) -> EventRow:
    """Return an event under its new number; its details name rows of this file."""
    event = unit.event
    details = dict(event.details)
    kind = event.type
    if letter := LETTER_OF_EVENT.get(kind):
        numbers = [made.rows[row.letter, row.number] for row in unit.rows if row.letter == letter]
        if not numbers:  # a line of an old history that tells of rows which another line recorded
            kind, details = "text", {}
        elif kind == "measurements":
            details |= {"first": min(numbers), "last": max(numbers)}
        else:
            details["row"] = numbers[0]
        if old := details.get("supersedes"):
            assert isinstance(old, list)
            details["supersedes"] = sorted(made.rows[letter, number] for number in old)
    elif kind == "erased":
        details["row"] = _renamed(made, str(details["row"]))
    return replace(
        event, number=made.events[event.number], series=made.numbers[event.series], type=kind, details=details
    )


def _renamed(made: Plan, target: str) -> str:
    """Return the id of a row or an event here; a key stays."""
    letter, digits = target[:1], target[1:]
    if not digits.isdecimal():
        return target
    number = int(digits)
    known = made.events.get(number) if letter == EVENT else made.rows.get((letter, number))
    return f"{letter}{known or number}"


def _criteria(made: Plan, units: Sequence[Unit]) -> Iterator[CriterionRow]:
    """Yield new versions; behind those that a series has here already, they are numbered on."""
    last = {
        made.numbers[item.theirs.series.number]: max(
            (unit.criterion.version for unit in item.ours.units if unit.criterion), default=0
        )
        for item in made.pairs
        if item.ours
    }
    for unit in units:
        if unit.criterion:
            series = made.numbers[unit.criterion.series]
            version = unit.criterion.version
            if series in last:
                version = last[series] = last[series] + 1
            yield replace(
                unit.criterion, number=made.events[unit.event.number], series=series, version=version
            )


def _with_versions(made: Plan) -> None:
    """Let the events of new versions say the number that the version has here."""
    versions = {row.number: row.version for row in made.parts.criteria}
    events = tuple(
        replace(event, details={**event.details, "version": versions[event.number]})
        if event.number in versions and "version" in event.details
        else event
        for event in made.parts.events
    )
    made.parts = replace(made.parts, events=events)


def _links(made: Plan, last: int) -> Iterator[LinkRow]:
    """Yield links that are not here; of two live ones to one key, ours stays."""
    for item in made.pairs:
        stamps = {unit.event.number: unit.event.at for unit in item.theirs.units}
        own = _own_links(item)
        live = {folded for (folded, _), link in own.items() if link.removed_event is None}
        for link in item.theirs.links:
            known = own.get((link.folded, stamps[link.added_event]))
            if known or (link.removed_event is None and link.folded in live):
                continue
            last += 1
            yield replace(
                link,
                number=last,
                series=made.numbers[link.series],
                added_event=made.events[link.added_event],
                removed_event=made.events[link.removed_event] if link.removed_event else None,
            )


def _own_links(item: Pair) -> dict[tuple[str, str], LinkRow]:
    if item.ours is None:
        return {}
    stamps = {unit.event.number: unit.event.at for unit in item.ours.units}
    return {(link.folded, stamps[link.added_event]): link for link in item.ours.links}


def removed_links(made: Plan) -> Iterator[tuple[int, int]]:
    """Yield the links here that were removed there, each with the event."""
    for item in made.pairs:
        stamps = {unit.event.number: unit.event.at for unit in item.theirs.units}
        own = _own_links(item)
        for link in item.theirs.links:
            known = own.get((link.folded, stamps[link.added_event]))
            if known and known.removed_event is None and link.removed_event:
                yield known.number, made.events[link.removed_event]


# What supersedes what


def _supersede(made: Plan) -> None:
    """Note the rows that are live here and were superseded there."""
    for item in made.pairs:
        theirs = {(row.letter, row.number): row for row in item.theirs.rows}
        for key, own in item.matched.rows.items():
            event = theirs[key].superseded_event
            if event is not None and own.superseded_event is None:
                made.superseded.append((own.letter, own.number, made.events[event]))


def _settled(made: Plan, rows: Sequence[Row]) -> Iterator[Row]:
    """Yield new rows under their numbers; of two live results of a series the later one stays live."""
    hidden = {(letter, number) for letter, number, _ in made.superseded}
    live = {
        item.theirs.series.number: (row, item)
        for item in made.pairs
        if item.ours
        for row in item.ours.rows
        if row.letter == RESULT and row.superseded_event is None and (RESULT, row.number) not in hidden
    }
    for row in rows:
        event = made.events[row.superseded_event] if row.superseded_event else None
        if row.letter == RESULT and event is None and row.series in live:
            own, item = live[row.series]
            if _is_later(row, own, item):
                made.superseded.append((RESULT, own.number, made.events[row.event]))
            else:
                event = own.event
        yield replace(
            row,
            number=made.rows[row.letter, row.number],
            series=made.numbers[row.series],
            event=made.events[row.event],
            superseded_event=event,
        )


def _is_later(row: Row, own: Row, item: Pair) -> bool:
    assert item.ours is not None
    at = next(unit.event.at for unit in item.theirs.units if unit.event.number == row.event)
    own_at = next(unit.event.at for unit in item.ours.units if unit.event.number == own.event)
    return (at, row.texts) > (own_at, own.texts)
