"""The schema of a file, step by step: all pending steps and their ledger rows in one transaction.

What a file of the predecessor holds is copied in that same transaction.
"""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from sqlite3 import Connection

from frugal.errors import BackupFailed, DiskFull, StoreError, StoreFailed
from frugal.model import Migration, MigrationSet
from frugal.store import backup, files, takeover
from frugal.store.predecessor import OldFile, has_rows
from frugal.store.recognition import APPLICATION_ID, Expectation, Finding, put_record, recognise
from frugal.store.references import broken_references
from frugal.store.statements import statements_of
from frugal.store.takeover import Noted

CORE_SET = "frugal"
SCHEMA = Path(__file__).with_name("schema")

ADD_TO_LEDGER = """
    INSERT INTO ledger (set_name, name, applied_at, version) VALUES (:set_name, :name, :applied_at, :version)
"""


def in_order(sets: Sequence[MigrationSet]) -> tuple[Migration, ...]:
    """Return every step of a file: the store's own first, then the *sets* in their order."""
    own = sorted(SCHEMA.glob("*.sql"))
    core = tuple(Migration(CORE_SET, file.stem, file.read_text(encoding="utf-8")) for file in own)
    return core + tuple(step for one in sets for step in one.migrations)


@dataclass(frozen=True)
class Upgrade:
    """What was done to a file: what it lacked, the backup made before, what was taken over from the predecessor."""

    finding: Finding
    backup: Path | None = None
    taken: Noted | None = None


def bring_up_to_date(
    connection: Connection, expected: Expectation, *, clock: Callable[[], datetime]
) -> Upgrade:
    """Apply what the file lacks, once, whoever else starts at the same time; return what was done.

    A file that holds something is backed up first, under the write lock. Any failure leaves it as it was.
    """
    # A step that rebuilds a table needs this, and inside the transaction it would have no effect.
    connection.execute("PRAGMA foreign_keys = OFF").fetchall()
    try:
        connection.execute("BEGIN IMMEDIATE")
        try:
            finding = recognise(connection, expected)
            kept = _back_up(expected.path, clock()) if _has_to_be_kept(connection, finding) else None
            taken = _apply(connection, finding, expected, moment=clock(), kept=kept)
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
    finally:
        connection.execute("PRAGMA foreign_keys = ON").fetchall()
    return Upgrade(finding, kept, taken)


def _has_to_be_kept(connection: Connection, finding: Finding) -> bool:
    """Return whether a backup comes first: before any change but the removal of empty tables."""
    is_late = finding.old is not None and finding.old.is_late and has_rows(connection, finding.old)
    return is_late or (bool(finding.pending) and not finding.is_fresh)


def _apply(
    connection: Connection, finding: Finding, expected: Expectation, *, moment: datetime, kept: Path | None
) -> Noted | None:
    old = takeover.set_aside(connection, finding.old) if finding.old else None
    is_new = finding.is_fresh or (old is not None and not old.is_late)
    if is_new:
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}").fetchall()
    for step in finding.pending:
        _run(connection, step)
        row = {"set_name": step.set_name, "name": step.name, "version": expected.version}
        connection.execute(ADD_TO_LEDGER, {**row, "applied_at": _stamp(moment)})
    if is_new:
        _describe(connection, expected, old.language if old else None)
    taken = _take_over(connection, old, expected, moment=moment, kept=kept) if old else None
    is_changed = old is not None or (finding.pending and not finding.is_fresh)
    if is_changed and next(broken_references(connection), None):
        raise StoreFailed(path=str(expected.path), reason="FOREIGN KEY constraint failed")
    return taken


def _describe(connection: Connection, expected: Expectation, language: str | None) -> None:
    """Record what a new file is; the language of an old one stays."""
    put_record(connection, "mode", expected.mode)
    put_record(connection, "created_by", expected.version)
    if expected.language is not None:
        put_record(connection, "language", language or expected.language)


def _take_over(
    connection: Connection, old: OldFile, expected: Expectation, *, moment: datetime, kept: Path | None
) -> Noted | None:
    """Copy what *old* holds, record it, remove the old tables; without rows, that is without a backup, they only go."""
    noted = None
    if kept is not None:
        assert expected.takeover is not None  # recognised only with it
        with _transaction_kept(connection):
            taken = takeover.copy(connection, old, expected.takeover, path=expected.path)
        noted = takeover.note(connection, old, taken, at=_stamp(moment), backup=str(kept))
    takeover.clear(connection, old)
    takeover.guard(connection, old, expected.migrations)
    return noted


def _run(connection: Connection, step: Migration) -> None:
    """Run the statements of one step."""
    with _transaction_kept(connection):
        for statement in statements_of(step.sql):
            connection.execute(statement).fetchall()


@contextmanager
def _transaction_kept(connection: Connection) -> Iterator[None]:
    """Let SQLite refuse what would end the transaction inside the block: "not authorized"."""
    connection.set_authorizer(_forbid_transactions)
    try:
        yield
    finally:
        connection.set_authorizer(None)


def _forbid_transactions(action: int, *_details: str | None) -> int:
    return sqlite3.SQLITE_DENY if action == sqlite3.SQLITE_TRANSACTION else sqlite3.SQLITE_OK


def _back_up(path: Path, moment: datetime) -> Path:
    target = files.name_of_upgrade_backup(path, moment)
    try:
        files.remove_unfinished_backups(path)
        backup.copy_to(path, target)
    except DiskFull as error:
        raise BackupFailed(path=str(path), reason="database or disk is full") from error
    except StoreError as error:
        raise BackupFailed(path=str(path), reason=str(error.data.get("reason", error.code))) from error
    except sqlite3.Error as error:
        raise BackupFailed(path=str(path), reason=str(error)) from error
    except OSError as error:
        raise BackupFailed(path=str(path), reason=error.strerror or "") from error
    return target


def _stamp(moment: datetime) -> str:
    return (moment.astimezone(UTC) if moment.tzinfo else moment).strftime("%Y-%m-%d %H:%M:%S")
