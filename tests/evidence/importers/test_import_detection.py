"""Which format a source has is told from its content; what cannot be decided is asked back."""

import json
from pathlib import Path

import pytest
from import_desk import Desk, write_json, write_lines

GENERIC = '{"text": "x", "sent_at": 1}\n'
CSV = "text,sent_at\nx,1\n"
WHATSAPP = "[31.12.23, 10:00:00] First: hello\n"
MBOX = "From a@example.org Mon Jan  1 10:00:00 2024\nFrom: a@example.org\n\nhello\n"
MATTERMOST = (
    json.dumps({"type": "version", "version": 1})
    + "\n"
    + json.dumps(
        {"type": "post", "post": {"team": "t", "channel": "c", "user": "u", "message": "x", "create_at": 1}}
    )
    + "\n"
)
DISCORD = json.dumps(
    {
        "guild": {"id": "1"},
        "channel": {"id": "2", "type": "GuildTextChat"},
        "messages": [{"id": "3", "type": "Default", "timestamp": "2024-01-01T10:00:00Z", "content": "x"}],
    }
)
CHAT = {
    "name": "C",
    "type": "personal_chat",
    "id": 1,
    "messages": [{"id": 1, "type": "message", "date_unixtime": "1700000000", "text": "x"}],
}
TELEGRAM = json.dumps(CHAT)
ACCOUNT = json.dumps({"about": "x", "chats": {"about": "y", "list": [CHAT]}})


@pytest.mark.parametrize("name", ["a.jsonl", "a.txt", "a.json", "a"])
@pytest.mark.parametrize(
    ("content", "format_name"),
    [
        (GENERIC, "jsonl"),
        (CSV, "csv"),
        (WHATSAPP, "whatsapp"),
        (MBOX, "mbox"),
        (MATTERMOST, "mattermost"),
        (DISCORD, "discord"),
        (TELEGRAM, "telegram"),
        (ACCOUNT, "telegram"),
    ],
)
def test_the_content_decides_whatever_the_name_says(
    desk: Desk, tmp_path: Path, name: str, content: str, format_name: str
) -> None:
    source = tmp_path / name
    source.write_text(content, "utf-8")

    assert desk.take(source)["format"] == format_name


@pytest.mark.parametrize("content", ["just a note\n", '{"a": 1}\n', "[1, 2]", "note\0\0", '"text"'])
def test_an_unknown_source_is_refused_with_the_formats(desk: Desk, tmp_path: Path, content: str) -> None:
    source = tmp_path / "a.txt"
    source.write_text(content, "utf-8")

    text = desk.refused(source)

    assert all(name in text for name in ("jsonl", "csv", "slack", "mattermost", "telegram"))


def test_a_source_that_may_be_several_formats_is_asked_back(desk: Desk, tmp_path: Path) -> None:
    folder = tmp_path / "both"
    write_json(folder / "discord.json", json.loads(DISCORD))
    write_json(folder / "telegram.json", json.loads(TELEGRAM))

    text = desk.refused(folder)

    assert "discord" in text
    assert "telegram" in text
    assert desk.take(folder, format="telegram")["format"] == "telegram"


def test_a_named_format_is_taken_at_its_word(desk: Desk, tmp_path: Path) -> None:
    source = write_lines(tmp_path / "a.jsonl", '{"a": 1}')

    reply = desk.reply(source, format="jsonl")

    assert reply.answer.counts["rejected"] == {"text_missing": 1}
    assert "known" not in desk.refused(source, format="fax")


def test_a_folder_of_files_of_one_format_is_read_whole(desk: Desk, tmp_path: Path) -> None:
    folder = tmp_path / "exports"
    for number in range(3):
        folder.mkdir(exist_ok=True)
        write_lines(folder / f"{number}.jsonl", {"text": f"text {number}", "sent_at": number + 1})
    (folder / "picture.png").write_bytes(b"\x89PNG")

    desk.take(folder)

    assert desk.texts() == ["text 0", "text 1", "text 2"]


def test_no_link_is_followed_out_of_a_folder(desk: Desk, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    write_lines(outside / "secret.jsonl", {"text": "secret", "sent_at": 1})
    folder = tmp_path / "exports"
    folder.mkdir()
    write_lines(folder / "a.jsonl", {"text": "plain", "sent_at": 1})
    (folder / "link.jsonl").symlink_to(outside / "secret.jsonl")
    (folder / "linked").symlink_to(outside, target_is_directory=True)

    desk.take(folder)

    assert desk.texts() == ["plain"]
