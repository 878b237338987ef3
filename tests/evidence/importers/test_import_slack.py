"""Slack: folders are conversations, threads keep their roots, marks become what readers saw."""

from pathlib import Path

import pytest
from import_desk import Desk, write_json, zip_folder
from slack_export import DAY, GENERAL, TS, ts, write_export


@pytest.fixture
def imported(desk: Desk, tmp_path: Path) -> Desk:
    desk.take(write_export(tmp_path / "export"))
    return desk


def test_a_zip_and_its_folder_are_the_same_corpus(desk: Desk, tmp_path: Path) -> None:
    folder = write_export(tmp_path / "export")
    archive = zip_folder(folder, tmp_path / "export.zip")

    first, second = desk.take(archive), desk.take(folder)

    assert first["format"] == second["format"] == "slack"
    assert second["unchanged"] == first["inserted"]
    assert first["version_after"] == second["version_after"]


def test_the_folder_gives_the_conversation_and_direct_messages_are_found_by_id(imported: Desk) -> None:
    kinds = {
        (message["conversation"], message["conversation_name"], message["conversation_type"])
        for message in imported.messages()
    }

    assert kinds == {
        ("C1", "general", "public_channel"),
        ("G1", "secret-plans", "private_channel"),
        ("D0000001", "first, Second Person", "direct_message"),
        ("G2", "mpdm-first--second--third-1", "group_direct_message"),
    }


def test_a_root_is_in_its_own_thread_and_a_missing_root_leaves_its_replies(imported: Desk) -> None:
    root = imported.one("root @Second Person")

    assert root["thread"] == imported.one("to all")["thread"] == f"C1:{ts(1)}"
    assert root["reply_to"] == ""
    assert imported.one("orphan")["thread"] == f"C1:{ts(-999)}"


def test_what_was_sent_to_thread_and_channel_counts_once(imported: Desk) -> None:
    assert imported.texts().count("to all") == 1


def test_marks_are_resolved_before_entities_and_the_raw_text_is_kept(imported: Desk) -> None:
    message = imported.one("reply <@U1> &amp; more")

    assert message["text_raw"] == "reply &lt;@U1&gt; &amp;amp; more"
    assert message["sent_at"] == (TS + 2) * 1000


def test_links_channels_groups_and_dates_read_as_they_were_shown(imported: Desk) -> None:
    shown = "see #general, the page (https://a.example/x?a=1&b=2), https://b.example, x@y.example, @here, @team 18 Feb"

    assert imported.one(shown)["text_raw"]


def test_a_bot_without_text_says_what_its_card_says(imported: Desk) -> None:
    message = imported.one("Build\ngreen\nNo: 7")

    assert (message["sender"], message["sender_name"], message["sender_type"]) == ("B1", "Deployer", "bot")


def test_a_stranger_is_known_by_profile(imported: Desk) -> None:
    message = imported.one("a stranger")

    assert (message["sender"], message["sender_name"]) == ("U9", "Stranger Name")


def test_what_the_program_says_is_the_systems(imported: Desk) -> None:
    message = imported.one("@Second Person has joined the channel")

    assert (message["sender_type"], message["subtype"]) == ("system", "channel_join")


def test_blocks_and_files_stand_in_for_an_empty_text(imported: Desk) -> None:
    assert imported.one("block for @Second Person:wave:")
    assert imported.one("[file: The plan]")


def test_an_edit_is_dated_and_an_empty_message_rejected(desk: Desk, tmp_path: Path) -> None:
    counts = desk.take(write_export(tmp_path / "export"))

    assert desk.one("fixed")["edited_at"] == (TS + 60) * 1000
    assert counts["rejected"] == {"text_missing": 1}


def test_an_edited_message_of_a_newer_export_is_updated(desk: Desk, tmp_path: Path) -> None:
    folder = write_export(tmp_path / "export")
    desk.take(folder)
    edited = {**GENERAL[0], "text": "root, edited", "edited": {"user": "U1", "ts": ts(99)}}
    write_json(folder / "general" / f"{DAY}.json", [edited, *GENERAL[1:]])

    counts = desk.take(folder)

    assert (counts["updated"], counts["inserted"]) == (1, 0)
    assert desk.revisions() == ["root @Second Person"]


def test_rules_see_e_mail_domain_and_team(desk: Desk, tmp_path: Path) -> None:
    rules = tmp_path / "rules.toml"
    rules.write_text(
        '[[rule]]\norganization = "North"\ntype = "client"\ndomains = ["north.example"]\n'
        '[[rule]]\norganization = "Far"\ntype = "client"\nteams = ["T9"]\n',
        "utf-8",
    )

    desk.take(write_export(tmp_path / "export"), rules=str(rules))

    assert desk.one("fixed")["organization"] == "North"
    assert desk.one("a stranger")["organization"] == "Far"
    assert desk.one("orphan")["sender_type"] == "unknown"


def test_a_day_that_is_damaged_does_not_take_the_others_along(desk: Desk, tmp_path: Path) -> None:
    folder = write_export(tmp_path / "export")
    (folder / "general" / f"{DAY}.json").write_text(
        '[{"user": "U1", "text": "kept", "ts": "1709640000.1"}, {"us', "utf-8"
    )
    (folder / "secret-plans" / f"{DAY}.json").write_text('{"not": "an array"}', "utf-8")

    counts = desk.take(folder)

    assert "kept" in desk.texts()
    assert "in D0000001" in desk.texts()
    assert counts["rejected"] == {"bad_json": 1, "truncated_source": 1}


def test_days_without_the_lists_are_an_export_too(desk: Desk, tmp_path: Path) -> None:
    folder = tmp_path / "export"
    write_json(
        folder / "general" / f"{DAY}.json", [{"type": "message", "user": "U1", "text": "x", "ts": ts(1)}]
    )

    assert desk.take(folder)["format"] == "slack"

    assert (desk.one("x")["conversation"], desk.one("x")["sender_name"]) == ("general", "U1")
