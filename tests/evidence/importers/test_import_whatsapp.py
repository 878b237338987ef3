"""WhatsApp: heads of both programs, the order of day and month, names with colons, lines of the program."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from import_desk import Desk, messages_in, rejects_in


def ms(*parts: int) -> int:
    return int(datetime(*parts, tzinfo=UTC).timestamp()) * 1000  # type: ignore[misc]  # the parts of a moment


def write(folder: Path, text: str, name: str = "WhatsApp Chat with First.txt") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path


IPHONE = (
    "[31.12.23, 22:15:03] The Group: \u200eMessages and calls are end-to-end encrypted.\r\n"
    "[31.12.23, 22:15:04] First: hello\r\n"
    "\u200e[31.12.23, 22:15:04] First: \u200eimage omitted\r\n"
    "[01.01.24, 00:00:00] Dr: Second: happy: new year\r\n"
    "and more\r\n"
    "\r\n"
    "last line\r\n"
    "[01.01.24, 00:00:09] Dr: Second: bye\r\n"
)
ANDROID = (
    "12/31/23, 10:15 PM - Messages and calls are end-to-end encrypted. Tap to learn more.\n"
    '12/31/23, 10:15 PM - First created group "Plan: B"\n'
    "12/31/23, 10:16 PM - First: hello\n"
    "12/31/23, 10:16\u202fPM - First: again\n"
    "1/1/24, 12:00 AM - Second: midnight\n"
)


def test_heads_in_brackets_are_read_with_their_continuations(desk: Desk, tmp_path: Path) -> None:
    desk.take(write(tmp_path, IPHONE))

    assert desk.texts() == [
        "Messages and calls are end-to-end encrypted.",
        "hello",
        "image omitted",
        "happy: new year\nand more\n\nlast line",
        "bye",
    ]
    assert desk.one("hello")["sent_at"] == ms(2023, 12, 31, 22, 15, 4)
    assert desk.one("hello")["zone_known"] == 0


def test_heads_before_a_dash_are_read_with_twelve_hour_clocks(desk: Desk, tmp_path: Path) -> None:
    desk.take(write(tmp_path, ANDROID))

    assert desk.one("hello")["sent_at"] == ms(2023, 12, 31, 22, 16)
    assert desk.one("again")["sent_at"] == ms(2023, 12, 31, 22, 16)
    assert desk.one("midnight")["sent_at"] == ms(2024, 1, 1)


def test_a_name_may_hold_a_colon(tmp_path: Path) -> None:
    senders = {message.sender_name for message in messages_in(write(tmp_path, IPHONE))}

    assert senders == {"system", "First", "Dr: Second"}


def test_lines_of_the_program_have_no_sender_of_their_own(desk: Desk, tmp_path: Path) -> None:
    desk.take(write(tmp_path, ANDROID))

    kinds = {message["text"]: message["sender_type"] for message in desk.messages()}
    assert kinds['First created group "Plan: B"'] == "system"
    assert kinds["Messages and calls are end-to-end encrypted. Tap to learn more."] == "system"
    assert kinds["hello"] == "unknown"


def test_direction_marks_are_dropped_and_kept_in_the_raw_text(desk: Desk, tmp_path: Path) -> None:
    desk.take(write(tmp_path, IPHONE))

    assert desk.one("image omitted")["text_raw"] == "\u200eimage omitted"


@pytest.mark.parametrize(
    ("first", "second", "day"),
    [
        ("31/12/2023, 10:00 - ", "01/01/2024, 10:00 - ", (2024, 1, 1)),
        ("12/31/2023, 10:00 - ", "1/2/2024, 10:00 - ", (2024, 1, 2)),
        ("2023-12-31, 10:00 - ", "2024-01-02, 10:00 - ", (2024, 1, 2)),
        ("2023/12/31 上午10:00 - ", "2024/01/02 上午10:00 - ", (2024, 1, 2)),
        ("05.06.24, 10:00 - ", "07.06.24, 10:00 - ", (2024, 6, 7)),
        ("[5/1/24, 10:00:00] ", "[5/20/24, 10.00.00] ", (2024, 5, 20)),
        ("05/01/24, 10:00 - ", "01/02/24, 10:00 - ", (2024, 2, 1)),
    ],
)
def test_the_whole_file_tells_day_from_month(
    tmp_path: Path, first: str, second: str, day: tuple[int, int, int]
) -> None:
    source = write(tmp_path, f"{first}First: one\n{second}First: two\n")

    found = messages_in(source, format="whatsapp")

    assert found[1].sent_at == ms(*day, 10, 0)


def test_an_order_that_cannot_be_told_is_asked_for_before_anything_is_stored(
    desk: Desk, tmp_path: Path
) -> None:
    source = write(tmp_path, "01/02/24, 10:00 - First: one\n03/04/24, 10:00 - First: two\n")

    assert "--date-order" in desk.refused(source)
    assert not desk.path.exists()

    desk.take(source, date_order="mdy")
    assert desk.one("two")["sent_at"] == ms(2024, 3, 4, 10, 0)


def test_days_that_are_their_own_month_need_no_order(tmp_path: Path) -> None:
    (message,) = messages_in(write(tmp_path, "04/04/24, 10:00 - First: one\n"))

    assert message.sent_at == ms(2024, 4, 4, 10, 0)


def test_orders_that_contradict_each_other_are_asked_back(desk: Desk, tmp_path: Path) -> None:
    source = write(tmp_path, "31/12/23, 10:00 - First: one\n12/31/23, 10:00 - First: two\n")

    assert "--date-order" in desk.refused(source)
    assert desk.take(source, date_order="dmy")["rejected"] == {"bad_time": 1}


def test_the_chat_is_named_after_its_file_or_what_is_around_it(tmp_path: Path) -> None:
    line = "[31.12.23, 10:00:00] First: one\n"
    named = {
        "Second": write(tmp_path, line, "WhatsApp Chat mit Second.txt"),
        "Third": write(tmp_path, line, "WhatsApp Chat - Third/_chat.txt").parent,
        "notes": write(tmp_path, line, "notes.txt"),
        "First": write(tmp_path, line, "WhatsApp Chat with First (1).txt"),
    }

    assert {messages_in(path)[0].conversation_name: path for path in named.values()} == named


def test_the_same_minute_holds_several_messages_and_a_second_import_changes_nothing(
    desk: Desk, tmp_path: Path
) -> None:
    source = write(tmp_path, ANDROID)

    first, second = desk.take(source), desk.take(source)

    assert (first["inserted"], second["unchanged"], second["updated"]) == (5, 5, 0)


def test_an_edited_line_is_updated(desk: Desk, tmp_path: Path) -> None:
    source = write(tmp_path, ANDROID)
    desk.take(source)
    write(tmp_path, ANDROID.replace("First: hello", "First: hello <This message was edited>"))

    counts = desk.take(source)

    assert (counts["updated"], counts["inserted"]) == (1, 0)
    assert desk.revisions() == ["hello"]


def test_lines_before_the_first_head_and_impossible_dates_are_named(tmp_path: Path) -> None:
    text = "31/12/23, 10:00 - First: one\n31/02/24, 10:00 - First: two\n01/03/24, 25:61 - First: three\n"
    lead = write(tmp_path, "a torn line\n" + text)

    assert rejects_in(lead, format="whatsapp") == [(1, "time_missing"), (3, "bad_time"), (4, "bad_time")]


def test_a_pasted_line_in_the_other_style_continues_the_message(tmp_path: Path) -> None:
    text = "[31.12.23, 10:00:00] First: look:\n12/31/23, 9:00 AM - Second: pasted\n"

    (message,) = messages_in(write(tmp_path, text))

    assert message.text == "look:\n12/31/23, 9:00 AM - Second: pasted"
