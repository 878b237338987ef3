"""The measurement of a folder of notes, on one small enough for a test."""

from datetime import date
from pathlib import Path

import pytest

from messung.child import Ended
from messung.corpus import load_corpus
from messung.systems.mcp_client import server_environment
from messung.timing import Times
from messung.vault import indexing, opened
from messung.vault.indexing import SERVER, SHELL, TOUCHED, Indexed, hits, write_notes
from messung.verdicts import TOO_SMALL

TODAY = date(2026, 11, 2)


def test_notes_are_indexed_left_alone_found_after_a_change_and_read_anew(
    made_up: Path, tmp_path: Path
) -> None:
    place = tmp_path / "place"
    place.mkdir()

    indexed = indexing.measure(load_corpus(made_up), place, notes=40, tries=1, settle_s=0)

    assert indexed.counted["index, first"] == 40
    assert indexed.counted["index, nothing changed"] == 0
    assert indexed.found == [TOUCHED, TOUCHED]
    assert set(indexed.searches) == {SERVER, SHELL}
    assert set(indexing.figures(indexed)) >= {"index --rebuild s", "opened when nothing changed"}


def test_a_third_of_the_notes_has_broken_front_matter(made_up: Path, tmp_path: Path) -> None:
    paths = write_notes(load_corpus(made_up), tmp_path / "notes", 6)

    texts = [path.read_text("utf-8") for path in paths]

    assert [text.startswith("---") for text in texts] == [True, False, True] * 2
    assert sum("[broken" in text for text in texts) == 2


def test_opened_files_are_counted_where_there_are_some(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "one.md").write_text("The mill grinds wheat.\n", encoding="utf-8")
    environ = server_environment(tmp_path) | {"MEMORY_DB": str(tmp_path / "memory.db")}

    count = opened.count(["import", "notes"], below=notes, environ=environ, folder=tmp_path)

    assert count > 0


def test_hits_are_lines_of_hits_that_show_the_word() -> None:
    answer = '2 of 2 cards for "okapi"\n#1 note | a | okapi here\n#2 note | b | okapia\n#3 note | c | none'

    assert hits(answer, "okapi") == 2


def _indexed(notes: int, seconds: float, *, found: int) -> Indexed:
    return Indexed(
        notes,
        commands={"index, first": Ended(seconds, 1, "")},
        opened=1,
        searches={SERVER: Times([seconds])},
        found=[TOUCHED, found],
    )


@pytest.mark.parametrize(
    ("indexed", "words"),
    [
        (_indexed(1000, 0.1, found=10), [TOO_SMALL, "missed", TOO_SMALL, TOO_SMALL, "reached"]),
        (_indexed(10_000, 90, found=9), ["missed", "missed", "missed", "missed", "missed"]),
        (_indexed(10_000, 0.2, found=10), ["reached", "missed", "reached", "reached", "reached"]),
    ],
)
def test_goals_are_judged_at_their_size_only(indexed: Indexed, words: list[str]) -> None:
    assert [item.word for item in indexing.verdicts(indexed)] == words


def test_nothing_measured_is_no_verdict() -> None:
    indexed = Indexed(10_000, commands={"index, first": Ended(1.0, 1, "")})

    assert [item.word for item in indexing.verdicts(indexed)[1:]] == ["-"] * 4


def test_report_without_ours_says_what_is_missing(tmp_path: Path) -> None:
    path = indexing.run(tmp_path, ["fts5"], out=tmp_path, is_quick=True, command="x", today=TODAY)

    assert "Not measured: frugal-memory (not asked for)" in path.read_text("utf-8")
