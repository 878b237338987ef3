import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from store_worker import LATER_NOTES, NOW, add, make_store, names_in, texts

from frugal.errors import (
    DamagedFile,
    EmptyFile,
    FileInUse,
    ForeignFile,
    MissingFile,
    NewerFile,
    OtherMode,
    StoreBusy,
)
from frugal.store import Store, copy_to
from frugal.store.restore import Restored, restore_file

Open = Callable[..., Store]
Start = Callable[..., object]


@pytest.fixture
def backup(open_store: Open, tmp_path: Path) -> Path:
    """A backup that holds `old`."""
    source = open_store(tmp_path / "source" / "notes.db")
    add(source, "old")
    target = tmp_path / "backup.db"
    copy_to(source.path, target)
    source.close()
    return target


def bring_back(backup: Path, path: Path, **more: float) -> Restored:
    expected = make_store(path).expected
    return restore_file(backup, expected, keep_as=path.parent / "kept.db", moment=NOW, **more)


def ruin(path: Path) -> bytes:
    """Overwrite the second half of a file and return what is left."""
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2] + b"\xff" * (len(content) - len(content) // 2))
    return path.read_bytes()


def test_open_store_sees_the_restored_state_at_its_next_call(
    store: Store, open_store: Open, path: Path, backup: Path
) -> None:
    add(store, "new", "newer")
    assert texts(store) == ["new", "newer"]

    restored = bring_back(backup, path)

    assert texts(store) == ["old"]
    add(store, "next")
    assert texts(store) == ["old", "next"]
    assert restored == Restored(kept=path.parent / "kept.db")
    assert texts(open_store(path.parent / "kept.db")) == ["new", "newer"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_other_process_sees_the_restored_state_at_its_next_call(
    path: Path, backup: Path, start: Start
) -> None:
    code = """
store = make_store(sys.argv[1])
add(store, "new")
for line in sys.stdin:
    print(texts(store), flush=True)
"""
    server = start(code, path)
    server.stdin.write("\n")
    server.stdin.flush()
    assert server.stdout.readline() == "['new']\n"

    bring_back(backup, path)
    server.stdin.write("\n")
    server.stdin.flush()

    assert server.stdout.readline() == "['old']\n"


def test_read_that_is_running_keeps_its_snapshot(store: Store, path: Path, backup: Path) -> None:
    add(store, "new")

    with store.read() as db:
        before = db.execute("SELECT text FROM note").fetchall()
        bring_back(backup, path)
        after = db.execute("SELECT text FROM note").fetchall()

    assert [tuple(row) for row in before] == [tuple(row) for row in after] == [("new",)]
    assert texts(store) == ["old"]


def test_no_write_falls_between_the_backup_and_the_restored_file(
    open_store: Open, path: Path, backup: Path, start: Start
) -> None:
    code = """
store = make_store(sys.argv[1])
for number in range(200):
    add(store, str(number))
    print(number, flush=True)
store.close()
"""
    writer = start(code, path)
    for _ in range(20):
        writer.stdout.readline()

    restored = bring_back(backup, path)
    assert writer.wait() == 0

    kept, after = texts(open_store(restored.kept)), texts(open_store())
    assert after[0] == "old"
    assert [*kept, *after[1:]] == [str(number) for number in range(200)]


def test_file_locked_elsewhere_is_left_as_it_is(store: Store, path: Path, backup: Path) -> None:
    add(store, "new")

    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusy):
            bring_back(backup, path, wait_s=0.3)

    assert texts(store) == ["new"]
    assert not (path.parent / "kept.db").exists()


def test_backup_that_cannot_be_kept_leaves_the_file_as_it_is(store: Store, path: Path, backup: Path) -> None:
    add(store, "new")
    (path.parent / "kept.db").write_bytes(b"mine")

    with pytest.raises(FileExistsError):
        bring_back(backup, path)

    assert texts(store) == ["new"]
    add(store, "newer")
    assert texts(store) == ["new", "newer"]


def test_missing_file_is_made(open_store: Open, path: Path, backup: Path) -> None:
    restored = bring_back(backup, path)

    assert restored == Restored()
    assert texts(open_store()) == ["old"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_empty_file_is_filled(open_store: Open, path: Path, backup: Path) -> None:
    path.parent.mkdir()
    path.touch()

    assert bring_back(backup, path) == Restored()
    assert texts(open_store()) == ["old"]


def test_damaged_file_is_put_aside_with_its_bytes(
    store: Store, open_store: Open, path: Path, backup: Path
) -> None:
    add(store, *("word " * 200 for _ in range(200)))
    store.close()
    content = ruin(path)

    restored = bring_back(backup, path)

    aside = path.with_name("notes.db.damaged-20260301-123045")
    assert restored == Restored(damaged=aside)
    assert aside.read_bytes() == content
    assert texts(open_store()) == ["old"]


def test_log_of_a_damaged_file_goes_with_it(open_store: Open, path: Path, backup: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"no database" * 1000)
    path.with_name("notes.db-wal").write_bytes(b"log")

    restored = bring_back(backup, path)

    assert restored.damaged is not None
    assert names_in(path.parent) == ["notes.db", restored.damaged.name, f"{restored.damaged.name}-wal"]
    assert texts(open_store()) == ["old"]


def test_filled_log_without_its_file_is_put_aside(open_store: Open, path: Path, backup: Path) -> None:
    path.parent.mkdir()
    path.with_name("notes.db-wal").write_bytes(b"log")

    bring_back(backup, path)

    assert path.with_name("notes.db.damaged-20260301-123045-wal").read_bytes() == b"log"
    assert texts(open_store()) == ["old"]


def test_damaged_file_that_a_server_has_open_stays(path: Path, backup: Path, start: Start) -> None:
    code = """
store = make_store(sys.argv[1])
add(store, *("word " * 200 for _ in range(200)))
with store.read() as db:
    db.execute("SELECT count(*) FROM note").fetchone()
store._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
print("ready", flush=True)
sys.stdin.readline()
"""
    server = start(code, path)
    assert server.stdout.readline() == "ready\n"
    content = ruin(path)

    with pytest.raises(FileInUse):
        bring_back(backup, path)

    assert path.read_bytes() == content
    assert names_in(path.parent) == ["notes.db", "notes.db-shm", "notes.db-wal"]


@pytest.mark.parametrize("fault", ["missing", "empty", "damaged", "garbage", "newer", "other", "foreign"])
def test_backup_that_is_not_right_is_refused_and_nothing_changes(
    store: Store, open_store: Open, path: Path, backup: Path, fault: str
) -> None:
    add(store, "new")
    expected: type[Exception] = DamagedFile
    if fault == "missing":
        backup.unlink()
        expected = MissingFile
    elif fault == "empty":
        backup.write_bytes(b"")
        expected = EmptyFile
    elif fault == "damaged":
        with closing(sqlite3.connect(backup)) as db:
            db.executemany("INSERT INTO note (text) VALUES (?)", [("word " * 300,)] * 100)
            db.commit()
        ruin(backup)
    elif fault == "garbage":
        backup.write_bytes(b"no database" * 1000)
    elif fault == "newer":
        open_store(backup, migrations=(LATER_NOTES,)).close()
        add(open_store(backup, migrations=(LATER_NOTES,)), "x")
        expected = NewerFile
    elif fault == "other":
        backup.unlink()
        add(open_store(backup, mode="other"), "x")
        expected = OtherMode
    else:
        backup.unlink()
        with closing(sqlite3.connect(backup)) as db:
            db.execute("CREATE TABLE strange (x)")
        expected = ForeignFile

    with pytest.raises(expected) as caught:
        bring_back(backup, path)

    assert caught.value.data["path"] == str(backup)
    assert texts(store) == ["new"]
    assert not (path.parent / "kept.db").exists()


@pytest.mark.parametrize("fault", ["other", "foreign"])
def test_file_that_is_not_ours_is_never_replaced(
    open_store: Open, path: Path, backup: Path, fault: str
) -> None:
    path.parent.mkdir()
    if fault == "other":
        store = open_store(path, mode="other")
        add(store, "x")
        store.close()
    else:
        with closing(sqlite3.connect(path)) as db:
            db.execute("CREATE TABLE strange (x)")
    before = path.read_bytes()

    with pytest.raises((OtherMode, ForeignFile)):
        bring_back(backup, path)

    assert path.read_bytes() == before


def test_newer_file_is_backed_up_like_any_other(open_store: Open, path: Path, backup: Path) -> None:
    newer = open_store(path, migrations=(LATER_NOTES,))
    add(newer, "new")
    newer.close()

    restored = bring_back(backup, path)

    assert texts(open_store()) == ["old"]
    assert texts(open_store(restored.kept, migrations=(LATER_NOTES,))) == ["new"]


def test_backup_with_other_pages_is_restored_too(
    store: Store, open_store: Open, path: Path, backup: Path
) -> None:
    add(store, "new")
    with closing(sqlite3.connect(backup)) as db:
        db.execute("PRAGMA page_size = 1024")
        db.execute("VACUUM")

    bring_back(backup, path)

    assert texts(store) == ["old"]


def test_backup_is_only_read(store: Store, path: Path, backup: Path) -> None:
    add(store, "new")
    before = backup.read_bytes(), backup.stat().st_mtime_ns, names_in(backup.parent)

    bring_back(backup, path)

    assert (backup.read_bytes(), backup.stat().st_mtime_ns, names_in(backup.parent)) == before
