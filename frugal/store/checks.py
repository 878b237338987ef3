"""What a look at a file finds, whatever its layout: damage, broken references, ledger, old tables. Nothing is touched."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from sqlite3 import Connection
from typing import NamedTuple, TypeVar

from frugal.store import connections, failures, files
from frugal.store.predecessor import TABLES, VIRTUAL
from frugal.store.recognition import Expectation, Finding, recognise
from frugal.store.references import Broken, broken_references

MOST_MESSAGES = 20

Answer = TypeVar("Answer")

STEPS = "SELECT set_name || '/' || name, applied_at, version FROM ledger ORDER BY applied_at, set_name, name"
TABLE_NAMES = "SELECT name FROM sqlite_schema WHERE type = 'table'"


class Step(NamedTuple):
    """A migration that the file has seen: when (UTC), and which version applied it."""

    name: str
    at: str
    version: str


def ask(path: Path, question: Callable[[Connection], Answer]) -> Answer:
    """Return the answer to *question* about an existing file; raise a StoreError if it cannot be read."""
    with failures.translated(path):
        if not files.check_place(path):
            raise files.missing(path)
        return connections.look(path, question)


def damage(path: Path) -> tuple[str, ...]:
    """Return SQLite's words about what is damaged, at most 20, none for a sound file."""

    def check(db: Connection) -> tuple[str, ...]:
        rows = db.execute(f"PRAGMA integrity_check({MOST_MESSAGES})").fetchall()
        return tuple(str(row[0]) for row in rows if row[0] != "ok")

    return ask(path, check)


def broken(path: Path) -> tuple[Broken, ...]:
    """Return the rows that point to nothing."""
    return ask(path, lambda db: tuple(broken_references(db)))


def finding(path: Path, expected: Expectation) -> Finding:
    """Return what the file lacks; raise the StoreError for which a store would refuse it."""
    return ask(path, lambda db: recognise(db, expected))


def steps(path: Path) -> tuple[Step, ...]:
    """Return the migrations that a file of ours has seen, oldest first."""
    return ask(path, lambda db: tuple(Step(*row) for row in db.execute(STEPS)))


def leftovers(path: Path, table: str) -> tuple[str, ...]:
    """Return the tables of the predecessor that stand in a file of ours; *table* is the main one of its mode."""
    old = {*TABLES[table], *VIRTUAL}
    return ask(path, lambda db: tuple(sorted(name for (name,) in db.execute(TABLE_NAMES) if name in old)))


def has_full_text() -> bool:
    """Tell whether this SQLite was built with FTS5."""
    with closing(sqlite3.connect(":memory:")) as db:
        try:
            db.execute("CREATE VIRTUAL TABLE full_text USING fts5 (text)")
        except sqlite3.OperationalError:
            return False
    return True
