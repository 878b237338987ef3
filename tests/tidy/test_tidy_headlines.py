"""remember names a live entry under the same bold headline, even if nothing else in the two texts is alike."""

import pytest

from frugal.entries.headlines import NEWEST, SAME_HEADLINE

HEAD = "**Deploy of the shop frontend**"
OLD = f"{HEAD}: copy the build to the bucket, then purge every cached page by hand before noon"
NEW = f"{HEAD} happens through a pipeline now; merging triggers canary rollout, metrics gate promotion afterwards"
WORDS = {"en": "Same headline: ", "de": "Gleiche Überschrift: "}


def headline_lines(desk, answer: str) -> list[str]:
    return [line for line in answer.splitlines() if line.startswith(WORDS[desk.workspace.surface.language])]


def test_the_live_entry_under_the_same_headline_is_named(desk):
    desk.store(OLD, kind="workflow")

    told = desk.reply("remember", text=NEW, kind="workflow")

    (line,) = headline_lines(desk, told.text)
    assert "#1 [" in line
    assert "Deploy of the shop frontend" in line
    assert '"1"' in told.text.splitlines()[-1]
    assert told.answer.counts["same_headline"] == [1]
    assert desk.say("similar") not in told.text


def test_an_entry_that_is_similar_is_named_once(desk):
    desk.store(OLD)

    answer = desk("remember", text=OLD.replace("noon", "midnight"))

    assert desk.say("similar") in answer
    assert headline_lines(desk, answer) == []


def test_superseded_entries_and_the_entry_itself_are_not_named(desk):
    old = desk.store(OLD)

    superseding = desk("remember", text=NEW, supersedes=str(old))
    again = desk("remember", text=NEW)

    assert headline_lines(desk, superseding) == headline_lines(desk, again) == []


def test_the_newest_of_several_is_named(desk):
    desk.store(OLD)
    desk.store(f"{HEAD}: its certificate expires each March, renew through ACME")

    (line,) = headline_lines(desk, desk("remember", text=NEW))

    assert "#2 2026" in line


@pytest.mark.parametrize("text", ["Deploy of the shop frontend, later", "**Deploy of the shop backend**: no"])
def test_another_headline_or_none_names_nothing(desk, text):
    desk.store(OLD)

    assert headline_lines(desk, desk("remember", text=text)) == []


def test_a_likely_credential_in_the_headline_is_not_repeated(desk):
    key = "AKIA" + "IOSFODNN7ABCDEFG"
    desk.store(f"**The key of the bucket is {key}** and is kept by the operators of night shifts")

    answer = desk(
        "remember", text=f"**The key of the bucket is {key}** although rotation was promised weekly"
    )

    assert len(headline_lines(desk, answer)) == 1
    assert key not in answer


def test_headlines_are_looked_up_in_their_index(desk):
    desk.store(OLD)
    values = {"title": "x", "newest": NEWEST, "left_out": "[]"}

    with desk.workspace.store.read() as db:
        plan = [row["detail"] for row in db.execute(f"EXPLAIN QUERY PLAN {SAME_HEADLINE}", values)]

    assert any("entry_by_headline (title=?)" in step for step in plan), plan
    assert not any(step.startswith("SCAN entry") for step in plan), plan
