"""What a file is: ours and current, ours and behind, or one that has to be refused."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from sqlite3 import Connection

from frugal.errors import ForeignFile, FrugalError, NewerFile, OtherMode
from frugal.model import Migration
from frugal.store import connections, files
from frugal.store.predecessor import OldFile, Takeover, columns_of, find_late, language_of, read_old

APPLICATION_ID = int.from_bytes(b"frug", "big")
NAMED_TABLES = 5

OBJECTS = "SELECT type, name FROM sqlite_schema WHERE name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY name"
LEDGER = "SELECT set_name, name FROM ledger"
RECORD = "SELECT value FROM record WHERE key = :key"
PUT_RECORD = """
    INSERT INTO record (key, value) VALUES (:key, :value)
    ON CONFLICT (key) DO UPDATE SET value = excluded.value WHERE value <> excluded.value
"""


@dataclass(frozen=True)
class Expectation:
    """What a store wants to find in its file; *language* is recorded when the file is made.

    *command* is what an owner runs to bring the file up to date; *takeover* serves files of the predecessor.
    """

    path: Path
    mode: str
    setting: str
    version: str
    migrations: Sequence[Migration]
    language: str | None = None
    command: str = "frugal-memory"
    takeover: Takeover | None = None


@dataclass(frozen=True)
class Finding:
    """A file that may be used: what is still to be applied, and whether it holds nothing at all yet.

    *old* are tables of the predecessor: a whole file of its, or what one that still ran left in a file of ours.
    """

    pending: tuple[Migration, ...]
    is_fresh: bool = False
    old: OldFile | None = None

    @property
    def is_to_be_changed(self) -> bool:
        """Whether an owner's open changes the file; late tables of the predecessor do not keep anybody from reading."""
        return bool(self.pending or self.old)


def recognise(connection: Connection, expected: Expectation) -> Finding:
    """Return what the file lacks; raise a StoreError if it is another mode's, newer, too old or foreign."""
    tables = _tables(connection)
    if not tables:
        return Finding(tuple(expected.migrations), is_fresh=True)
    if not _is_ours(connection, tables):
        if old := read_old(connection, tables, expected):
            return Finding(tuple(expected.migrations), old=old)
        names = [name for name, kind in tables.items() if kind in ("table", "view")] or list(tables)
        raise ForeignFile(path=str(expected.path), found=", ".join(names[:NAMED_TABLES]))
    mode = read_record(connection, "mode")
    if mode != expected.mode:
        raise OtherMode(
            path=str(expected.path), found=mode or "", mode=expected.mode, setting=expected.setting
        )
    applied = {(set_name, name) for set_name, name in connection.execute(LEDGER)}
    unknown = applied - {(step.set_name, step.name) for step in expected.migrations}
    if unknown:
        found = ", ".join(f"{set_name}/{name}" for set_name, name in sorted(unknown))
        raise NewerFile(path=str(expected.path), found=found, version=expected.version)
    pending = tuple(step for step in expected.migrations if (step.set_name, step.name) not in applied)
    return Finding(pending, old=find_late(connection, tables, expected.takeover))


def _tables(connection: Connection) -> dict[str, str]:
    """Return everything that the schema names, and what it is."""
    return {name: kind for kind, name in connection.execute(OBJECTS)}


def read_record(connection: Connection, key: str) -> str | None:
    """Return one value of the file's record, None if it is not set."""
    row = connection.execute(RECORD, {"key": key}).fetchone()
    return None if row is None else str(row[0])


def put_record(connection: Connection, key: str, value: str) -> None:
    """Set one value of the file's record; an equal value writes nothing."""
    connection.execute(PUT_RECORD, {"key": key, "value": value})


def peek_language(path: Path) -> str | None:
    """Return the language that an existing file records, None on any problem; nothing is touched or made."""
    try:
        if not files.check_place(path):
            return None
        return connections.look(path, _language)
    except (FrugalError, sqlite3.Error, OSError):
        return None  # The server starts all the same; the first call reports what is wrong with the file.


def _language(connection: Connection) -> str | None:
    tables = _tables(connection)
    if _is_ours(connection, tables):
        return read_record(connection, "language")
    return language_of(connection, tables)


def _is_ours(connection: Connection, tables: dict[str, str]) -> bool:
    return (
        tables.get("ledger") == tables.get("record") == "table"
        and {"set_name", "name"} <= columns_of(connection, "ledger")
        and {"key", "value"} <= columns_of(connection, "record")
    )
