"""The history of an old notebook as events: lines as they stand and in order, and what no line tells beside them."""

import re
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field

from frugal_modes.notebook.old_rows import OldLine, OldRow, OldSeries, utc
from frugal_modes.notebook.rowids import MEASUREMENT, RECIPE, RESULT

TYPES = {RECIPE: "recipe", MEASUREMENT: "measurements", RESULT: "result"}

_CREATED = re.compile(r"(?:created|angelegt)\b", re.IGNORECASE)
_CRITERION = re.compile(r"(?:criterion|kriterium)\b", re.IGNORECASE)
_ROWS = re.compile(
    r"(?:recipe|rezept|measurements?|messwerte?|result|ergebnis) ([rme])(\d+)((?:(?:-|, )[rme]\d+)*)",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(-|, )[rme](\d+)")


@dataclass(eq=False)
class OldEvent:
    """One event to be written: *series* by its old id, *rows* are the rows of *letter* that it recorded, by old ids."""

    series: int
    at: str
    type: str = "text"
    text: str = ""
    reason: str = ""
    letter: str = ""
    rows: tuple[int, ...] = ()
    timing: str = ""
    is_line: bool = False


@dataclass
class OldHistory:
    """Every event in the order of record, and which of them recorded or superseded a row, began or judged a series."""

    events: list[OldEvent]
    created: dict[int, OldEvent] = field(default_factory=dict)
    criteria: dict[int, OldEvent] = field(default_factory=dict)
    plans: dict[int, OldEvent] = field(default_factory=dict)
    recorded: dict[tuple[str, int], OldEvent] = field(default_factory=dict)
    superseded: dict[tuple[str, int], OldEvent] = field(default_factory=dict)


def tell(
    series: Sequence[OldSeries], rows: Sequence[OldRow], lines: Sequence[OldLine], linked: Container[int]
) -> OldHistory:
    """Return the history of all *series*. Every line is kept; rows without a line get an event of their own.

    *linked* are the series whose successor is linked: that of any other one, and a start that is no date, stay as text.
    """
    owners = {(row.letter, row.id): row.series for row in rows}
    history = OldHistory([_event_of(line, owners) for line in lines])
    for event in history.events:
        history.recorded.update({(event.letter, number): event for number in event.rows})
    for one in series:
        _begin(history, one)
    for row in rows:
        if (row.letter, row.id) not in history.recorded:
            event = OldEvent(row.series, row.at, TYPES[row.letter], letter=row.letter, rows=(row.id,))
            history.recorded[row.letter, row.id] = event
            _place(history.events, event)
    for one in series:
        _judge(history, one, [row for row in rows if row.series == one.id])
        if one.id not in linked:
            _name_successor(history, one)
        if one.unread_start:
            _place(history.events, OldEvent(one.id, one.created_at, text=f"begonnen: {one.unread_start}"))
    _supersede(history, rows)
    return history


def _event_of(line: OldLine, owners: dict[tuple[str, int], int]) -> OldEvent:
    event = OldEvent(line.series, line.at, text=line.text, is_line=True)
    if match := _ROWS.match(line.text):
        letter = match[1].lower()
        numbers = _numbers(int(match[2]), match[3])
        is_known = all(owners.get((letter, number)) == line.series for number in numbers)
        is_run = list(numbers) == list(range(numbers[0], numbers[0] + len(numbers)))
        if is_known and is_run and (letter == MEASUREMENT or len(numbers) == 1):
            event.type, event.letter, event.rows = TYPES[letter], letter, numbers
    return event


def _numbers(first: int, rest: str) -> tuple[int, ...]:
    """Return the row numbers of `m1-m4` or `m1, m2`, given as the first and the rest."""
    numbers = [first]
    for joint, digits in _NUMBER.findall(rest):
        number = int(digits)
        is_span = joint == "-" and number > numbers[-1] and number - numbers[-1] < 100_000
        numbers += range(numbers[-1] + 1, number + 1) if is_span else [number]
    return tuple(numbers)


def _begin(history: OldHistory, series: OldSeries) -> None:
    """Find the line that tells of the start of *series*, or put an event in front of its others."""
    own = [event for event in history.events if event.series == series.id]
    if own and own[0].type == "text" and _CREATED.match(own[0].text):
        history.created[series.id] = own[0]
    else:
        event = history.created[series.id] = OldEvent(series.id, series.created_at, "created")
        if own:
            history.events.insert(history.events.index(own[0]), event)
        else:
            _place(history.events, event)
    if series.fields["plan"]:
        event = history.plans[series.id] = OldEvent(series.id, history.created[series.id].at, "plan")
        _behind(history, history.created[series.id], event)


def _judge(history: OldHistory, series: OldSeries, rows: Iterable[OldRow]) -> None:
    """Record the criterion where it belongs: late by its remark or an older value, unknown within one minute."""
    fields = series.fields
    if not fields["kriterium"]:
        return
    at = utc(fields["kriterium_ts"]) or series.created_at
    measured = min((row.at for row in rows if row.letter == MEASUREMENT), default="")
    event = OldEvent(series.id, at, "criterion", reason=fields["kriterium_nachtraeglich"], timing="before")
    history.criteria[series.id] = event
    if event.reason or (measured and measured < at):
        event.timing = "late"
    elif measured == at:
        event.timing = "unknown"
    changes = [
        line
        for line in history.events
        if line.series == series.id and line.is_line and _CRITERION.match(line.text)
    ]
    if event.timing != "late":
        _behind(history, history.created[series.id], event)
    elif changes:
        _behind(history, changes[-1], event)
    else:
        _place(history.events, event)


def _name_successor(history: OldHistory, series: OldSeries) -> None:
    """Keep a successor that cannot be linked as text, unless a line names it."""
    successor = series.fields["abgeloest_durch"]
    own = [event.text for event in history.events if event.series == series.id]
    if successor and not any(successor in text for text in own):
        _place(history.events, OldEvent(series.id, series.moved_at, text=f"-> {successor}"))


def _supersede(history: OldHistory, rows: Sequence[OldRow]) -> None:
    """Link each stale row to the event of the row that superseded it; where none is named, to an event with the words."""
    owners = {(row.letter, row.id): row.series for row in rows}
    newest = {row.series: row.id for row in rows if row.letter == RESULT and not row.stale}
    for row in rows:
        key = (row.letter, row.id)
        by = row.superseded_by
        if row.stale and by and by != key and owners.get(by) == row.series:
            history.superseded[key] = history.recorded[by]
        elif row.stale:
            event = OldEvent(row.series, row.at, text=f"{row.letter}{row.id}: {row.stale}")
            history.superseded[key] = event
            _place(history.events, event)
        elif row.letter == RESULT and newest[row.series] != row.id:  # only one result of a series is live
            history.superseded[key] = history.recorded[RESULT, newest[row.series]]


def _place(events: list[OldEvent], event: OldEvent) -> None:
    """Put *event* behind everything that is not younger."""
    at = len(events)
    while at and events[at - 1].at > event.at:
        at -= 1
    events.insert(at, event)


def _behind(history: OldHistory, before: OldEvent, event: OldEvent) -> None:
    history.events.insert(history.events.index(before) + 1, event)
