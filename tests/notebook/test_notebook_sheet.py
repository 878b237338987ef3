"""series with one key: the sheet, its pages, everything with full, the statistics."""

import sqlite3
from contextlib import closing

import pytest

from frugal_modes.notebook.lines import quoted, unquoted
from tests.notebook.conftest import SWEEP, Book, size_of

pytestmark = pytest.mark.usefixtures("utc")


def _filled(book: Book) -> None:
    book.sweep(plan="3 arms", builds_on="vision/later")
    book("recipe", key=SWEEP, command="train --lr 1", arm="A", note="first\nsecond")
    book("measurements", key=SWEEP, rows="acc | 90 % | A | 1\nacc | 91 % | B | 1", source="a.log")
    book("measurements", key=SWEEP, rows="acc | 92 % | A | 1", source="b.log", supersedes="m1")
    book("result", key=SWEEP, verdict="met", conclusion="A wins.", open_questions="why?", file="r.md")


def test_sheet_shows_everything_that_is_live(book: Book) -> None:
    _filled(book)

    sheet = book("series", key="lr-sweep")

    for part in (
        "train --lr 1",
        "m2 acc | 91 % | B | 1",
        "m3 acc | 92 % | A | 1",
        "a.log",
        "b.log",
        "A wins.",
        "why?",
    ):
        assert part in sheet
    assert "m1 acc" not in sheet
    assert (
        book.text(
            "sheet.hidden_rows", count=1, ids="m1", call=book.surface.call("series", key=SWEEP, full=True)
        )
        in sheet
    )
    assert "UTC" in sheet


def test_short_name_that_only_one_has_is_enough(book: Book) -> None:
    book.sweep()

    assert book("series", key="LR-Sweep").startswith(SWEEP)


def test_unknown_key_is_refused_with_near_ones_and_no_word_of_creating(book: Book) -> None:
    book.sweep()

    refusal = book.refused("series", key="vision/lr-swep")

    assert SWEEP in refusal
    assert book.surface.tool_name("new_series") not in refusal


def test_criterion_head_tells_its_place_in_time(book: Book) -> None:
    book.sweep("a/1")
    book.sweep("a/2")
    book("measurements", key="a/2", rows="acc | 1")
    book.sweep("a/3", backfill="bench sheet 7")
    book("measurements", key="a/3", rows="acc | 1")
    book.sweep("a/4", criterion="")

    assert book.text("sheet.no_values") in book("series", key="a/1")
    assert book.text("sheet.before") in book("series", key="a/2")
    backfilled = book("series", key="a/3")
    assert book.text("sheet.backfilled", evidence="bench sheet 7") in backfilled
    assert book.text("sheet.before") not in backfilled
    assert book.text("sheet.no_criterion") in book("series", key="a/4")


def test_links_are_shown_in_both_directions(book: Book) -> None:
    book.sweep("vision/base")
    book.sweep(builds_on="base")
    book.sweep("vision/next")
    book("edit_series", key="vision/base", superseded_by="vision/next")

    assert f"{book.text('labels.builds_on')}: vision/base" in book("series", key=SWEEP)
    assert f"{book.text('labels.built_on_by')}: {SWEEP}" in book("series", key="vision/base")
    assert f"{book.text('labels.replaces')}: vision/base" in book("series", key="vision/next")


def test_full_marks_superseded_rows_in_their_line(book: Book) -> None:
    _filled(book)

    full = book("series", key=SWEEP, full=True)

    note = book.text("sheet.superseded_by", by="m3", stamp="2026-11-02 10:14")
    assert f"m1 acc | 90 % | A | 1 {{{note}}}" in full.splitlines()


def test_full_shows_every_event_and_the_sheet_the_last_eight(book: Book) -> None:
    book.sweep()
    for number in range(12):
        book("edit_series", key=SWEEP, note=f"note number {number}.")

    sheet, full = book("series", key=SWEEP), book("series", key=SWEEP, full=True)

    assert [number for number in range(12) if f"note number {number}." in sheet] == list(range(4, 12))
    assert all(f"note number {number}." in full for number in range(12))
    assert (
        book.text("sheet.more_events", count=6, call=book.surface.call("series", key=SWEEP, full=True))
        in sheet
    )


def test_full_with_a_page_is_refused(book: Book) -> None:
    book.sweep()

    book.refused("series", key=SWEEP, full=True, page=2)


def test_long_text_is_cut_with_shown_and_total_length(book: Book) -> None:
    book.sweep(question="x" * 5_000)

    sheet = book("series", key=SWEEP)

    assert book.text("sheet.shortened", shown=1_200, total=5_000) in sheet
    assert "x" * 5_000 in book("series", key=SWEEP, full=True)


def test_hundred_values_a_page_and_the_next_page_goes_on(book: Book) -> None:
    book.sweep()
    book("measurements", key=SWEEP, rows="\n".join(f"acc | {number} | A | {number}" for number in range(250)))

    pages = [book("series", key=SWEEP, page=page) for page in (1, 2, 3)]

    shown = [[line.split()[0] for line in page.splitlines() if " acc | " in line] for page in pages]
    assert [len(rows) for rows in shown] == [100, 100, 50]
    assert [row for rows in shown for row in rows] == [f"m{number}" for number in range(1, 251)]
    assert book.surface.call("series", key=SWEEP, page=2) in pages[0]
    assert "250" in book("series", key=SWEEP, page=4)


@pytest.mark.parametrize("text", ["a\nm9 acc | 1", "a\r\nb", "a\u2028b", "a\n\nb", "\x0bx", "a\n    b"])
def test_stored_text_cannot_imitate_our_lines_and_reads_back(book: Book, text: str) -> None:
    book.sweep(question=f"q {text} z")

    full = book("series", key=SWEEP, full=True)

    assert f": {quoted(f'q {text} z')}\n" in full
    assert unquoted(quoted(text)) == text
    assert not any(line.startswith("m9") for line in full.splitlines())


def test_live_row_that_ends_like_a_mark_is_called_live(book: Book) -> None:
    book.sweep()
    note = book.text("sheet.superseded_by", by="m3", stamp="2026-11-02 10:14")
    book("measurements", key=SWEEP, rows=f"acc | 0.9 {{{note}}}")

    assert f"{{{book.word('live', 'gilt')}}}" in book("series", key=SWEEP, full=True)


def test_statistics_have_a_row_for_each_quantity_unit_and_arm(book: Book) -> None:
    book.sweep()
    rows = "acc | 90 % | A\nacc | 92 % | A\nACC | 0.9 | A\nacc | ~91 % | A\nacc | 95 % | B\nwins | 9/10\nwins | 21/22"
    book("measurements", key=SWEEP, rows=rows)

    table = book("series", key=SWEEP, table=True).splitlines()

    assert table[3] == "| acc | % | A | 2 | 91 | 1.41421 | 90 | 92 | 78.2938 .. 103.706 | 1 | - |"
    assert table[4] == "| acc | % | B | 1 | 95 | - | 95 | 95 | - | 0 | - |"
    assert table[5].startswith("| ACC | - | A | 1 | 0.9 |")
    assert "30/32 = 0.9375 (0.798529 .. 0.982689)" in table[6]


def test_statistics_leave_superseded_values_out(book: Book) -> None:
    book.sweep()
    book("measurements", key=SWEEP, rows="acc | 1\nacc | 3")
    book("measurements", key=SWEEP, rows="acc | 5", supersedes="m1")

    (item,) = book.items("series", key=SWEEP, table=True)

    assert (item["n"], item["mean"]) == (2, 4.0)


def test_series_without_values_has_no_statistics(book: Book) -> None:
    book.sweep()

    assert SWEEP in book("series", key=SWEEP, table=True)


def test_bars_in_values_are_shown_so_that_they_can_be_pasted_back(book: Book) -> None:
    book.sweep()
    book("measurements", key=SWEEP, rows=r"a \| b | c \| d")

    line = next(line for line in book("series", key=SWEEP).splitlines() if line.startswith("m1 "))
    book("measurements", key=SWEEP, rows=line.removeprefix("m1 "))

    assert book.rows("SELECT DISTINCT quantity, value FROM measurement") == [("a | b", "c | d")]


def test_sheet_over_the_cap_keeps_its_texts_and_names_what_is_missing(book: Book) -> None:
    book.sweep(question="学" * 1_200, plan="习" * 1_200)
    for _ in range(6):
        book("recipe", key=SWEEP, command="率" * 1_200)
    book("measurements", key=SWEEP, rows="\n".join(f"acc | {number}" for number in range(50)))

    sheet = book("series", key=SWEEP)

    assert size_of(sheet) <= 16_384
    assert "学" * 1_200 in sheet
    assert "习" * 1_200 in sheet
    assert book.surface.call("series", key=SWEEP, page=2) in sheet
    rest = book("series", key=SWEEP, page=2)
    shown = [line.split()[0] for part in (sheet, rest) for line in part.splitlines() if " acc | " in line]
    assert shown == [f"m{number}" for number in range(1, 51)]


OLD_ROWS = (
    """
    INSERT INTO series (number, key, folded, project, short, question, started_on, status, created_at, created_event,
        moved_at, moved_event)
    VALUES (7, 'Old/a b', 'old/a b', 'old', 'a b', 'q?', '2026-01-20', 'superseded', '2026-01-20 10:00', 11,
        '2026-01-20 10:00', 14)
    """,
    """
    INSERT INTO event (number, series, at, type, text) VALUES
        (11, 7, '2026-01-20 10:00', 'text', 'created'),
        (12, 7, '2026-01-20 10:00', 'text', 'Measurements m3, m5'),
        (13, 7, '2026-01-20 10:00', 'text', 'criterion'),
        (14, 7, '2026-01-20 10:00', 'text', 'replaced by hand')
    """,
    "INSERT INTO criterion (event, series, version, text, timing) VALUES (13, 7, 1, 'c', 'unknown')",
    """
    INSERT INTO measurement (number, series, event, quantity, value, superseded_event, quantity_folded, reading)
    VALUES (3, 7, 12, 'acc', '0,9', 14, 'acc', 0), (5, 7, 12, 'acc', '1.5 ms', NULL, 'acc', 0)
    """,
)


def test_file_can_hold_what_a_takeover_brings(book: Book) -> None:
    """Order unknown, a closed series whose successor nobody knows, history as text, rows tied to such lines."""
    book.sweep("x/first")
    book.shell.workspace.close()
    with closing(sqlite3.connect(book.path)) as db, db:
        for statement in OLD_ROWS:
            db.execute(statement)

    full = book("series", key="old/A B", full=True)

    note = book.text("sheet.superseded_by", by="replaced by hand", stamp="2026-01-20 10:00")
    assert book.text("sheet.order_unknown") in full
    assert f"m3 acc | 0,9 {{{note}}}" in full
    assert "2026-01-20 10:00 Measurements m3, m5" in full
    assert f"Old/a b [{book.word('superseded', 'abgeloest')}]" in book("series", all=True)
    assert book("measurements", key="a b", rows="acc | 2").startswith("m6 ")
