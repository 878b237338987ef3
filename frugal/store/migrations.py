"""The schema of a file, step by step: all pending steps and their ledger rows in one transaction."""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from sqlite3 import Connection

from frugal.errors import BackupFailed, DiskFull, StoreError, StoreFailed
from frugal.model import Migration, MigrationSet
from frugal.store import backup, files
from frugal.store.recognition import APPLICATION_ID, Expectation, Finding, put_record, recognise

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


def bring_up_to_date(
    connection: Connection, expected: Expectation, *, clock: Callable[[], datetime]
) -> tuple[Finding, Path | None]:
    """Apply what the file lacks, once, whoever else starts at the same time; return that and the backup made.

    A file that holds something is backed up first, under the write lock. Any failure leaves it as it was.
    """
    # A step that rebuilds a table needs this, and inside the transaction it would have no effect.
    connection.execute("PRAGMA foreign_keys = OFF").fetchall()
    try:
        connection.execute("BEGIN IMMEDIATE")
        try:
            finding = recognise(connection, expected)
            kept = None if finding.is_fresh or not finding.pending else _back_up(expected.path, clock())
            _apply(connection, finding, expected, moment=clock())
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
    finally:
        connection.execute("PRAGMA foreign_keys = ON").fetchall()
    return finding, kept


def _apply(connection: Connection, finding: Finding, expected: Expectation, *, moment: datetime) -> None:
    if finding.is_fresh:
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}").fetchall()
    for step in finding.pending:
        _run(connection, step)
        row = {"set_name": step.set_name, "name": step.name, "version": expected.version}
        connection.execute(ADD_TO_LEDGER, {**row, "applied_at": _stamp(moment)})
    if finding.is_fresh:
        put_record(connection, "mode", expected.mode)
        put_record(connection, "created_by", expected.version)
        if expected.language is not None:
            put_record(connection, "language", expected.language)
    elif finding.pending and connection.execute("PRAGMA foreign_key_check").fetchone():
        raise StoreFailed(path=str(expected.path), reason="FOREIGN KEY constraint failed")


def _run(connection: Connection, step: Migration) -> None:
    """Run the statements of one step; SQLite refuses one that would end the transaction: "not authorized"."""
    connection.set_authorizer(_forbid_transactions)
    try:
        for statement in statements_of(step.sql):
            connection.execute(statement).fetchall()
    finally:
        connection.set_authorizer(None)


def _forbid_transactions(action: int, *_details: str | None) -> int:
    return sqlite3.SQLITE_DENY if action == sqlite3.SQLITE_TRANSACTION else sqlite3.SQLITE_OK


def statements_of(sql: str) -> Iterator[str]:
    """Yield the statements of *sql* one by one: `executescript` would commit what is open."""
    pending = ""
    for piece in sql.split(";"):
        pending += piece
        if not sqlite3.complete_statement(f"{pending};"):
            pending += ";"
            continue
        if pending.strip():
            yield pending.strip()
        pending = ""
    if pending.strip("; \t\r\n"):
        yield pending.removesuffix(";").strip()


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
