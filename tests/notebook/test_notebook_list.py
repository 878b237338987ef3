"""series without a key: the open list, filters, pages, hints, the table, the search."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.notebook.conftest import SWEEP, Book

pytestmark = pytest.mark.usefixtures("utc")


def _keys(answer: str) -> list[str]:
    return [line.split()[0] for line in answer.splitlines() if "/" in line.split()[0] and "[" in line]


def _evaluated(book: Book, key: str) -> None:
    book.sweep(key)
    book("result", key=key, verdict="met", conclusion="so")


def test_empty_notebook_says_how_to_begin_and_no_file_is_made(book: Book) -> None:
    for tool in ("series", "series_stats", "series_plot", "series_export"):
        answer = book(tool) if tool == "series" else book(tool, key=SWEEP)
        assert book.surface.tool_name("new_series") in answer

    assert not book.path.exists()


def test_list_shows_what_is_open_newest_movement_first(book: Book) -> None:
    for key in ("a/1", "a/2", "a/3"):
        book.sweep(key)
    book("edit_series", key="a/1", note="moved")

    assert _keys(book("series")) == ["a/1", "a/3", "a/2"]


def test_line_has_state_date_question_and_hints(book: Book) -> None:
    book.sweep(criterion="")

    line = book("series").splitlines()[1]

    assert line == book.word(
        f"{SWEEP} [planned] 2026-11-02 Which learning rate wins?  !! no criterion",
        f"{SWEEP} [geplant] 2026-11-02 Which learning rate wins?  !! kein Kriterium",
    )


def test_evaluated_series_leaves_the_list_after_14_days(book: Book, clock: Any) -> None:
    _evaluated(book, SWEEP)
    book.sweep("vision/open")
    clock.advance(days=14)
    assert SWEEP in _keys(book("series"))

    clock.advance(minutes=1)
    answer = book("series")

    assert SWEEP not in _keys(answer)
    assert book.word("1 evaluated", "1 ausgewertet") in answer
    assert book.surface.call("series", all=True) in answer


def test_closed_series_are_counted_per_status(book: Book) -> None:
    book.sweep("a/open")
    book.sweep("a/new")
    for number in range(2):
        book.sweep(f"a/{number}")
        book("edit_series", key=f"a/{number}", status="aborted", reason="x")
    book.sweep("a/old")
    book("edit_series", key="a/old", superseded_by="a/new")

    answer = book("series")

    assert _keys(answer) == ["a/new", "a/open"]
    assert book.word("2 aborted, 1 superseded", "2 abgebrochen, 1 abgeloest") in answer


@pytest.mark.parametrize("filters", [{"all": True}, {"status": "aborted"}, {"key": "a*/*"}, {"key": "s*"}])
def test_all_a_status_or_a_pattern_shows_every_match(book: Book, filters: dict[str, object]) -> None:
    book.sweep("a1/s1")
    book("edit_series", key="a1/s1", status="aborted", reason="x")

    assert _keys(book("series", **filters)) == ["a1/s1"]


def test_in_a_pattern_only_the_star_acts(book: Book) -> None:
    for key in ("vision/lr-1", "vision/lrx1", "audio/lr-1"):
        book.sweep(key)

    assert _keys(book("series", key="VISION/lr-*")) == ["vision/lr-1"]
    assert _keys(book("series", key="vision/lr?1*")) == []
    assert _keys(book("series", key="*")) == ["audio/lr-1", "vision/lrx1", "vision/lr-1"]


def test_project_filter_is_compared_folded(book: Book) -> None:
    book.sweep("Vision/a")
    book.sweep("audio/a")

    assert _keys(book("series", project="VISION")) == ["Vision/a"]
    assert "audio" in book("series", project="nowhere")


def test_unknown_status_as_a_filter_is_refused_with_the_list(book: Book) -> None:
    refusal = book.refused("series", status="done")

    assert book.word("evaluated", "ausgewertet") in refusal
    assert book.text("refused_write") not in refusal


def test_forty_lines_a_page_and_the_rest_is_named(book: Book) -> None:
    for number in range(45):
        book.sweep(f"a/{number}", criterion="", question="q?")

    first, second = book("series"), book("series", page=2)

    assert len(_keys(first)) == 40
    assert book.surface.call("series", page=2) in first
    assert len(_keys(second)) == 5
    assert set(_keys(first)) & set(_keys(second)) == set()
    assert "3" in book("series", page=3)


def test_full_without_a_single_key_changes_nothing_and_says_so(book: Book) -> None:
    book.sweep()

    plain, full = book("series"), book("series", full=True)

    assert full.startswith(plain)
    assert full.removeprefix(plain).strip() == book.text(
        "list.full_needs_key", full=book.word("full", "voll")
    )


def test_page_of_a_list_past_the_end_says_how_many_there_are(book: Book) -> None:
    book.sweep()

    assert book.surface.call("series", page=1) in book("series", page=9)


def test_hints_come_in_their_order(book: Book, clock: Any) -> None:
    book.sweep(criterion="")
    book("measurements", key=SWEEP, rows="acc | 0.9")
    clock.advance(days=3)

    line = book("series").splitlines()[1]

    hints = [book.text("hints.silent", days=3), book.text("hints.no_criterion"), book.text("hints.no_recipe")]
    assert line.endswith("!! " + "; ".join(hints))


def test_silence_is_pointed_out_from_two_days_on(book: Book, clock: Any) -> None:
    book.sweep()
    book("recipe", key=SWEEP, command="x")
    clock.advance(days=1, hours=23)
    assert "!!" not in book("series")

    clock.advance(hours=1)

    assert book.text("hints.silent", days=2) in book("series")


def test_values_without_result_are_pointed_out_when_planned_or_paused(book: Book) -> None:
    book.sweep()
    book("measurements", key=SWEEP, rows="acc | 0.9")
    assert book.text("hints.unjudged") not in book("series")

    book("edit_series", key=SWEEP, status="paused")

    assert book.text("hints.unjudged") in book("series")


def test_late_criterion_is_pointed_out_for_good(book: Book) -> None:
    book.sweep(criterion="")
    book("measurements", key=SWEEP, rows="acc | 0.9")
    book("edit_series", key=SWEEP, criterion="0.8", reason="forgotten")
    book("measurements", key=SWEEP, rows="acc | 0.8", supersedes="m1")

    assert book.text("hints.late_criterion") in book("series")


def test_closed_without_criterion_needs_no_attention(book: Book) -> None:
    book.sweep(criterion="")
    book("edit_series", key=SWEEP, status="aborted", reason="x")

    assert "!!" not in book("series", all=True)


def test_table_over_several_has_one_row_each_sorted_by_start(book: Book) -> None:
    book.sweep("a/new", question="First | one? And more.")
    book.sweep("a/old", backfill="sheet", started="2026-01-20")
    book("measurements", key="a/new", rows="acc | 0.9")
    book("edit_series", key="a/new", criterion="Two. Three.", reason="x")

    lines = book("series", table=True).splitlines()

    assert lines[1].count("|") == 8
    assert lines[3].startswith("| a/old | 2026-01-20 |")
    assert "| First \\| one? ... |" in lines[4]
    assert f"Two. ... ({book.word('late', 'nachträglich')})" in lines[4]


def test_search_ranks_all_statuses_and_names_the_field(book: Book) -> None:
    book.sweep("a/one", question="Does the mist valve lose frames?", criterion="fewer frames")
    book.sweep("a/two", question="Is the lamp warm?", criterion="warm", plan="the valve is closed")
    book("edit_series", key="a/two", status="aborted", reason="x")

    answer = book("series", search="mist valve")

    assert _keys(answer) == ["a/one", "a/two"]
    assert f"{book.word('plan', 'plan')}: the valve is closed" in answer


def test_search_finds_recipes_quantities_arms_conclusions_and_notes(book: Book) -> None:
    book.sweep("a/otter", criterion="")
    book("recipe", key="a/otter", command="beetctl bench --interval 40")
    book("measurements", key="a/otter", rows="throughput | 4 | zebra")
    book("edit_series", key="a/otter", note="the harmonica broke")
    book("result", key="a/otter", verdict="observation", conclusion="Quokkas are quick.")

    for word in ("beetctl", "throughput", "zebra", "harmonica", "quokkas", "otter"):
        assert _keys(book("series", search=word)) == ["a/otter"], word


def test_superseded_rows_count_half(book: Book) -> None:
    for key in ("a/live", "a/gone"):
        book.sweep(key, question="q?", criterion="c")
        book("recipe", key=key, command="zebra crossing run")
    book("recipe", key="a/gone", command="other plain words", supersedes="r2")

    answer = book("series", search="zebra crossing")

    assert _keys(answer) == ["a/live", "a/gone"]
    assert f"({book.word('superseded', 'ersetzt')})" in answer


def test_filters_apply_before_ranking(book: Book) -> None:
    for number in range(60):
        book.sweep(f"a/{number}", question="zebra zebra zebra", criterion="")
    book.sweep("b/one", question="one zebra among other words", criterion="")

    assert _keys(book("series", search="zebra", project="b")) == ["b/one"]


def test_search_without_a_hit_names_unknown_words_and_near_ones(book: Book) -> None:
    book.sweep(question="Which thermometer?")

    answer = book("series", search="hyperbola")

    assert "hyperbola" in answer
    assert book.reply("series", search="hyperbola").answer.is_empty


def test_search_without_any_letter_is_refused(book: Book) -> None:
    book.refused("series", search="::: !!")


def test_offset_is_named_once_and_stamps_are_local(
    open_book: Callable[..., Book], monkeypatch: pytest.MonkeyPatch
) -> None:
    import time

    monkeypatch.setenv("TZ", "Asia/Kolkata")
    time.tzset()
    book = open_book()

    created = book.sweep()
    answer = book("series")

    assert created.endswith("2026-11-02 15:44.")
    assert answer.count("UTC+05:30") == 1
    assert book.rows("SELECT created_at FROM series") == [("2026-11-02 10:14",)]
