"""Why a goal of cost is missed, computed from bills small enough to count by hand."""

from datetime import date
from pathlib import Path

from messung import cost, reasons
from messung.billing import Bill, Paid
from messung.datasets import Collection, Entry, Question

WANTED = {"predecessor": 0.5, "grep": 0.1}
COLLECTION = Collection(
    "facts",
    (Entry("x" * 40, frozenset({"a"}), "talk"), Entry("y" * 60, frozenset({"b"}), "talk")),
    (
        Question("Where does Kim live?", frozenset({"a"}), "talk", ("x" * 40,)),
        Question("Who sang?", frozenset({"b"}), "talk", ("y" * 60,)),
    ),
)


def _bill(label: str, *paid: tuple[int, int, bool, int]) -> Bill:
    return Bill(
        label, 0, tuple(Paid(size, calls, is_answered, first) for size, calls, is_answered, first in paid)
    )


OURS = _bill("ours", (100, 1, True, 100), (300, 3, False, 100))
OLD = _bill("old", (200, 1, True, 200), (300, 2, False, 200))
CHEAP = _bill("ours", (50, 1, True, 50), (50, 1, True, 50))
GREP = _bill("grep", (1000, 1, True, 1000), (3000, 2, True, 500))


def _why(bills: dict[str, Bill], by_limit: dict[int, Bill] | None = None) -> str:
    parts = reasons.why_missed(
        COLLECTION,
        bills,
        wanted=WANTED,
        by_limit=by_limit or {},
        longer=lambda limit: GREP if limit > 20 else OURS,
    )
    return "\n\n".join(parts)


def test_reached_goals_are_not_explained() -> None:
    assert _why({"ours": CHEAP, "predecessor": OLD, "grep": GREP}) == ""


def test_nothing_is_explained_without_ours() -> None:
    assert _why({"predecessor": OLD}) == ""


def test_bytes_are_split_by_what_became_of_the_question() -> None:
    text = _why({"ours": OURS, "predecessor": OLD})

    assert "| ours | 200 | 50 % / 25 % / 100 | 0 % / 0 % | 50 % / 75 % / 300 | 100 | 100 |" in text
    assert "An entry has 50 bytes, the evidence of a question 50 (means): 12 % of our bytes" in text
    assert "is 50 % of all our bytes" in text
    assert "1.0 a question; 0 % of them held the evidence" in text


def test_goal_that_no_share_of_answers_could_reach_is_told_so() -> None:
    costly = _bill("ours", (400, 1, True, 400), (400, 1, True, 400))

    text = _why({"ours": costly, "predecessor": OLD})

    assert "The goal is 250 bytes" in text
    assert "even answering every question would not reach it" in text


def test_share_of_answers_that_the_goal_would_take_is_computed() -> None:
    text = _why({"ours": OURS, "predecessor": OLD})

    assert "The goal of 250 bytes would take 80 % answered at our bytes a question." in text


def test_shorter_list_that_reaches_the_goal_is_named() -> None:
    text = _why({"ours": OURS, "predecessor": OLD}, {2: CHEAP, 8: OURS})

    assert (
        "the one of 2 reaches the goal: 50 bytes per answered question, 0.10 times, at 100.0 % answered"
        in text
    )


def test_share_of_grep_is_explained_by_its_last_call_and_by_longer_lists() -> None:
    text = _why({"ours": OURS, "grep": GREP})

    assert "which alone answers 50 % of the questions" in text
    assert "Further down: 50.0 % with 8 hits" in text
    assert "The share of grep is reached with 50 hits." in text


def test_report_explains_what_it_misses(made_up: Path, tmp_path: Path) -> None:
    path = cost.run(
        made_up, ("ours",), out=tmp_path / "out", is_quick=False, command="x", today=date(2026, 11, 2)
    )

    text = path.read_text("utf-8")
    assert ("missed." in text) == ("why a goal is missed" in text)
