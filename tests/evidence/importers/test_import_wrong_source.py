"""What is no export, or none of the format that was named, is refused at once; nothing that is stored changes."""

import gzip
import sqlite3
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from import_desk import Desk, write_json, write_lines

RECORD = {"id": "1", "text": "hello", "sent_at": 1_700_000_000}
FORMATS = ["csv", "slack", "mattermost", "discord", "whatsapp", "mbox", "telegram"]


def stored(desk: Desk) -> list[tuple[object, ...]]:
    """Return what the file says about its corpora."""
    if not desk.path.exists():
        return []
    with closing(sqlite3.connect(desk.path)) as db:
        return db.execute("SELECT * FROM corpus ORDER BY number").fetchall()


@pytest.mark.parametrize("named", FORMATS)
def test_a_file_of_another_format_than_named_is_refused_with_what_it_looks_like(
    desk: Desk, tmp_path: Path, named: str
) -> None:
    source = write_lines(tmp_path / "chat.jsonl", RECORD)
    desk.take(source, corpus="chat")
    before = stored(desk)

    text = desk.refused(source, corpus="chat", format=named)

    assert "looks like jsonl" in text
    assert f"not like {named}" in text
    assert stored(desk) == before


def test_a_folder_or_zip_of_another_format_than_named_is_refused(desk: Desk, tmp_path: Path) -> None:
    source = write_lines(tmp_path / "chat.jsonl", RECORD)
    packed = tmp_path / "chat.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        archive.write(source, "chat.jsonl")

    assert "looks like jsonl" in desk.refused(packed, format="slack")
    assert "looks like jsonl" in desk.refused(packed, format="csv")


def test_a_slack_export_is_not_read_as_json_lines(desk: Desk, tmp_path: Path) -> None:
    day = [{"type": "message", "user": "U1", "text": "hello", "ts": "1709640001.000000"}]
    write_json(tmp_path / "export" / "general" / "2024-03-05.json", day)

    assert "looks like slack" in desk.refused(tmp_path / "export", format="jsonl")
    assert desk.take(tmp_path / "export", format="slack")["inserted"] == 1


def test_what_is_no_slack_export_at_all_is_told_what_one_is(desk: Desk, tmp_path: Path) -> None:
    source = tmp_path / "note.txt"
    source.write_text("just a note\n", "utf-8")

    assert "a folder for each conversation" in desk.refused(source, format="slack")


def test_an_import_that_reads_nothing_fails_and_leaves_the_corpus_as_it_was(
    desk: Desk, tmp_path: Path
) -> None:
    desk.take(write_lines(tmp_path / "chat.jsonl", RECORD), corpus="chat")
    before = stored(desk)
    empty = write_json(
        tmp_path / "empty.json", {"name": "C", "type": "personal_chat", "id": 1, "messages": []}
    )

    reply = desk.reply(empty, corpus="chat", prune=True, yes=True)

    assert reply.is_error
    assert (reply.answer.exit_code, reply.answer.code) == (1, "nothing_read")
    assert "Nothing was imported" in reply.text
    assert stored(desk) == before
    assert desk.texts() == ["hello"]


@pytest.mark.parametrize("is_dry", [False, True])
def test_an_import_of_rejects_alone_fails_and_makes_no_corpus(
    desk: Desk, tmp_path: Path, is_dry: bool
) -> None:
    source = write_lines(tmp_path / "other.jsonl", {"body": "hello"}, "{")

    reply = desk.reply(source, format="jsonl", dry_run=is_dry)

    assert reply.answer.exit_code == 1
    assert reply.answer.counts["rejected"] == {"bad_json": 1, "text_missing": 1}
    assert len(reply.answer.notes) == 2
    assert stored(desk) == []


@pytest.mark.parametrize("content", [b"", b"   \n", b"\r\n\t"], ids=["nothing", "blanks", "ends"])
def test_an_empty_file_is_called_empty(desk: Desk, tmp_path: Path, content: bytes) -> None:
    source = tmp_path / "chat.jsonl"
    source.write_bytes(content)

    assert "is empty" in desk.refused(source)
    assert "is empty" in desk.refused(source, format="jsonl")


def test_a_folder_without_any_text_file_is_told_apart_from_an_unknown_one(desk: Desk, tmp_path: Path) -> None:
    folder = tmp_path / "pictures"
    folder.mkdir()
    (folder / "a.png").write_bytes(b"\x89PNG")

    assert "holds no file" in desk.refused(folder)
    assert "holds no file" in desk.refused(folder, format="mbox")


@pytest.mark.parametrize("options", [{}, {"format": "jsonl"}, {"format": "slack"}])
def test_an_evidence_file_is_refused_with_the_way_to_open_it(
    desk: Desk, tmp_path: Path, options: dict[str, str]
) -> None:
    with closing(sqlite3.connect(tmp_path / "week.db")) as db:
        db.execute("CREATE TABLE a (b)")
        db.commit()

    text = desk.refused(tmp_path / "week.db", **options)

    assert "--db" in text
    assert "SQLite" in text


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (gzip.compress(b'{"text": "x", "sent_at": 1}\n', mtime=0), "unpack"),
        (b"\x28\xb5\x2f\xfd rest", "unpack"),
        (b"chat.jsonl".ljust(257, b"\0") + b"ustar\x0000", "unpack"),
        (b"%PDF-1.7\n%rest", "PDF"),
        (b"PAR1\x15\x04", "Parquet"),
        (b"!BDN rest", "PST"),
    ],
    ids=["gzip", "zstd", "tar", "pdf", "parquet", "pst"],
)
def test_evident_binaries_are_refused_once(desk: Desk, tmp_path: Path, content: bytes, said: str) -> None:
    source = tmp_path / "messages"
    source.write_bytes(content)

    assert said in desk.refused(source)
    assert said in desk.refused(source, format="jsonl")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'[{"text": "x", "sent_at": 1}]', "jq -c"),
        (b'[\n {\n "text": "x", "sent_at": 1}]', "jq -c"),
        (b'[{"type": "message", "text": "x", "ts": "1709640001.000000"}]', "no Slack export"),
        ('{"text": "Grüße", "sent_at": 1}\n'.encode("cp1252"), "not UTF-8"),
    ],
    ids=["array", "spread", "day", "cp1252"],
)
def test_json_that_only_needs_another_form_is_refused_with_the_way(
    desk: Desk, tmp_path: Path, content: bytes, said: str
) -> None:
    source = tmp_path / "messages.json"
    source.write_bytes(content)

    assert said in desk.refused(source)
    assert said in desk.refused(source, format="jsonl")


def test_files_of_a_folder_that_are_left_out_are_named(desk: Desk, tmp_path: Path) -> None:
    folder = tmp_path / "exports"
    folder.mkdir()
    write_lines(folder / "a.jsonl", RECORD)
    (folder / "notes.txt").write_text("just a note\n", "utf-8")
    (folder / "rows.csv").write_text("text,sent_at\nx,1\n", "utf-8")

    text = desk.reply(folder, format="jsonl").text

    assert "2 files left out" in text
    assert "notes.txt, rows.csv" in text
    assert "1 record read" in text
    assert desk.texts() == ["hello"]


def test_other_files_beside_a_slack_export_are_named(desk: Desk, tmp_path: Path) -> None:
    day = [{"type": "message", "user": "U1", "text": "hello", "ts": "1709640001.000000"}]
    write_json(tmp_path / "export" / "general" / "2024-03-05.json", day)
    write_json(tmp_path / "export" / "integration_logs.json", [])
    write_lines(tmp_path / "export" / "chat.jsonl", RECORD)

    text = desk.reply(tmp_path / "export").text

    assert "1 file left out, of another format or of none: chat.jsonl" in text


@pytest.mark.parametrize(("language", "said"), [("en", "looks like jsonl"), ("de", "sieht nach jsonl aus")])
def test_the_refusal_speaks_the_language_of_the_command(
    open_desk: Callable[..., Desk], tmp_path: Path, language: str, said: str
) -> None:
    source = write_lines(tmp_path / "chat.jsonl", RECORD)

    assert said in open_desk(language).refused(source, format="slack")
