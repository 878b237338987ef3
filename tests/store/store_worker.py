"""A small mode's store, for the tests and for their worker processes."""

import os
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from frugal import errors
from frugal.model import Migration, MigrationSet
from frugal.store import Store

NOW = datetime(2026, 3, 1, 12, 30, 45, tzinfo=UTC)

FIRST = Migration(
    "notes",
    "0001_note",
    """
    -- One row a note; a comment; with semicolons.
    CREATE TABLE note (id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT NOT NULL) STRICT;
    CREATE VIRTUAL TABLE note_index USING fts5 (text);
    CREATE TRIGGER note_added AFTER INSERT ON note BEGIN
        INSERT INTO note_index (rowid, text) VALUES (new.id, new.text);
    END;
    """,
)
SECOND = Migration("notes", "0002_tag", "CREATE TABLE tag (note_id INTEGER NOT NULL REFERENCES note) STRICT;")
NOTES = MigrationSet("notes", (FIRST,))
LATER_NOTES = MigrationSet("notes", (FIRST, SECOND))

ADD = "INSERT INTO note (text) VALUES (:text)"
TEXTS = "SELECT text FROM note ORDER BY id"


def make_store(path: Path | str, **overrides: Any) -> Store:
    settings: dict[str, Any] = {
        "mode": "notes",
        "setting": "NOTES_DB",
        "migrations": (NOTES,),
        "clock": lambda: NOW,
        "version": "1.0",
        "busy_timeout_s": 20,
    }
    return Store(path, **(settings | overrides))


def add(store: Store, *texts: str) -> None:
    with store.write() as connection:
        for text in texts:
            connection.execute(ADD, {"text": text})


def texts(store: Store) -> list[str]:
    with store.read() as connection:
        return [text for (text,) in connection.execute(TEXTS)]


def names_in(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def traces_of(path: Path) -> tuple[bytes, int, list[str]]:
    """Return what a refusal has to leave: bytes, change time, the folder's names."""
    return path.read_bytes(), path.stat().st_mtime_ns, names_in(path.parent)


def become_nobody() -> None:
    """Give up root, for tests of permissions; the modules needed later are loaded before."""
    import platform  # noqa: F401 - loaded for later
    import shutil  # noqa: F401 - loaded for later

    if os.geteuid() == 0:
        os.seteuid(65534)


__all__ = [
    "ADD",
    "FIRST",
    "LATER_NOTES",
    "NOTES",
    "NOW",
    "SECOND",
    "TEXTS",
    "Migration",
    "MigrationSet",
    "Path",
    "add",
    "become_nobody",
    "closing",
    "errors",
    "make_store",
    "names_in",
    "os",
    "sys",
    "texts",
    "traces_of",
]
