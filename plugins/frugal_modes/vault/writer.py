"""Units into the index: read and parsed outside a transaction, written in short ones, a savepoint each."""

import json
import sys
import time
import traceback
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from frugal.api import Call, Connection
from frugal_modes.vault import lineage, roots, rows
from frugal_modes.vault.moments import to_stamp
from frugal_modes.vault.plan import KnownUnit, Task
from frugal_modes.vault.records import Problem, Reading
from frugal_modes.vault.registered import Registered
from frugal_modes.vault.rows import Changes, UnitRow
from frugal_modes.vault.stamps import Stamp, bytes_of, hash_of

UNITS_A_TRANSACTION = 200
TRANSACTION_S = 0.2
"""A transaction that took this long ends, so that others get in."""


@dataclass(frozen=True)
class Prepared:
    """A unit ready to be written: *reading* is None where its bytes are as they were, so only the stamp moves.

    *is_settled*: nothing is to be written at all.
    """

    task: Task
    file_hash: str
    reading: Reading | None
    is_trusted: bool
    is_settled: bool = False


class Writer:
    """Writes units of the registered sources; *changes* adds up what that did to the cards."""

    def __init__(
        self, call: Call, sources: Sequence[Registered], *, wait_s: float | None, is_forced: bool = False
    ) -> None:
        self.changes = Changes()
        self._call = call
        self._sources = sources
        self._wait_s = wait_s
        self._is_forced = is_forced
        self.at = to_stamp(call.clock())

    def prepare(self, task: Task) -> Prepared:
        """Read *task*'s unit and, if its bytes changed, what they hold; nothing a reader does gets any further."""
        now_ns = time.time_ns()
        known = task.known
        is_trusted = task.stamp.is_trusted(now_ns)
        data = bytes_of(task.unit, task.stamp)
        if isinstance(data, Problem):
            return _unread(task, data)
        file_hash = hash_of(data)
        if known is not None and not self._is_forced and _is_same(known, task, file_hash):
            is_settled = _needs_no_stamp(known, task, is_trusted=is_trusted)
            return Prepared(task, file_hash, None, is_trusted, is_settled=is_settled)
        return Prepared(task, file_hash, _reading(task, data), is_trusted)

    def write(self, batch: Sequence[Prepared], *, departing: Collection[int] | None) -> None:
        """Write *batch*; *departing* are units that go, whose cards may have moved (None: none moved)."""
        waiting = [item for item in batch if not item.is_settled]
        done = 0
        while done < len(waiting):
            with self.transaction() as db:
                numbers = roots.ids(db)
                for item in in_time(waiting[done:]):
                    self._write_one(db, numbers[item.task.source.name], item, departing)
                    done += 1

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """Yield a transaction in which the settings' sources are known and after which the lineage is right."""
        with self._call.store.write(wait_s=self._wait_s) as db:
            if not roots.are_settled(db, self._sources):
                roots.settle(db, self._sources)
                self.changes.is_lineage_touched = True
            yield db
            if self.changes.is_lineage_touched:
                lineage.derive(db)
                self.changes.is_lineage_touched = False
            db.execute(NEXT_GENERATION)

    def _write_one(
        self, db: Connection, source: int, item: Prepared, departing: Collection[int] | None
    ) -> None:
        task = item.task
        row = UnitRow(source, task.unit.path, task.stamp, item.file_hash, self.at, item.is_trusted, task.also)
        if item.reading is None:
            rows.put_stamp(db, row)
            return
        try:
            with _savepoint(db):
                rows.put_unit(db, row, item.reading, departing=departing, changes=self.changes)
        except (
            ValueError,
            TypeError,
            LookupError,
            OverflowError,
        ) as error:  # no card can hold what a reader gave
            traceback.print_exception(error, file=sys.stderr)
            problem = Problem(task.unit.path, f"reader_failed: {type(error).__name__}")
            with _savepoint(db):
                unit = rows.put_stamp(db, row)
                rows.put_problems(db, source, unit, (problem,))

    def remove_file(self, source: str, path: str) -> None:
        """Remove the unit *path* of *source*: its file was taken away on purpose."""
        with self.transaction() as db:
            row = db.execute(UNIT, {"source": source, "path": path}).fetchone()
            if row is not None:
                rows.take_out_unit(db, row[0], at=self.at, changes=self.changes)

    def number_of(self, source: str, path: str) -> int | None:
        """Return the number of the first card of a unit."""
        with self._call.store.read() as db:
            row = db.execute(FIRST_CARD, {"source": source, "path": path}).fetchone()
        return None if row is None else int(row[0])


UNIT = """
    SELECT unit.id FROM unit JOIN source ON source.id = unit.source
    WHERE source.name = :source AND unit.path = :path
"""
FIRST_CARD = """
    SELECT card.number FROM card JOIN unit ON unit.id = card.unit JOIN source ON source.id = unit.source
    WHERE source.name = :source AND unit.path = :path ORDER BY card.line, card.number LIMIT 1
"""


def in_time(items: Sequence[Prepared]) -> Iterator[Prepared]:
    """Yield what one transaction may hold: at least one, at most 200 or as many as 0.2 s allow."""
    started = time.monotonic()
    for count, item in enumerate(items[:UNITS_A_TRANSACTION]):
        if count and time.monotonic() - started > TRANSACTION_S:
            return
        yield item


@contextmanager
def _savepoint(db: Connection) -> Iterator[None]:
    db.execute("SAVEPOINT one_unit")
    try:
        yield
    except BaseException:
        db.execute("ROLLBACK TO one_unit")
        db.execute("RELEASE one_unit")
        raise
    db.execute("RELEASE one_unit")


def _unread(task: Task, problem: Problem) -> Prepared:
    """Return what is written of a unit whose bytes cannot be had: the problem; it is tried again each time."""
    known = task.known
    is_settled = known is not None and known.stamp == task.stamp and known.problem == problem.reason
    reading = Reading(problems=(problem,), is_whole=False)
    return Prepared(task, known.file_hash if known else "", reading, is_trusted=False, is_settled=is_settled)


def _is_same(known: KnownUnit, task: Task, file_hash: str) -> bool:
    return known.file_hash == file_hash and known.stamp.beside == task.stamp.beside


def _needs_no_stamp(known: KnownUnit, task: Task, *, is_trusted: bool) -> bool:
    is_as_it_was = known.stamp == task.stamp and known.also == task.also and not known.is_missing
    return is_as_it_was and known.is_trusted == is_trusted


def _reading(task: Task, data: bytes) -> Reading:
    try:
        return task.source.reader.read(task.unit, data, task.source.options)
    except Exception as error:  # a reader of somebody else costs its unit only
        traceback.print_exception(error, file=sys.stderr)
        problem = Problem(task.unit.path, f"reader_failed: {type(error).__name__}")
        return Reading(problems=(problem,), is_whole=False)


NEXT_GENERATION = """
    INSERT INTO meta (key, value) VALUES ('generation', '1')
    ON CONFLICT (key) DO UPDATE SET value = CAST(value AS INTEGER) + 1
"""
GENERATION = "SELECT value FROM meta WHERE key = 'generation'"
KNOWN_UNITS = """
    SELECT unit.path, unit.id, unit.size, unit.mtime_ns, unit.beside, unit.file_hash, unit.is_trusted,
        unit.is_missing, unit.also,
        CASE WHEN unit.is_trusted = 0 THEN coalesce(
            (SELECT problem.reason FROM problem WHERE problem.unit = unit.id ORDER BY problem.id LIMIT 1), ''
        ) ELSE '' END
    FROM unit JOIN source ON source.id = unit.source WHERE source.name = :source
"""


def known_units(db: Connection, source: str, process: dict[str, object]) -> Mapping[str, KnownUnit]:
    """Return what the index has of the units of *source*, by path; *process* keeps it until something was written."""
    row = db.execute(GENERATION).fetchone()
    generation = row[0] if row else ""
    key = f"vault.units.{source}"
    kept = process.get(key)
    if isinstance(kept, _Units) and kept.generation == generation:
        return kept.units
    units = {
        row[0]: KnownUnit(
            row[1],
            Stamp(row[2], row[3], row[4]),
            row[5],
            bool(row[6]),
            bool(row[7]),
            tuple(json.loads(row[8])) if row[8] != "[]" else (),
            row[9],
        )
        for row in db.execute(KNOWN_UNITS, {"source": source})
    }
    process[key] = _Units(generation, units)
    return units


@dataclass(frozen=True)
class _Units:
    """The units of one source as they were read at one generation of the index."""

    generation: str
    units: Mapping[str, KnownUnit]
