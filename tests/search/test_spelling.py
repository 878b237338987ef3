"""Near spellings: what a slip of the fingers makes of a word leads back to it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frugal.search import Document, add, near
from frugal.search.spelling import is_near, one_step_away


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("kubernets", "kubernetes"),
        ("recieve", "receive"),
        ("qouta", "quota"),
        ("sqlte", "sqlite"),
        ("сервр", "сервер"),
        ("menge", "menger"),
    ],
)
def test_a_slip_leads_back_to_the_word(store, typed, meant):
    with store.write() as db:
        add(db, Document(1, "", f"{meant} and something else entirely"))

        assert near(db, typed) == (meant,)


def test_steps_are_counted_and_a_swap_is_one():
    assert [is_near("quota", other, 2) for other in ("qouta", "quotes", "quota", "kettle")] == [1, 2, 0, 0]
    assert "qouta" in one_step_away("quota")
    assert "quota" not in one_step_away("quota")


def steps_by_definition(left: str, right: str) -> int:
    """The distance as its definition has it: exponential in the length, for short words only."""
    if not left or not right:
        return len(left) + len(right)
    ways = [
        steps_by_definition(left[1:], right) + 1,
        steps_by_definition(left, right[1:]) + 1,
        steps_by_definition(left[1:], right[1:]) + (left[0] != right[0]),
    ]
    if left[:2] == right[1::-1]:
        ways.append(steps_by_definition(left[2:], right[2:]) + 1)
    return min(ways)


@given(st.text("abc", max_size=5), st.text("abc", max_size=5), st.integers(1, 2))
def test_steps_are_those_of_the_definition(left, right, most):
    steps = steps_by_definition(left, right)

    assert is_near(left, right, most) == (steps if steps <= most else 0)
