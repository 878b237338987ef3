"""The protocols of the public data, on made-up data, and the counts of the real one."""

from pathlib import Path

import pytest

from messung.datasets import data_folder, load, load_conversations
from messung.notes import load_notes
from messung.unavailable import NotAvailable


def test_session_is_its_date_and_a_line_a_turn_with_captions(made_up: Path) -> None:
    collection = load(made_up, "locomo-session")

    assert collection.entries[0].text == (
        "1:00 pm on 1 May, 2023\nAda: The heron nests by the mill.\n"
        "Ben: I painted a lighthouse. [image: a red lighthouse]"
    )
    assert collection.entries[0].tags == "conv-1"


def test_adversarial_questions_and_those_without_evidence_are_left_out(made_up: Path) -> None:
    collection = load(made_up, "locomo-turn")

    assert [question.group for question in collection.questions] == ["1", "4", "4"]


def test_one_mark_may_hold_two_turns_and_unknown_turns_are_dropped(made_up: Path) -> None:
    first, _, third = load(made_up, "locomo-turn").questions

    assert first.relevant == {"conv-1/D1:1", "conv-1/D2:1"}
    assert third.relevant == {"conv-1/D2:1"}


def test_sessions_are_relevant_once_however_many_turns_they_give(made_up: Path) -> None:
    first, *_ = load(made_up, "locomo-session").questions

    assert first.relevant == {"conv-1/D1", "conv-1/D2"}


def test_facts_are_asked_only_for_turns_that_some_fact_cites(made_up: Path) -> None:
    collection = load(made_up, "locomo-fact")

    assert [sorted(question.relevant) for question in collection.questions] == [
        ["conv-1/D1:1"],
        ["conv-1/D1:2"],
    ]
    assert collection.entries[1].covers == {"conv-1/D1:2"}


def test_evidence_is_the_turn_word_for_word_without_caption_or_outer_blanks(made_up: Path) -> None:
    *_, second, third = load(made_up, "locomo-turn").questions

    assert second.evidence == ("Ben: I painted a lighthouse.",)
    assert third.evidence == ("Ada: My bicycle has a flat tyre.",)


def test_byte_order_mark_of_a_paragraph_is_dropped(made_up: Path) -> None:
    collection = load(made_up, "xquad-en")

    assert collection.entries[0].text == "The mill grinds wheat."
    assert collection.questions[1].relevant == {"p1"}


def test_empty_abstracts_are_left_out_and_queries_without_a_relevant_one_too(made_up: Path) -> None:
    collection = load(made_up, "cranfield")

    assert [entry.text for entry in collection.entries] == [
        "wings\nlift of a swept wing",
        "heat\nheat transfer at a wall",
    ]
    assert [question.relevant for question in collection.questions] == [{"7"}]


def test_paragraph_of_a_note_belongs_to_the_session_it_names(made_up: Path) -> None:
    collection = load_notes(made_up)

    assert [entry.covers for entry in collection.entries] == [{"conv-1/D1"}, {"conv-1/D2"}]
    assert [question.relevant for question in collection.questions] == [{"conv-1/D1"}, {"conv-1/D2"}]


def test_missing_data_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotAvailable, match="FRUGAL_DATA"):
        data_folder(str(tmp_path / "nowhere"))
    with pytest.raises(NotAvailable, match=r"locomo_dev\.json"):
        load_conversations(tmp_path)


@pytest.mark.parametrize(
    ("name", "entries", "questions"),
    [
        ("locomo-session", 128, 760),
        ("locomo-turn", 2760, 760),
        ("locomo-fact", 1210, 631),
        ("xquad-de", 240, 1190),
        ("cranfield", 1398, 225),
    ],
)
def test_public_data_has_the_published_counts(
    public_data: Path, name: str, entries: int, questions: int
) -> None:
    collection = load(public_data, name)

    assert (len(collection.entries), len(collection.questions)) == (entries, questions)
