"""The check finds what is not as it should be."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from frugal.cli.root import run
from frugal_modes.evidence import indexing
from frugal_modes.evidence.check import DANGLING, check
from tests.evidence.corpora import Opener
from tests.evidence.shelf import Shelf, asking, message

BREAK = {
    "index": "INSERT INTO word_index (word_index) VALUES ('delete-all')",
    "fingerprint": "UPDATE message SET content = zeroblob(16) WHERE number = 2",
    "counts": "UPDATE corpus SET messages = 7",
    "thread_root": "UPDATE thread SET root = 99",
    "message_sender": "UPDATE message SET sender = 99 WHERE number = 1",
    "message_conversation": "UPDATE message SET conversation = 99 WHERE number = 1",
    "message_thread": "UPDATE message SET thread = 99 WHERE number = 1",
    "message_source": "UPDATE message SET source = 99 WHERE number = 1",
    "revision_message": "UPDATE revision SET message = 99",
}


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    shelf = Shelf(tmp_path / "evidence.db")
    shelf.load([message("first words", id="1"), message("reply 中文", id="2", thread="1")])
    shelf.add("other words")
    yield shelf
    shelf.store.close()


def findings(shelf: Shelf) -> set[str]:
    with shelf.read() as db:
        return {finding.what for finding in check(db).findings}


def test_sound_file_has_no_findings(shelf: Shelf) -> None:
    assert findings(shelf) == set()


@pytest.mark.parametrize("what", BREAK)
def test_damage_is_found(shelf: Shelf, what: str) -> None:
    with shelf.store.write() as db:
        db.execute("COMMIT")  # inside a transaction foreign keys cannot be turned off
        db.execute("PRAGMA foreign_keys = OFF")
        db.execute("BEGIN IMMEDIATE")
        db.execute(BREAK[what])

    assert what in findings(shelf)


def test_index_made_by_other_rules_is_told_and_made_anew_by_the_next_import(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexing, "rules", lambda: "other")
    with shelf.store.write() as db:
        db.execute("INSERT INTO word_index (word_index) VALUES ('delete-all')")

    before = findings(shelf)
    shelf.add("a new one", first=9)

    assert before == {"index", "index_rules"}
    assert findings(shelf) == set()
    assert len(shelf.texts(asking("literal", "words"))) == 1


@pytest.mark.parametrize("language", ["en", "de"])
def test_command_names_what_it_found_and_fails(
    shelf: Shelf, tmp_path: Path, capsys: pytest.CaptureFixture[str], language: str
) -> None:
    def run_check(*argv: str) -> tuple[int, dict[str, Any]]:
        folder = str(tmp_path)
        places = {"HOME": folder, "XDG_DATA_HOME": folder, "XDG_CONFIG_HOME": folder}
        environ = {**places, "MEMORY_LANG": language, "EVIDENCE_DB": str(shelf.store.path)}
        code = run(["evidence", "check", *argv, "--json"], script="frugal-memory", environ=environ)
        return code, json.loads(capsys.readouterr().out)

    sound_code, sound = run_check("--all")
    with shelf.store.write() as db:
        db.execute(BREAK["index"])
    broken_code, broken = run_check()

    assert (sound_code, sound["findings"], sound["messages"]) == (0, 0, 2)
    assert (broken_code, broken["findings"]) == (1, 1)
    assert broken["items"] == [{"what": "index", "rows": 2, "numbers": [1, 2]}]


@pytest.mark.parametrize("what", [*DANGLING, "index", "index_rules", "fingerprint", "counts"])
def test_every_finding_has_its_words(open_bench: Opener, what: str) -> None:
    surface = open_bench().workspace.surface

    assert surface.text(f"check.{what}", rows=3, numbers="7")
