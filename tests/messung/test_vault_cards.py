"""The cards and queries for the vault's bench agree with each other."""

import json
from collections import Counter
from pathlib import Path

import pytest

from messung.datasets import data_folder
from messung.unavailable import NotAvailable
from messung.vault import xquad_cards

FOLDER = Path(__file__).parents[2] / "messung" / "vault"
QUERIES = json.loads((FOLDER / "queries.json").read_text("utf-8"))["queries"]
CARDS = {path.relative_to(FOLDER / "cards").as_posix() for path in (FOLDER / "cards").rglob("*.md")}


def test_there_are_150_cards_in_three_languages_and_120_queries() -> None:
    languages = Counter(path.rpartition("/")[2].partition("-")[0] for path in CARDS)

    assert languages == {"en": 50, "de": 50, "zh": 50}
    assert len(QUERIES) == 120
    assert len({item["query"] for item in QUERIES}) == 120


def test_every_acceptable_card_exists_and_some_queries_are_rightly_empty() -> None:
    named = {path for item in QUERIES for path in item["acceptable"]}

    assert named <= CARDS
    assert sum(not item["acceptable"] for item in QUERIES) == 24


def test_tuning_and_reporting_halves_hold_the_same_groups() -> None:
    odd, even = (Counter(item["group"] for item in half) for half in (QUERIES[::2], QUERIES[1::2]))

    assert odd.keys() == even.keys()
    assert all(abs(odd[group] - even[group]) <= 1 for group in odd)


def test_cards_of_xquad_are_written_with_their_truth(tmp_path: Path) -> None:
    try:
        data = data_folder()
    except NotAvailable as reason:
        pytest.skip(str(reason))

    count = xquad_cards.write("zh", data, tmp_path)

    truth = json.loads((tmp_path / "truth.json").read_text("utf-8"))["queries"]
    assert count == 240
    assert len(truth) == 1190
    assert all((tmp_path / "cards" / path).is_file() for item in truth for path in item["acceptable"])
