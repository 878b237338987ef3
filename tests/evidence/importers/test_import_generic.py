"""JSON Lines: the generic record field by field, and what is rejected, repaired, ignored."""

from pathlib import Path
from typing import Any

import pytest
from import_desk import Desk, messages_in, read, rejects_in, write_lines

from frugal_modes.evidence.records import Deletion, Repair, Unknown

SENT = 1_700_000_000


def test_every_field_of_a_record_is_kept(desk: Desk, tmp_path: Path) -> None:
    source = write_lines(
        tmp_path / "a.jsonl",
        {
            "text": "hello",
            "sent_at": SENT,
            "id": "7",
            "conversation": {"id": "c1", "name": "General", "type": "public_channel"},
            "sender": {"id": "u1", "name": "First", "type": "client", "organization": "North"},
            "thread_id": "3",
            "reply_to": "5",
            "workspace": "W",
            "subtype": "note",
            "edited_at": SENT + 60,
        },
    )

    desk.take(source)

    message = desk.one("hello")
    assert message["conversation"] == "c1"
    assert message["conversation_name"] == "General"
    assert message["conversation_type"] == "public_channel"
    assert (message["sender"], message["sender_name"], message["sender_type"]) == ("u1", "First", "client")
    assert message["organization"] == "North"
    assert (message["workspace"], message["subtype"]) == ("W", "note")
    assert message["sent_at"] == SENT * 1000
    assert message["edited_at"] == (SENT + 60) * 1000
    assert message["thread"] == "3"


def test_a_record_needs_text_and_time_only(tmp_path: Path) -> None:
    (message,) = messages_in(write_lines(tmp_path / "a.jsonl", {"text": "x", "sent_at": SENT}))

    assert (message.conversation_id, message.conversation_type) == ("main", "unknown")
    assert (message.sender_id, message.sender_type) == ("unknown", "unknown")


def test_a_plain_conversation_and_sender_are_id_and_name(tmp_path: Path) -> None:
    record = {"text": "x", "sent_at": SENT, "conversation": "general", "sender": "first"}

    (message,) = messages_in(write_lines(tmp_path / "a.jsonl", record))

    assert (message.conversation_id, message.conversation_name) == ("general", "general")
    assert (message.sender_id, message.sender_name) == ("first", "first")


@pytest.mark.parametrize(
    ("raw", "ms", "is_known"),
    [
        (1_700_000_000, 1_700_000_000_000, True),
        (1_700_000_000_123, 1_700_000_000_123, True),
        (99_999_999_999, 99_999_999_999_000, True),
        (100_000_000_000, 100_000_000_000, True),
        ("1700000000.123456", 1_700_000_000_123, True),
        ("1700000000.1", 1_700_000_000_100, True),
        ("1355517523.000005", 1_355_517_523_000, True),
        ("2024-01-02T03:04:05Z", 1_704_164_645_000, True),
        ("2024-01-02T03:04:05.678+02:00", 1_704_157_445_678, True),
        ("2024-01-02 03:04:05", 1_704_164_645_000, False),
        ("2024-01-02", 1_704_153_600_000, False),
        ("1969-12-31T23:59:59Z", -1_000, True),
    ],
)
def test_times_are_read_as_seconds_milliseconds_text_or_iso(
    tmp_path: Path, raw: Any, ms: int, is_known: bool
) -> None:
    (message,) = messages_in(write_lines(tmp_path / "a.jsonl", {"text": "x", "sent_at": raw}))

    assert (message.sent_at, message.zone_known) == (ms, is_known)


def test_a_number_with_a_fraction_keeps_what_a_float_would_lose(tmp_path: Path) -> None:
    source = write_lines(tmp_path / "a.jsonl", '{"text": "x", "sent_at": 1700000000.999999999999}')

    (message,) = messages_in(source)

    assert message.sent_at == 1_700_000_000_999


def test_a_time_without_offset_is_read_in_the_given_zone(desk: Desk, tmp_path: Path) -> None:
    source = write_lines(tmp_path / "a.jsonl", {"text": "x", "sent_at": "2024-07-01T12:00:00"})

    counts = desk.take(source, timezone="Europe/Berlin")

    message = desk.one("x")
    assert message["sent_at"] == 1_719_828_000_000
    assert message["zone_known"] == 0
    assert counts["zone_unknown"] == 1


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "bad_json"),
        ("[1, 2]", "not_object"),
        ("17", "not_object"),
        ({"sent_at": SENT}, "text_missing"),
        ({"text": " \n ", "sent_at": SENT}, "text_missing"),
        ({"text": None, "sent_at": SENT}, "text_missing"),
        ({"text": 5, "sent_at": SENT}, "bad_type"),
        ('{"text": NaN, "sent_at": 1}', "bad_type"),
        ('{"text": "x", "sent_at": Infinity}', "bad_time"),
        ({"text": "x"}, "time_missing"),
        ({"text": "x", "sent_at": ""}, "time_missing"),
        ({"text": "x", "sent_at": "yesterday"}, "bad_time"),
        ({"text": "x", "sent_at": 10**17}, "bad_time"),
        ({"text": "x", "sent_at": [1]}, "bad_type"),
        ({"text": "x", "sent_at": True}, "bad_type"),
        ({"text": "x", "sent_at": SENT, "id": 1.5}, "bad_type"),
        ({"text": "x", "sent_at": SENT, "id": "i" * 257}, "bad_type"),
        ({"text": "x", "sent_at": SENT, "sender": [1]}, "bad_type"),
        ({"text": "x", "sent_at": SENT, "sender": {"id": "a", "type": "boss"}}, "bad_type"),
        ({"text": "x", "sent_at": SENT, "conversation": {"id": "a", "type": "pub"}}, "bad_type"),
        ({"text": "x", "sent_at": SENT, "deleted": "yes"}, "bad_type"),
        ({"deleted": True}, "bad_type"),
        ({"text": "x" * (1 << 20) + "y", "sent_at": SENT}, "text_too_long"),
        ("[" * 200_000, "bad_json"),
    ],
)
def test_a_record_that_cannot_be_read_is_named_with_its_line_and_reason(
    tmp_path: Path, line: object, reason: str
) -> None:
    good = {"text": "good", "sent_at": SENT}

    found = rejects_in(write_lines(tmp_path / "a.jsonl", good, line, good), format="jsonl")

    assert found == [(2, reason)]


def test_bytes_that_are_no_utf8_reject_their_line_only(tmp_path: Path) -> None:
    source = tmp_path / "a.jsonl"
    source.write_bytes(
        b'{"text": "a", "sent_at": 1}\n{"text": "\xff", "sent_at": 1}\n{"text": "b", "sent_at": 2}\n'
    )

    assert rejects_in(source) == [(2, "bad_encoding")]
    assert [message.text for message in messages_in(source)] == ["a", "b"]


def test_a_line_that_is_too_long_is_passed_over(tmp_path: Path) -> None:
    source = tmp_path / "a.jsonl"
    with source.open("wb") as file:
        file.write(b'{"text": "a", "sent_at": 1}\n')
        file.write(b'{"text": "' + b"x" * (16 << 20) + b'", "sent_at": 1}\n')
        file.write(b'{"text": "b", "sent_at": 2}\n')

    assert rejects_in(source) == [(2, "line_too_long")]
    assert [message.text for message in messages_in(source)] == ["a", "b"]


def test_mark_line_ends_surrogates_and_nul_are_repaired_and_counted(desk: Desk, tmp_path: Path) -> None:
    source = tmp_path / "a.jsonl"
    source.write_bytes(
        b"\xef\xbb\xbf"
        + b'{"text": "a\\ud800b", "sent_at": 1}\r\n{"text": "c\\u0000d", "sent_at": 2}\r\n'
        + b'{"text": "\\ud83d\\ude00", "sent_at": 3}\r\n'
    )

    counts = desk.take(source)

    assert counts["repaired"] == {"bom": 1, "crlf": 1, "nul": 1, "surrogate": 1}
    assert counts["rejected"] == {}
    assert desk.texts() == ["a�b", "c�d", "\U0001f600"]


def test_a_file_in_utf16_is_read(tmp_path: Path) -> None:
    source = tmp_path / "a.jsonl"
    source.write_text('{"text": "naïve 名", "sent_at": 1}\n', encoding="utf-16")

    assert [message.text for message in messages_in(source)] == ["naïve 名"]


def test_unknown_fields_are_ignored_and_named_once(tmp_path: Path) -> None:
    record = {"text": "x", "sent_at": SENT, "mood": 1, "sender": {"id": "a", "age": 3}}

    found = read(write_lines(tmp_path / "a.jsonl", record, record))

    assert sorted(item.name for item in found if isinstance(item, Unknown)) == ["mood", "sender.age"]


def test_a_deletion_takes_a_message_back_for_good(desk: Desk, tmp_path: Path) -> None:
    source = write_lines(
        tmp_path / "a.jsonl",
        {"id": "1", "text": "x", "sent_at": SENT},
        {"id": "2", "text": "y", "sent_at": SENT},
        {"id": "1", "deleted": True},
    )

    first, second = desk.take(source), desk.take(source)

    assert desk.texts() == ["y"]
    assert first["version_after"] == second["version_after"] == second["version_before"]


def test_a_deletion_needs_an_id_and_nothing_else(tmp_path: Path) -> None:
    lines = ({"id": 7, "deleted": True}, {"text": "x", "sent_at": SENT, "deleted": False})

    found = read(write_lines(tmp_path / "a.jsonl", *lines))

    assert [item.natural_key for item in found if isinstance(item, Deletion)] == ["7"]
    assert not [item for item in found if isinstance(item, Repair)]


def test_equal_records_without_an_id_are_told_apart_by_their_order(desk: Desk, tmp_path: Path) -> None:
    record = {"text": "same", "sent_at": SENT, "sender": "a"}
    source = write_lines(tmp_path / "a.jsonl", record, record, {**record, "sender": "b"})

    first, second = desk.take(source), desk.take(source)

    assert (first["inserted"], second["inserted"], second["unchanged"]) == (3, 0, 3)


def test_an_id_of_digits_is_that_id_as_a_number(desk: Desk, tmp_path: Path) -> None:
    record = {"text": "x", "sent_at": SENT}
    source = write_lines(tmp_path / "a.jsonl", {**record, "id": 7}, {**record, "id": "7"})

    assert desk.take(source)["inserted"] == 1


def test_the_root_of_a_thread_needs_no_thread_of_its_own(desk: Desk, tmp_path: Path) -> None:
    source = write_lines(
        tmp_path / "a.jsonl",
        {"id": "r", "text": "root", "sent_at": SENT},
        {"id": "s", "text": "reply", "sent_at": SENT + 1, "thread_id": "r", "reply_to": "r"},
        {"id": "t", "text": "orphan", "sent_at": SENT + 2, "thread_id": "gone", "reply_to": "gone"},
    )

    desk.take(source)

    assert desk.one("root")["thread"] == desk.one("reply")["thread"] == "r"
    assert desk.one("orphan")["thread"] == "gone"
