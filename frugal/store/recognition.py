"""What a file is: ours and current, ours and behind, or one that has to be refused."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from sqlite3 import Connection

from frugal.errors import ForeignFile, FrugalError, NewerFile, OtherMode, PredecessorFile
from frugal.model import Migration
from frugal.store import connections, files

APPLICATION_ID = int.from_bytes(b"frug", "big")
NAMED_TABLES = 5

OBJECTS = "SELECT type, name FROM sqlite_schema WHERE name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY name"
COLUMNS = "SELECT name FROM pragma_table_info(:table)"
LEDGER = "SELECT set_name, name FROM ledger"
RECORD = "SELECT value FROM record WHERE key = :key"
PUT_RECORD = """
    INSERT INTO record (key, value) VALUES (:key, :value)
    ON CONFLICT (key) DO UPDATE SET value = excluded.value WHERE value <> excluded.value
"""
PREDECESSOR_LAYOUT = "SELECT wert FROM \"schema\" WHERE schluessel = 'stand'"


@dataclass(frozen=True)
class Expectation:
    """What a store wants to find in its file; *language* is recorded when the file is made."""

    path: Path
    mode: str
    setting: str
    version: str
    migrations: Sequence[Migration]
    language: str | None = None


@dataclass(frozen=True)
class Finding:
    """A file that may be used: what is still to be applied, and whether it holds nothing at all yet."""

    pending: tuple[Migration, ...]
    is_fresh: bool = False


def recognise(connection: Connection, expected: Expectation) -> Finding:
    """Return what the file lacks; raise OtherMode, NewerFile, PredecessorFile or ForeignFile if refused."""
    tables = {name: kind for kind, name in connection.execute(OBJECTS)}
    if not tables:
        return Finding(tuple(expected.migrations), is_fresh=True)
    if not _is_ours(connection, tables):
        raise _refusal_of_stranger(connection, expected, tables)
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
    return Finding(tuple(step for step in expected.migrations if (step.set_name, step.name) not in applied))


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
        return connections.look(path, lambda connection: read_record(connection, "language"))
    except (FrugalError, sqlite3.Error, OSError):
        return None  # The server starts all the same; the first call reports what is wrong with the file.


def _is_ours(connection: Connection, tables: dict[str, str]) -> bool:
    return (
        tables.get("ledger") == tables.get("record") == "table"
        and {"set_name", "name"} <= _columns(connection, "ledger")
        and {"key", "value"} <= _columns(connection, "record")
    )


def _columns(connection: Connection, table: str) -> set[str]:
    return {str(name) for (name,) in connection.execute(COLUMNS, {"table": table})}


def _refusal_of_stranger(
    connection: Connection, expected: Expectation, tables: dict[str, str]
) -> PredecessorFile | ForeignFile:
    """Return why a file without our ledger is refused."""
    path = str(expected.path)
    if tables.get("schema") == "table" and {"schluessel", "wert"} <= _columns(connection, "schema"):
        row = connection.execute(PREDECESSOR_LAYOUT).fetchone()
        for table in ("eintrag", "mem"):
            if table in tables:
                return PredecessorFile(path=path, found=f"{table} {row[0]}" if row else table)
    if tables.get("reihe") == "table" and "kennung" in _columns(connection, "reihe"):
        return PredecessorFile(path=path, found="reihe")
    names = [name for name, kind in tables.items() if kind in ("table", "view")] or list(tables)
    return ForeignFile(path=path, found=", ".join(names[:NAMED_TABLES]))
