"""DiscordChatExporter: channels and threads, replies and forwards, files that were cut."""

from pathlib import Path
from typing import Any

import pytest
from import_desk import Desk, rejects_in, write_json

AUTHOR = {"id": "100", "name": "first", "discriminator": "0000", "nickname": "The First", "isBot": False}
BOT = {"id": "200", "name": "robot", "nickname": "Robot", "isBot": True}


def message(number: int, content: str, **more: Any) -> dict[str, Any]:
    return {
        "id": str(9_000_000_000_000_000_000 + number),
        "type": "Default",
        "timestamp": f"2024-03-05T10:00:{number:02d}.1234567+01:00",
        "timestampEdited": None,
        "isPinned": False,
        "content": content,
        "author": AUTHOR,
        "attachments": [],
        "embeds": [],
        "stickers": [],
        "reactions": [],
        "mentions": [],
        **more,
    }


def identity(number: int) -> str:
    return str(9_000_000_000_000_000_000 + number)


def export(messages: list[Any], **channel: Any) -> dict[str, Any]:
    return {
        "guild": {"id": "1", "name": "Guild", "iconUrl": "x"},
        "channel": {
            "id": "500",
            "type": "GuildTextChat",
            "categoryId": "400",
            "category": "Text Channels",
            "name": "general",
            "topic": None,
            **channel,
        },
        "dateRange": {"after": None, "before": None},
        "exportedAt": "2024-03-06T00:00:00+00:00",
        "messages": messages,
        "messageCount": len(messages),
    }


FORWARD = {"type": "Forward", "messageId": identity(1), "channelId": "777", "guildId": "1"}
ANSWER = {"type": "Default", "messageId": identity(1), "channelId": "500", "guildId": "1"}
MESSAGES = [
    message(1, "root"),
    message(2, "an answer", type="Reply", reference=ANSWER),
    message(
        3,
        "",
        reference=FORWARD,
        forwardedMessage={"content": "said elsewhere", "attachments": [], "embeds": []},
    ),
    message(
        4,
        "",
        author=BOT,
        embeds=[
            {"title": "Build", "description": "green", "fields": [{"name": "No", "value": "7"}], "url": "u"}
        ],
    ),
    message(5, "", attachments=[{"id": "1", "url": "u", "fileName": "plan.pdf", "fileSizeBytes": 3}]),
    message(6, "Joined the server.", type="GuildMemberJoin"),
    message(7, "mended", timestampEdited="2024-03-05T11:00:00+01:00"),
]


@pytest.fixture
def imported(desk: Desk, tmp_path: Path) -> Desk:
    assert desk.take(write_json(tmp_path / "general.json", export(MESSAGES)))["rejected"] == {}
    return desk


def test_a_channel_its_guild_and_its_people_are_kept(imported: Desk) -> None:
    root = imported.one("root")

    assert (root["conversation"], root["conversation_name"]) == ("500", "general")
    assert root["conversation_type"] == "public_channel"
    assert (root["sender"], root["sender_name"], root["workspace"]) == ("100", "The First", "Guild")
    assert root["sent_at"] == 1_709_629_201_123


def test_an_answer_refers_and_a_forward_does_not(imported: Desk) -> None:
    assert imported.one("an answer")["reply_to"] == identity(1)
    assert imported.one("said elsewhere")["reply_to"] == ""


def test_embeds_and_files_stand_in_for_an_empty_text(imported: Desk) -> None:
    assert imported.one("Build\ngreen\nNo: 7")["sender_type"] == "bot"
    assert imported.one("[file: plan.pdf]")


def test_what_the_program_says_is_the_systems_and_edits_are_dated(imported: Desk) -> None:
    joined = imported.one("Joined the server.")

    assert (joined["sender_type"], joined["subtype"]) == ("system", "GuildMemberJoin")
    assert imported.one("mended")["edited_at"] == 1_709_632_800_000


def test_a_thread_belongs_to_the_channel_it_hangs_on(desk: Desk, tmp_path: Path) -> None:
    folder = tmp_path / "exports"
    write_json(folder / "general.json", export(MESSAGES))
    starter = message(20, "", type="21", reference=ANSWER)
    thread = export(
        [starter, message(21, "in the thread")],
        id=identity(1),
        type="GuildPublicThread",
        categoryId="500",
        category="general",
        name="A thread",
    )
    write_json(folder / "thread.json", thread)

    assert desk.take(folder)["rejected"] == {}

    inside, root = desk.one("in the thread"), desk.one("root")
    assert (inside["conversation"], inside["conversation_name"]) == ("500", "general")
    assert inside["thread"] == root["thread"] == identity(1)


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("DirectTextChat", "direct_message"),
        ("DirectGroupTextChat", "group_direct_message"),
        ("GuildPrivateThread", "public_channel"),
        ("GuildNews", "public_channel"),
        ("Odd", "unknown"),
    ],
)
def test_the_kind_of_a_channel_is_that_of_its_type(
    desk: Desk, tmp_path: Path, kind: str, expected: str
) -> None:
    desk.take(write_json(tmp_path / "a.json", export([message(1, "x")], type=kind)))

    assert desk.one("x")["conversation_type"] == expected


def test_fewer_messages_than_promised_mean_a_cut_file(tmp_path: Path) -> None:
    document = {**export(MESSAGES), "messageCount": 9}

    assert rejects_in(write_json(tmp_path / "a.json", document)) == [(7, "truncated_source")]


def test_a_file_that_breaks_off_keeps_what_came_before(desk: Desk, tmp_path: Path) -> None:
    source = write_json(tmp_path / "a.json", export(MESSAGES))
    text = source.read_text("utf-8")
    source.write_text(text[: text.index("mended")], "utf-8")

    counts = desk.take(source)

    assert counts["inserted"] == 6
    assert counts["rejected"] == {"truncated_source": 1}


def test_an_edited_message_is_updated(desk: Desk, tmp_path: Path) -> None:
    source = write_json(tmp_path / "a.json", export(MESSAGES))
    desk.take(source)
    edited = message(1, "root, edited", timestampEdited="2024-03-07T00:00:00+00:00")
    write_json(source, export([edited, *MESSAGES[1:]]))

    assert desk.take(source)["updated"] == 1
    assert desk.revisions() == ["root"]


def test_a_record_that_is_none_is_named_by_its_ordinal(tmp_path: Path) -> None:
    messages = [
        message(1, "a"),
        5,
        {**message(2, "b"), "timestamp": "never"},
        {**message(3, "c"), "id": None},
    ]

    found = rejects_in(write_json(tmp_path / "a.json", export(messages)))

    assert found == [(2, "not_object"), (3, "bad_time"), (4, "bad_type")]
