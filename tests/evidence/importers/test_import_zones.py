"""Times without a zone: which one is assumed moves the times of messages, and never makes other messages of them."""

from collections.abc import Callable
from pathlib import Path

import pytest
from import_desk import Desk

from frugal_modes.evidence.importers.times import Moment

CHAT = (
    "31.12.23, 09:00 - First: good morning\n"
    "31.12.23, 10:00 - First: good morning\n"
    "31.12.23, 10:00 - First: again\n"
    "31.12.23, 11:00 - First: good morning\n"
)
TABLE = "text,sent_at,sender\nhello,2023-12-31T09:00:00,u1\nhello,2023-12-31T10:00:00,u1\nhello,2023-12-31 10:00,u1\n"
LINES = '{"text": "hello", "sent_at": "2023-12-31T09:00"}\n{"text": "hello", "sent_at": "2023-12-31T10:00"}\n'
SOURCES = pytest.mark.parametrize(
    ("name", "text"), [("WhatsApp Chat with First.txt", CHAT), ("a.csv", TABLE), ("a.jsonl", LINES)]
)


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@SOURCES
@pytest.mark.parametrize(
    "zones", [("", "Europe/Berlin"), ("Europe/Berlin", "UTC"), ("Asia/Tokyo", "Etc/GMT+1")]
)
def test_another_zone_moves_the_times_and_adds_no_message(
    desk: Desk, tmp_path: Path, name: str, text: str, zones: tuple[str, str]
) -> None:
    source = write(tmp_path, name, text)
    first = desk.take(source, timezone=zones[0])
    before = [message["sent_at"] for message in desk.messages()]

    second = desk.take(source, timezone=zones[1])

    after = [message["sent_at"] for message in desk.messages()]
    assert (second["inserted"], second["updated"]) == (0, first["inserted"])
    assert len({new - old for new, old in zip(after, before, strict=True)}) == 1
    assert after != before
    assert desk.revisions() == []


@SOURCES
def test_a_corpus_whose_keys_held_the_zone_is_recognised(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str
) -> None:
    source = write(tmp_path, name, text)
    with monkeypatch.context() as former:
        former.setattr(Moment, "key", property(lambda moment: str(moment.ms)))
        first = desk.take(source, timezone="Europe/Berlin")

    second = desk.take(source, timezone="Europe/Berlin")

    assert (second["inserted"], second["updated"], second["unchanged"]) == (0, 0, first["inserted"])


def test_the_former_key_of_a_message_is_not_taken_for_the_message_of_an_hour_before(
    desk: Desk, tmp_path: Path
) -> None:
    lines = CHAT.splitlines(keepends=True)
    source = write(tmp_path, "WhatsApp Chat with First.txt", lines[0])
    desk.take(source, timezone="Europe/Berlin")
    write(tmp_path, source.name, CHAT)

    counts = desk.take(source, timezone="Europe/Berlin")

    assert (counts["inserted"], counts["updated"], counts["unchanged"]) == (3, 0, 1)


@pytest.mark.parametrize(
    ("lang", "zone", "said"),
    [("en", "", "read as UTC"), ("en", "Asia/Tokyo", "read as Asia/Tokyo"), ("de", "", "als UTC gelesen")],
)
def test_the_summary_names_the_zone_and_the_option(
    open_desk: Callable[..., Desk], tmp_path: Path, lang: str, zone: str, said: str
) -> None:
    reply = open_desk(lang).reply(write(tmp_path, "a.csv", TABLE), timezone=zone)

    assert said in reply.text
    assert "--timezone" in reply.text
