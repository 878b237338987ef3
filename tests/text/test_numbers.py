"""Numbers of a text and their change."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frugal.text.numbers import NumberChange, changed, numbers


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("port 22", ("22",)),
        ("2 then 1 then 2", ("2", "1", "2")),
        ("on 2026-12-15 at 10:14", ("2026-12-15", "10", "14")),
        ("2026-13-45", ("2026", "13", "45")),
        ("12026-01-02", ("12026", "01", "02")),
        ("took 12.4 s, 1,5 h.", ("12.4", "1,5")),
        ("SQLite 3.40.1, v1.2.3-rc1", ("3.40.1", "1.2.3", "1")),
        ("up 50%, 12 %, 3\u202f%, ４％", ("50%", "12%", "3%", "4%")),
        ("1.", ("1",)),
        ("1,000 and 1.000.000", ("1,000", "1.000.000")),
        ("RTX3090 in Q3 took 12ms", ("3090", "3", "12")),
        ("端口22改为49222", ("22", "49222")),
        ("２２ and ٣٤", ("22", "34")),
        ("10.0.0.1:8080", ("10.0.0.1", "8080")),
        ("-5 degrees", ("5",)),
        ("commit 3f2a9b1c0d and deadbee1", ()),
        ("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b", ()),
        ("id 550e8400-e29b-41d4-a716-446655440000!", ()),
        ("2026-12-15T10:00Z", ("2026-12-15", "10", "00")),
        ("12h30", ("12", "30")),
        ("no number", ()),
        ("", ()),
    ],
)
def test_numbers_are_given_in_order_of_appearance(text: str, expected: tuple[str, ...]) -> None:
    assert numbers(text) == expected


def test_changed_number_is_shown_from_old_to_new() -> None:
    change = changed("port 49222", "port 22")

    assert change == NumberChange(old=("22",), new=("49222",))
    assert str(change) == "22 -> 49222"


def test_at_most_three_numbers_a_side_and_the_count_of_the_rest() -> None:
    change = changed(new="9 8 7 6 9 1", old="1 2 3 4 5 6 2")

    assert str(change) == "2, 3, 4 (+1) -> 9, 8, 7"
    assert str(changed("a 1 2", "b 3 4", most=1)) == "3 (+1) -> 1 (+1)"


@pytest.mark.parametrize(
    ("new", "old"), [("1 2", "1"), ("1", "1 2"), ("", "1"), ("50 %", "50%"), ("5 3", "3 5")]
)
def test_no_change_unless_each_text_has_a_number_of_its_own(new: str, old: str) -> None:
    assert changed(new, old) is None


@given(st.lists(st.integers(0, 10**6)))
def test_plain_integers_come_back_as_written(values: list[int]) -> None:
    written = [str(value) for value in values]

    assert list(numbers(" and ".join(written))) == written


@given(st.text(alphabet="0123456789.,% -abcdefZ٣"), st.text(alphabet="0123456789.,% -abcdefZ٣"))
def test_change_is_symmetric(first: str, second: str) -> None:
    there, back = changed(first, second), changed(second, first)

    assert (there is None) == (back is None)
    if there and back:
        assert (there.old, there.old_rest) == (back.new, back.new_rest)


@pytest.mark.parametrize("unit", ["1", "1.", "1a", "a1", "1-", "12345678-", "f", "1 ", "a", "1,"])
def test_hostile_text_is_read_in_linear_time(unit: str) -> None:
    started = time.process_time()

    numbers(unit * 100_000)

    assert time.process_time() - started < 1.5
