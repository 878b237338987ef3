"""measurements: every row or none, verbatim, with notes about what is worth a look."""

import pytest

from tests.notebook.conftest import SWEEP, Book

pytestmark = pytest.mark.usefixtures("utc")


def test_answer_counts_values_and_numbers(book: Book) -> None:
    book.sweep()

    answer = book("measurements", key="lr-sweep", rows="acc | 0.9 | A\nacc | 0.8 | B\nacc | 0.7 | C")

    assert answer == book.word(
        f"m1-m3 for {SWEEP}: 3 values, 3 read as numbers.", f"m1-m3 für {SWEEP}: 3 Werte, 3 als Zahl gelesen."
    )
    assert book.rows("SELECT status FROM series") == [("running",)]


def test_values_are_stored_and_shown_as_written(book: Book) -> None:
    book.sweep()
    value = "  0,912 ±  0.003 %".strip()

    book("measurements", key=SWEEP, rows=f"acc |  {value} | A | 7 | 100", source="run.log")

    assert book.rows("SELECT value, value_number, unit, spread FROM measurement") == [
        (value, 0.912, "%", 0.003)
    ]
    assert f"m1 acc | {value} | A | 7 | 100" in book("series", key=SWEEP)


def test_values_that_are_no_numbers_are_quoted(book: Book) -> None:
    book.sweep()

    answer = book("measurements", key=SWEEP, rows="\n".join(f"acc | good {number}" for number in range(5)))

    assert '"good 0", "good 1", "good 2" (+2)' in answer


def test_ambiguous_value_is_asked_about(book: Book) -> None:
    book.sweep()

    answer = book("measurements", key=SWEEP, rows="acc | 1,650")

    assert "1650" in answer
    assert "1.650" in answer
    assert book.rows("SELECT value_number FROM measurement") == [(None,)]


def test_missing_criterion_is_noted(book: Book) -> None:
    book.sweep(criterion="")

    answer = book("measurements", key=SWEEP, rows="acc | 0.9")

    assert book.surface.tool_name("edit_series") in answer


def test_repetition_of_a_live_row_is_noted(book: Book) -> None:
    book.sweep()
    book("measurements", key=SWEEP, rows="acc | 0.9 | A | 1\nacc | 0.8 | B | 1")

    answer = book("measurements", key=SWEEP, rows="ACC | 0.91 | A | 1\nacc | 0.8 | B | 2")

    assert book.text("notes.repeats", rows=book.text("notes.repeat", new="m3", old="m1")) in answer


def test_superseded_rows_are_no_repetition(book: Book) -> None:
    book.sweep()
    book("measurements", key=SWEEP, rows="acc | 0.9 | A | 1")

    answer = book("measurements", key=SWEEP, rows="acc | 0.91 | A | 1", supersedes="m1")

    assert len(answer.splitlines()) == 1
    assert book.text("measurements.supersedes", ids="m1") in answer


def test_values_for_a_closed_series_leave_its_status_and_name_the_older_result(book: Book) -> None:
    book.sweep()
    book("measurements", key=SWEEP, rows="acc | 0.9")
    book("result", key=SWEEP, verdict="met", conclusion="so")

    answer = book("measurements", key=SWEEP, rows="acc | 0.7 | B")

    assert book.text("notes.older_result", id="e1") in answer
    assert book.rows("SELECT status FROM series") == [("evaluated",)]
    assert book.text("hints.newer_values") in book("series")


def test_span_in_supersedes_means_every_row_between(book: Book) -> None:
    book.sweep()
    book("measurements", key=SWEEP, rows="\n".join(f"acc | 0.{number} | A | {number}" for number in range(4)))

    book("measurements", key=SWEEP, rows="acc | 1 | A", supersedes="m1-m4")

    assert book.rows("SELECT count(*) FROM measurement WHERE superseded_event IS NOT NULL") == [(4,)]


@pytest.mark.parametrize(
    ("supersedes", "named"),
    [
        ("m1, zz", "zz"),
        ("r1", "r1"),
        ("m9", "m9"),
        ("m1-m9", "m4-m9"),
        ("m1 m1", "m1"),
        ("m3", "m3"),
        ("other#m1", "other"),
    ],
)
def test_unfit_rows_in_supersedes_are_named_and_nothing_is_stored(
    book: Book, supersedes: str, named: str
) -> None:
    book.sweep()
    book.sweep("vision/other")
    book("measurements", key=SWEEP, rows="acc | 0.1\nacc | 0.2 | B")
    book("measurements", key="vision/other", rows="acc | 0.3")
    before = book.dump()

    refusal = book.refused("measurements", key=SWEEP, rows="acc | 1", supersedes=supersedes)

    assert named in refusal
    assert book.dump() == before


def test_row_superseded_before_is_refused(book: Book) -> None:
    book.sweep()
    book("measurements", key=SWEEP, rows="acc | 0.1")
    book("measurements", key=SWEEP, rows="acc | 0.2", supersedes="m1")

    assert "m1" in book.refused("measurements", key=SWEEP, rows="acc | 0.3", supersedes="m1")


def test_bad_rows_refuse_all_and_up_to_five_are_told(book: Book) -> None:
    book.sweep()
    text = "good | 1\n" + "\n".join("bad" for _ in range(7))

    refusal = book.refused("measurements", key=SWEEP, rows=text, supersedes="zz")

    assert "zz" in refusal
    assert [book.text("rows.too_few_fields") in line for line in refusal.splitlines()].count(True) == 5
    assert book.text("errors.more_bad_rows", parameter=book.word("rows", "zeilen"), count=2) in refusal
    assert book.rows("SELECT count(*) FROM measurement") == [(0,)]


def test_more_than_500_rows_are_refused_with_both_numbers(book: Book) -> None:
    book.sweep()

    refusal = book.refused("measurements", key=SWEEP, rows="a | 1\n" * 501)

    assert "501" in refusal
    assert "500" in refusal


def test_rows_may_come_as_an_array(book: Book) -> None:
    book.sweep()

    book("measurements", key=SWEEP, rows=["acc | 0.9 | A", "acc | 0.8 | B"])

    assert book.rows("SELECT count(*) FROM measurement") == [(2,)]


def test_bare_memory_id_in_a_row_names_field_and_line(book: Book) -> None:
    book.sweep()

    refusal = book.refused("measurements", key=SWEEP, rows="acc | 0.9\nacc | see #12 | A")

    assert book.text("rows.field", name=book.word("value", "wert"), line=2) in refusal
    assert "box#12" in refusal


def test_seed_may_look_like_a_memory_id(book: Book) -> None:
    book.sweep()

    book("measurements", key=SWEEP, rows="acc | 0.9 | A | #7")

    assert book.rows("SELECT seed FROM measurement") == [("#7",)]


def test_ids_count_on_through_the_whole_file(book: Book) -> None:
    book.sweep()
    book.sweep("vision/other")
    book("measurements", key=SWEEP, rows="acc | 0.9\nacc | 0.8 | B")

    answer = book("measurements", key="vision/other", rows="acc | 0.7")

    assert answer.startswith("m3 ")
