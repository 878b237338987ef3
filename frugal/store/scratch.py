"""A database of this process alone, for what is to be made in full before others may see it."""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from sqlite3 import Connection

from frugal.store.statements import statements_of

CORE = Path(__file__).with_name("schema") / "0001_core.sql"


@contextmanager
def scratch(scripts: Iterable[str]) -> Iterator[Connection]:
    """Yield a private database with a store's own tables and those of *scripts*; it goes with the block, and lies in a
    temporary file that nobody sees once it outgrows the memory that SQLite gives it.
    """
    with closing(sqlite3.connect("", isolation_level=None, check_same_thread=False)) as connection:
        connection.execute("PRAGMA journal_mode = OFF").fetchall()
        connection.execute("PRAGMA synchronous = OFF").fetchall()
        for script in (CORE.read_text("utf-8"), *scripts):
            for statement in statements_of(script):
                connection.execute(statement)
        yield connection
