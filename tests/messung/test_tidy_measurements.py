"""The measurements of similar entries and learned questions, on data small enough to count by hand."""

import random
from datetime import date
from math import log
from pathlib import Path

import pytest

from messung import __main__, learned, similar
from messung.datasets import load_conversations

TODAY = date(2026, 11, 2)


def test_definition_weighs_what_a_text_shares_with_an_earlier_one():
    definition = similar.Definition()
    definition.add(1, "alpha beta gamma")

    ((entry, share),) = definition.add(2, "alpha beta delta")

    common, alone = log(1 + 2 / 3), log(1 + 2 / 2)
    assert entry == 1
    assert share == pytest.approx(2 * common / (2 * common + alone))


def test_definition_leaves_out_what_is_below_the_floor():
    definition = similar.Definition()
    definition.add(1, "alpha beta gamma")

    assert definition.add(2, "alpha delta epsilon zeta") == ()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("One thing. Another thing.", ["Another", "thing.", "One", "thing."]),
        ("alpha beta gamma delta", ["gamma", "delta", "alpha", "beta"]),
    ],
)
def test_reworded_text_has_its_parts_turned_round(text, words):
    assert similar.reword(text, random.Random(1)).split() == words


def test_reworded_text_has_other_numbers_and_as_many_words_as_are_kept():
    text = " ".join(f"word{number}" for number in range(0, 40))

    reworded = similar.reword(text, random.Random(1), kept=0.75).split()

    assert len(reworded) == 30
    assert len(set(reworded) & set(text.split())) < 30


def test_every_measurement_is_told_about():
    page = (Path(__main__.__file__).parent / "README.md").read_text("utf-8")

    assert [name for name in __main__.MEASUREMENTS if f"python -m messung {name} " not in page] == []


def test_measurement_that_makes_its_data_needs_no_folder(tmp_path, monkeypatch):
    monkeypatch.delenv("FRUGAL_DATA", raising=False)
    chosen = ["--data", str(tmp_path / "none"), "--systems", "fts5", "--out", str(tmp_path)]

    assert __main__.main(["evidence", *chosen]) == 0
    assert __main__.main(["vault", *chosen]) == 2


def test_every_conversation_gives_its_observations(made_up):
    assert len([fact for talk in load_conversations(made_up) for fact in talk.facts]) == 2


def test_learned_questions_are_replayed_and_wrong_pairs_unlearned(made_up, tmp_path, monkeypatch):
    monkeypatch.setattr(learned, "PLANTED_EVERY", 1)

    path = learned.run(
        made_up, (), out=tmp_path / "out", is_quick=False, command="python -m messung learned", today=TODAY
    )

    text = path.read_text("utf-8")
    assert "| questions asked, each once by its words | 2 |" in text
    assert "| hits lost at the second asking, all questions (wanted: 0) | 0 |" in text
    assert "| wrong pairs planted | 2 |" in text
    assert "| gone after two askings that show the evidence (wanted: all) | 2 |" in text
