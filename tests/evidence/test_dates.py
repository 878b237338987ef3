"""Dates that a query names, and how well the time of a message agrees with them."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from frugal_modes.evidence.dates import MONTH, named_dates
from frugal_modes.evidence.moments import EARLIEST, to_ms

SIXTEENTH = to_ms(datetime(2023, 6, 16, 22, 30, tzinfo=UTC))


@pytest.mark.parametrize("texts", [("16", "June"), ("16 june, 2023",), ("June 16th",), ("16. Juni",)])
def test_a_named_day_agrees_wholly(texts: tuple[str, ...]) -> None:
    assert named_dates(texts).share(SIXTEENTH, UTC) == 1.0


@pytest.mark.parametrize("texts", [("June",), ("June", "2023"), ("17", "June")])
def test_its_month_agrees_in_part(texts: tuple[str, ...]) -> None:
    assert named_dates(texts).share(SIXTEENTH, UTC) == MONTH


@pytest.mark.parametrize(
    "texts", [("16",), ("2023",), ("July", "16"), ("June", "2022"), ("junebug",), ("\u00b2",)]
)
def test_another_month_or_year_or_a_number_alone_does_not(texts: tuple[str, ...]) -> None:
    assert named_dates(texts).share(SIXTEENTH, UTC) == 0.0


def test_the_day_is_that_of_the_time_zone_of_the_query() -> None:
    berlin = ZoneInfo("Europe/Berlin")

    assert named_dates(["17 June"]).share(SIXTEENTH, berlin) == 1.0
    assert named_dates(["16 June"]).share(SIXTEENTH, berlin) == MONTH


def test_a_time_outside_the_calendar_of_a_zone_agrees_with_nothing() -> None:
    assert named_dates(["January"]).share(EARLIEST, ZoneInfo("America/New_York")) == 0.0


@pytest.mark.parametrize(
    ("texts", "is_named"),
    [
        (("may", "refund"), False),
        (("we march on",), False),
        (("May",), True),
        (("may 16",), True),
        (("june",), True),
    ],
)
def test_verbs_that_look_like_months_are_none(texts: tuple[str, ...], is_named: bool) -> None:
    assert bool(named_dates(texts).months) == is_named
