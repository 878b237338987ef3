"""When a card may be seen: ttl, as_of, dates and times, and along a chain exactly one."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frugal_modes.vault.moments import end_of, read_stamp, start_of, to_stamp
from frugal_modes.vault.validity import Dates, duration, expiry, fixed_ttl, hidden_because, moment_of

BERLIN = ZoneInfo("Europe/Berlin")
CREATED = "2026-11-01T10:00:00.000Z"


def at(text: str) -> datetime:
    moment = start_of(read_stamp(text, UTC), UTC)
    assert moment is not None
    return moment


@pytest.mark.parametrize(
    ("written", "stamp"),
    [
        ("2026-11-30", "2026-11-30"),
        ("2026/1/2", "2026-01-02"),
        ("2026-11-30T06:14:00.123Z", "2026-11-30T06:14:00.123Z"),
        ("2026-11-30T06:14:00.1234567Z", "2026-11-30T06:14:00.123Z"),
        ("2026-11-30 06:14", "2026-11-30T05:14:00.000Z"),
        ("2026-07-30 06:14", "2026-07-30T04:14:00.000Z"),
        ("2026-11-30T06:14:00+09:30", "2026-11-29T20:44:00.000Z"),
        ("2026-11-30 06:14:00 UTC", "2026-11-30T06:14:00.000Z"),
        ("1764483240", "2025-11-30T06:14:00.000Z"),
        ("1764483240123", "2025-11-30T06:14:00.123Z"),
        ("1764483240.5", "2025-11-30T06:14:00.500Z"),
        ("2026-02-30", ""),
        ("2026-11-30T25:00Z", ""),
        ("yesterday", ""),
        ("", ""),
        ("0001-01-01T00:00:00+14:00", ""),
    ],
)
def test_time_as_written_becomes_utc_and_a_date_stays(written: str, stamp: str) -> None:
    assert read_stamp(written, BERLIN) == stamp


def test_day_begins_and_ends_where_it_is_lived() -> None:
    assert start_of("2026-03-29", BERLIN) == datetime(2026, 3, 28, 23, tzinfo=UTC)
    assert end_of("2026-03-29", BERLIN) == datetime(2026, 3, 29, 22, tzinfo=UTC)
    assert end_of("9999-12-31", UTC) is None


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("30d", timedelta(days=30)),
        ("1d12h", timedelta(hours=36)),
        ("2w 1d", timedelta(days=15)),
        ("90M", timedelta(minutes=90)),
        ("0d", timedelta()),
        ("1y", None),
        ("d", None),
        ("30", None),
        ("", None),
    ],
)
def test_duration_counts_units_in_any_case_and_refuses_others(text: str, span: timedelta | None) -> None:
    assert duration(text) == span


@pytest.mark.parametrize(
    ("ttl", "created", "expires"),
    [
        ("", CREATED, ""),
        ("none", CREATED, ""),
        ("Never", CREATED, ""),
        ("-", CREATED, ""),
        ("1h", CREATED, "2026-11-01T11:00:00.000Z"),
        ("1d12h", CREATED, "2026-11-02T22:00:00.000Z"),
        ("1h", "2026-11-01", "2026-11-01T00:00:00.000Z"),
        ("2026-12-01", CREATED, "2026-12-01"),
        ("2026-12-01T10:00:00+02:00", CREATED, "2026-12-01T08:00:00.000Z"),
        ("soon", CREATED, None),
        ("1h", "", None),
        ("999999w999999w", CREATED, None),
    ],
)
def test_expiry_counts_from_created(ttl: str, created: str, expires: str | None) -> None:
    assert expiry(ttl, created, BERLIN) == expires


def test_update_writes_a_duration_as_the_moment_it_ends() -> None:
    assert fixed_ttl("30d", at("2026-11-30T06:00:00Z")) == "2026-12-30T06:00:00.000Z"
    assert fixed_ttl("2027-01-01", at("2026-11-30T06:00:00Z")) == "2027-01-01"


@pytest.mark.parametrize(
    ("as_of", "moment"),
    [
        ("2026-07-01", "2026-07-01T21:59:59.999Z"),
        ("2026-07-01T10:00:00Z", "2026-07-01T10:00:00.000Z"),
        ("2026-07-01 10:00+02:00", "2026-07-01T08:00:00.000Z"),
        ("2026-07-01T10:00:00", None),
        ("1764483240", None),
        ("today", None),
        ("", None),
    ],
)
def test_as_of_is_the_end_of_a_local_day_or_a_time_with_its_zone(as_of: str, moment: str | None) -> None:
    found = moment_of(as_of, BERLIN)

    assert (to_stamp(found) if found else None) == moment


@pytest.mark.parametrize(
    ("dates", "reason"),
    [
        (Dates(), ""),
        (Dates(created="2026-11-10T00:00:00.000Z"), ""),
        (Dates(created="2026-11-10T00:00:00.001Z"), "future"),
        (Dates(created="2026-11-10"), ""),
        (Dates(created="2026-11-11"), "future"),
        (Dates(invalid_at="2026-11-10T00:00:00.000Z"), "invalid"),
        (Dates(invalid_at="2026-11-10T00:00:00.000Z", has_successor=True), "superseded"),
        (Dates(invalid_at="2026-11-10T00:00:00.001Z"), ""),
        (Dates(expires="2026-11-10"), ""),
        (Dates(expires="2026-11-09"), "expired"),
        (Dates(expires="2026-11-10T00:00:00.000Z"), "expired"),
        (Dates(status="Archived"), "archived"),
        (Dates(status="rejected"), "rejected"),
        (Dates(status="draft"), ""),
    ],
)
def test_card_is_hidden_for_one_reason(dates: Dates, reason: str) -> None:
    assert hidden_because(dates, at("2026-11-10T00:00:00Z"), UTC) == reason


@given(st.lists(st.integers(0, 3), min_size=1, max_size=6), st.integers(0, 20))
def test_along_a_chain_exactly_one_member_is_seen_from_its_start_on(steps: list[int], later: int) -> None:
    start = at(CREATED)
    created = [start]
    for step in steps:
        created.append(created[-1] + timedelta(hours=step))
    stamps = [to_stamp(moment) for moment in created]
    chain = [
        Dates(created=stamp, invalid_at=following, has_successor=True)
        for stamp, following in pairwise(stamps)
    ]
    chain.append(Dates(created=stamps[-1]))

    seen = [dates for dates in chain if not hidden_because(dates, start + timedelta(hours=later), UTC)]

    assert len(seen) == 1
