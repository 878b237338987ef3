"""The material and the instruments of the speed measurement."""

import sqlite3
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from messung import plot, report
from messung.corpus import MOST_WORDS, load_corpus, split
from messung.plot import Line
from messung.timing import interleave
from messung.yardstick import RawIndex, has_page_statistics, table_sizes


def test_corpus_is_the_same_for_the_same_seed_and_a_longer_run_begins_with_the_shorter(made_up: Path) -> None:
    corpus = load_corpus(made_up)

    few, many = list(corpus.entries(3)), list(corpus.entries(6))

    assert many[:3] == few
    assert many[3:] != few


def test_entries_are_as_long_as_promised(made_up: Path) -> None:
    lengths = [len(entry.text.split()) for entry in load_corpus(made_up).entries(50)]

    assert min(lengths) >= 60
    assert max(lengths) < MOST_WORDS + 60


def test_scraps_are_no_sentences() -> None:
    assert list(split("Yes. The mill grinds wheat at night. No!")) == ["The mill grinds wheat at night."]


def test_every_contender_answers_every_question_and_the_first_round_does_not_count() -> None:
    asked: list[str] = []

    times = interleave(
        {
            "a": lambda question: asked.append(f"a{question}"),
            "b": lambda question: asked.append(f"b{question}"),
        },
        ["1", "2"],
        rounds=2,
    )

    assert [len(item.seconds) for item in times.values()] == [4, 4]
    assert sorted(asked) == sorted(["a1", "a2", "b1", "b2"] * 3)
    assert asked[:4] == ["a1", "b1", "b2", "a2"]


def test_raw_index_ranks_and_knows_its_size(tmp_path: Path) -> None:
    index = RawIndex(tmp_path)
    index.extend(["the mill grinds wheat", "a heron by the mill", "nothing"])

    found = index.ask("heron mill")

    assert found == [2, 1]
    assert index.size_bytes() > 0
    index.close()


def test_table_sizes_count_indexes_with_their_table() -> None:
    db = sqlite3.connect(":memory:")
    if not has_page_statistics(db):
        pytest.skip("this SQLite was built without dbstat")
    db.execute("CREATE TABLE entry (id INTEGER PRIMARY KEY, name TEXT UNIQUE)")

    sizes = table_sizes(db)

    assert sizes == {"entry": 8192, "sqlite_schema": 4096}
    db.close()


def test_plot_is_well_formed_and_names_its_lines() -> None:
    line = Line("ours <p50>", ((1000, 0.5), (100_000, 20.0)))

    drawing = plot.growth("Growth", x_label="entries", y_label="ms", lines=[line])

    root = ET.fromstring(drawing)
    texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "ours <p50>" in texts
    assert {"1,000", "10,000", "100,000"} <= set(texts)


def test_figures_of_the_same_day_are_replaced_in_the_history(tmp_path: Path) -> None:
    from datetime import date

    report.record(tmp_path, "speed", {"recall": "5"}, date(2026, 1, 1))
    report.record(tmp_path, "speed", {"recall": "6"}, date(2026, 1, 2))

    report.record(tmp_path, "speed", {"recall": "7"}, date(2026, 1, 2))

    lines = (tmp_path / "history.tsv").read_text("utf-8").splitlines()[1:]
    assert lines == ["2026-01-01\tspeed\trecall\t5", "2026-01-02\tspeed\trecall\t7"]
