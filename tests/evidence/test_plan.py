"""In which order messages come into a tight answer: worth a byte, items with their lines, lines that become items."""

from types import SimpleNamespace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from frugal_modes.evidence.packing import Line, Pick
from frugal_modes.evidence.plan import Step, planned

PLENTY = 1_000_000


def row(number: int) -> Any:
    return SimpleNamespace(number=number)


def pick(number: int, worth: float, size: int, *lines: tuple[int, float, int]) -> Pick:
    """Return message *number* as a pick, with lines of a number, a worth and a size around it."""
    around = [Line(other - number, row(other), value, cost) for other, value, cost in lines]
    chosen: Any = None
    return Pick(chosen, row(number), worth, size, around)


def item(number: int) -> Step:
    return Step(number, is_item=True)


def line(number: int) -> Step:
    return Step(number, is_item=False)


def test_the_first_is_worth_most_and_the_others_worth_most_a_byte() -> None:
    picks = [pick(10, 4.0, 100), pick(20, 5.0, 900), pick(30, 3.0, 50)]

    assert planned(picks, limit=20, size_bytes=PLENTY) == [item(20), item(30), item(10)]


def test_a_good_line_comes_before_a_poor_item() -> None:
    picks = [pick(10, 4.0, 100, (11, 2.0, 50), (9, 0.1, 50)), pick(30, 1.0, 100)]

    assert planned(picks, limit=20, size_bytes=PLENTY) == [item(10), line(11), item(30), line(9)]


def test_an_item_counts_with_the_best_line_that_it_opens() -> None:
    picks = [pick(10, 4.0, 100), pick(20, 1.0, 100, (21, 9.0, 100)), pick(30, 2.0, 100)]

    assert planned(picks, limit=20, size_bytes=PLENTY)[:3] == [item(10), item(20), line(21)]


def test_a_line_becomes_an_item_for_the_sake_of_what_lies_beyond_it() -> None:
    picks = [pick(10, 4.0, 100, (11, 3.0, 50)), pick(11, 3.0, 100, (10, 4.0, 50), (12, 3.0, 50))]

    assert planned(picks, limit=20, size_bytes=PLENTY) == [item(10), line(11), item(11), line(12)]


def test_there_are_no_more_items_than_wanted_but_still_their_lines() -> None:
    picks = [pick(10, 4.0, 100, (11, 0.1, 50)), pick(20, 3.0, 100), pick(30, 2.0, 100)]

    assert planned(picks, limit=2, size_bytes=PLENTY) == [item(10), item(20), line(11)]


def test_nothing_is_planned_where_there_is_never_room() -> None:
    picks = [pick(number, 1.0, 100) for number in range(10, 100, 10)]

    assert len(planned(picks, limit=20, size_bytes=300)) == 3
    assert planned([], limit=20, size_bytes=300) == []


@given(
    st.lists(
        st.tuples(st.integers(0, 30), st.floats(0.01, 9), st.integers(60, 400)),
        max_size=12,
        unique_by=lambda it: it[0],
    ),
    st.integers(0, 2),
    st.integers(1, 20),
)
def test_every_message_comes_once_and_a_line_only_beside_an_item(
    drafts: list[tuple[int, float, int]], context: int, limit: int
) -> None:
    near = [distance for distance in range(-context, context + 1) if distance]
    picks = [
        pick(number, worth, size, *((number + distance, worth / 2, size // 2) for distance in near))
        for number, worth, size in drafts
    ]

    steps = planned(picks, limit=limit, size_bytes=PLENTY)

    assert len(steps) == len(set(steps))
    items: set[int] = set()
    for number, is_item in steps:
        assert is_item or any(abs(number - other) <= context for other in items)
        items |= {number} if is_item else set()
    assert len(items) <= limit
