"""The pairs with known verdicts, and how an answer to one of them is counted."""

from collections import Counter

import pytest

from frugal.entries.factcheck import Verdict
from messung.check import Asked, Pair, ask, load_pairs

RIGHT = Verdict.PROGRESS
WRONG = Verdict.INDEPENDENT
PAIR = Pair("en", RIGHT, "old", "new")


class Scripted:
    """A source that gives its verdicts one after another and keeps what it was asked."""

    trouble = None

    def __init__(self, *verdicts: Verdict | None) -> None:
        self.verdicts = list(verdicts)
        self.asked: list[tuple[str, str]] = []

    def ask(self, new: str, old: str, *, deadline: float) -> Verdict | None:
        self.asked.append((new, old))
        return self.verdicts.pop(0)


def test_every_verdict_has_equally_many_pairs_in_both_languages() -> None:
    counts = Counter((pair.language, pair.verdict) for pair in load_pairs())

    assert set(counts.values()) == {6}
    assert len(counts) == 6


def test_no_pair_repeats_a_note() -> None:
    notes = [note for pair in load_pairs() for note in (pair.old, pair.new)]

    assert len(notes) == len(set(notes))


def test_a_pair_is_asked_in_both_orders() -> None:
    source = Scripted(RIGHT, WRONG)

    asked = ask(source, PAIR, 1.0)

    assert source.asked == [("new", "old"), ("old", "new")]
    assert asked == Asked(PAIR, RIGHT, WRONG)


@pytest.mark.parametrize(
    ("straight", "turned", "outcome"),
    [
        (RIGHT, RIGHT, "right"),
        (WRONG, WRONG, "wrong"),
        (RIGHT, WRONG, "disputed"),
        (RIGHT, None, "half"),
        (None, None, "none"),
    ],
)
def test_an_answer_is_counted_as_check_would_tell_it(
    straight: Verdict | None, turned: Verdict | None, outcome: str
) -> None:
    assert Asked(PAIR, straight, turned).outcome == outcome
