import stat
import threading
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path

import pytest
from store_worker import FIRST, LATER_NOTES, SECOND, Migration, MigrationSet, add, make_store, names_in, texts

from frugal.errors import BackupFailed, StoreFailed
from frugal.store import Store, statements_of

Open = Callable[..., Store]

BACKUP = "notes.db.20260301-123045.bak"
LEDGER = "SELECT set_name, name, applied_at, version FROM ledger ORDER BY applied_at, set_name, name"


@pytest.fixture
def older(path: Path) -> Path:
    with closing(make_store(path)) as store:
        add(store, "one", "two")
    return path


def with_steps(*sql: str) -> tuple[MigrationSet, ...]:
    steps = (Migration("notes", f"{number:04}_step", text) for number, text in enumerate(sql, start=2))
    return (MigrationSet("notes", (FIRST, *steps)),)


def test_ledger_names_every_step_with_time_and_version(store: Store) -> None:
    with store.read() as connection:
        rows = [tuple(row) for row in connection.execute(LEDGER)]

    assert rows == [
        ("frugal", "0001_core", "2026-03-01 12:30:45", "1.0"),
        ("notes", "0001_note", "2026-03-01 12:30:45", "1.0"),
    ]


def test_fresh_file_gets_no_backup_and_no_report(open_store: Open, path: Path) -> None:
    reports: list[str] = []
    store = open_store(migrations=(LATER_NOTES,), report=lambda key, data: reports.append(key))

    add(store, "one")
    store.close()

    assert (names_in(path.parent), reports) == (["notes.db"], [])


def test_upgrade_keeps_the_texts_and_leaves_a_private_backup_of_the_old_state(
    open_store: Open, older: Path
) -> None:
    reports: list[tuple[str, Mapping[str, object]]] = []
    store = open_store(migrations=(LATER_NOTES,), report=lambda key, data: reports.append((key, data)))

    seen = texts(store)
    store.close()

    backup = older.with_name(BACKUP)
    assert seen == ["one", "two"]
    assert names_in(older.parent) == ["notes.db", BACKUP]
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    assert texts(open_store(backup)) == ["one", "two"]
    assert reports == [
        ("backup_made", {"path": str(older), "backup": str(backup), "applied": "notes/0002_tag"})
    ]


def test_second_start_after_an_upgrade_changes_nothing(open_store: Open, older: Path) -> None:
    with closing(open_store(migrations=(LATER_NOTES,))) as first:
        texts(first)
    before = older.read_bytes(), older.stat().st_mtime_ns

    with closing(open_store(migrations=(LATER_NOTES,))) as second:
        texts(second)

    assert (older.read_bytes(), older.stat().st_mtime_ns) == before
    assert names_in(older.parent) == ["notes.db", BACKUP]


def test_upgrade_that_fails_midway_leaves_the_file_as_it_was(open_store: Open, older: Path) -> None:
    before = older.read_bytes()
    broken = with_steps("DELETE FROM note;", "CREATE TABLE note (a ANY) STRICT;")

    with pytest.raises(StoreFailed, match="already exists"), closing(open_store(migrations=broken)) as store:
        texts(store)

    assert older.read_bytes() == before
    assert texts(open_store()) == ["one", "two"]


@pytest.mark.parametrize("sql", ["COMMIT;", "ROLLBACK;", "DELETE FROM note; END;"])
def test_step_cannot_end_the_transaction(open_store: Open, older: Path, sql: str) -> None:
    with pytest.raises(StoreFailed, match="not authorized"):
        texts(open_store(migrations=with_steps(sql)))

    assert texts(open_store()) == ["one", "two"]


def test_step_that_breaks_foreign_keys_is_rolled_back(open_store: Open, older: Path) -> None:
    with closing(open_store(migrations=(LATER_NOTES,))) as store, store.write() as connection:
        connection.execute("INSERT INTO tag (note_id) VALUES (1)")
    third = Migration("notes", "0003_lost", "DELETE FROM note;")

    with pytest.raises(StoreFailed, match="FOREIGN KEY"):
        texts(open_store(migrations=(MigrationSet("notes", (FIRST, SECOND, third)),)))

    assert texts(open_store(migrations=(LATER_NOTES,))) == ["one", "two"]


def test_step_may_rebuild_a_table_that_others_refer_to(open_store: Open, older: Path) -> None:
    with closing(open_store(migrations=(LATER_NOTES,))) as store, store.write() as connection:
        connection.execute("INSERT INTO tag (note_id) VALUES (1)")
    rebuild = Migration(
        "notes",
        "0003_rebuild",
        """
        CREATE TABLE new_note (id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT NOT NULL, size INTEGER) STRICT;
        INSERT INTO new_note (id, text, size) SELECT id, text, LENGTH(text) FROM note;
        DROP TABLE note;
        ALTER TABLE new_note RENAME TO note;
        """,
    )

    store = open_store(migrations=(MigrationSet("notes", (FIRST, SECOND, rebuild)),))

    with store.read() as connection:
        assert connection.execute("SELECT note_id FROM tag").fetchall()[0][0] == 1
        assert connection.execute("SELECT SUM(size) FROM note").fetchone()[0] == 6


def test_sets_of_several_owners_share_a_file(open_store: Open, older: Path) -> None:
    extra = MigrationSet("extra", (Migration("extra", "0001_note", "CREATE TABLE extra (a ANY) STRICT;"),))

    assert texts(open_store(migrations=(*with_steps(), extra))) == ["one", "two"]


def test_without_a_backup_nothing_is_upgraded(
    open_store: Open, older: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(handle: int) -> None:
        raise OSError(28, "No space left on device")

    before = older.read_bytes()
    monkeypatch.setattr("os.fsync", refuse)

    with (
        pytest.raises(BackupFailed, match="No space left"),
        closing(open_store(migrations=(LATER_NOTES,))) as store,
    ):
        texts(store)

    monkeypatch.undo()
    assert older.read_bytes() == before
    assert names_in(older.parent) == ["notes.db"]


def test_two_upgrades_in_one_second_keep_both_backups(open_store: Open, older: Path) -> None:
    older.with_name(BACKUP).write_bytes(b"an earlier one")

    with closing(open_store(migrations=(LATER_NOTES,))) as store:
        texts(store)

    assert names_in(older.parent) == ["notes.db", "notes.db.20260301-123045-2.bak", BACKUP]
    assert older.with_name(BACKUP).read_bytes() == b"an earlier one"


def test_threads_and_stores_that_upgrade_at_once_do_it_once(open_store: Open, older: Path) -> None:
    stores = [open_store(migrations=(LATER_NOTES,)) for _ in range(4)]
    seen: list[list[str]] = []
    threads = [threading.Thread(target=lambda one=one: seen.append(texts(one))) for one in stores * 2]

    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert seen == [["one", "two"]] * 8
    assert [name for name in names_in(older.parent) if name.endswith(".bak")] == [BACKUP]


def test_running_store_notices_that_another_version_upgraded_its_file(open_store: Open, older: Path) -> None:
    running = open_store()
    texts(running)

    with closing(open_store(migrations=(LATER_NOTES,))) as newer:
        texts(newer)

    for attempt in (texts, lambda store: add(store, "three")):
        with pytest.raises(Exception, match="newer_file"):
            attempt(running)
    assert texts(open_store(migrations=(LATER_NOTES,))) == ["one", "two"]


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("", []),
        ("-- nothing; at all\n", ["-- nothing; at all"]),
        ("SELECT 1", ["SELECT 1"]),
        ("SELECT ';'; SELECT 2;", ["SELECT ';'", "SELECT 2"]),
        ("/* a; b */ SELECT 1; -- c; d\n", ["/* a; b */ SELECT 1", "-- c; d"]),
        (
            "CREATE TRIGGER t AFTER INSERT ON a BEGIN SELECT 1; SELECT 2; END; SELECT 3;",
            ["CREATE TRIGGER t AFTER INSERT ON a BEGIN SELECT 1; SELECT 2; END", "SELECT 3"],
        ),
    ],
)
def test_statements_are_split_where_sqlite_would(sql: str, expected: list[str]) -> None:
    assert list(statements_of(sql)) == expected
