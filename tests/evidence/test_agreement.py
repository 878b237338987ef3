"""What `doctor` and `upkeep` say of the word index, and that upkeep makes it right."""

from pathlib import Path
from typing import Any

import pytest
from shelf import Shelf, asking
from shell_line import Line, line_in

from frugal_modes.evidence import indexing
from frugal_modes.evidence.agreement import count_indexed, examine

EMPTIED = "INSERT INTO word_index (word_index) VALUES ('delete-all')"
ANOTHER_TEXT = "UPDATE message SET text = 'other words than these' WHERE number = 3"


@pytest.fixture
def shelf(shelf: Shelf) -> Shelf:
    shelf.add("first words", "words in 中文", "third words")
    return shelf


@pytest.fixture
def line(
    shelf: Shelf, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Line:
    """Return what runs a command of the whole program over the file of the test."""
    run_line = line_in(tmp_path, capsys, monkeypatch)
    return lambda *argv: run_line(*argv, "--evidence", "--json")


def change(shelf: Shelf, statement: str) -> None:
    with shelf.store.write() as db:
        db.execute(statement)


def index_state(told: dict[str, Any]) -> set[str]:
    return {item["state"] for item in told["items"] if item["id"].endswith("index")}


def test_an_index_that_is_sound_agrees(shelf: Shelf) -> None:
    with shelf.read() as db:
        found = examine(db, 2)

    assert (found.documents, found.indexed, found.examined, found.is_right) == (3, 3, 2, True)


def test_an_empty_file_agrees(tmp_path: Path) -> None:
    empty = Shelf(tmp_path / "empty.db")
    with empty.store.write(), empty.read() as db:
        assert examine(db, 500).is_right
    empty.store.close()


@pytest.mark.parametrize("count", [1, 127, 128, 300])
def test_the_index_is_counted_after_adding_and_taking_away(tmp_path: Path, count: int) -> None:
    shelf = Shelf(tmp_path / "counted.db")
    shelf.add(*(f"word {number}" for number in range(count)))

    with shelf.read() as db:
        assert count_indexed(db) == count
    shelf.store.close()


@pytest.mark.parametrize("damage", [EMPTIED, ANOTHER_TEXT])
def test_what_differs_is_found(shelf: Shelf, damage: str) -> None:
    change(shelf, damage)

    with shelf.read() as db:
        assert not examine(db, 500).is_right


def test_an_index_of_other_rules_is_not_right(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexing, "rules", lambda: "other")

    with shelf.read() as db:
        assert not examine(db, 500).is_right


@pytest.mark.parametrize("damage", [EMPTIED, ANOTHER_TEXT])
def test_doctor_finds_damage_and_upkeep_mends_it(shelf: Shelf, line: Line, damage: str) -> None:
    sound = line("doctor")
    change(shelf, damage)
    broken = line("doctor")
    tried = line("upkeep", "--dry-run")
    mended = line("upkeep")
    again = line("upkeep")
    after = line("doctor")

    assert [index_state(told.json) for told in (sound, broken, after)] == [{"ok"}, {"fail"}, {"ok"}]
    assert (broken.code, after.code) == (1, 0)
    assert tried.json["changes"] == mended.json["changes"] > 0
    assert again.json["changes"] == 0
    assert len(shelf.texts(asking("literal", "words"))) == 3
