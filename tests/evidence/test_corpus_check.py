"""The check finds what is not as it should be."""

import pytest
from corpora import Opener
from shelf import Shelf, asking, message
from shell_line import Line

from frugal_modes.evidence import indexing
from frugal_modes.evidence.check import DANGLING, check

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
def shelf(shelf: Shelf) -> Shelf:
    shelf.load([message("first words", id="1"), message("reply 中文", id="2", thread="1")])
    shelf.add("other words")
    return shelf


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
def test_command_names_what_it_found_and_fails(shelf: Shelf, line: Line, language: str) -> None:
    sound = line("check", "--all", "--json", MEMORY_LANG=language)
    with shelf.store.write() as db:
        db.execute(BREAK["index"])
    broken = line("check", "--json", MEMORY_LANG=language)

    assert (sound.code, sound.json["findings"], sound.json["messages"]) == (0, 0, 2)
    assert (broken.code, broken.json["findings"]) == (1, 1)
    assert broken.json["items"] == [{"what": "index", "rows": 2, "numbers": [1, 2]}]


@pytest.mark.parametrize("what", [*DANGLING, "index", "index_rules", "fingerprint", "counts"])
def test_every_finding_has_its_words(open_bench: Opener, what: str) -> None:
    surface = open_bench().workspace.surface

    assert surface.text(f"check.{what}", rows=3, numbers="7")
