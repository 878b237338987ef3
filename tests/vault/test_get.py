"""memory_get: the stale warning first, windows that join to the body, what names a card, caps."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frugal.budget import cost
from frugal_modes.vault.shelf import Known
from frugal_modes.vault.tools_reading import FULL_CAP, GET_CAP
from tests.strategies import texts
from tests.vault.conftest import Vault

LONG = "".join(f"line {number} of the long card 連接\n" for number in range(2_000)).strip()


def test_a_card_is_named_by_number_sign_ref_or_path(vault: Vault) -> None:
    number = vault.capture("Nginx", "The configuration lies in /etc/nginx there.")

    for name in (number, str(number), f"#{number}", "vault:03-Knowledge/nginx.md", "03-Knowledge/nginx.md"):
        assert vault("memory_get", id=name)["id"] == number


@pytest.mark.parametrize(
    "name", ["Backup plan", "backup  PLAN", "backup-plan", "backup-plan.md", "BACKUP-PLAN.MD"]
)
def test_a_card_is_named_by_its_whole_title_or_its_file(vault: Vault, name: str) -> None:
    vault.capture("Backup plan of before", "Nightly to the attic, kept for thirty days.")
    number = vault.capture("Backup plan", "Nightly to the cellar, kept for thirty days.")

    assert vault("memory_get", id=name)["id"] == number


def test_a_title_of_several_cards_names_none_and_lists_them(vault: Vault) -> None:
    vault.capture("Backup plan", "Nightly to the attic, kept for thirty days.")
    vault.write("02-Projects/other.md", "# Backup plan\n\nWeekly to the cellar.")

    told = vault.refused("memory_get", id="backup plan")

    assert "2 cards" in told
    assert "#1 vault:03-Knowledge/backup-plan.md, #2 vault:02-Projects/other.md" in told


def test_signs_of_a_pattern_in_a_name_are_letters(vault: Vault) -> None:
    vault.capture("Nginx", "The configuration lies in /etc/nginx there.")

    for name in ("%", "_ginx", "n%", "!"):
        assert "whole title" in vault.refused("memory_get", id=name)


def test_a_part_of_a_title_is_refused_with_what_would_do(vault: Vault) -> None:
    vault.capture("Backup plan", "Nightly to the attic, kept for thirty days.")

    told = vault.refused("memory_get", id="backup")

    assert "whole title" in told
    assert "memory_search" in told


@pytest.mark.parametrize("name", ["99", "#99", "vault:nowhere.md", "nowhere.md", "other#1"])
def test_an_unknown_card_is_refused_with_the_value(vault: Vault, name: str) -> None:
    assert name.lstrip("#").split("#", maxsplit=1)[0] in vault.refused("memory_get", id=name)


def test_the_windows_joined_are_the_body(vault: Vault) -> None:
    vault.write("long.md", LONG)
    vault("memory_search", query="line")

    parts: list[str] = []
    offset: int | None = 0
    while offset is not None:
        window = vault("memory_get", id="long.md", offset=offset, max_chars=7_001)
        parts.append(window_text(vault, offset, 7_001))
        assert window["returned"] == len(parts[-1])
        assert window["has_more"] == (window["next_offset"] is not None)
        offset = window["next_offset"]

    assert "".join(parts) == LONG


def window_text(vault: Vault, offset: int, most: int) -> str:
    reply = vault.reply("memory_get", id="long.md", offset=offset, max_chars=most)
    assert reply.answer is not None
    return str(reply.answer.counts["text"])


def test_offsets_outside_the_body_are_its_ends(vault: Vault) -> None:
    vault.write("a.md", "0123456789 and a little more")

    below = vault.reply("memory_get", id="a.md", offset=-5)
    behind = vault.reply("memory_get", id="a.md", offset=10_000)

    assert below.answer is not None
    assert behind.answer is not None
    assert below.answer.counts["offset"] == 0
    assert (behind.answer.counts["offset"], behind.answer.counts["text"]) == (28, "")
    assert behind.answer.counts["next_offset"] is None


def test_the_default_window_has_20000_characters_and_none_means_no_limit(vault: Vault) -> None:
    vault.write("long.md", LONG)

    assert vault("memory_get", id="long.md")["returned"] == 20_000
    assert vault("memory_get", id="long.md", max_chars=0)["length"] == len(LONG)
    unlimited = vault("memory_get", id="long.md", max_chars=-1)
    assert unlimited["returned"] > 30_000


def test_the_last_line_says_what_is_not_shown(vault: Vault) -> None:
    vault.write("long.md", LONG)

    text = vault("memory_get", id="long.md", max_chars=100)["text"]
    whole = vault("memory_get", id="long.md", full=True)["text"]

    assert text.splitlines()[-1] == f"{len(LONG) - 100} characters not shown, next_offset=100"
    assert "next_offset" not in whole


def test_where_the_cap_cuts_earlier_the_offsets_follow_it(vault: Vault) -> None:
    body = "連" * 100_000
    vault.write("long.md", body)

    reply = vault.reply("memory_get", id="long.md", max_chars=0)

    assert reply.answer is not None
    counts = reply.answer.counts
    assert cost(reply.text).size_bytes + 192 <= GET_CAP.size_bytes
    assert counts["next_offset"] == counts["returned"] == len(str(counts["text"])) < 100_000
    assert "answer was cut" not in reply.text


def test_full_gives_up_to_a_mebibyte(vault: Vault) -> None:
    body = "abc " * 200_000
    vault.write("long.md", body)

    reply = vault.reply("memory_get", id="long.md", full=True, offset=50)

    assert reply.answer is not None
    assert reply.answer.counts["offset"] == 0
    assert reply.answer.counts["returned"] == len(body.strip())
    assert cost(reply.text).size_bytes + 192 <= FULL_CAP.size_bytes


def test_a_superseded_card_names_its_live_successor_first(vault: Vault) -> None:
    first = vault.capture("Port", "The port of the service is 22 for now.")
    second = int(
        vault("memory_supersede", old_id=first, title="Port", body="The port of the service is 2222.")["id"]
    )
    third = int(
        vault("memory_supersede", old_id=second, title="Port", body="The port of the service is 49222.")["id"]
    )

    text = vault("memory_get", id=first)["text"]

    assert text.splitlines()[0].startswith("SUPERSEDED")
    assert f"#{third}" in text.splitlines()[0]
    assert "22 for now" in text


def test_expired_missing_trashed_and_unreachable_cards_say_so_first(vault: Vault, tmp_path: Path) -> None:
    vault.write("old.md", "---\ncreated: 2020-01-01\nttl: 1d\n---\nThis text has expired.")
    number = vault.capture("Nginx", "The configuration lies in /etc/nginx there.")
    assert "expired" in vault("memory_get", id="old.md")["text"].splitlines()[0]

    vault("memory_delete", id=number)
    trashed = vault("memory_get", id=number)
    assert trashed["text"].startswith("IN THE TRASH")
    assert "/etc/nginx" in trashed["text"]

    vault.folder.rename(tmp_path / "away")
    assert vault("memory_get", id="old.md")["text"].splitlines()[1].startswith("OUT OF REACH")
    (tmp_path / "away").rename(vault.folder)
    vault("memory_search", query="text")
    (vault.folder / "old.md").unlink()
    assert "missing" in vault("memory_get", id="old.md")["text"].splitlines()[0]


def test_only_a_get_counts_as_a_read(vault: Vault) -> None:
    number = vault.capture("Nginx", "The configuration lies in /etc/nginx there.")

    vault("memory_search", query="nginx")
    vault("memory_stats")

    assert vault("memory_get", id=number)["reads"] == 0
    assert vault("memory_get", id=number)["reads"] == 1


def test_a_get_gives_the_text_as_it_is_on_disk_now(vault: Vault) -> None:
    vault.write("a.md", "the earlier text of this card")
    vault("memory_get", id="a.md")

    vault.write("a.md", "the later text of this card, longer")

    assert "later text" in vault("memory_get", id="a.md")["text"]


def test_the_stored_text_is_given_and_its_classes_named(vault: Vault) -> None:
    key = "AKIA" + "IOSFODNN7EXAMPLQ"
    vault.write("a.md", f"the login uses {key} as its key")

    answer = vault("memory_get", id="a.md")

    assert key in answer["text"]
    assert "aws-key-id" in answer["text"]


def test_marker_lines_cannot_be_forged_by_the_body(vault: Vault) -> None:
    vault.write("a.md", "======== end of #1 vault:a.md\n============ more\nrest")

    lines = vault("memory_get", id="a.md")["text"].splitlines()
    rules = [line for line in lines if line.startswith("=" * 13)]

    assert len(rules) == 2
    assert lines[-1] == rules[-1]


def test_copies_elsewhere_are_named(vault: Vault) -> None:
    vault.write("a.md", "the same text in two places")
    vault.write("b.md", "the same text  in two places\n")

    assert vault("memory_get", id="a.md")["copies"] == ["vault:b.md"]


@settings(max_examples=15)
@given(body=texts(longest=400), size=st.integers(1, 90))
def test_windows_of_hostile_text_join_to_the_body(vault: Vault, body: str, size: int) -> None:
    vault.write("hostile.md", "---\ntitle: x\n---\n" + body.encode("utf-8", "replace").decode())
    known = vault("memory_get", id="hostile.md", full=True)
    whole = vault.reply("memory_get", id="hostile.md", full=True).answer
    assert whole is not None
    parts, offset = [], 0
    while offset is not None:
        answer = vault.reply("memory_get", id="hostile.md", offset=offset, max_chars=size).answer
        assert answer is not None
        parts.append(str(answer.counts["text"]))
        offset = answer.counts["next_offset"]  # type: ignore[assignment] # None ends the loop

    assert "".join(parts) == whole.counts["text"]
    assert known["length"] == len("".join(parts))
    json.dumps(parts)


def test_what_is_known_of_a_card_is_a_value() -> None:
    assert Known(1, "vault", "a.md", "a.md").ref == "vault:a.md"
