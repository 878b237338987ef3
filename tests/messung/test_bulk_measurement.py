"""Import and upkeep by the shell, and what the index is said to buy."""

import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from messung import bulk, sizes, speed
from messung.bulk import JSONL, MARKDOWN, REBUILD, UPKEEP, Bulk
from messung.child import Ended, run_child
from messung.corpus import load_corpus
from messung.growth import Stage
from messung.stdio import bare_environment
from messung.unavailable import NotAvailable

TABLES = {
    "entry": 500,
    "search_index_data": 60,
    "search_index_idx": 10,
    "search_forward": 80,
    "search_word": 40,
    "search_word_piece_data": 10,
    "search_statistics": 1,
}


def test_paragraphs_are_imported_exported_and_kept_up(made_up: Path) -> None:
    measured = bulk.measure(load_corpus(made_up), 3, has_ours=True, has_predecessor=False)

    assert measured.refused == {}
    assert list(measured.ended) == [MARKDOWN, JSONL, UPKEEP, REBUILD]
    assert all(ended.seconds > 0 for ended in measured.ended.values())
    assert bulk.changes(measured.ended[UPKEEP]) == 0
    assert bulk.changes(measured.ended[REBUILD]) >= 3


def test_predecessor_that_cannot_be_had_is_said_to_be_missing(
    made_up: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = tmp_path / "frugal-memory"
    alone.symlink_to(sys.executable)
    monkeypatch.setenv("FRUGAL_PREDECESSOR", str(alone))

    measured = bulk.measure(load_corpus(made_up), 3, has_ours=False, has_predecessor=True)

    assert measured.ended == {}
    assert set(measured.refused) == {bulk.OLD_MARKDOWN, bulk.OLD_UPKEEP, bulk.OLD_JSONL}


def test_notes_hold_one_paragraph_an_entry(made_up: Path, tmp_path: Path) -> None:
    corpus = load_corpus(made_up)

    bulk.write_notes(corpus, 101, tmp_path / "out")

    first, second = sorted((tmp_path / "out").iterdir())
    assert len(first.read_text("utf-8").split("\n\n")) == 100
    assert second.read_text("utf-8").strip() == list(corpus.entries(101))[-1].text


def test_child_tells_time_peak_and_output(tmp_path: Path) -> None:
    hungry = "x = bytearray(64 * 1024 * 1024); print('done')"

    ended = run_child([sys.executable, "-c", hungry], environ=bare_environment(tmp_path), folder=tmp_path)

    assert ended.output == "done\n"
    assert ended.seconds > 0
    assert 64 <= ended.peak_mib < 256


def test_memory_of_the_measurement_does_not_count_for_its_child(tmp_path: Path) -> None:
    held = bytearray(256 * 1024 * 1024)
    held[::4096] = b"x" * len(held[::4096])

    ended = run_child([sys.executable, "-c", "pass"], environ=bare_environment(tmp_path), folder=tmp_path)

    assert ended.peak_mib < 128


def test_child_that_fails_is_told_without_a_path(tmp_path: Path) -> None:
    with pytest.raises(NotAvailable, match=r"^-?\S*.*ended with 3$") as failure:
        run_child(
            [sys.executable, "-c", "raise SystemExit(3)"], environ=bare_environment(tmp_path), folder=tmp_path
        )

    assert str(tmp_path) not in str(failure.value)


def test_index_within_the_goal_needs_no_explanation() -> None:
    assert sizes.what_it_buys(TABLES, raw_bytes=200, index_bytes=201, prefix="search_") == ""


def test_index_above_the_goal_is_explained_part_by_part() -> None:
    text = sizes.what_it_buys(TABLES, raw_bytes=100, index_bytes=201, prefix="search_")

    assert "2.01 times raw FTS5's" in text
    assert "takes 0.70 of raw's bytes here; the tables beside it take 1.31" in text
    assert "the part `forward index`: without it the index would be 1.21 times raw" in text
    assert "| words | 0.00 | 0.40 |" in text
    assert "| all | 0.00 | 2.01 |" in text


def test_every_derived_table_belongs_to_a_part_of_the_index(made_up: Path, tmp_path: Path) -> None:
    from messung.filler import DERIVED, GrowingStore

    store = GrowingStore(tmp_path)
    store.extend(load_corpus(made_up).entries(2))
    store.close()
    with closing(sqlite3.connect(store.path)) as db:
        names = [row[0] for row in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]

    derived = {name for name in names if name.startswith(DERIVED)}
    found = sizes.part_sizes(dict.fromkeys(derived, 1), DERIVED)

    assert all(found[part.name] for part in sizes.PARTS)
    assert found[sizes.OTHER] == 1, "a table without a word about what it is for"


def test_sizes_of_single_tables_that_nobody_knows_are_not_made_up() -> None:
    text = sizes.what_it_buys({"file": 900}, raw_bytes=100, index_bytes=201, prefix="search_")

    assert text.endswith("is not measured.")


def test_figures_and_plot_of_import_and_upkeep_name_every_size() -> None:
    stages = [
        Stage(size, bulk=Bulk(size, {MARKDOWN: Ended(size / 100, 1, ""), UPKEEP: Ended(1.0, 1, "")}, {}))
        for size in (100, 1000)
    ]

    table = speed.bulk_table(stages)
    drawing = speed.tools_plot(stages)

    assert f"| {MARKDOWN} | 1.00 (100) | 10.00 (100) |" in table
    assert MARKDOWN in drawing


def test_nothing_measured_is_not_drawn() -> None:
    assert speed.tools_plot([Stage(100), Stage(1000)]) == ""
