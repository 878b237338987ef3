"""Kills, full disks, replaced and restored files: afterwards the file is sound and nothing acknowledged is lost."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from store_worker import ADD, LATER_NOTES, add, make_store, names_in, texts

from frugal.errors import DiskFull, OutdatedFile, StoreBusy
from frugal.store import Store, copy_to

Open = Callable[..., Store]


def is_sound(path: Path) -> bool:
    with closing(sqlite3.connect(path)) as connection:
        return bool(connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)])


def test_kill_while_writing_keeps_every_acknowledged_text(
    open_store: Open, path: Path, start: Callable
) -> None:
    code = """
store = make_store(sys.argv[1])
for number in range(int(sys.argv[2]), 100_000):
    add(store, f"text {number} " + "word " * 300)
    print(number, flush=True)
"""
    acknowledged = 0
    for lines in (0, 1, 7, 40, 90):
        worker = start(code, path, acknowledged)
        for _ in range(lines):
            acknowledged = int(worker.stdout.readline()) + 1
        worker.kill()
        rest = worker.communicate()[0].split("\n")[:-1]
        acknowledged = int(rest[-1]) + 1 if rest else acknowledged

        if acknowledged:
            stored = {int(text.split()[1]) for text in texts(open_store())}
            assert stored >= set(range(acknowledged))
            assert is_sound(path)


def test_kill_while_the_file_is_made_leaves_one_that_opens(
    open_store: Open, tmp_path: Path, start: Callable
) -> None:
    for attempt, step in enumerate(["use_log", "recognise", "put_record", "_apply"]):
        path = tmp_path / str(attempt) / "notes.db"
        code = f"""
import signal
from frugal.store import connections, migrations, recognition, store
for module in (connections, migrations, store):
    if hasattr(module, {step!r}):
        setattr(module, {step!r}, lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL))
add(make_store(sys.argv[1]), "lost")
"""
        assert start(code, path).wait() == -9

        add(open_store(path), "one")

        assert texts(open_store(path)) == ["one"]
        assert [name for name in names_in(path.parent) if name.endswith(".bak")] == []


def test_kill_inside_an_upgrade_leaves_the_old_state(open_store: Open, path: Path, start: Callable) -> None:
    add(open_store(), "one")
    open_store().close()
    code = """
import signal
from frugal.store import migrations
migrations._stamp = lambda moment: os.kill(os.getpid(), signal.SIGKILL)
texts(make_store(sys.argv[1], migrations=(LATER_NOTES,)))
"""

    assert start(code, path).wait() == -9

    assert texts(open_store()) == ["one"]
    assert is_sound(path)
    upgraded = open_store(migrations=(LATER_NOTES,))
    assert texts(upgraded) == ["one"]


def test_kill_inside_a_backup_leaves_nothing_after_the_next_upgrade(
    open_store: Open, path: Path, start: Callable
) -> None:
    with closing(make_store(path)) as older:
        add(older, "one")
    code = """
import signal
os.fsync = lambda handle: os.kill(os.getpid(), signal.SIGKILL)
texts(make_store(sys.argv[1], migrations=(LATER_NOTES,)))
"""
    assert start(code, path).wait() == -9
    assert any(".part" in name for name in names_in(path.parent))

    with closing(open_store(migrations=(LATER_NOTES,))) as upgraded:
        assert texts(upgraded) == ["one"]

    assert names_in(path.parent) == ["notes.db", "notes.db.20260301-123045.bak"]


def test_full_disk_rolls_back_and_works_again_when_there_is_room(store: Store, path: Path) -> None:
    add(store, "one")
    with store.write() as connection:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages + 2}")

    with pytest.raises(DiskFull) as caught:
        add(store, "two", "three " * 20_000)

    assert caught.value.data == {"path": str(path)}
    assert texts(store) == ["one"]
    with store.write() as connection:
        connection.execute("PRAGMA max_page_count = 1000000")
    add(store, "two")
    assert texts(store) == ["one", "two"]


def test_write_that_the_system_refuses_midway_is_rolled_back(run: Callable[..., str], path: Path) -> None:
    code = """
import resource
store = make_store(sys.argv[1])
add(store, "one")
limit = os.path.getsize(sys.argv[1] + "-wal") + 20_000
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
try:
    add(store, *("word " * 300 for _ in range(100)))
except errors.StoreError as error:
    print(error.code)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print(texts(store))
add(store, "two")
print(texts(store))
store.close()
"""

    out = run(code, path)

    assert out.splitlines() == ["store_failed", "['one']", "['one', 'two']"]
    assert is_sound(path)


def test_write_killed_before_the_file_had_its_log_is_taken_back_by_the_owner(
    open_store: Open, path: Path, tmp_path: Path, start: Callable
) -> None:
    add(open_store(), "one")
    copy = tmp_path / "copy.db"
    copy_to(path, copy)
    code = """
import sqlite3, signal
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("PRAGMA cache_size = 1")
connection.execute("BEGIN")
for _ in range(500):
    connection.execute(ADD, {"text": "lost " * 100})
os.kill(os.getpid(), signal.SIGKILL)
"""
    assert start(code, copy).wait() == -9
    assert copy.with_name("copy.db-journal").stat().st_size > 0

    with pytest.raises(OutdatedFile):
        texts(open_store(copy, read_only=True))
    seen = texts(open_store(copy))

    assert seen == ["one"]
    assert is_sound(copy)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device without room")
def test_file_on_a_device_that_is_no_file_is_refused(open_store: Open) -> None:
    with pytest.raises(Exception, match="store_failed"):
        texts(open_store(Path("/dev/full")))


def test_file_replaced_while_running_is_reopened(open_store: Open, path: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    with closing(make_store(other)) as second:
        add(second, "new one")
    running = open_store()
    add(running, "old one")
    old = path.with_name("kept.db")

    path.rename(old)
    other.rename(path)

    assert texts(running) == ["new one"]
    add(running, "new two")
    running.close()
    assert texts(open_store(path)) == ["new one", "new two"]
    assert texts(open_store(old)) == ["old one"]


def test_file_replaced_between_two_writes_takes_the_second(
    open_store: Open, path: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.db"
    with closing(make_store(other)) as second:
        add(second, "new one")
    running = open_store()
    add(running, "old one")

    other.replace(path)
    add(running, "new two")

    assert texts(running) == ["new one", "new two"]


def test_replaced_file_waits_for_the_log_that_another_process_keeps(
    open_store: Open, path: Path, tmp_path: Path, start: Callable
) -> None:
    other = tmp_path / "other.db"
    with closing(make_store(other)) as second:
        add(second, "new one")
    running = open_store()
    add(running, "old one")
    keeper = start(
        "store = make_store(sys.argv[1]); print(texts(store), flush=True); input(); store.close()", path
    )
    keeper.stdout.readline()

    other.replace(path)
    with pytest.raises(StoreBusy):
        texts(running)
    with pytest.raises(StoreBusy):
        add(running, "new two")
    keeper.communicate("\n")

    assert texts(running) == ["new one"]
    running.close()
    assert is_sound(path)


def test_removed_file_is_made_anew(open_store: Open, path: Path) -> None:
    running = open_store()
    add(running, "old one")
    path.unlink()

    assert texts(running) == []
    add(running, "new one")
    assert texts(open_store()) == ["new one"]


def test_guest_follows_a_replaced_file(open_store: Open, path: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    for file, text in ((path, "old one"), (other, "new one")):
        with closing(make_store(file)) as owner:
            add(owner, text)
    guest = open_store(read_only=True)
    before = texts(guest)

    other.replace(path)

    assert (before, texts(guest)) == (["old one"], ["new one"])


def test_state_restored_into_the_open_file_is_seen_and_upgraded(
    open_store: Open, path: Path, tmp_path: Path
) -> None:
    saved = tmp_path / "saved.db"
    with closing(make_store(path)) as older:
        add(older, "one")
    copy_to(path, saved)
    running = open_store(migrations=(LATER_NOTES,))
    add(running, "two")

    with closing(sqlite3.connect(saved)) as source, closing(sqlite3.connect(path)) as target:
        source.backup(target)

    assert texts(running) == ["one"]
    with running.write() as connection:
        connection.execute(ADD, {"text": "three"})
        connection.execute("INSERT INTO tag (note_id) VALUES (1)")
    assert texts(running) == ["one", "three"]


def test_copy_without_a_log_is_taken_into_use_with_one(open_store: Open, path: Path, tmp_path: Path) -> None:
    add(open_store(), "one")
    copy = tmp_path / "copy.db"
    copy_to(path, copy)

    taken = open_store(copy)
    add(taken, "two")

    with taken.read() as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    assert texts(taken) == ["one", "two"]


def test_guest_reading_while_the_file_itself_changes_is_told_to_try_again(
    open_store: Open, path: Path
) -> None:
    with closing(make_store(path)) as owner:
        add(owner, "one")
    guest = open_store(read_only=True)

    def read_while_the_owner_starts_writes_and_ends() -> None:
        with guest.read() as connection:
            connection.execute("SELECT COUNT(*) FROM note").fetchone()
            with closing(make_store(path)) as owner:
                add(owner, "two")

    with pytest.raises(StoreBusy):
        read_while_the_owner_starts_writes_and_ends()

    assert texts(guest) == ["one", "two"]


def test_file_copied_with_its_log_keeps_what_is_in_it(open_store: Open, path: Path, tmp_path: Path) -> None:
    add(open_store(), "one")
    copy = tmp_path / "copy" / "notes.db"
    copy.parent.mkdir()
    for name in names_in(path.parent):
        if not name.endswith("-shm"):
            shutil.copy(path.parent / name, copy.parent / name)

    assert texts(open_store(copy)) == ["one"]
    assert copy.with_name("notes.db-wal").stat().st_size > 0
