"""recipe and result: how it was computed, and the verdict against the criterion."""

import pytest

from tests.notebook.conftest import SWEEP, Book

pytestmark = pytest.mark.usefixtures("utc")


def test_first_recipe_moves_planned_to_running(book: Book) -> None:
    book.sweep()

    answer = book("recipe", key="lr-sweep", command="train --lr 1e-3", arm="B", seed=7)

    assert answer == book.word(
        f"r1 for {SWEEP} (arm B). Status now: running.", f"r1 für {SWEEP} (Arm B). Status jetzt: laeuft."
    )


def test_superseding_recipe_names_the_old_one(book: Book) -> None:
    book.sweep()
    book("recipe", key=SWEEP, command="train")

    answer = book("recipe", key=SWEEP, command="train --fast", arm="B", supersedes="R1")

    assert answer == book.word(
        f"r2 for {SWEEP} (arm B), supersedes r1. Status now: running.",
        f"r2 für {SWEEP} (Arm B), ersetzt r1. Status jetzt: laeuft.",
    )
    assert "r1" not in [line.split()[0] for line in book("series", key=SWEEP).splitlines()]


def test_recipe_for_a_closed_series_states_its_status(book: Book) -> None:
    book.sweep()
    book("edit_series", key=SWEEP, status="aborted", reason="x")

    answer = book("recipe", key=SWEEP, command="train")

    assert book.word("aborted", "abgebrochen") in answer
    assert book.rows("SELECT status FROM series") == [("aborted",)]


def test_command_must_not_be_blank_and_stays_verbatim(book: Book) -> None:
    book.sweep()

    assert book.word("command", "befehl") in book.refused("recipe", key=SWEEP, command=" \n ")
    book("recipe", key=SWEEP, command="a  b \\\n\t--c '#1'", machine="gpu   one")

    assert book.rows("SELECT command, machine FROM recipe") == [("a  b \\\n\t--c '#1'", "gpu one")]


@pytest.mark.parametrize("name", ["command", "code", "parameters", "seed", "machine", "logs"])
def test_literal_fields_may_hold_what_looks_like_a_memory_id(book: Book, name: str) -> None:
    book.sweep()

    book("recipe", **{"key": SWEEP, "command": "x", name: "run #1"})

    assert book.rows(f"SELECT {name} FROM recipe") == [("run #1",)]


@pytest.mark.parametrize("name", ["arm", "note"])
def test_other_fields_refuse_a_bare_memory_id_with_an_example(book: Book, name: str) -> None:
    book.sweep()

    refusal = book.refused("recipe", **{"key": SWEEP, "command": "x", name: "as in #452"})

    assert "box#452" in refusal
    assert "as in #452" in refusal


@pytest.mark.parametrize(
    ("name", "most"),
    [("command", 16_000), ("parameters", 16_000), ("arm", 400), ("seed", 400), ("note", 8_000)],
)
def test_longest_texts_are_taken_and_longer_ones_refused_with_both_numbers(
    book: Book, name: str, most: int
) -> None:
    book.sweep()

    book("recipe", **{"key": SWEEP, "command": "x", name: "y" * most})
    refusal = book.refused("recipe", **{"key": SWEEP, "command": "x", name: "y" * (most + 1)})

    assert str(most + 1) in refusal
    assert str(most) in refusal


@pytest.mark.parametrize("verdict", ["met", "teilweise", "Verfehlt", "tie"])
def test_without_criterion_nothing_is_judged(book: Book, verdict: str) -> None:
    book.sweep(criterion="")

    refusal = book.refused("result", key=SWEEP, verdict=verdict, conclusion="so")

    assert book.word("observation, inconclusive, invalid", "beobachtung, keine_aussage, ungueltig") in refusal


@pytest.mark.parametrize("verdict", ["observation", "keine Aussage", "ungültig"])
def test_without_criterion_an_observation_and_what_judges_nothing_are_possible(
    book: Book, verdict: str
) -> None:
    book.sweep(criterion="")

    book("result", key=SWEEP, verdict=verdict, conclusion="so")

    assert book.rows("SELECT status FROM series") == [("evaluated",)]


def test_unknown_verdict_is_refused_with_the_list(book: Book) -> None:
    book.sweep()

    refusal = book.refused("result", key=SWEEP, verdict="great", conclusion="so")

    assert book.word("inconclusive", "keine_aussage") in refusal
    assert "great" in refusal


def test_new_result_supersedes_the_live_one_by_itself(book: Book) -> None:
    book.sweep()
    book("measurements", key=SWEEP, rows="acc | 0.9")
    book("recipe", key=SWEEP, command="x")
    book("result", key=SWEEP, verdict="met", conclusion="B wins")

    answer = book("result", key=SWEEP, verdict="missed", conclusion="B loses")

    assert answer == book.word(
        f"e2 for {SWEEP}: missed, supersedes e1.", f"e2 für {SWEEP}: verfehlt, ersetzt e1."
    )
    assert book.rows("SELECT number FROM result WHERE superseded_event IS NULL") == [(2,)]


def test_superseded_series_stays_superseded(book: Book) -> None:
    book.sweep()
    book.sweep("vision/new")
    book("edit_series", key=SWEEP, superseded_by="vision/new")

    book("result", key=SWEEP, verdict="met", conclusion="so")

    assert book.rows("SELECT status, successor FROM series WHERE number = 1") == [("superseded", 2)]


def test_result_notes_what_is_missing(book: Book) -> None:
    book.sweep()

    answer = book("result", key=SWEEP, verdict="met", conclusion="so")

    assert book.text("notes.no_measurement") in answer
    assert book.text("notes.no_recipe") in answer


def test_backfilled_series_needs_no_recipe(book: Book) -> None:
    book.sweep(backfill="sheet")

    assert book.text("notes.no_recipe") not in book("result", key=SWEEP, verdict="met", conclusion="so")


def test_result_notes_a_late_criterion_with_stamp_and_reason(book: Book) -> None:
    book.sweep(criterion="")
    book("measurements", key=SWEEP, rows="acc | 0.9")
    book("edit_series", key=SWEEP, criterion="0.8", reason="forgotten")

    answer = book("result", key=SWEEP, verdict="met", conclusion="so")

    assert book.text("notes.late_criterion", stamp="2026-11-02 10:14", reason="forgotten") in answer


def test_blank_conclusion_and_missing_criterion_are_told_together(book: Book) -> None:
    book.sweep(criterion="")

    refusal = book.refused("result", key=SWEEP, verdict="met", conclusion=" ")

    assert book.word("conclusion", "fazit") in refusal
    assert book.word("observation", "beobachtung") in refusal


def test_likely_credential_is_told_by_place_and_never_shown(book: Book) -> None:
    book.sweep()
    secret = "AKIA" + "QWERTZUIOPASDFGH"[:16]

    answer = book("recipe", key=SWEEP, command=f"x --key {secret}")

    assert "aws-key-id" in answer
    assert "frugal-memory notebook erase r1 --field command" in answer
    assert secret not in answer


def test_policy_refuse_stores_no_credential(open_book: object) -> None:
    book = open_book("en", MEMORY_SECRETS="refuse")  # type: ignore[operator]  # a fixture's callable
    book.sweep()
    before = book.dump()

    refusal = book.refused("recipe", key=SWEEP, command="x", note="AKIA" + "QWERTZUIOPASDFGH")

    assert "note" in refusal
    assert "aws-key-id" in refusal
    assert book.dump() == before
