"""Tables that an old program leaves in a file of ours: rows get new ids, empty tables go, and it can store nothing."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from old_files import (
    ADD_ENTRY,
    ADD_LOG,
    ADD_QUESTION,
    ENTRIES,
    LOG,
    QUESTIONS,
    backups_of,
    is_sound,
    leave_tables,
    rows_of,
    tables_of,
    write_file,
)

EMPTY = (
    'CREATE TABLE "schema" (schluessel TEXT PRIMARY KEY, wert TEXT)',
    "CREATE TABLE veraltet (vermerk INTEGER PRIMARY KEY, id INTEGER, durch INTEGER, am TEXT, grund TEXT)",
    "CREATE TABLE marken (marke TEXT PRIMARY KEY, seit TEXT)",
    "CREATE TABLE nachfrage (schluessel TEXT, id INTEGER REFERENCES eintrag (id), frage TEXT, seit TEXT)",
)
MAIN = """
    CREATE TABLE eintrag (id INTEGER PRIMARY KEY, content TEXT, tags TEXT, ts TEXT, art TEXT, art_am TEXT,
                          kopf INTEGER, nr INTEGER)
"""


@pytest.fixture
def path(tmp_path: Path, open_file: Callable) -> Path:
    """Return a memory of ours with two entries."""
    place = tmp_path / "files" / "memory.db"
    owner = open_file(place, language="en")
    owner("remember", text="First of ours.", tags="x")
    owner("remember", text="Second of ours.", tags="x")
    owner.workspace.close()
    owner.noticed()
    return place


def leave_rows(path: Path) -> None:
    leave_tables(path, "DROP VIEW eintrag", MAIN, *EMPTY)
    with closing(sqlite3.connect(path)) as db:
        db.executemany(ADD_ENTRY, ENTRIES)
        db.executemany(ADD_LOG, LOG)
        db.executemany(ADD_QUESTION, QUESTIONS)
        db.commit()


def test_new_file_has_the_view_that_keeps_an_old_program_out(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        for statement in (
            "CREATE INDEX IF NOT EXISTS eintrag_nach_ts ON eintrag (ts)",
            "INSERT INTO eintrag (content, tags, ts) VALUES ('x', 'y', 'z')",
            "SELECT id, content, tags, ts FROM eintrag",
        ):
            with pytest.raises(sqlite3.OperationalError):
                db.execute(statement)


def test_empty_tables_are_removed_at_the_next_open_without_a_word(path: Path, open_file: Callable) -> None:
    leave_tables(path, *EMPTY)

    owner = open_file(path)
    owner("topics")
    owner.workspace.close()

    assert not tables_of(path) & {"schema", "veraltet", "marken", "nachfrage"}
    assert backups_of(path) == []
    assert owner.noticed() == []
    assert is_sound(path)


def test_rows_are_taken_over_with_new_ids_and_reported(path: Path, open_file: Callable) -> None:
    leave_rows(path)

    owner = open_file(path)
    owner("topics")
    owner.workspace.close()

    texts = [text for (text,) in rows_of(path, "SELECT text FROM entry ORDER BY id")]
    assert texts == ["First of ours.", "Second of ours.", *(entry[1] for entry in ENTRIES)]
    assert rows_of(path, "SELECT id FROM entry ORDER BY id") == [(number,) for number in range(1, 8)]
    log = rows_of(path, "SELECT entry_id, successor_id, reason FROM event ORDER BY seq")
    assert log == [(3, 4, None), (7, None, "withdrawn")]
    assert rows_of(path, "SELECT entry_id FROM learned_question") == [(4,)]
    assert rows_of(path, "SELECT first_id, last_id FROM memo") == [(5, 6)]
    assert rows_of(path, "SELECT type FROM sqlite_schema WHERE name = 'eintrag'") == [("view",)]
    assert len(backups_of(path)) == 1
    (line,) = owner.noticed()
    assert "new ids" in line
    assert "5 entries" in line
    assert is_sound(path)


def test_second_open_finds_nothing_more_to_take(path: Path, open_file: Callable) -> None:
    leave_rows(path)
    first = open_file(path)
    first("topics")
    first.workspace.close()
    before = path.read_bytes(), path.stat().st_mtime_ns

    second = open_file(path)
    second("topics")
    second.workspace.close()

    assert (path.read_bytes(), path.stat().st_mtime_ns) == before


def test_rows_in_another_form_are_left_alone(path: Path, open_file: Callable) -> None:
    leave_tables(
        path, "CREATE TABLE veraltet (id INTEGER, anders TEXT)", "INSERT INTO veraltet VALUES (1, 'x')"
    )

    owner = open_file(path)
    owner("topics")

    assert rows_of(path, "SELECT id, anders FROM veraltet") == [(1, "x")]
    assert backups_of(path) == []


def test_filled_full_text_table_is_left_alone(path: Path, open_file: Callable) -> None:
    leave_tables(
        path, "CREATE VIRTUAL TABLE mem USING fts5 (content, tags)", "INSERT INTO mem VALUES ('a', 'b')"
    )

    open_file(path)("topics")

    assert rows_of(path, "SELECT content FROM mem") == [("a",)]


def test_tables_that_are_left_alone_do_not_stand_in_the_way_of_an_upgrade(
    path: Path, open_file: Callable
) -> None:
    leave_tables(
        path,
        *EMPTY,
        "CREATE VIRTUAL TABLE mem USING fts5 (content, tags)",
        "INSERT INTO mem VALUES ('a', 'b')",
        "DROP VIEW eintrag",
        "DELETE FROM ledger WHERE name = '0002_guard'",
    )

    open_file(path)("topics")

    assert rows_of(path, "SELECT type FROM sqlite_schema WHERE name = 'eintrag'") == [("view",)]


def test_guest_reads_on_beside_late_tables_and_touches_nothing(path: Path, open_file: Callable) -> None:
    leave_rows(path)
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    before = path.read_bytes(), path.stat().st_mtime_ns

    text = open_file(path, is_guest=True)("recall", query="second")

    assert "Second of ours." in text
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before


def test_running_owner_goes_on_beside_late_tables(path: Path, open_file: Callable) -> None:
    running = open_file(path)
    running("topics")
    leave_tables(path, *EMPTY)

    text = running("remember", text="Third of ours.", tags="x")

    assert "#3" in text


def test_every_takeover_is_kept_in_the_record(tmp_path: Path, open_file: Callable) -> None:
    path = write_file(tmp_path / "old" / "memory.db")
    first = open_file(path)
    first("topics")
    first.workspace.close()
    leave_rows(path)

    open_file(path)("topics")

    ((value,),) = rows_of(path, "SELECT value FROM record WHERE key = 'takeovers'")
    assert str(value).count('"at"') == 2
