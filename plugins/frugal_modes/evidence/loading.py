"""Messages into the file: batch by batch, each in one transaction with its index rows and the version of its corpus.

A record that says something else of a known message waits until the source was read: a later record of the source may
say what the corpus says already, and then reading a source twice would change it twice.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from enum import Enum
from itertools import chain, islice

from frugal.api import Call, Connection
from frugal_modes.evidence.batch import Batch, Run
from frugal_modes.evidence.corpus import scope_of
from frugal_modes.evidence.indexing import refresh_index
from frugal_modes.evidence.naming import Names
from frugal_modes.evidence.prepared import Ready
from frugal_modes.evidence.records import Deletion, Item, Message, Reject, Repair
from frugal_modes.evidence.refs import Mark
from frugal_modes.evidence.report import LoadReport
from frugal_modes.evidence.writing import Writer

BATCH = 5_000
BATCH_CHARACTERS = 16_000_000
PENDING = 20_000
"""So many records wait at most; with more, or with longer ones, those waiting are written at once."""
PENDING_CHARACTERS = 32_000_000
CACHE_KIB = 65_536

CORPUS = "SELECT number, changes, label FROM corpus WHERE name = :name"
NEW_CORPUS = """
    INSERT INTO corpus (name, format, label, first_import, last_import)
    VALUES (:name, :format, :label, :stamp, :stamp)
"""
IMPORTED = "UPDATE corpus SET format = :format, label = :label, last_import = :stamp WHERE name = :name"
VANISHED = """
    SELECT m.number FROM message AS m JOIN source AS s ON s.number = m.source
    WHERE m.conversation = :conversation AND m.sent_at BETWEEN :first AND :last AND s.format = :format
    ORDER BY m.number
"""
MORE_CACHE = f"PRAGMA cache_size = -{CACHE_KIB}"

Progress = Callable[[int], object]


class Prune(Enum):
    """What becomes of messages that the source does not have any more."""

    NO = "no"
    COUNT = "count"
    YES = "yes"


class _Undone(Exception):
    """Takes a dry run back."""


def load(  # noqa: PLR0913 - what the import command can be told
    call: Call,
    corpus: str,
    items: Iterable[Item],
    *,
    source: str,
    format: str,  # noqa: A002 - the name of the option
    progress: Progress | None = None,
    has_rules: bool = False,
    prune: Prune = Prune.NO,
    is_dry: bool = False,
) -> LoadReport:
    """Store what *items* bring in the *corpus* of this name and return what that was.

    *source* is the label that is shown, *progress* is given the number of records read. With *has_rules* the labels of
    senders are those of the items even where these are unknown. Every 5,000 records are committed; a dry run is undone.
    Without any record nothing changes, and no corpus is made.
    """
    loading = _Loading(call, corpus, source, format, has_rules=has_rules)
    started = time.monotonic()
    if is_dry:
        loading.try_out(items, progress, prune)
    else:
        loading.run(items, progress, prune)
    report = loading.report
    report.seconds = time.monotonic() - started
    report.is_dry = is_dry
    return report


class _Loading:
    """One import."""

    def __init__(self, call: Call, name: str, label: str, format_name: str, *, has_rules: bool) -> None:
        self.report = LoadReport()
        self._call = call
        self._name = name
        self._values = {"name": name, "label": label, "format": format_name, "stamp": call.stamp()}
        self._has_rules = has_rules
        self._run: Run | None = None
        self._names: Names | None = None
        self._changes = -1
        self._dry: Connection | None = None

    def run(self, items: Iterable[Item], progress: Progress | None, prune: Prune) -> None:
        """Read everything, write it, prune."""
        batches = self._batches(items)
        first = next(batches, None)
        if first is None:  # nothing was read: the corpus, its label and its format stay as they are
            self.report.version_before = self.report.version_after = self._version()
            return
        for records in chain((first,), batches):
            with self._transaction() as (run, batch, _):
                batch.take(records)
            if _is_full(run):
                self._write_pending(run)
            if progress is not None:
                progress(self.report.read)
        assert self._run is not None
        self._write_pending(self._run)
        if prune is not Prune.NO:
            self._prune(self._run, prune)
        self.report.version_after = self._version()

    def try_out(self, items: Iterable[Item], progress: Progress | None, prune: Prune) -> None:
        """Do the same in one transaction that is undone."""
        try:
            with self._call.store.write() as db:
                self._dry = db
                self.run(items, progress, prune)
                raise _Undone
        except _Undone:
            self._dry = None

    def _batches(self, items: Iterable[Item]) -> Iterator[list[Message | Deletion]]:
        """Yield records, as many as one transaction takes; count what is no record."""
        batch: list[Message | Deletion] = []
        characters = 0
        for item in items:
            if isinstance(item, Message | Deletion):
                batch.append(item)
                characters += len(item.text) if isinstance(item, Message) else 0
                if len(batch) == BATCH or characters > BATCH_CHARACTERS:
                    yield batch
                    batch, characters = [], 0
            elif isinstance(item, Reject):
                self.report.rejected[item.reason] += 1
            elif isinstance(item, Repair):
                self.report.repaired[item.what] += 1
            else:
                self.report.unknown[item.name] += 1
        if batch:
            yield batch

    @contextmanager
    def _transaction(self) -> Iterator[tuple[Run, Batch, Writer]]:
        with self._writing() as db:
            run, names = self._open(db)
            writer = Writer(db, corpus=run.corpus, name=self._name, stamp=self._values["stamp"])
            yield run, Batch(db, run, names, writer), writer
            writer.settle(is_changed=names.has_changed)
            self._changes = int(db.execute(CORPUS, self._values).fetchone()[1])

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        if self._dry is not None:
            yield self._dry
            return
        with self._call.store.write() as db:
            db.execute(MORE_CACHE).fetchall()
            yield db

    def _open(self, db: Connection) -> tuple[Run, Names]:
        """Return what is known of the corpus, which is made by the first transaction."""
        row = db.execute(CORPUS, self._values).fetchone()
        if self._run is None:
            refresh_index(db)
            self.report.version_before = scope_of(db, [self._name]).version
            self.report.label_before = "" if row is None else row[2]
            db.execute(NEW_CORPUS if row is None else IMPORTED, self._values)
            row = db.execute(CORPUS, self._values).fetchone()
            self._run = Run(self._name, int(row[0]), self.report)
        if self._names is None or row[1] != self._changes:
            format_name = self._values["format"]
            self._names = Names(db, self._run.corpus, format_name, has_rules=self._has_rules)
        self._names.attach(db)
        return self._run, self._names

    def _version(self) -> str:
        if self._dry is not None:
            return scope_of(self._dry, [self._name]).version
        with self._call.store.read() as db:
            return scope_of(db, [self._name]).version

    def _write_pending(self, run: Run) -> None:
        while run.pending:
            waiting: dict[Mark, Ready | None] = dict(islice(run.pending.items(), BATCH))
            with self._transaction() as (_, batch, _writer):
                batch.apply(waiting)
            for mark in waiting:
                del run.pending[mark]

    def _prune(self, run: Run, prune: Prune) -> None:
        """Take away, or count, what the source should have and has not."""
        with self._writing() as db:
            vanished = list(_vanished(db, run, self._values["format"]))
        self.report.prunable = len(vanished)
        if prune is Prune.COUNT:
            return
        for start in range(0, len(vanished), BATCH):
            with self._transaction() as (_, _batch, writer):
                self.report.pruned += writer.remove(vanished[start : start + BATCH])


def _is_full(run: Run) -> bool:
    """Tell whether more would wait than memory should hold."""
    waiting = (len(record.message.text) for record in run.pending.values() if record is not None)
    return len(run.pending) >= PENDING or sum(waiting) > PENDING_CHARACTERS


def _vanished(db: Connection, run: Run, format_name: str) -> Iterator[int]:
    for conversation, (first, last) in sorted(run.spans.items()):
        values = {"conversation": conversation, "first": first, "last": last, "format": format_name}
        for (number,) in db.execute(VANISHED, values):
            if number not in run.seen:
                yield int(number)
