"""The generated corpus: numbers as promised, the same for the same arguments, truth that only the truth file knows."""

import itertools
import json
import re
import stat
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from frugal.api import STOP, analyse
from frugal.call import Client
from frugal_modes.evidence.generator import plain
from frugal_modes.evidence.generator.concerns import CATEGORIES, WORDINGS, concern_forms
from frugal_modes.evidence.generator.draws import Draws
from frugal_modes.evidence.generator.plan import CONCERN, NEAR, ORDINARY, Planned, plan
from frugal_modes.evidence.generator.profiles import DAY_MS, PROFILES
from frugal_modes.evidence.generator.truth import Truth

WEEK = "c-480c7206cebaac63"
"""The version of the week with seed 1 and the training wording, on every platform."""


@pytest.fixture(scope="module")
def month() -> list[Planned]:
    return list(plan(PROFILES["month"], 1, "train"))


def stems(form: str) -> set[str]:
    """Return the content stems of a form, its slots left out."""
    return {token.term for token in analyse(re.sub(r"\{\w+\}", " ", form)) if not token.flags & STOP}


@pytest.mark.parametrize("category", CATEGORIES)
def test_a_category_has_twelve_and_six_forms_that_share_at_most_one_stem(category: str) -> None:
    training, held_out = (concern_forms(wording)[category] for wording in WORDINGS)

    assert (len(training), len(held_out)) == (12, 6)
    for one, other in itertools.combinations((*training, *held_out), 2):
        assert len(stems(one) & stems(other)) <= 1, (one, other)
    shared = set().union(*map(stems, training)) & set().union(*map(stems, held_out))
    assert len(shared) <= 1


def test_the_other_forms_are_as_many_as_promised() -> None:
    assert (len(plain.MENTIONS), len(plain.ORDINARY), len(plain.NEAR_MISSES)) == (24, 60, 12)
    assert all("{product}" in form for form in plain.MENTIONS)
    assert all("{near}" in form for form in plain.NEAR_MISSES)
    assert not any("{product}" in form or "{near}" in form for form in plain.ORDINARY)


@pytest.mark.parametrize(
    ("profile", "sizes"),
    [("week", (7, 10_000, 20, 13)), ("month", (30, 40_000, 20, 13)), ("million", (365, 1_000_000, 200, 120))],
)
def test_a_profile_is_as_large_as_promised(profile: str, sizes: tuple[int, ...]) -> None:
    found = PROFILES[profile]

    assert (found.days, found.messages, found.people, found.conversations) == sizes


def test_a_month_has_the_promised_numbers(month: list[Planned]) -> None:
    subject = [message for message in month if message.canonical or message.alias]
    by_clients = [message for message in subject if message.sender.kind == "client"]
    planted = Counter(message.category for message in month if message.sort == CONCERN)

    assert len(month) == 40_000
    assert 1_100 <= len(subject) <= 1_200
    assert 400 <= len(by_clients) <= 470
    assert planted == dict.fromkeys(CATEGORIES, 16)
    assert {message.sender.kind for message in month if message.sort == CONCERN} == {"client"}
    assert len({message.sender.identity for message in month}) == 20
    assert len({message.room.identity for message in month}) == 13
    organizations = {message.sender.organization for message in month if message.sender.kind == "client"}
    assert len(organizations) == 5
    assert sum(plain.MARKER in message.text for message in month) == 400
    assert 0.22 < sum(bool(message.thread) for message in month) / len(month) < 0.28
    assert any(re.search("[\u4e00-\u9fff]", message.text) for message in month)
    assert any("ß" in message.text or "ü" in message.text for message in month)


def test_times_ascend_within_the_span(month: list[Planned]) -> None:
    times = [message.sent_at for message in month]

    assert times == sorted(times)
    assert 29 * DAY_MS < times[-1] - times[0] < 30 * DAY_MS


def test_near_misses_and_ordinary_messages_never_name_the_product(month: list[Planned]) -> None:
    names = re.compile(rf"(?<!\w)({re.escape(plain.PRODUCT)}|{re.escape(plain.ALIAS)})(?!\w)", re.IGNORECASE)
    misses = [message.text for message in month if message.sort == NEAR]

    assert not any(names.search(message.text) for message in month if message.sort in (NEAR, ORDINARY))
    for sort in ("Velo rand", "Velo-rand", "Vel\u00f3rand", "Velo\u0301rand", "Velorandia", "Velorix"):
        assert any(sort in text for text in misses), sort


def test_every_seed_keeps_the_promises() -> None:
    for seed in (2, 3):
        truth = Truth(lambda identity: identity)
        for _ in truth.watch(plan(PROFILES["month"], seed, "held-out")):
            pass
        assert 1_100 <= truth.every.both.messages <= 1_200
        assert 400 <= truth.client.both.messages <= 470
        assert {len(refs) for refs in truth.categories.values()} == {16}


def test_drawn_numbers_are_these_on_every_platform() -> None:
    draws = Draws("a", 1)

    assert [draws.below(100) for _ in range(8)] == DRAWN
    assert sorted(Draws("b").places(50, 60)) == sorted(set(Draws("b").places(50, 60)))


DRAWN = [50, 30, 99, 77, 68, 27, 90, 90]


def generate(shell: Any, out: Path, **options: object) -> Any:
    arguments = {"out": str(out), "profile": "week", **options}
    return shell.workspace.call(Client(), "evidence_generate", arguments, from_shell=True)


def test_the_same_arguments_give_the_same_corpus_everywhere(shell: Any, tmp_path: Path) -> None:
    first = generate(shell, tmp_path / "a.db").answer.counts
    other_seed = generate(shell, tmp_path / "b.db", seed=2).answer.counts

    assert first["corpus_version"] == WEEK
    assert other_seed["corpus_version"] != WEEK
    assert not (tmp_path / "evidence.db").exists()


def test_the_truth_names_refs_and_is_readable_by_its_owner_alone(shell: Any, tmp_path: Path) -> None:
    generate(shell, tmp_path / "a.db")

    path = tmp_path / "a.db.truth.json"
    truth = json.loads(path.read_text("utf-8"))
    refs = [ref for refs in truth["categories"].values() for ref in refs]
    assert all(re.fullmatch("m-[a-z2-7]{13}", ref) for ref in refs)
    assert len(set(refs)) == 20
    assert truth["messages"] == 10_000
    if sys.platform != "win32":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_existing_files_stay_unless_force_is_given(shell: Any, tmp_path: Path) -> None:
    out = tmp_path / "a.db"
    out.write_text("mine", "utf-8")

    refused = generate(shell, out)
    assert refused.is_error
    assert refused.answer.exit_code != 0
    assert out.read_text("utf-8") == "mine"

    assert not generate(shell, out, force=True).is_error
    assert out.read_bytes().startswith(b"SQLite format 3")


def test_a_link_in_place_of_the_file_is_left_alone(shell: Any, tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.write_text("mine", "utf-8")
    (tmp_path / "a.db").symlink_to(target)

    assert generate(shell, tmp_path / "a.db", force=True).is_error
    assert target.read_text("utf-8") == "mine"
