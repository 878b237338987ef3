"""A takeover that is killed, disturbed or does not come out even leaves the old state or the new one, each whole."""

import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest
from old_files import ENTRIES, backups_of, is_sound, rows_of, tables_of, write_file

from frugal.entries import takeover
from frugal.store import Compared, TakenOver, connections

STATE = [5, 138, 2, 1]
KILLS = 12
OLD_ROWS = "SELECT id, content, tags, ts FROM eintrag ORDER BY id"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return write_file(tmp_path / "files" / "memory.db")


def test_kill_at_any_statement_leaves_the_old_state_or_the_new(tmp_path: Path, path: Path) -> None:
    folder = tmp_path / "killed"
    folder.mkdir()
    worker = Path(__file__).with_name("takeover_worker.py")

    done = subprocess.run(
        [sys.executable, str(worker), str(path), str(folder), str(KILLS)],
        capture_output=True,
        check=False,
        encoding="utf-8",
        timeout=110,
    )

    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["statements"] > 100
    for step, was_killed, left, counts, end, then, counts_then, names in report["found"]:
        assert (was_killed, counts, end, then, counts_then) == (True, STATE, 0, "new", STATE), step
        assert left in ("old", "new")
        assert not [name for name in names if ".part" in name or name.endswith(("-wal", "-shm"))], step
        assert any(name.endswith(".bak") for name in names)
    states = [left for _, _, left, *_ in report["found"]]
    assert (states[0], states[-1]) == ("old", "new")


@pytest.mark.parametrize("what", ["entries", "log", "pairs", "pieces", "text_bytes", "largest id"])
def test_any_difference_rolls_back_and_names_both_numbers(
    path: Path, open_file: Callable, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    copied = takeover._report

    def report(*arguments: object) -> TakenOver:
        taken = copied(*arguments)
        changed = [Compared(one.what, 4321, 4320) if one.what == what else one for one in taken.compared]
        return TakenOver(tuple(changed), taken.counts)

    monkeypatch.setattr(takeover, "_report", report)
    before = path.read_bytes()

    owner = open_file(path)
    reply = owner.reply("topics")
    owner.workspace.close()

    assert reply.is_error
    for fact in (what, "4321", "4320", str(path)):
        assert fact in reply.text
    assert path.read_bytes() == before
    monkeypatch.undo()
    open_file(path)("topics")
    assert rows_of(path, "SELECT count(*) FROM entry") == [(5,)]


@pytest.mark.parametrize("statement", ["_copy_memos", "_copy_log", "_copy_questions"])
def test_rows_that_were_not_copied_are_noticed(
    path: Path, open_file: Callable, monkeypatch: pytest.MonkeyPatch, statement: str
) -> None:
    monkeypatch.setattr(takeover, statement, lambda copying: 0)
    before = path.read_bytes()

    owner = open_file(path)
    reply = owner.reply("topics")
    owner.workspace.close()

    assert reply.is_error
    assert "Nothing was changed" in reply.text
    assert path.read_bytes() == before


@pytest.mark.parametrize("journal", ["WAL", "DELETE"])
def test_failure_in_the_middle_leaves_the_file_as_it_was(
    path: Path, open_file: Callable, monkeypatch: pytest.MonkeyPatch, journal: str
) -> None:
    path.unlink()
    write_file(path, journal=journal)
    before = path.read_bytes()

    def fail(*_: object, **__: object) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr(takeover, "log", fail)

    owner = open_file(path)
    reply = owner.reply("topics")
    owner.workspace.close()

    assert reply.is_error
    assert "disk I/O error" in reply.text
    assert path.read_bytes() == before


@pytest.mark.parametrize("end", ["COMMIT", "ROLLBACK", "END"])
def test_copying_cannot_end_the_transaction(
    path: Path, open_file: Callable, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    monkeypatch.setattr(takeover, "compact", lambda db: db.execute(end))

    reply = open_file(path).reply("topics")

    assert reply.is_error
    assert "eintrag" in tables_of(path)


def test_without_a_backup_nothing_is_taken_over(
    path: Path, open_file: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    before = path.read_bytes()
    monkeypatch.setattr("os.fsync", refuse)

    owner = open_file(path)
    reply = owner.reply("topics")
    owner.workspace.close()

    assert reply.is_error
    assert "No space left" in reply.text
    assert path.read_bytes() == before
    assert backups_of(path) == []


def test_file_that_is_being_written_by_its_old_program_is_busy_and_stays(
    path: Path, open_file: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("frugal.store.store.BUSY_TIMEOUT_S", 0.1)
    owner = open_file(path)
    owner.workspace.store._busy_timeout_s = 0.1
    with closing(sqlite3.connect(path, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("UPDATE eintrag SET tags = 'changed' WHERE id = 1")

        reply = owner.reply("topics")

        writer.execute("COMMIT")
    assert reply.is_error
    assert owner.reply("topics").is_error is False
    assert rows_of(path, "SELECT spelling FROM entry_tag WHERE entry_id = 1") == [("changed",)]


def test_owners_that_start_at_once_take_it_over_once(path: Path, tmp_path: Path) -> None:
    code = "import sys; from pathlib import Path; from takeover_worker import take_over; take_over(Path(sys.argv[1]))"
    environ = {"PYTHONPATH": ":".join([str(Path(__file__).parent), str(Path(__file__).parents[2])])}
    workers = [
        subprocess.Popen([sys.executable, "-c", code, str(path)], env=environ, stderr=subprocess.PIPE)
        for _ in range(4)
    ]

    errors = [worker.communicate(timeout=60)[1].decode() for worker in workers]

    assert [worker.returncode for worker in workers] == [0] * 4, errors
    assert sum("taken over" in error for error in errors) == 1
    assert len(backups_of(path)) == 1
    assert rows_of(path, "SELECT count(*) FROM entry") == [(5,)]
    assert is_sound(path)


def test_full_disk_leaves_the_file_as_it_was(
    path: Path, open_file: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = connections.open_writer
    pages = rows_of(path, "PRAGMA page_count")[0][0]

    def open_writer(place: Path, *, busy_timeout_s: float) -> sqlite3.Connection:
        connection = opened(place, busy_timeout_s=busy_timeout_s)
        connection.execute(f"PRAGMA max_page_count = {pages + 10}")
        return connection

    before = path.read_bytes()
    monkeypatch.setattr(connections, "open_writer", open_writer)

    owner = open_file(path)
    reply = owner.reply("topics")
    with suppress(Exception):
        owner.workspace.close()

    assert reply.is_error
    assert "full" in reply.text
    assert path.read_bytes() == before


def test_backup_opens_and_is_taken_over_like_the_file_itself(
    path: Path, tmp_path: Path, open_file: Callable
) -> None:
    open_file(path)("topics")
    copy = tmp_path / "again" / "memory.db"
    copy.parent.mkdir()
    shutil.copy(backups_of(path)[0], copy)
    assert rows_of(copy, OLD_ROWS) == [row[:4] for row in ENTRIES]

    open_file(copy)("topics")

    assert rows_of(copy, "SELECT count(*) FROM entry") == [(5,)]
