"""What a question costs: everything that came back until an evidence text stood there whole."""

from collections.abc import Iterator, Sequence

import pytest

from messung.billing import Bill, Paid
from messung.cost import forms_of, look_up
from messung.datasets import Entry, Question
from messung.readers import search_words

QUESTION = Question("Where does Kim live?", frozenset({"a"}), "talk", ("Kim lives in\n  Oslo.",))


class Scripted:
    """A reader whose calls return *texts*, one after another."""

    label = "scripted"
    version = "1"
    standing_bytes = 0

    def __init__(self, *texts: str) -> None:
        self.texts = texts

    def fill(self, entries: Sequence[Entry]) -> None:
        """Nothing is stored."""

    def rounds(self, question: Question) -> Iterator[str]:
        yield from self.texts

    def close(self) -> None:
        """Nothing is open."""


def test_a_reader_stops_when_the_evidence_stands_there() -> None:
    paid = look_up(Scripted("none", "Well: Kim lives in Oslo. Yes", "never read"), QUESTION)

    assert paid == Paid(len("none") + len("Well: Kim lives in Oslo. Yes"), 2, is_answered=True, first_bytes=4)


def test_failing_rounds_are_paid_for() -> None:
    paid = look_up(Scripted("ü", "n"), QUESTION)

    assert paid == Paid(3, 2, is_answered=False, first_bytes=2)


def test_half_an_evidence_text_answers_nothing() -> None:
    assert not look_up(Scripted("Kim lives in", "..."), QUESTION).is_answered


def test_evidence_is_recognised_inside_json() -> None:
    plain, quoted = forms_of('He said "no"')

    assert (plain, quoted) == ('He said "no"', r"He said \"no\"")


def test_bytes_of_unanswered_questions_are_spread_over_the_answered_ones() -> None:
    bill = Bill("x", 0, (Paid(100, 1, is_answered=True), Paid(50, 2, is_answered=False)))

    assert bill.bytes_per_answer == 150
    assert bill.answered == 0.5


def test_nothing_answered_costs_without_end() -> None:
    assert Bill("x", 0, (Paid(1, 1, is_answered=False),)).bytes_per_answer == float("inf")


@pytest.mark.parametrize(
    ("text", "expected"),
    [("Where does Kim live?", ["live", "kim"]), ("Is it?", []), ("The the Garden garden", ["garden"])],
)
def test_words_to_search_are_those_that_say_something_longest_first(text: str, expected: list[str]) -> None:
    assert search_words(text) == expected
