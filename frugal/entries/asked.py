"""Learning from use: what a show says about what was asked before, and learned answers put first."""

from collections.abc import Sequence
from dataclasses import replace

from frugal.call import Call
from frugal.entries.learned import PAIRS, within
from frugal.entries.lessons import learn_later
from frugal.entries.storage import fetch
from frugal.search import Found, Grouping, Request, Restriction, Retriever, Scored
from frugal.store import Connection

FIRST_SHOWN = 3
"""Only the first entries of a show are what was looked for."""
MOST_IN_FRONT = 3


def note_show(call: Call, ids: Sequence[int], given: Sequence[int]) -> None:
    """Learn from a show of *ids* that gave the texts *given*; of these the first ids of the call are what was sought."""

    def shown(db: Connection) -> dict[int, tuple[str, ...]]:
        first = [entry_id for entry_id in ids[:FIRST_SHOWN] if entry_id in given]
        entries = fetch(db, first)
        return {entry_id: entries[entry_id].tags for entry_id in first if entry_id in entries}

    learn_later(call, PAIRS, given=given, shown=shown)


UNITS = "SELECT id, unit FROM ({grouping}) WHERE id = :learned_id"
OF_UNIT = "SELECT id FROM ({select}) WHERE id IN (SELECT id FROM ({grouping}) WHERE unit = :learned_unit)"
ALONE = "SELECT id FROM ({select}) WHERE id = :learned_id"


class LearnedFirst:
    """A retriever that puts what was learned for a plain query before what another retriever finds.

    What the query itself names, *named*, comes before that. Filters are obeyed, and what is put first counts in the total
    exactly once. *fired* is what was learned and put first by the last search, *pushed_out* what would have been listed
    without it: a wrong answer in front must not keep a right one from being learned.
    """

    def __init__(self, inner: Retriever, *, is_on: bool = True, named: Sequence[int] = ()) -> None:
        self.inner = inner
        self.fired: tuple[int, ...] = ()
        self.pushed_out: tuple[int, ...] = ()
        self._is_on = is_on
        self._query: str | None = None
        self._answers: tuple[int, ...] = ()
        self._given = tuple(named)
        self._named: tuple[int, ...] = ()

    def search(self, db: Connection, request: Request) -> Found:
        """Return what the inner retriever finds, learned answers first."""
        found = self.inner.search(db, request)
        self._query = request.query
        is_plain = self._is_on and not found.is_explicit
        self._answers = PAIRS.answers(db, request.query) if is_plain else ()
        self._named = () if found.is_explicit else self._given
        found = replace(found, beside=self._beside(db, request, found))
        front = self._in_front(db, request)
        self.fired = tuple(hit.id for hit in front[: request.limit] if hit.id not in self._named)
        self.pushed_out = ()
        if not front:
            return found
        scores = {hit.id: hit.score for hit in found.hits}
        first = [hit._replace(score=scores.get(hit.id, 0.0)) for hit in front]
        slots = {_slot(hit) for hit in front}
        hits = (*first, *(hit for hit in found.hits if _slot(hit) not in slots))
        extra = self._beyond(db, request, front)
        self.pushed_out = tuple(hit.id for hit in hits[request.limit :])
        return replace(found, hits=hits[: request.limit], total=found.total + extra)

    def count(self, db: Connection, request: Request) -> int:
        """Return the exact `total` that `search` would report for the same request."""
        count = self.inner.count(db, request)
        if request.query != self._query:
            return count
        return count + self._beyond(db, request, self._in_front(db, request))

    def _beside(self, db: Connection, request: Request, found: Found) -> tuple[int, ...]:
        """Return the totals of the other restrictions, what was learned and is not matched counted with them."""
        others = [replace(request, restriction=other, beside=()) for other in request.beside]
        counts = found.beside or [self.inner.count(db, other) for other in others]
        if not self._answers and not self._named:
            return tuple(counts)
        return tuple(
            count + self._beyond(db, other, self._in_front(db, other))
            for count, other in zip(counts, others, strict=True)
        )

    def _in_front(self, db: Connection, request: Request) -> list[Scored]:
        """Return what the query names, then at most three learned answers, that the filters let through, one a unit."""
        front: dict[tuple[str, int], Scored] = {}
        most = 0
        for entry_ids in (self._named, self._answers):
            most = len(front) + MOST_IN_FRONT
            for entry_id in entry_ids:
                if within(db, entry_id, request.restriction):
                    hit = Scored(entry_id, 0.0, _unit_of(db, entry_id, request.grouping))
                    front.setdefault(_slot(hit), hit)
        return list(front.values())[:most]

    def _beyond(self, db: Connection, request: Request, front: Sequence[Scored]) -> int:
        """Return how many of *front* the search itself does not match."""
        return sum(
            not self.inner.count(db, replace(request, restriction=_slot_alone(request, hit))) for hit in front
        )


def _slot(hit: Scored) -> tuple[str, int]:
    return ("document", hit.id) if hit.unit is None else ("unit", hit.unit)


def _unit_of(db: Connection, entry_id: int, grouping: Grouping | None) -> int | None:
    if grouping is None:
        return None
    row = db.execute(UNITS.replace("{grouping}", grouping.select), {"learned_id": entry_id}).fetchone()
    return None if row is None else int(row[1])


def _slot_alone(request: Request, hit: Scored) -> Restriction:
    """Return the restriction of *request* narrowed to the slot of *hit*."""
    inside = request.restriction
    if hit.unit is None or request.grouping is None:
        select, key = ALONE, {"learned_id": hit.id}
    else:
        select = OF_UNIT.replace("{grouping}", request.grouping.select)
        key = {"learned_unit": hit.unit}
    return Restriction(select.replace("{select}", inside.select), {**inside.parameters, **key}, is_small=True)
