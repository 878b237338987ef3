"""A database of another program is read from a copy: its log counts, and nothing appears beside it."""

import sqlite3

import pytest

from frugal.errors import NotReadable, StoreFailed
from frugal.store import copied_rows

TEXTS = "SELECT text FROM note ORDER BY text"


@pytest.fixture
def busy(tmp_path):
    """Keep a database open whose last row stands in the log alone."""
    file = tmp_path / "other.db"
    db = sqlite3.connect(file, isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("CREATE TABLE note (text)")
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.execute("INSERT INTO note VALUES ('in the log')")
    yield file
    db.close()


def test_rows_of_the_log_are_there_and_the_folder_is_as_it_was(busy):
    before = {path.name: (path.stat().st_size, path.stat().st_mtime_ns) for path in busy.parent.iterdir()}

    rows = copied_rows(busy, TEXTS)

    assert rows == [("in the log",)]
    assert {
        path.name: (path.stat().st_size, path.stat().st_mtime_ns) for path in busy.parent.iterdir()
    } == before


def test_values_are_named(busy):
    assert copied_rows(busy, "SELECT text FROM note WHERE text = :text", {"text": "in the log"}) == [
        ("in the log",)
    ]


def test_what_is_no_database_says_why(tmp_path):
    file = tmp_path / "x.db"
    file.write_bytes(b"SQLite format 3\0" + b"\xff" * 4_000)

    with pytest.raises(StoreFailed) as caught:
        copied_rows(file, TEXTS)

    assert caught.value.data["reason"]


def test_file_that_is_not_there_cannot_be_read(tmp_path):
    with pytest.raises(NotReadable):
        copied_rows(tmp_path / "missing.db", TEXTS)
