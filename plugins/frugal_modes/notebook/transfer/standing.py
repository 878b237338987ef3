"""Status, start and successor of a series that both notebooks have: the later word counts."""

from collections.abc import Mapping

from frugal.api import Connection
from frugal_modes.notebook.transfer.plan import Pair, Plan
from frugal_modes.notebook.transfer.units import Book
from frugal_modes.notebook.transfer.writing import set_successor
from frugal_modes.notebook.transitions import SUCCESSORS
from frugal_modes.notebook.vocabulary import PLANNED, STATUSES, SUPERSEDED

RANK = {word.code: rank for rank, word in enumerate(STATUSES)}

STAND = """
    UPDATE series SET status = :status, successor = CASE WHEN :status = 'superseded' THEN successor END,
        started_on = :started_on, moved_at = :moved_at, moved_event = :moved_event
    WHERE number = :number
"""


def settle(db: Connection, made: Plan) -> set[int]:
    """Give each series the later of both states; return the numbers here of those that changed."""
    changed = set()
    for item in made.pairs:
        if item.ours and _settle(db, made, item, item.ours):
            changed.add(item.ours.series.number)
    return changed


def _settle(db: Connection, made: Plan, item: Pair, ours: Book) -> bool:
    own, other = ours.series, item.theirs.series
    is_moved = other.moved_at > own.moved_at
    stand = {
        "status": max(_status(item.theirs), _status(ours))[2],
        "started_on": max(_start(item.theirs), _start(ours))[1],
        "moved_at": other.moved_at if is_moved else own.moved_at,
        "moved_event": made.events[other.moved_event] if is_moved else own.moved_event,
    }
    if all(getattr(own, name) == value for name, value in stand.items()):
        return False
    db.execute(STAND, {**stand, "number": own.number})
    return True


def _status(book: Book) -> tuple[str, int, str]:
    """Return since when a series has its status, and the status.

    Without an event that set it, it was planned from the start, or came from an older file some time before the last
    movement.
    """
    series = book.series
    default = series.created_at if series.status == PLANNED.code else series.moved_at
    return book.since("status") or default, RANK[series.status], series.status


def _start(book: Book) -> tuple[str, str]:
    return book.since("started") or book.series.created_at, book.series.started_on


SUCCESSOR = "SELECT status, successor FROM series WHERE number = :number"


def name_successors(db: Connection, made: Plan, keys: Mapping[int, str], here: Mapping[str, int]) -> set[int]:
    """Name successors that are missing here; return which series got one.

    *keys* are the folded keys of theirs by number, *here* the numbers of all series of this file by folded key. One that
    would close a circle is left to the history, which tells of it.
    """
    changed = set()
    for item in made.pairs:
        successor = item.theirs.series.successor
        target = here.get(keys.get(successor, "")) if successor is not None else None
        number = made.numbers[item.theirs.series.number]
        status, present = db.execute(SUCCESSOR, {"number": number}).fetchone()
        if target is None or present is not None or status != SUPERSEDED.code:
            continue
        if not db.execute(SUCCESSORS, {"start": target, "series": number}).fetchone()[0]:
            set_successor(db, number, target)
            changed.add(number)
    return changed
