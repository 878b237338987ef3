"""remember names what is stored already: similar entries and the numbers that changed."""

import pytest
from desk import change

from frugal.errors import StoreFailed


def similar_ids(answer: str) -> list[str]:
    return [line.split()[2] for line in answer.splitlines() if line[:1].isdigit() and " % #" in line]


def test_a_contradiction_names_the_older_entry_and_both_numbers(desk):
    desk.store("The pool size is 10", tags="shop", kind="decision")

    answer = desk("remember", text="The pool size is 20", tags="shop", kind="decision")

    assert desk.say("similar") in answer
    assert similar_ids(answer) == ["#1"]
    assert desk.say("numbers", change=change("10", "20")) in answer


def test_the_superseded_entry_is_not_similar_but_its_numbers_are_named(desk):
    old = desk.store("SSH of the bastion listens on port 22", kind="interface")

    answer = desk(
        "remember", text="SSH of the bastion listens on port 49222", kind="interface", supersedes=str(old)
    )

    assert desk.say("superseded", ids="#1") in answer
    assert desk.say("numbers", change=change("22", "49222")) in answer
    assert similar_ids(answer) == []


def test_only_the_corrected_fact_is_recalled(desk):
    old = desk.store("SSH of the bastion listens on port 22")
    desk.store("SSH of the bastion listens on port 49222", supersedes=str(old))

    hits = [line for line in desk("recall", query="bastion port").splitlines() if line.startswith("#")]

    assert len(hits) == 1
    assert "49222" in hits[0]


def test_unlike_entries_are_not_named(desk):
    desk.store("Backups run at night on the archive host")

    answer = desk("remember", text="The pool size of the shop database is 20")

    assert desk.say("similar") not in answer


def test_a_share_below_the_floor_is_not_named(desk):
    desk.store("alpha beta gamma delta epsilon zeta eta theta iota kappa")

    answer = desk("remember", text="alpha beta gamma delta epsilon one two three four five six seven")

    assert similar_ids(answer) == []


def test_at_most_three_similar_entries_newer_before_older(desk):
    for number in range(5):
        desk.store(f"The retry limit of the importer is {number}")

    answer = desk("remember", text="The retry limit of the importer service")

    assert similar_ids(answer) == ["#5", "#4", "#3"]


def test_the_best_comes_first(desk):
    desk.store("The retry limit of the nightly importer job is 7 in production")
    desk.store("The retry limit of the nightly importer job is 7")

    answer = desk("remember", text="The retry limit of the nightly importer job is 9 in production")

    assert similar_ids(answer) == ["#1", "#2"]


def test_entries_of_hidden_kinds_count_as_similar(desk):
    desk.store("The pool size is 10", kind="history")

    assert similar_ids(desk("remember", text="The pool size is 20")) == ["#1"]


def test_hidden_entries_do_not(desk):
    desk.store("The pool size is 10")
    desk("forget", ids="1")

    assert similar_ids(desk("remember", text="The pool size is 20")) == []


def test_an_identical_text_is_not_similar_to_itself(desk):
    desk.store("The pool size is 10")

    answer = desk("remember", text="The pool size is 10")

    assert answer.startswith(desk.say("again"))
    assert similar_ids(answer) == []


def test_same_words_without_a_changed_number_have_no_number_note(desk):
    desk.store("The pool size is 10 in the shop")

    answer = desk("remember", text="The pool size is 10 in the new shop")

    assert "->" not in answer


def test_at_most_three_numbers_a_side_are_shown(desk):
    desk.store("limits alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu 1 2 3 4 5")

    answer = desk(
        "remember",
        text="limits alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu 11 12 13 14",
    )

    assert desk.say("numbers", change="1, 2, 3 (+2) -> 11, 12, 13 (+1)") in answer


def test_search_words_play_no_part(desk):
    desk.store("The pool size is 10", also="quota 99")

    answer = desk("remember", text="Something else entirely about 55", also="The pool size is 20")

    assert desk.say("similar") not in answer


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (RuntimeError("a secret detail"), ("internal error", "interner Fehler")),
        (StoreFailed(path="/somewhere/private", reason="disk I/O error"), ("disk I/O error",) * 2),
    ],
)
def test_a_failing_hint_neither_undoes_nor_hides_the_storing(desk, monkeypatch, capsys, error, reason):
    def fail(*_arguments: object, **_named: object) -> None:
        raise error

    monkeypatch.setattr("frugal.entries.hints.similar", fail)

    answer = desk("remember", text="The pool size is 10")

    assert answer.startswith(desk.say("stored", id="#1"))
    assert answer.splitlines()[-1] == desk.say("not_checked") + reason[0 if desk.is_english else 1] + ")"
    assert "private" not in answer
    assert "detail" not in answer
    assert desk.rows("SELECT text FROM entry") == [("The pool size is 10",)]


def test_the_lines_of_an_answer_stand_in_a_fixed_order(desk):
    text = "The pool of the shop is described here at length. " * 19
    for number in range(2):
        desk.store(f"2026-11-0{number + 1} {text}", tags="x")

    answer = desk(
        "remember", text=f"2026-11-05 {text} AKIAIOSFODNN7ABCDEFG", tags="pitfall", supersedes="1,99"
    )

    clues = [
        desk.say("stored", id="#3"),
        desk.name("classify") + '("3"',
        " characters;" if desk.is_english else " Zeichen;",
        "This looks like a chronicle" if desk.is_english else "Das sieht nach einer Chronik aus",
        "aws-key-id",
        f'{desk.name("kind")}="{desk.kind("pitfall")}"',
        desk.say("superseded", ids="#1"),
        "#99",
        desk.say("similar"),
        " % #2 ",
    ]
    places = [answer.index(clue) for clue in clues]
    assert places == sorted(places)
