"""One sweep over the sources: list, compare, read, write, remove; within limits of time."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from frugal.api import Call, Connection, StoreError
from frugal_modes.vault import roots, rows
from frugal_modes.vault.listing import Listing, Resume, list_sources
from frugal_modes.vault.moments import to_stamp
from frugal_modes.vault.plan import KnownUnit, Plan, compare
from frugal_modes.vault.records import Problem
from frugal_modes.vault.registered import Registered
from frugal_modes.vault.writer import Prepared, Writer, known_units

BATCH_UNITS = 50
BATCH_BYTES = 8 * 1024 * 1024


@dataclass(frozen=True)
class Limits:
    """Seconds for looking, for reading, for waiting for the right to write; None: as long as it takes."""

    look_s: float | None
    read_s: float | None
    wait_s: float | None


@dataclass
class Swept:
    """What a sweep came to. *states*: name, kind, state, reason and units of each source."""

    counts: dict[str, int] = field(default_factory=dict)
    states: list[tuple[str, str, str, str, int]] = field(default_factory=list)
    unchecked: int = 0
    is_cut: bool = False
    is_busy: bool = False
    stopped: Resume | None = None


class Sweep:
    """One pass over *sources*, or over the one called *only*."""

    def __init__(
        self,
        call: Call,
        sources: Sequence[Registered],
        limits: Limits,
        *,
        only: str = "",
        is_forced: bool = False,
        report: Callable[[int, int], None] | None = None,
    ) -> None:
        self._call = call
        self._sources = tuple(sources)
        self._limits = limits
        self._only = only
        self._is_forced = is_forced
        self._report = report or (lambda _done, _total: None)
        self._writer = Writer(call, sources, wait_s=limits.wait_s, is_forced=is_forced)
        self._at = to_stamp(call.clock())
        self._found = Swept()

    def run(self, resume: Resume | None) -> Swept:
        """Sweep; another process that holds the lock for too long leaves the rest to the next call."""
        try:
            self._sweep(resume)
        except StoreError:  # busy, full, not to be written: a search answers all the same
            if self._limits.wait_s is None:
                raise
            self._found.is_busy = True
        changes = self._writer.changes
        self._found.counts = {
            "inserted": len(changes.inserted),
            "updated": len(changes.updated),
            "moved": len(changes.moved),
            "removed": len(changes.removed),
            **(self._totals() if self._limits.wait_s is None else {}),
        }
        return self._found

    def _sweep(self, resume: Resume | None) -> None:
        with self._call.store.read() as db:
            is_settled = roots.are_settled(db, self._sources)
        if not is_settled:
            with self._writer.transaction():
                pass  # it settles the sources
        listings, self._found.stopped = list_sources(
            self._sources, deadline=_after(self._limits.look_s), resume=resume
        )
        self._found.is_cut = any(listing.is_cut for listing in listings)
        wanted = [listing for listing in listings if self._only in ("", listing.source.name)]
        with self._call.store.read() as db:
            plans = [self._plan(db, listing) for listing in wanted]
        self._found.unchecked = sum(plan.unchecked for plan in plans)
        self._found.states = [_state(plan) for plan in plans]
        self._read(plans)
        for plan in plans:
            self._conclude(plan)

    def _plan(self, db: Connection, listing: Listing) -> Plan:
        known = known_units(db, listing.source.name, self._call.process)
        listed = db.execute(LISTED_PROBLEMS, {"source": listing.source.name})
        problems = tuple(Problem(path, reason, place) for path, reason, place in listed)
        if listing.is_cut:  # what it did not come by this time is as it was
            listing.problems = [*problems, *(found for found in listing.problems if found not in problems)]
        return compare(listing, known, problems, is_forced=self._is_forced)

    def _read(self, plans: Sequence[Plan]) -> None:
        deadline = _after(self._limits.read_s)
        total = sum(len(plan.tasks) for plan in plans)
        done = 0
        for plan in plans:
            departing = [unit.id for unit in plan.gone]
            batch: list[Prepared] = []
            size = 0
            for place, task in enumerate(plan.tasks):
                if deadline is not None and time.monotonic() > deadline:
                    self._found.unchecked += len(plan.tasks) - place
                    break
                batch.append(self._writer.prepare(task))
                size += task.stamp.size
                if len(batch) >= BATCH_UNITS or size > BATCH_BYTES:
                    self._writer.write(batch, departing=departing)
                    batch, size = [], 0
                done += 1
                self._report(done, total)
            self._writer.write(batch, departing=departing)

    def _conclude(self, plan: Plan) -> None:
        """Remove what is gone, note what is missing, and write the state of the source where it changed."""
        name = plan.listing.source.name
        gone = list(plan.gone)
        if plan.is_emptied and self._hold_cards(gone):
            self._set_missing(name)
            gone = []
        elif not plan.is_emptied:
            gone = [unit for unit in gone if not unit.is_missing]
        while gone:
            gone = self._remove(gone)
        self._write_state(plan)

    def _hold_cards(self, units: Sequence[KnownUnit]) -> bool:
        with self._call.store.read() as db:
            return any(db.execute(HOLDS_CARDS, {"unit": unit.id}).fetchone() for unit in units)

    def _set_missing(self, name: str) -> None:
        with self._writer.transaction() as db:
            db.execute(SET_MISSING, {"source": name})

    def _remove(self, units: Sequence[KnownUnit]) -> list[KnownUnit]:
        """Remove as many of *units* as one transaction takes; return the others."""
        started = time.monotonic()
        left = list(units)
        with self._writer.transaction() as db:
            for count, unit in enumerate(units[:200]):
                if count and time.monotonic() - started > 0.2:
                    break
                rows.take_out_unit(db, unit.id, at=self._at, changes=self._writer.changes)
                left.pop(0)
        return left

    def _write_state(self, plan: Plan) -> None:
        listing = plan.listing
        with self._call.store.read() as db:
            before = tuple(db.execute(STATE, {"source": listing.source.name}).fetchone())
            state = self._state_of(db, plan)
        is_read = plan.listing.is_reachable and bool(plan.tasks or self._limits.read_s is None)
        if before[1:] == (state, listing.reason) and not plan.has_new_problems and not is_read:
            return
        with self._writer.transaction() as db:
            if listing.is_reachable:
                rows.put_problems(db, before[0], None, listing.problems)
            values = {"id": before[0], "state": state, "reason": listing.reason, "at": self._at}
            db.execute(SET_STATE, {**values, "is_read": int(is_read and listing.is_whole)})

    def _state_of(self, db: Connection, plan: Plan) -> str:
        if not plan.listing.is_reachable:
            return "unread" if _is_not_made_yet(plan) else "unreachable"
        if db.execute(ANY_MISSING, {"source": plan.listing.source.name}).fetchone():
            return "missing"
        return "ok"

    def _totals(self) -> dict[str, int]:
        with self._call.store.read() as db:
            cards, missing, problems = db.execute(TOTALS).fetchone()
        changes = self._writer.changes
        touched = len({*changes.inserted, *changes.updated, *changes.moved} - set(changes.removed))
        return {"missing": missing, "problems": problems, "unchanged": max(cards - missing - touched, 0)}


LISTED_PROBLEMS = """
    SELECT problem.path, problem.reason, problem.place
    FROM problem JOIN source ON source.id = problem.source
    WHERE source.name = :source AND problem.unit IS NULL ORDER BY problem.id
"""
HOLDS_CARDS = "SELECT 1 FROM card WHERE unit = :unit LIMIT 1"
SET_MISSING = """
    UPDATE unit SET is_missing = 1 WHERE source = (SELECT id FROM source WHERE name = :source)
"""
STATE = "SELECT id, state, problem FROM source WHERE name = :source"
SET_STATE = """
    UPDATE source SET state = :state, problem = :reason,
        last_good = CASE WHEN :is_read = 1 THEN :at ELSE last_good END
    WHERE id = :id
"""
ANY_MISSING = """
    SELECT 1 FROM unit JOIN source ON source.id = unit.source
    WHERE source.name = :source AND unit.is_missing = 1 LIMIT 1
"""
TOTALS = """
    SELECT (SELECT count(*) FROM card JOIN source ON source.id = card.source
            WHERE source.state NOT IN ('removed', 'detached')),
        (SELECT count(*) FROM card JOIN unit ON unit.id = card.unit JOIN source ON source.id = card.source
            WHERE unit.is_missing = 1 AND source.state NOT IN ('removed', 'detached')),
        (SELECT count(*) FROM problem JOIN source ON source.id = problem.source
            WHERE source.state NOT IN ('removed', 'detached'))
"""


def _after(seconds: float | None) -> float | None:
    return None if seconds is None else time.monotonic() + seconds


def _state(plan: Plan) -> tuple[str, str, str, str, int]:
    listing = plan.listing
    source = listing.source
    state = "missing" if plan.is_emptied else "ok"
    if not listing.is_reachable:
        state = "unread" if _is_not_made_yet(plan) else "unreachable"
    return source.name, source.kind, state, listing.reason, len(listing.units)


def _is_not_made_yet(plan: Plan) -> bool:
    return plan.listing.source.is_optional and not plan.has_known
