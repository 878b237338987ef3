"""Rows that newer ones replace: they stay, hidden, and point to the event that superseded them."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from frugal.api import Call, Connection, Refusal, echo
from frugal_modes.notebook.rowids import MEASUREMENT, RECIPE, RESULT, RowSpan, row_list
from frugal_modes.notebook.series import Series

ECHO_CHARACTERS = 120

ROWS_OF_SPAN = {
    RECIPE: "SELECT number, series, superseded_event FROM recipe WHERE number BETWEEN :first AND :last ORDER BY number",
    MEASUREMENT: """
        SELECT number, series, superseded_event FROM measurement
        WHERE number BETWEEN :first AND :last ORDER BY number
    """,
}
HIGHEST = {
    RECIPE: "SELECT coalesce(max(number), 0) FROM recipe",
    MEASUREMENT: "SELECT coalesce(max(number), 0) FROM measurement",
}
SUPERSEDE = {
    RECIPE: """
        UPDATE recipe SET superseded_event = :event
        WHERE number IN (SELECT value FROM json_each(:numbers)) AND superseded_event IS NULL
    """,
    MEASUREMENT: """
        UPDATE measurement SET superseded_event = :event
        WHERE number IN (SELECT value FROM json_each(:numbers)) AND superseded_event IS NULL
    """,
    RESULT: """
        UPDATE result SET superseded_event = :event
        WHERE number IN (SELECT value FROM json_each(:numbers)) AND superseded_event IS NULL
    """,
}


@dataclass(frozen=True)
class Named:
    """Rows named in `supersedes`, sorted by what may become of them."""

    usable: tuple[int, ...]
    unknown: tuple[str, ...] = ()
    elsewhere: tuple[int, ...] = ()
    gone: tuple[int, ...] = ()
    repeated: tuple[int, ...] = ()


def named_rows(db: Connection, letter: str, spans: Sequence[RowSpan], series: Series | None) -> Named:
    """Return the rows of *spans*; those of another series, superseded before or named twice are set apart."""
    highest = int(db.execute(HIGHEST[letter]).fetchone()[0])
    rows: dict[int, tuple[int, int | None]] = {}
    repeated: list[int] = []
    unknown: list[str] = []
    for span in spans:
        if span.last > highest:
            unknown.append(str(span._replace(first=max(span.first, highest + 1))))
        bounds = {"first": span.first, "last": span.last}
        for number, owner, event in db.execute(ROWS_OF_SPAN[letter], bounds):
            if number in rows:
                repeated.append(number)
            rows[number] = (owner, event)
        unknown += _missing(letter, span, highest, rows)
    own = {number: event for number, (owner, event) in rows.items() if series and owner == series.number}
    return Named(
        usable=tuple(number for number, event in own.items() if event is None),
        unknown=tuple(unknown),
        elsewhere=tuple(number for number in rows if series and number not in own),
        gone=tuple(number for number, event in own.items() if event is not None),
        repeated=tuple(dict.fromkeys(repeated)),
    )


def _missing(
    letter: str, span: RowSpan, highest: int, rows: dict[int, tuple[int, int | None]]
) -> Iterator[str]:
    """Yield ids up to the highest that are no rows: numbers that an undone call elsewhere left out."""
    for number in range(span.first, min(span.last, highest) + 1):
        if number not in rows:
            yield f"{letter}{number}"


def supersede_problems(call: Call, tool: str, letter: str, named: Named) -> list[Refusal]:
    """Return why rows cannot be superseded, each kind of problem once and by name."""
    parameter = call.surface.parameter_word(tool, "supersedes")

    def problem(key: str, ids: str) -> Refusal:
        return Refusal(key, parameter=parameter, value=echo(ids, ECHO_CHARACTERS))

    found = []
    if named.unknown:
        found.append(problem("rows_unknown", ", ".join(named.unknown[:20])))
    if named.elsewhere:
        found.append(problem("rows_elsewhere", row_list(letter, named.elsewhere)))
    if named.gone:
        found.append(problem("rows_gone", row_list(letter, named.gone)))
    if named.repeated:
        found.append(problem("rows_repeated", row_list(letter, named.repeated)))
    return found


LIVE_RESULT = "SELECT number FROM result WHERE series = :series AND superseded_event IS NULL"


def live_result(db: Connection, series: int) -> int | None:
    """Return the number of the one result of *series* that counts, None without one."""
    row = db.execute(LIVE_RESULT, {"series": series}).fetchone()
    return int(row[0]) if row else None


def supersede(db: Connection, letter: str, numbers: Sequence[int], event: int) -> None:
    """Mark the live rows *numbers* as superseded by *event*."""
    if numbers:
        db.execute(SUPERSEDE[letter], {"event": event, "numbers": json.dumps(list(numbers))})
