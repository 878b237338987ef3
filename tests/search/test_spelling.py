"""Near spellings: what a slip of the fingers makes of a word leads back to it."""

import pytest

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
