"""What users of this field suffer at upgrades, each under its number."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from old_files import ENTRIES, backups_of, is_sound, leave_tables, rows_of, write_file, write_full_text_file

from frugal.entries import takeover


def state_of(path: Path) -> tuple[bytes, int]:
    return path.read_bytes(), path.stat().st_mtime_ns


@pytest.mark.parametrize("layout", ["5", "6", "7"])
def test_pain_38_after_an_upgrade_every_entry_is_there(
    tmp_path: Path, open_file: Callable, layout: str
) -> None:
    path = write_file(tmp_path / layout / "memory.db", layout=layout)

    first = open_file(path)
    first("topics")
    first.workspace.close()
    taken = state_of(path)
    second = open_file(path)
    second("topics")
    second.workspace.close()

    texts = [text for (text,) in rows_of(path, "SELECT text FROM entry ORDER BY id")]
    assert texts == [entry[1] for entry in ENTRIES]
    assert len(backups_of(path)) == 1
    assert state_of(path) == taken


@pytest.mark.parametrize("layout", ["1", "2", "3", "4"])
def test_pain_38_layouts_that_are_too_old_are_refused_in_words(
    tmp_path: Path, open_file: Callable, layout: str
) -> None:
    path = write_full_text_file(tmp_path / layout / "memory.db", layout=layout)
    before = state_of(path)

    reply = open_file(path).reply("recall", query="lamp")

    assert reply.is_error
    assert f"layout {layout} " in reply.text
    assert state_of(path) == before


def test_pain_39_half_done_upgrade_is_rolled_back_and_done_again(
    tmp_path: Path, open_file: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_file(tmp_path / "half" / "memory.db")
    before = path.read_bytes()

    def fail(_db: sqlite3.Connection) -> None:
        raise sqlite3.OperationalError("interrupted")

    monkeypatch.setattr(takeover, "compact", fail)
    owner = open_file(path)
    reply = owner.reply("topics")
    owner.workspace.close()

    assert reply.is_error
    assert path.read_bytes() == before
    monkeypatch.undo()
    open_file(path)("topics")
    assert is_sound(path)
    assert rows_of(path, "SELECT count(*) FROM entry") == [(len(ENTRIES),)]


def test_pain_39_file_of_a_newer_version_is_refused_in_words(tmp_path: Path, open_file: Callable) -> None:
    path = write_file(tmp_path / "newer" / "memory.db")
    owner = open_file(path)
    owner("topics")
    owner.workspace.close()
    leave_tables(
        path,
        "INSERT INTO ledger (set_name, name, applied_at, version) VALUES ('entries', '0099_x', '', '9.1')",
        "PRAGMA wal_checkpoint(TRUNCATE)",
    )
    before = state_of(path)

    reply = open_file(path).reply("topics")

    assert reply.is_error
    assert "entries/0099_x" in reply.text
    assert "1.0" in reply.text
    assert state_of(path) == before
