"""Telegram: texts in parts, services, one chat or a whole account."""

from pathlib import Path
from typing import Any

import pytest
from import_desk import Desk, messages_in, rejects_in, write_json

AT = 1_709_640_000


def message(number: int, text: Any = "", **more: Any) -> dict[str, Any]:
    return {
        "id": number,
        "type": "message",
        "date": "2024-03-05T15:00:00",
        "date_unixtime": str(AT + number),
        "from": "First Person",
        "from_id": "user100",
        "text": text,
        "text_entities": [],
        **more,
    }


def chat(*messages: Any, **more: Any) -> dict[str, Any]:
    return {"name": "The Group", "type": "private_supergroup", "id": 777, "messages": list(messages), **more}


PARTS = ["see ", {"type": "link", "text": "https://a.example"}, " and ", {"type": "bold", "text": "hurry"}]
MESSAGES = [
    message(1, "plain"),
    message(2, PARTS),
    message(3, "an answer", reply_to_message_id=1),
    message(4, "elsewhere", reply_to_message_id=1, reply_to_peer_id="channel5"),
    {
        "id": 5,
        "type": "service",
        "date": "2024-03-05T15:00:05",
        "date_unixtime": str(AT + 5),
        "actor": "First Person",
        "actor_id": "user100",
        "action": "invite_members",
        "members": ["Second", None],
        "text": "",
    },
    message(6, "", photo="photos/1.jpg"),
    message(7, "", file="stickers/a.webp", media_type="sticker", sticker_emoji="\U0001f600"),
    message(8, "mended", edited="2024-03-05T16:00:00", edited_unixtime=str(AT + 3600)),
    message(9, "gone", **{"from": None, "from_id": "user300"}),
]


@pytest.fixture
def imported(desk: Desk, tmp_path: Path) -> Desk:
    assert desk.take(write_json(tmp_path / "result.json", chat(*MESSAGES)))["rejected"] == {}
    return desk


def test_a_text_in_parts_is_put_together(imported: Desk) -> None:
    assert imported.one("see https://a.example and hurry")


def test_seconds_are_taken_where_the_local_date_says_less(imported: Desk) -> None:
    plain = imported.one("plain")

    assert (plain["sent_at"], plain["zone_known"]) == ((AT + 1) * 1000, 1)
    assert imported.one("mended")["edited_at"] == (AT + 3600) * 1000


def test_a_date_without_seconds_is_read_in_the_given_zone(desk: Desk, tmp_path: Path) -> None:
    old = {key: value for key, value in message(1, "old").items() if key != "date_unixtime"}

    desk.take(write_json(tmp_path / "result.json", chat(old)), timezone="Asia/Tokyo")

    assert (desk.one("old")["sent_at"], desk.one("old")["zone_known"]) == (1_709_618_400_000, 0)


def test_answers_refer_within_their_chat_only(imported: Desk) -> None:
    assert imported.one("an answer")["reply_to"] == "777:1"
    assert imported.one("elsewhere")["reply_to"] == ""


def test_a_service_message_is_the_systems(imported: Desk) -> None:
    service = imported.one("First Person invite members Second")

    assert (service["sender_type"], service["subtype"]) == ("system", "invite_members")


def test_media_without_a_text_are_named(imported: Desk) -> None:
    assert {"[photo]", "[sticker: \U0001f600]"} < set(imported.texts())


def test_chat_and_sender_are_kept_and_a_deleted_account_by_its_id(imported: Desk) -> None:
    plain, gone = imported.one("plain"), imported.one("gone")

    assert (plain["conversation"], plain["conversation_name"]) == ("777", "The Group")
    assert plain["conversation_type"] == "private_channel"
    assert (plain["sender"], plain["sender_name"]) == ("user100", "First Person")
    assert (gone["sender"], gone["sender_name"]) == ("user300", "user300")


def test_a_full_account_holds_many_chats_whose_numbers_repeat(desk: Desk, tmp_path: Path) -> None:
    account = {
        "about": "Here is the data you requested.",
        "personal_information": {"user_id": 1, "messages": [{"id": 99}]},
        "chats": {
            "about": "All chats",
            "list": [
                chat(message(1, "in the group")),
                chat(message(1, "for two"), name="Second", type="personal_chat", id=888),
            ],
        },
        "left_chats": {"about": "x", "list": [chat(message(1, "left"), id=999, type="public_channel")]},
    }

    counts = desk.take(write_json(tmp_path / "result.json", account))

    assert (counts["inserted"], counts["rejected"]) == (3, {})
    assert desk.one("for two")["conversation_type"] == "direct_message"
    assert desk.one("left")["conversation_type"] == "public_channel"
    assert sorted(message["line"] for message in desk.messages()) == [1, 2, 3]


def test_an_edited_message_is_updated_and_a_second_import_changes_nothing(desk: Desk, tmp_path: Path) -> None:
    source = write_json(tmp_path / "result.json", chat(*MESSAGES))
    first, second = desk.take(source), desk.take(source)
    write_json(source, chat(message(1, "plain, edited", edited_unixtime=str(AT + 99)), *MESSAGES[1:]))

    assert (second["unchanged"], second["updated"]) == (first["inserted"], 0)
    assert desk.take(source)["updated"] == 1
    assert desk.revisions() == ["plain"]


def test_a_record_that_is_none_is_named_and_the_rest_kept(tmp_path: Path) -> None:
    source = write_json(
        tmp_path / "a.json", chat(message(1, "a"), "x", message(3, 5), message(4, "b", date_unixtime="x"))
    )

    assert rejects_in(source) == [(2, "not_object"), (3, "bad_type"), (4, "bad_time")]
    assert [found.text for found in messages_in(source)] == ["a"]


def test_a_large_array_is_streamed_and_survives_damage_inside(tmp_path: Path) -> None:
    source = write_json(
        tmp_path / "a.json", chat(*(message(number, f"text {number}") for number in range(1, 3_001)))
    )
    damaged = source.read_text("utf-8").replace('"text 1500"', "tru", 1)
    source.write_text(damaged, "utf-8")

    assert rejects_in(source) == [(1500, "bad_json")]
    assert len(messages_in(source)) == 2_999
