import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from store_worker import add, names_in, texts

from frugal.errors import DamagedFile
from frugal.store import Store, copy_to, newest_backup

Open = Callable[..., Store]


def test_copy_is_private_complete_and_one_file(
    store: Store, open_store: Open, path: Path, tmp_path: Path
) -> None:
    add(store, "one", "two")
    target = tmp_path / "copies" / "copy.db"

    copy_to(path, target)

    assert names_in(target.parent) == ["copy.db"]
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert texts(open_store(target)) == ["one", "two"]


def test_copy_made_while_another_process_writes_is_sound(
    open_store: Open, path: Path, tmp_path: Path, start: Callable
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

    copies = [tmp_path / f"copy{number}.db" for number in range(3)]
    for copy in copies:
        copy_to(path, copy)
    assert writer.wait() == 0

    for copy in copies:
        with closing(sqlite3.connect(copy)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        stored = texts(open_store(copy))
        assert stored == [str(number) for number in range(len(stored))]
        assert len(stored) >= 20
    assert len(texts(open_store())) == 200


def test_existing_target_is_refused_and_stays(store: Store, path: Path, tmp_path: Path) -> None:
    add(store, "one")
    target = tmp_path / "copy.db"
    target.write_bytes(b"mine")

    with pytest.raises(FileExistsError):
        copy_to(path, target)

    assert target.read_bytes() == b"mine"
    assert names_in(tmp_path) == ["copy.db", "data"]


def test_damaged_source_gives_no_copy(store: Store, path: Path, tmp_path: Path) -> None:
    add(store, *("word " * 200 for _ in range(200)))
    store.close()
    content = path.read_bytes()
    path.write_bytes(content[:40_960] + b"\xff" * (len(content) - 40_960))

    with pytest.raises(DamagedFile):
        copy_to(path, tmp_path / "copy.db")

    assert names_in(tmp_path) == ["data"]


def test_source_is_left_as_it_is(store: Store, path: Path, tmp_path: Path) -> None:
    add(store, "one")
    store.close()
    before = path.read_bytes(), path.stat().st_mtime_ns

    copy_to(path, tmp_path / "copy.db")

    assert (path.read_bytes(), path.stat().st_mtime_ns, names_in(path.parent)) == (*before, ["notes.db"])


def test_newest_backup_goes_by_the_stamp_in_the_name(path: Path) -> None:
    path.parent.mkdir()
    assert newest_backup(path) is None

    for name in (
        "notes.db.20250301-000000.bak",
        "notes.db.20250301-000000-2.bak",
        "notes.db.20250201-000000.bak",
    ):
        (path.parent / name).touch()

    assert newest_backup(path) == path.with_name("notes.db.20250301-000000-2.bak")
