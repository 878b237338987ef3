"""memory_supersede: the new card takes the place of the old one, from either end, without a circle."""

import dataclasses
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from frugal_modes.vault import supersede as module
from tests.vault.conftest import BODY, OTHER_BODY, Vault

OLD = "03-Knowledge/nginx-config.md"
THIRD_BODY = "A third text that says something else again."


@pytest.fixture
def old(vault: Vault) -> int:
    number = vault.capture("Nginx config", tags=["a"])
    vault.clock.advance(hours=1)
    return number


def test_new_card_points_to_the_old_one_and_back(vault: Vault, old: int) -> None:
    before = vault.text(OLD)

    found = vault("memory_supersede", old_id=old, title="Nginx after the move", body=OTHER_BODY)

    assert (found["action"], found["id"], found["superseded"]) == ("created", 2, "#1")
    new = vault.card(found["path"])
    assert (new.supersedes, new.created) == ((OLD,), "2026-11-02T11:14:00.000Z")
    marked = vault.card(OLD)
    assert (marked.superseded_by, marked.invalid_at) == ((found["path"],), new.created)
    added = f"invalid_at: {new.created}\nsuperseded_by: {found['path']}\n"
    assert vault.text(OLD).replace(added, "") == before
    assert (vault.known(old).state, vault.known(2).is_live) == ("superseded", True)
    assert vault.trash() == []


def test_kind_is_given_or_that_of_the_old_card(vault: Vault) -> None:
    number = vault.capture("T", kind="mistake")

    found = vault("memory_supersede", old_id=number, title="U", body=OTHER_BODY)
    assert found["path"] == "08-Mistakes/u.md"

    found = vault("memory_supersede", old_id=found["id"], title="V", body=THIRD_BODY, kind="tool")
    assert found["path"] == "07-Tools/v.md"


def test_kind_that_cannot_be_written_becomes_knowledge(vault: Vault) -> None:
    vault.write("odd.md", "---\nkind: recipe\n---\nA note with a kind of its own.\n")

    found = vault("memory_supersede", old_id="odd.md", title="U", body=OTHER_BODY)

    assert found["path"] == "03-Knowledge/u.md"


def test_old_card_is_no_title_conflict(vault: Vault, old: int) -> None:
    found = vault("memory_supersede", old_id=old, title="Nginx config", body=OTHER_BODY)

    assert "conflict" not in found["text"]
    assert found["path"] == "03-Knowledge/nginx-config-2.md"


def test_another_card_with_the_title_is_named(vault: Vault, old: int) -> None:
    vault.capture("Nginx", THIRD_BODY)

    found = vault("memory_supersede", old_id=old, title="Nginx", body=OTHER_BODY)

    assert (found["action"], found["conflict"], found["count"]) == ("created", True, 1)


def test_same_content_as_the_old_card_is_refused(vault: Vault, old: int) -> None:
    told = vault.refused("memory_supersede", old_id=old, title="Nginx config", body=BODY)

    assert "memory_update" in told
    assert vault.known(old).is_live
    assert vault.files() == [OLD]


def test_kind_changes_with_the_same_content(vault: Vault, old: int) -> None:
    found = vault("memory_supersede", old_id=old, title="Nginx config", body=BODY, kind="tool")

    assert found["path"] == "07-Tools/nginx-config.md"
    assert vault.known(old).state == "superseded"


def test_superseded_card_is_refused_and_the_live_end_named(vault: Vault, old: int) -> None:
    second = vault("memory_supersede", old_id=old, title="B", body=OTHER_BODY)
    third = vault("memory_supersede", old_id=second["id"], title="C", body=THIRD_BODY)

    told = vault.refused("memory_supersede", old_id=old, title="D", body="A fourth text, different again.")

    assert f"#{third['id']}" in told
    assert third["path"] in told
    assert len(vault.files()) == 3


def test_content_of_the_live_end_is_unchanged(vault: Vault, old: int) -> None:
    second = vault("memory_supersede", old_id=old, title="B", body=OTHER_BODY)

    found = vault("memory_supersede", old_id=old, title="B", body=OTHER_BODY)

    assert (found["action"], found["id"]) == ("unchanged", second["id"])


def test_text_that_was_superseded_becomes_true_again_as_a_third_card(vault: Vault, old: int) -> None:
    second = vault("memory_supersede", old_id=old, title="B", body=OTHER_BODY)

    third = vault("memory_supersede", old_id=second["id"], title="Nginx config", body=BODY)

    assert third["action"] == "created"
    states = [vault.known(number).state for number in (old, second["id"], third["id"])]
    assert states == ["superseded", "superseded", ""]
    assert f"#{third['id']}" in vault.refused("memory_supersede", old_id=old, title="X", body=THIRD_BODY)


def test_another_live_card_that_says_the_same_gets_the_pointer(vault: Vault, old: int) -> None:
    twin = vault("memory_capture", title="B", body=OTHER_BODY)

    found = vault("memory_supersede", old_id=old, title="B", body=OTHER_BODY)

    assert (found["action"], found["id"]) == ("pointed", twin["id"])
    assert len(vault.files()) == 2
    assert vault.card(twin["path"]).supersedes == (OLD,)
    assert vault.card(OLD).superseded_by == (twin["path"],)
    assert vault.known(old).state == "superseded"


def test_card_that_supersedes_two_has_a_list(vault: Vault, old: int) -> None:
    other = vault("memory_capture", title="Other", body=THIRD_BODY)
    twin = vault("memory_supersede", old_id=old, title="B", body=OTHER_BODY)

    vault("memory_supersede", old_id=other["id"], title="B", body=OTHER_BODY)

    assert vault.card(twin["path"]).supersedes == (OLD, other["path"])
    assert [vault.known(number).is_live for number in (old, other["id"], twin["id"])] == [False, False, True]


def test_circle_is_refused(vault: Vault, old: int, monkeypatch: pytest.MonkeyPatch) -> None:
    second = vault("memory_supersede", old_id=old, title="B", body=OTHER_BODY)
    third = vault("memory_supersede", old_id=second["id"], title="C", body=THIRD_BODY)
    # The index hides what is superseded, so only an index that lags behind can offer the first card as a twin.
    lagging = dataclasses.replace(vault.known(old), is_live=True, state="")
    monkeypatch.setattr(module, "same_cards", lambda scribe, draft: [lagging])

    told = vault.refused("memory_supersede", old_id=third["id"], title="Nginx config", body=BODY)

    assert "cannot supersede each other" in told
    assert vault.known(third["id"]).is_live


def test_body_that_talks_about_invalid_at_can_be_superseded(vault: Vault) -> None:
    vault.capture("Format", "invalid_at: 2020-01-01\nsuperseded_by: nothing\n---\nis what it looks like.")

    found = vault("memory_supersede", old_id=1, title="Format now", body=OTHER_BODY)

    assert vault.known(1).state == "superseded"
    assert vault.card("03-Knowledge/format.md").superseded_by == (found["path"],)


def test_old_card_without_front_matter_gets_the_pointers(vault: Vault) -> None:
    vault.write("plain.md", "# Plain\n\nText of a plain note.\n")

    found = vault("memory_supersede", old_id="plain.md", title="New", body=OTHER_BODY)

    text = vault.text("plain.md")
    assert text.startswith(
        f"---\ninvalid_at: 2026-11-02T10:14:00.000Z\nsuperseded_by: {found['path']}\n---\n# Plain\n"
    )


def test_old_card_with_broken_front_matter_stays_and_is_hidden(vault: Vault) -> None:
    text = "---\ntitle: a: b\n---\nText of a broken note.\n"
    vault.write("broken.md", text)

    found = vault("memory_supersede", old_id="broken.md", title="New", body=OTHER_BODY)

    assert "no YAML" in found["text"]
    assert vault.text("broken.md") == text
    assert vault.known("broken.md").state == "superseded"


def test_deleted_card_cannot_be_superseded(vault: Vault, old: int) -> None:
    vault("memory_delete", id=old)

    assert "deleted" in vault.refused("memory_supersede", old_id=old, title="B", body=OTHER_BODY)


def test_end_between_the_two_writes_is_harmless(
    vault: Vault, old: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(*_args: Any, **_named: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "_mark", die)
    with pytest.raises(KeyboardInterrupt):
        vault("memory_supersede", old_id=old, title="B", body=OTHER_BODY)
    monkeypatch.undo()

    assert vault.card(OLD).superseded_by == ()
    found = vault("memory_supersede", old_id=old, title="B", body=OTHER_BODY)
    assert found["action"] == "unchanged"
    assert vault.known(old).state == "superseded"


def test_revive_is_refused_while_the_successor_lives(vault: Vault, old: int) -> None:
    new = vault("memory_supersede", old_id=old, title="B", body=OTHER_BODY)

    told = vault.refused("memory_update", id=old, revive=True)

    assert f"#{new['id']}" in told
    assert vault.known(old).state == "superseded"


def test_deleting_the_successor_names_the_old_card_and_revive_brings_it_back(vault: Vault, old: int) -> None:
    before = vault.text(OLD)
    new = vault("memory_supersede", old_id=old, title="B", body=OTHER_BODY)

    deleted = vault("memory_delete", id=new["id"])
    assert "memory_update(1, revive=true)" in deleted["text"]
    assert vault.known(old).state == "superseded"

    found = vault("memory_update", id=old, revive=True)
    assert found["changed"] == ["revive"]
    assert vault.known(old).is_live
    assert [line for line in vault.text(OLD).split("\n") if not line.startswith("updated")] == [
        line for line in before.split("\n") if not line.startswith("updated")
    ]


def test_chain_shows_exactly_one_member_at_every_time(vault: Vault, old: int) -> None:
    numbers = [old]
    for count in range(4):
        vault.clock.advance(hours=1)
        found = vault("memory_supersede", old_id=numbers[-1], title=f"T{count}", body=f"{OTHER_BODY} {count}")
        numbers.append(found["id"])
    start = vault.clock.moment

    for half_hours in range(9):
        vault.clock.moment = start
        vault.clock.advance(minutes=-30 * half_hours)
        assert sum(vault.known(number).is_live for number in numbers) == 1


@pytest.mark.parametrize(
    ("created", "invalid"),
    [
        ([1, 5, 9], [5, 9, None]),
        ([1, 20, 5], [3, 4, None]),  # the second card is dated behind the third
        ([1, 20], [3, None]),  # and its end was written when it began
        ([20, 3], [3, None]),
        ([9, 7, 5, 3], [None, None, None, None]),
        ([1, None, 5], [2, 5, None]),  # of an unreadable date: always there
    ],
)
@pytest.mark.parametrize("is_pointing_back", [True, False])
def test_chain_dated_by_hand_shows_exactly_one_member_from_its_start_on(
    vault: Vault, created: list[int | None], invalid: list[int | None], is_pointing_back: bool
) -> None:
    for number, (begin, end) in enumerate(zip(created, invalid, strict=True)):
        lines = ["---", f"created: 2026-01-{begin:02}T00:00:00Z" if begin else "created: some day"]
        lines += [f"invalid_at: 2026-01-{end:02}T00:00:00Z"] if end else []
        if is_pointing_back and number:
            lines.append(f"supersedes: {number - 1}.md")
        if not is_pointing_back and number + 1 < len(created):
            lines.append(f"superseded_by: {number + 1}.md")
        vault.write(f"{number}.md", "\n".join([*lines, "---", f"The text number {number} of this chain."]))
    vault("memory_stats")

    for day in range(min(begin or 1 for begin in created), 31):
        vault.clock.moment = datetime(2026, 1, day, 12, tzinfo=UTC)
        assert sum(vault.known(f"{number}.md").is_live for number in range(len(created))) == 1, day


def test_circle_written_by_hand_hides_all_but_one(vault: Vault) -> None:
    vault.write("a.md", "---\ncreated: 2026-01-01\nsuperseded_by: b.md\n---\nThe text of the first card.")
    vault.write("b.md", "---\ncreated: 2026-01-02\nsuperseded_by: a.md\n---\nThe text of the second card.")

    found = vault("memory_search", query="text")

    assert found["total"] == 1
    assert [item["path"] for item in found["existing"]] == ["a.md"]


def test_card_of_another_vault_hides_nothing(open_vault: Callable[..., Vault], tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes/n.md").write_text("A note about the old zebra road.", encoding="utf-8")
    first = open_vault(folder="one")
    first("source add", kind="markdown", path=str(tmp_path / "notes"), name="notes")
    first("memory_supersede", old_id="notes:n.md", title="Zebra", body=OTHER_BODY)
    assert first.known("notes:n.md").state == "superseded"
    first.workspace.close()

    second = open_vault(folder="two")
    second("memory_stats")

    assert second.known("notes:n.md").is_live
