"""edit_series: what changes a series, what does not, and that its history keeps everything."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.notebook.conftest import SWEEP, Book

pytestmark = pytest.mark.usefixtures("utc")


def _events(book: Book) -> list[str]:
    return [row[0] for row in book.rows("SELECT type FROM event ORDER BY number")]


def _measure(book: Book, key: str = SWEEP) -> None:
    book("measurements", key=key, rows="acc | 0.9 | A")


def test_new_successor_is_told_as_one_and_not_as_a_confirmed_status(book):
    book.sweep()
    book.sweep("vision/first")
    book.sweep("vision/second")
    book("edit_series", key=SWEEP, superseded_by="vision/first")

    answer = book("edit_series", key=SWEEP, superseded_by="vision/second")
    again = book("edit_series", key=SWEEP, superseded_by="vision/second", reason="looked again")

    history = book("series", key=SWEEP, full=True)
    told = book.text("history.successor_changed", old="vision/first", new="vision/second")
    assert told in answer
    assert history.count(told) == 1
    status = book.word("superseded", "abgeloest")
    assert history.count(book.text("history.status_same", status=status)) == 1
    assert "vision/first" not in again


def test_at_least_one_change_is_needed(book: Book) -> None:
    book.sweep()

    refusal = book.refused("edit_series", key=SWEEP)

    for name in ("status", "criterion", "note", "plan", "superseded_by", "started", "builds_on"):
        assert book.surface.parameter_name("edit_series", name) in refusal


def test_bare_reason_is_refused(book: Book) -> None:
    book.sweep()

    assert book.word("reason", "grund") in book.refused("edit_series", key=SWEEP, reason="because")


def test_reason_beside_what_is_so_already_is_refused_not_dropped(book: Book) -> None:
    book.sweep()

    book.refused("edit_series", key=SWEEP, criterion="B beats A by 1 %", reason="because")


def test_reason_is_recorded_with_every_change_of_the_call(book: Book) -> None:
    book.sweep()

    book("edit_series", key=SWEEP, status="running", note="seen", plan="less", reason="time is short")

    assert book.rows("SELECT type FROM event WHERE reason = 'time is short' ORDER BY number") == [
        ("plan",),
        ("note",),
        ("status",),
    ]


def test_answer_is_the_key_and_the_list_of_changes(book: Book) -> None:
    book.sweep()

    answer = book("edit_series", key="lr-sweep", status="paused", note="gpu gone")

    assert answer == book.word(
        f"{SWEEP}: note recorded; status planned -> paused.",
        f"{SWEEP}: Notiz festgehalten; Status geplant -> ruht.",
    )


def test_evaluated_is_never_set_by_hand(book: Book) -> None:
    book.sweep()

    refusal = book.refused("edit_series", key=SWEEP, status="ausgewertet")

    assert book.surface.tool_name("result") in refusal


def test_aborted_needs_a_reason(book: Book) -> None:
    book.sweep()

    assert book.word("reason", "grund") in book.refused("edit_series", key=SWEEP, status="aborted")
    book("edit_series", key=SWEEP, status="aborted", reason="machine sold")
    assert book.rows("SELECT status FROM series") == [("aborted",)]


def test_superseded_needs_a_successor(book: Book) -> None:
    book.sweep()

    refusal = book.refused("edit_series", key=SWEEP, status="superseded")

    assert book.word("superseded_by", "abgeloest_durch") in refusal


def test_successor_alone_implies_superseded(book: Book) -> None:
    book.sweep()
    book.sweep("vision/new")

    book("edit_series", key=SWEEP, superseded_by="new")

    assert book.rows("SELECT status, successor FROM series WHERE number = 1") == [("superseded", 2)]
    assert "-> vision/new" in book("series", all=True)


def test_successor_beside_another_status_is_refused(book: Book) -> None:
    book.sweep()
    book.sweep("vision/new")

    refusal = book.refused("edit_series", key=SWEEP, superseded_by="vision/new", status="running")

    assert book.word("running", "laeuft") in refusal


def test_successor_must_exist_and_be_another_series(book: Book) -> None:
    book.sweep()

    assert "vision/none" in book.refused("edit_series", key=SWEEP, superseded_by="vision/none")
    assert SWEEP in book.refused("edit_series", key=SWEEP, superseded_by=SWEEP)


def test_successors_never_form_a_circle(book: Book) -> None:
    for key in ("a/1", "a/2", "a/3"):
        book.sweep(key)
    book("edit_series", key="a/1", superseded_by="a/2")
    book("edit_series", key="a/2", superseded_by="a/3")

    refusal = book.refused("edit_series", key="a/3", superseded_by="a/1")

    assert "a/1" in refusal
    assert "a/3" in refusal


def test_leaving_superseded_clears_the_successor_and_history_keeps_it(book: Book) -> None:
    book.sweep()
    book.sweep("vision/new")
    book("edit_series", key=SWEEP, superseded_by="vision/new")

    book("edit_series", key=SWEEP, status="running")

    assert book.rows("SELECT status, successor FROM series WHERE number = 1") == [("running", None)]
    sheet = book("series", key=SWEEP)
    assert "-> vision/new" not in sheet
    assert book.text("history.successor", series="vision/new") in sheet


def test_present_status_again_is_told_without_an_event(book: Book) -> None:
    book.sweep()
    before = _events(book)

    answer = book("edit_series", key=SWEEP, status="planned")

    assert answer == book.word(f"{SWEEP}: already planned.", f"{SWEEP}: schon geplant.")
    assert _events(book) == before


def test_present_status_with_a_reason_is_recorded(book: Book) -> None:
    book.sweep()

    book("edit_series", key=SWEEP, status="planned", reason="still waiting")

    assert _events(book)[-1] == "status"
    assert "still waiting" in book("series", key=SWEEP)


def test_same_criterion_is_unchanged(book: Book) -> None:
    book.sweep()

    answer = book("edit_series", key=SWEEP, criterion="B beats A by 1 %")

    assert book.text("edit.criterion_same", version=1) in answer
    assert book.rows("SELECT count(*) FROM criterion") == [(1,)]


def test_criterion_before_the_first_measurement_needs_no_reason(book: Book) -> None:
    book.sweep()

    book("edit_series", key=SWEEP, criterion="B beats A by 2 %")

    assert book.rows("SELECT version, timing FROM criterion ORDER BY version") == [
        (1, "before"),
        (2, "before"),
    ]


def test_criterion_after_a_measurement_needs_a_reason_and_is_late(book: Book) -> None:
    book.sweep()
    _measure(book)

    assert book.word("reason", "grund") in book.refused("edit_series", key=SWEEP, criterion="2 %")
    answer = book("edit_series", key=SWEEP, criterion="2 %", reason="noise is larger")

    assert book.word("late", "nachträglich") in answer
    assert book.rows("SELECT version, timing FROM criterion ORDER BY version") == [(1, "before"), (2, "late")]
    assert "noise is larger" in book("series", key=SWEEP)


def test_criterion_is_late_though_all_values_are_superseded_or_there_was_none(book: Book) -> None:
    book.sweep(criterion="")
    _measure(book)
    book("measurements", key=SWEEP, rows="acc | 0.8 | A", supersedes="m1")

    book.refused("edit_series", key=SWEEP, criterion="2 %")
    book("edit_series", key=SWEEP, criterion="2 %", reason="forgotten")

    assert book.rows("SELECT version, timing FROM criterion") == [(1, "late")]


def test_earlier_criteria_stay_readable(book: Book) -> None:
    book.sweep()
    book("edit_series", key=SWEEP, criterion="B beats A by 2 %")

    full = book("series", key=SWEEP, full=True)

    assert "B beats A by 1 %" in full
    assert "B beats A by 2 %" in full


def test_earlier_plans_stay_readable(book: Book) -> None:
    book.sweep(plan="three arms")

    book("edit_series", key=SWEEP, plan="two arms")

    assert "three arms" not in book("series", key=SWEEP)
    assert "three arms" in book("series", key=SWEEP, full=True)


def test_order_by_event_counts_within_one_minute_and_with_a_clock_set_back(
    open_book: Callable[..., Book], clock: Any
) -> None:
    book = open_book()
    book.sweep()
    _measure(book)
    clock.advance(hours=-5)

    book("edit_series", key=SWEEP, criterion="2 %", reason="noise")

    assert book.rows("SELECT timing FROM criterion ORDER BY version") == [("before",), ("late",)]
    stamps = [row[0] for row in book.rows("SELECT at FROM event ORDER BY number")]
    assert stamps == sorted(stamps)


def test_start_changes_on_a_backfilled_series_only(book: Book) -> None:
    book.sweep()
    book.sweep("vision/old", backfill="sheet", started="2026-01-20")

    assert book.word("backfill", "nachtrag") in book.refused("edit_series", key=SWEEP, started="2026-01-01")
    assert "2026-12-01" in book.refused("edit_series", key="vision/old", started="2026-12-01")
    answer = book("edit_series", key="vision/old", started="2026-01-10")

    assert "2026-01-20 -> 2026-01-10" in answer
    assert book.rows("SELECT started_on FROM series WHERE number = 2") == [("2026-01-10",)]


def test_links_are_added_and_removed(book: Book) -> None:
    book.sweep("vision/base")
    book.sweep(builds_on="base")

    book("edit_series", key=SWEEP, builds_on="-base x/later")

    assert book.rows("SELECT key FROM link WHERE removed_event IS NULL") == [("x/later",)]
    assert book.rows("SELECT count(*) FROM link") == [(2,)]


def test_removing_a_link_that_is_not_there_is_refused(book: Book) -> None:
    book.sweep()

    assert "vision/base" in book.refused("edit_series", key=SWEEP, builds_on="-vision/base")


def test_unknown_series_is_refused_with_near_keys_and_how_to_create_one(book: Book) -> None:
    book.sweep()

    refusal = book.refused("edit_series", key="vision/lr-swep", note="x")

    assert SWEEP in refusal
    assert book.surface.tool_name("new_series") in refusal


def test_one_refused_change_undoes_the_whole_call(book: Book) -> None:
    book.sweep()
    before = book.dump()

    book.refused("edit_series", key=SWEEP, note="kept?", status="evaluated")

    assert book.dump() == before
