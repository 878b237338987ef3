"""What happens to the cards of a source when its files change, break or go away."""

import builtins
import json
import sqlite3
from pathlib import Path

import pytest

from tests.vault.readers.conftest import READERS
from tests.vault.readers.test_reader_mem0 import HISTORY
from tests.vault.readers.test_reader_properties import NAMES

MEMORY = [{"id": "1", "content": "The zebra crosses.", "enabled": True}]


def found(vault, word):
    """Return the refs of the hits."""
    return [item["ref"] for item in vault("memory_search", query=word)["existing"]]


def test_file_that_breaks_keeps_its_cards_and_one_of_another_program_loses_them(vault, tmp_path):
    file = tmp_path / "src" / "memories.json"
    file.parent.mkdir()
    file.write_text(json.dumps(MEMORY), encoding="utf-8")
    vault("source add", kind="chatgpt", path=str(file.parent), name="gpt")
    assert found(vault, "zebra") == ["gpt:1"]

    for broken in (b"", b"\xff\xfe", b'[{"id":"1","con', b"no json"):
        file.write_bytes(broken)
        assert found(vault, "zebra") == ["gpt:1"], broken
    file.write_text('{"name": "package", "version": "1.0"}', encoding="utf-8")

    assert found(vault, "zebra") == []


def test_what_stands_only_in_the_log_of_a_database_is_found(vault, tmp_path):
    file = tmp_path / "history.db"
    db = sqlite3.connect(file, isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute(HISTORY)
    add = "INSERT INTO history VALUES (?, ?, NULL, ?, 'ADD', '2026-01-01', NULL, 0, NULL, NULL)"
    db.execute(add, ("h1", "m1", "The zebra crosses."))
    vault("source add", kind="mem0", path=str(file))
    assert found(vault, "zebra") == ["mem0:m1"]
    before = (file.read_bytes(), file.stat().st_mtime_ns)

    db.execute(add, ("h2", "m2", "The lion waits."))

    assert found(vault, "lion") == ["mem0:m2"]
    assert (file.read_bytes(), file.stat().st_mtime_ns) == before
    db.close()


def test_line_of_the_index_counts_again_once_its_topic_is_gone(vault, tmp_path):
    folder = tmp_path / "memory"
    folder.mkdir()
    (folder / "MEMORY.md").write_text("- [Zebra crossing](zebra.md)\n", encoding="utf-8")
    (folder / "zebra.md").write_text("Stripes.", encoding="utf-8")
    vault("source add", kind="claude-memory", path=str(folder), name="claude")
    assert found(vault, "crossing") == []

    (folder / "zebra.md").unlink()

    assert found(vault, "crossing") == ["claude:MEMORY.md"]


@pytest.mark.parametrize("kind", sorted(set(NAMES) - {"obsidian"}))
def test_units_are_listed_without_opening_a_file(tmp_path, monkeypatch, kind):
    for name in NAMES[kind]:
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("x", encoding="utf-8")

    def refuse(*arguments, **named):
        raise AssertionError(f"opened {arguments[0]}")

    monkeypatch.setattr(builtins, "open", refuse)
    monkeypatch.setattr(Path, "open", refuse)

    assert len(list(READERS[kind].units(tmp_path, {}))) >= 1
