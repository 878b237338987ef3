"""Two logs of one entry become one, by content; the later word about being superseded counts."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from frugal.entries.transfer.matching import UNKNOWN, Twin
from frugal.entries.transfer.parse import EventRow
from frugal.entries.transfer.writing import insert_events
from frugal.store import Connection

HIDING = frozenset({"superseded", "erased"})
STATES = HIDING | {"restored"}

EVENTS_OF = """
    SELECT seq AS id, entry_id AS entry, action, successor_id AS successor, reason, detail, at
    FROM event WHERE entry_id = :id ORDER BY seq
"""


def events_of(db: Connection, entry_id: int) -> list[EventRow]:
    """Return the log of an entry."""
    return [EventRow(*row) for row in db.execute(EVENTS_OF, {"id": entry_id})]


def twin_of(
    entry_id: int, created_at: str, is_live: bool, events: Iterable[EventRow], origin: str = ""
) -> Twin:
    """Return what matching needs to know of an entry; its log tells since when it is live or hidden."""
    stamps = [event.at for event in events if event.action in STATES]
    default = created_at if is_live else UNKNOWN
    return Twin(entry_id, created_at, is_live, stamps[-1] if stamps else default, origin)


class Fact(NamedTuple):
    """What a line of the log says, apart from its number."""

    action: str
    successor: int | None
    reason: str | None
    detail: str | None
    at: str


def _fact(event: EventRow) -> Fact:
    return Fact(event.action, event.successor, event.reason, event.detail, event.at)


def lacking(ours: Iterable[EventRow], theirs: Iterable[EventRow]) -> list[EventRow]:
    """Return the lines of *theirs* that *ours* does not have, as often as they lack."""
    known = Counter(_fact(event) for event in ours)
    found: list[EventRow] = []
    for event in theirs:
        if known[_fact(event)] > 0:
            known[_fact(event)] -= 1
        else:
            found.append(event)
    return found


DROP_EVENTS = "DELETE FROM event WHERE entry_id = :id"
LAST_NUMBER = "SELECT seq FROM sqlite_sequence WHERE name = 'event'"


def write_log(db: Connection, entry_id: int, ours: Sequence[EventRow], new: Sequence[EventRow]) -> None:
    """Add the lines *new* to the log of an entry, which stays in the order of time.

    Everything reads a log by its numbers. So where an older line joins newer ones, all lines of the entry are
    numbered anew.
    """
    row = db.execute(LAST_NUMBER).fetchone()
    number = int(row[0]) if row else 0
    # A stable order: of one moment, what stood here first stays first.
    lines = sorted([*ours, *new], key=lambda event: event.at)
    if lines[: len(ours)] == list(ours):
        lines = lines[len(ours) :]
    else:
        db.execute(DROP_EVENTS, {"id": entry_id})
    numbered = [replace(event, id=number + index, entry=entry_id) for index, event in enumerate(lines, 1)]
    insert_events(db, numbered)
