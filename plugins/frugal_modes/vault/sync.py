"""Bring the index up to date: look at every unit, read what changed, remove what is proved to be gone."""

import json
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from frugal.api import Call, FrugalError, StoreError
from frugal_modes.vault import oldcounts
from frugal_modes.vault.listing import Resume
from frugal_modes.vault.plan import Task
from frugal_modes.vault.records import Unit
from frugal_modes.vault.registered import Registered, registered
from frugal_modes.vault.stamps import stamp_of
from frugal_modes.vault.sweep import Limits, Sweep
from frugal_modes.vault.writer import Writer

SEARCH = Limits(look_s=0.5, read_s=2.0, wait_s=0.5)
"""What a search may spend before it answers."""
THOROUGH = Limits(look_s=None, read_s=None, wait_s=None)
PLACE_WAIT_S = 10.0
TURN_S = 3.0
"""How long one search waits for another that is reading the same changes."""

_LOCK = "vault.sync"


@dataclass(frozen=True)
class SourceState:
    """How one source was found: `ok`, `unreachable`, `missing` (all its files are gone at once), `unread`."""

    name: str
    kind: str
    state: str
    reason: str = ""
    units: int = 0


@dataclass(frozen=True)
class Sync:
    """What one look at the sources found: counts of cards; *unchecked* units were not looked at or not read in time.

    *is_cut*: there was no time to list every file, so that there may be more that nobody has seen yet.
    *is_busy*: another process was writing, so what changed waits for the next call.
    """

    inserted: int = 0
    updated: int = 0
    unchanged: int = 0
    moved: int = 0
    removed: int = 0
    missing: int = 0
    problems: int = 0
    unchecked: int = 0
    is_cut: bool = False
    is_busy: bool = False
    sources: tuple[SourceState, ...] = field(default=())

    @property
    def unreachable(self) -> tuple[str, ...]:
        """The names of the sources whose root is not there."""
        return tuple(source.name for source in self.sources if source.state == "unreachable")


def refresh(call: Call) -> Sync:
    """Bring the index up to date within the time a search may take; a guest changes nothing."""
    if call.is_guest or not call.store.is_writable():
        return Sync()
    return _run(call, SEARCH)


def reindex(
    call: Call, *, only: str = "", is_forced: bool = False, report: Callable[[int, int], None]
) -> Sync:
    """Bring the index up to date however long it takes; *is_forced*: read every unit, changed or not."""
    return _run(call, THOROUGH, only=only, is_forced=is_forced, report=report)


def _run(
    call: Call,
    limits: Limits,
    *,
    only: str = "",
    is_forced: bool = False,
    report: Callable[[int, int], None] | None = None,
) -> Sync:
    turn = _turn(call)
    if not turn.acquire(timeout=-1 if limits.read_s is None else TURN_S):
        return Sync(is_busy=True)
    try:
        sweep = Sweep(call, registered(call), limits, only=only, is_forced=is_forced, report=report)
        resume = _kept_resume(call)
        found = sweep.run(resume)
        _keep_resume(call, resume, found.stopped)
    finally:
        turn.release()
    if not found.is_busy:
        oldcounts.take_over(call)
    states = tuple(SourceState(*state) for state in found.states)
    return Sync(
        **found.counts,
        unchecked=found.unchecked,
        is_cut=found.is_cut,
        is_busy=found.is_busy,
        sources=states,
    )


KEPT = "SELECT value FROM meta WHERE key = 'resume'"
KEEP = """
    INSERT INTO meta (key, value) VALUES ('resume', :value)
    ON CONFLICT (key) DO UPDATE SET value = excluded.value
"""
DROP = "DELETE FROM meta WHERE key = 'resume'"


def _kept_resume(call: Call) -> Resume | None:
    """Return where the last sweep of any process ran out of time."""
    with call.store.read() as db:
        row = db.execute(KEPT).fetchone()
    return Resume(*json.loads(row[0])) if row else None


def _keep_resume(call: Call, before: Resume | None, now: Resume | None) -> None:
    if before == now:
        return
    with suppress(StoreError), call.store.write(wait_s=0) as db:
        if now is None:
            db.execute(DROP)
        else:
            db.execute(KEEP, {"value": json.dumps([now.source, now.path])})


def _turn(call: Call) -> threading.Lock:
    lock = call.process.setdefault(_LOCK, threading.Lock())
    assert isinstance(lock, type(threading.Lock()))
    return lock


def place(call: Call, path: Path | str) -> int | None:
    """Index one file of the vault alone, written, moved or removed; return the number of its card."""
    try:
        vault = registered(call)[0]
        found = relative(vault, path)
        return _place(call, vault, found) if found is not None else None
    except (FrugalError, OSError):
        return None


def relative(vault: Registered, path: Path | str) -> str | None:
    """Return *path* relative to the vault with `/`, None if it does not lie there."""
    given = Path(path)
    if not given.is_absolute():
        return given.as_posix()
    for root in (vault.root, vault.root.resolve()):
        if given.is_relative_to(root):
            return given.relative_to(root).as_posix()
    return None


def _place(call: Call, vault: Registered, path: str) -> int | None:
    writer = Writer(call, registered(call), wait_s=PLACE_WAIT_S)
    unit = Unit(vault.root, path)
    try:
        stamp = stamp_of(unit)
    except FileNotFoundError:
        writer.remove_file(vault.name, path)
        return None
    prepared = writer.prepare(Task(vault, unit, stamp, None))
    writer.write([prepared], departing=None)
    return writer.number_of(vault.name, path)


def read_again(call: Call, tasks: list[Task]) -> bool:
    """Read units that changed since they were looked at; return whether that was possible."""
    try:
        writer = Writer(call, registered(call), wait_s=SEARCH.wait_s)
        writer.write([writer.prepare(task) for task in tasks], departing=None)
    except StoreError:  # busy, full, not to be written: what is there is shown as it is
        return False
    return True
