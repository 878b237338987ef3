"""Mattermost: posts with their replies inside, direct posts, the system and webhooks."""

import zipfile
from pathlib import Path

import pytest
from import_desk import Desk, write_lines

AT = 1_700_000_000_000

LINES: list[object] = [
    {"type": "version", "version": 1},
    {"type": "team", "team": {"name": "crew", "display_name": "Crew"}},
    {
        "type": "channel",
        "channel": {"team": "crew", "name": "town-square", "display_name": "Town Square", "type": "O"},
    },
    {"type": "channel", "channel": {"team": "crew", "name": "plans", "display_name": "Plans", "type": "P"}},
    {"type": "user", "user": {"username": "first", "email": "first@north.example", "nickname": "The First"}},
    {
        "type": "user",
        "user": {"username": "second", "first_name": "Second", "last_name": "Person", "email": "s@x.example"},
    },
    {"type": "bot", "bot": {"username": "robot", "owner": "first"}},
    {
        "type": "post",
        "post": {
            "team": "crew",
            "channel": "town-square",
            "user": "first",
            "message": "root",
            "create_at": AT,
            "edit_at": AT + 5_000,
            "replies": [
                {"user": "second", "message": "reply one", "create_at": AT + 1},
                {"user": "second", "message": "reply two", "create_at": AT + 1},
                {
                    "user": "second",
                    "message": "",
                    "create_at": AT + 2,
                    "attachments": [{"path": "data/x/plan.pdf"}],
                },
            ],
        },
    },
    {
        "type": "post",
        "post": {"team": "crew", "channel": "plans", "user": "robot", "message": "beep", "create_at": AT + 3},
    },
    {
        "type": "post",
        "post": {
            "team": "crew",
            "channel": "plans",
            "user": "first",
            "type": "system_join_channel",
            "message": "first joined",
            "create_at": AT + 4,
        },
    },
    {
        "type": "post",
        "post": {
            "team": "crew",
            "channel": "plans",
            "user": "first",
            "message": "",
            "create_at": AT + 5,
            "props": {
                "from_webhook": "true",
                "override_username": "Monitor",
                "attachments": [{"fallback": "fb", "text": "disk full"}],
            },
        },
    },
    {"type": "direct_channel", "direct_channel": {"members": ["second", "first"]}},
    {
        "type": "direct_post",
        "direct_post": {
            "channel_members": ["second", "first"],
            "user": "second",
            "message": "just you",
            "create_at": AT + 6,
        },
    },
    {
        "type": "direct_post",
        "direct_post": {
            "channel_members": ["robot", "second", "first"],
            "user": "second",
            "message": "all three",
            "create_at": AT + 7,
        },
    },
]


@pytest.fixture
def imported(desk: Desk, tmp_path: Path) -> Desk:
    assert desk.take(write_lines(tmp_path / "export.jsonl", *LINES))["rejected"] == {}
    return desk


def test_replies_stand_in_the_thread_of_their_post(imported: Desk) -> None:
    root, reply = imported.one("root"), imported.one("reply one")

    assert root["thread"] == reply["thread"] == reply["reply_to"] != ""
    assert root["reply_to"] == ""


def test_two_replies_of_one_millisecond_are_two_messages(imported: Desk) -> None:
    assert {"reply one", "reply two"} < set(imported.texts())


def test_channels_keep_their_name_and_kind(imported: Desk) -> None:
    message = imported.one("root")

    assert (message["conversation"], message["conversation_name"]) == ("crew/town-square", "Town Square")
    assert message["conversation_type"] == "public_channel"
    assert imported.one("beep")["conversation_type"] == "private_channel"
    assert message["workspace"] == "crew"
    assert message["edited_at"] == AT + 5_000


def test_direct_posts_stand_between_their_sorted_members(imported: Desk) -> None:
    two, three = imported.one("just you"), imported.one("all three")

    assert (two["conversation"], two["conversation_type"]) == ("first,second", "direct_message")
    assert two["conversation_name"] == "The First, Second Person"
    assert (three["conversation"], three["conversation_type"]) == (
        "first,robot,second",
        "group_direct_message",
    )


def test_the_system_a_webhook_and_a_bot_are_no_people(imported: Desk) -> None:
    system, webhook = imported.one("first joined"), imported.one("disk full")

    assert (system["sender_type"], system["subtype"]) == ("system", "system_join_channel")
    assert (webhook["sender_name"], webhook["sender_type"]) == ("Monitor", "bot")
    assert imported.one("beep")["sender_type"] == "bot"
    assert imported.one("root")["sender_name"] == "The First"


def test_a_post_without_a_message_names_its_files(imported: Desk) -> None:
    assert imported.one("[file: plan.pdf]")


def test_the_archive_of_an_export_is_read_in_place(desk: Desk, tmp_path: Path) -> None:
    lines = write_lines(tmp_path / "import.jsonl", *LINES)
    with zipfile.ZipFile(tmp_path / "export.zip", "w") as archive:
        archive.write(lines, "import.jsonl")
        archive.writestr("data/x/plan.pdf", b"%PDF")

    first, second = desk.take(tmp_path / "export.zip"), desk.take(lines)

    assert (first["format"], second["unchanged"]) == ("mattermost", first["inserted"])


def test_an_edited_post_is_updated(desk: Desk, tmp_path: Path) -> None:
    source = write_lines(tmp_path / "export.jsonl", *LINES)
    desk.take(source)
    post = {
        "team": "crew",
        "channel": "plans",
        "user": "robot",
        "message": "boop",
        "create_at": AT + 3,
        "edit_at": AT + 9,
    }
    write_lines(source, *LINES[:8], {"type": "post", "post": post}, *LINES[9:])

    assert desk.take(source)["updated"] == 1
    assert desk.revisions() == ["beep"]


def test_a_damaged_line_and_a_post_without_a_place_are_named(desk: Desk, tmp_path: Path) -> None:
    source = write_lines(
        tmp_path / "export.jsonl",
        *LINES[:7],
        "{",
        {"type": "post", "post": {"message": "x"}},
        {"type": "post", "post": 5},
    )

    reply = desk.reply(source)

    assert [(item["line"], item["reason"]) for item in reply.answer.items] == [
        (8, "bad_json"),
        (9, "bad_type"),
        (10, "bad_type"),
    ]
