"""Learned questions follow a card that was superseded: the new one answers in its place, and is judged in its place."""

import pytest

from frugal.call import Client
from frugal_modes.vault.upkeep import upkeep
from tests.vault.conftest import Vault

QUESTION = "zebra crossing"


def taught(vault: Vault) -> int:
    """Let a question be answered by a card that is superseded then; return the number of the new card."""
    for number in range(4):
        vault.capture(f"zebra {number}", f"zebra crossing {'zebra ' * number} number{number} here")
    last = vault("memory_search", query=QUESTION)["existing"][-1]
    vault("memory_get", id=last["id"])
    vault.workspace.settle()
    body = "The zebra was moved: the crossing lies at the north gate now."
    new = vault("memory_supersede", old_id=last["id"], title="zebra moved", body=body)
    return int(new["id"])


def pass_over(vault: Vault, number: int) -> None:
    """Ask the question and read another card than *number*."""
    hits = vault("memory_search", query=QUESTION)["existing"]
    vault("memory_get", id=next(hit["id"] for hit in hits if hit["id"] != number))
    vault.workspace.settle()


def asked_before(vault: Vault) -> str:
    text = vault("memory_search", query=QUESTION)["text"]
    return next((part for part in text.splitlines()[0].split(" · ") if part.startswith("asked before")), "")


def test_successor_of_a_learned_card_stands_in_its_place(vault: Vault) -> None:
    new = taught(vault)

    assert f"#{new}" in asked_before(vault)


def test_successor_that_is_passed_over_twice_is_no_answer_any_more(vault: Vault) -> None:
    new = taught(vault)

    for _ in range(2):
        pass_over(vault, new)

    assert f"#{new}" not in asked_before(vault)


def test_confirmed_successor_takes_the_place_of_the_pair_over(vault: Vault) -> None:
    new = taught(vault)
    vault("memory_search", query=QUESTION)

    vault("memory_get", id=new)
    vault.workspace.settle()

    with vault.workspace.store.read() as db:
        assert [row[0] for row in db.execute("SELECT number FROM learned")] == [new]


def pairs(vault: Vault) -> int:
    with vault.workspace.store.read() as db:
        return int(db.execute("SELECT count(*) FROM learned").fetchone()[0])


@pytest.mark.parametrize(("days", "left"), [(364, 1), (366, 0)])
def test_upkeep_drops_what_nobody_confirmed_for_a_year(vault: Vault, days: int, left: int) -> None:
    taught(vault)
    vault.clock.advance(days=days)
    call = vault.workspace.new_call(Client())

    dry = upkeep(call, is_dry_run=True)
    kept = pairs(vault)
    done = upkeep(call)

    assert kept == 1
    assert pairs(vault) == left
    assert dry.counts["changes"] == done.counts["changes"] == 1 - left
    assert ("unconfirmed for a year" in done.text) is not bool(left)
    assert upkeep(call).counts["changes"] == 0


def learn(vault: Vault, *numbers: int) -> None:
    """Write pairs as every version did, the first confirmed longest ago."""
    with vault.workspace.store.write() as db:
        for day, number in enumerate(numbers, 1):
            at = f"2026-11-0{day}T06:14:00.123Z"
            db.execute("INSERT INTO learned VALUES ('crossing zebra', ?, ?, 2, ?, 0)", (number, QUESTION, at))


def test_learned_answers_that_the_filters_hide_take_no_place_in_front(vault: Vault) -> None:
    wanted = vault.capture("crossing", "zebra crossing at the north gate", kind="mistake")
    learn(
        vault, wanted, *(vault.capture(f"zebra {place}", f"the crossing in lane {place}") for place in "abcd")
    )

    unfiltered = asked_before(vault)
    filtered = vault("memory_search", query=QUESTION, kind="mistake")["text"].splitlines()[0]

    assert unfiltered.count("#") == 3
    assert filtered.endswith(f"asked before: #{wanted}")


def test_what_an_earlier_version_learned_is_still_known(vault: Vault) -> None:
    number = vault.capture("crossing", "zebra crossing at the north gate")
    vault.capture("zebra", "zebra crossing zebra crossing in a lane")
    learn(vault, number)

    assert f"#{number}" in asked_before(vault)
