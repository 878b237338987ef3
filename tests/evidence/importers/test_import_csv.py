"""CSV: dialects, dotted columns, cells over several lines, the code page of spreadsheets."""

from pathlib import Path

import pytest
from import_desk import Desk, messages_in, rejects_in

from frugal_modes.evidence.importers.csvfile import dialect_of


def write(path: Path, text: str, encoding: str = "utf-8") -> Path:
    path.write_bytes(text.encode(encoding))
    return path


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_the_one_that_yields_the_needed_columns(tmp_path: Path, delimiter: str) -> None:
    rows = [("id", "sent_at", "text"), ("1", "1700000000", "x, y; z|")]
    text = "\n".join(delimiter.join(f'"{cell}"' for cell in row) for row in rows)

    (message,) = messages_in(write(tmp_path / "a.csv", text))

    assert (message.natural_key, message.text) == ("1", "x, y; z|")


def test_dotted_columns_are_fields_inside_others(desk: Desk, tmp_path: Path) -> None:
    text = (
        "text,sent_at,sender.id,sender.name,sender.type,sender.organization,conversation.id,conversation.type\n"
        "hello,2024-01-01T00:00:00Z,u1,First,client,North,c1,mailbox\n"
    )

    desk.take(write(tmp_path / "a.csv", text))

    message = desk.one("hello")
    assert (message["sender"], message["sender_name"], message["organization"]) == ("u1", "First", "North")
    assert (message["conversation"], message["conversation_type"]) == ("c1", "mailbox")


def test_a_cell_may_hold_lines_quotes_and_delimiters(tmp_path: Path) -> None:
    text = 'text;sent_at\n"first ""line""\nsecond; line";1\nplain;2\n'

    found = messages_in(write(tmp_path / "a.csv", text))

    assert [message.text for message in found] == ['first "line"\nsecond; line', "plain"]
    assert [message.place.line for message in found] == [2, 4]


def test_a_row_that_cannot_be_cut_is_named_with_its_first_line(tmp_path: Path) -> None:
    text = 'text,sent_at\n"two\nlines",1\n"bad" quote,2\ngood,3\nlong,4,5,6\n,7\nx,\nx,never\n'

    found = rejects_in(write(tmp_path / "a.csv", text))

    assert found == [
        (4, "bad_type"),
        (6, "bad_type"),
        (7, "text_missing"),
        (8, "time_missing"),
        (9, "bad_time"),
    ]


def test_an_open_quote_at_the_end_is_a_cut_source(tmp_path: Path) -> None:
    assert rejects_in(write(tmp_path / "a.csv", 'text,sent_at\nx,1\n"never closed,2\n')) == [
        (3, "truncated_source")
    ]


def test_the_code_page_of_spreadsheets_and_their_first_line_are_understood(
    desk: Desk, tmp_path: Path
) -> None:
    source = write(tmp_path / "a.csv", "sep=;\r\ntext;sent_at\r\ncafé – “quote”;1\r\n", "cp1252")

    counts = desk.take(source)

    assert desk.texts() == ["café – “quote”"]
    assert counts["repaired"] == {"charset": 1, "crlf": 1}


def test_utf8_with_a_mark_and_utf16_are_read(tmp_path: Path) -> None:
    for encoding in ("utf-8-sig", "utf-16"):
        (message,) = messages_in(write(tmp_path / "a.csv", "text,sent_at\nnaïve 名,1\n", encoding))
        assert message.text == "naïve 名"


def test_columns_under_other_names_are_mapped(desk: Desk, tmp_path: Path) -> None:
    source = write(tmp_path / "a.csv", "Nachricht;Zeit;Wer\nhallo;1;u1\n")

    assert "--map" in desk.refused(source, format="csv")
    desk.take(source, map="text=Nachricht,sent_at=Zeit,sender.name=Wer")

    assert desk.one("hallo")["sender_name"] == "u1"


def test_empty_cells_are_absent_and_blank_rows_nothing(tmp_path: Path) -> None:
    text = "text,sent_at,id,deleted\nx,1,,\n,,,\n\n,,9,true\ny,2,8,false\n"

    assert rejects_in(write(tmp_path / "a.csv", text)) == []
    assert [message.text for message in messages_in(tmp_path / "a.csv")] == ["x", "y"]


def test_a_header_without_the_needed_columns_is_no_csv() -> None:
    assert dialect_of("a,b\n1,2\n", {}) is None
    assert dialect_of("", {}) is None
