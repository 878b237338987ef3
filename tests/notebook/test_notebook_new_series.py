"""new_series: the criterion stands before the numbers, keys are unique, nothing is taken that is not certain."""

import pytest

from tests.notebook.conftest import SWEEP, Book

pytestmark = pytest.mark.usefixtures("utc")


def test_created_series_says_when_its_criterion_was_recorded(book: Book) -> None:
    answer = book.sweep()

    assert answer == book.word(
        f"Created: {SWEEP} (planned), criterion recorded 2026-11-02 10:14.",
        f"Angelegt: {SWEEP} (geplant), Kriterium festgehalten 2026-11-02 10:14.",
    )


def test_blank_criterion_is_told_to_allow_an_observation_only(book: Book) -> None:
    answer = book.sweep(criterion=" ")

    assert answer == book.text(
        "new_series.without_criterion", series=SWEEP, status=book.word("planned", "geplant")
    )
    assert book.rows("SELECT count(*) FROM criterion") == [(0,)]


def test_criterion_must_be_passed(book: Book) -> None:
    refusal = book.refused("new_series", key=SWEEP, question="x?")

    assert book.word("criterion", "kriterium") in refusal


def test_non_empty_criterion_becomes_version_one(book: Book) -> None:
    book.sweep()

    assert book.rows("SELECT version, timing FROM criterion") == [(1, "before")]


def test_existing_key_is_refused_in_any_case_and_points_to_edit_series(book: Book) -> None:
    book.sweep()

    refusal = book.refused("new_series", key="VISION/LR-Sweep", question="x?", criterion="")

    assert "VISION/LR-Sweep" in refusal
    assert book.surface.tool_name("edit_series") in refusal


def test_all_problems_are_told_at_once_and_nothing_is_stored(book: Book) -> None:
    book.sweep()
    before = book.dump()

    refusal = book.refused(
        "new_series",
        key=SWEEP,
        question=" ",
        criterion="as in #12",
        builds_on="nowhere",
        started="2026-02-30",
    )

    assert len(refusal.splitlines()) == 6
    for part in ("#12", "nowhere", "2026-02-30", SWEEP):
        assert part in refusal
    assert refusal.splitlines()[-1] == book.word("Nothing was stored.", "Nichts wurde gespeichert.")
    assert book.dump() == before


@pytest.mark.parametrize("key", ["no-slash", "a/b/c", "a b/c", "/x"])
def test_what_is_no_key_is_refused_by_name(book: Book, key: str) -> None:
    assert key in book.refused("new_series", key=key, question="x?", criterion="")


def test_builds_on_resolves_short_names_and_keeps_unknown_keys(book: Book) -> None:
    book.sweep("vision/base")

    answer = book.sweep(builds_on="base, other/later")

    assert book.text("notes.unknown_keys", keys="other/later") in answer
    assert book.rows("SELECT key, target FROM link ORDER BY number") == [
        ("vision/base", 1),
        ("other/later", None),
    ]


def test_kept_key_is_tied_when_its_series_appears(book: Book) -> None:
    book.sweep(builds_on="Other/Later")

    book.sweep("other/later")

    assert book.rows("SELECT key, target FROM link") == [("Other/Later", 2)]
    assert SWEEP in book("series", key="other/later")


def test_building_on_itself_is_refused(book: Book) -> None:
    assert SWEEP in book.refused("new_series", key=SWEEP, question="x?", criterion="", builds_on=SWEEP)


def test_short_name_of_several_is_refused_with_up_to_eight(book: Book) -> None:
    for number in range(10):
        book.sweep(f"p{number}/same")

    refusal = book.refused("new_series", key=SWEEP, question="x?", criterion="", builds_on="same")

    assert refusal.count("/same") == 8
    assert "..." in refusal


def test_start_needs_a_backfill(book: Book) -> None:
    refusal = book.refused("new_series", key=SWEEP, question="x?", criterion="", started="2026-01-20")

    assert book.word("backfill", "nachtrag") in refusal


@pytest.mark.parametrize("started", ["2026-99-99", "2026-02-30", "20.1.2026", "2026-1-2"])
def test_start_must_be_a_real_date(book: Book, started: str) -> None:
    refusal = book.refused(
        "new_series", key=SWEEP, question="x?", criterion="", backfill="sheet", started=started
    )

    assert started in refusal


def test_start_in_the_future_is_refused(book: Book) -> None:
    refusal = book.refused(
        "new_series", key=SWEEP, question="x?", criterion="", backfill="sheet", started="2026-11-03"
    )

    assert "2026-11-03" in refusal


def test_backfilled_series_keeps_its_real_start(book: Book) -> None:
    book.sweep(backfill="bench sheet 7", started="2026-01-20")

    assert book.rows("SELECT started_on, backfill FROM series") == [("2026-01-20", "bench sheet 7")]


def test_without_a_start_the_series_starts_today(book: Book) -> None:
    book.sweep()

    assert book.rows("SELECT started_on FROM series") == [("2026-11-02",)]


def test_too_long_text_is_refused_with_both_numbers(book: Book) -> None:
    refusal = book.refused("new_series", key=SWEEP, question="x" * 8_001, criterion="")

    assert "8001" in refusal
    assert "8000" in refusal


@pytest.mark.parametrize("text", ["a\0b", "a\ud800b"])
def test_nul_and_half_surrogates_are_refused(book: Book, text: str) -> None:
    refusal = book.refused("new_series", key=SWEEP, question=text, criterion="")

    assert refusal.endswith(book.text("refused_write"))
    assert refusal.count(book.text("refused_write")) == 1


def test_unknown_argument_is_refused_by_name_with_the_right_one(book: Book) -> None:
    other = book.word("frage", "question")
    name = book.surface.tool_name("new_series")
    arguments = {other: "x", book.word("key", "kennung"): SWEEP}

    reply = book.shell.workspace.call(book.shell.client, name, arguments)

    assert reply.is_error
    assert other in reply.text
    assert book.word("question", "frage") in reply.text
