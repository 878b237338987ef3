"""`import -` reads standard input: what can be told without a file's name is imported, the rest is refused in words."""

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from import_desk import Desk
from shell_line import Line

LINES = "".join(json.dumps({"id": n, "text": f"text {n}", "sent_at": n + 1}) + "\n" for n in range(3))
Pipe = Callable[..., tuple[int, dict[str, Any]]]


@pytest.fixture
def pipe(desk: Desk, line: Line) -> Pipe:
    """Return a function that runs the import command over some piped bytes: exit code and the JSON of the outcome."""

    def run_it(content: bytes, *options: str, source: str = "-") -> tuple[int, dict[str, Any]]:
        told = line("import", source, *options, "--json", stdin=content)
        return told.code, told.json

    return run_it


@pytest.mark.parametrize(
    ("content", "format_name", "read"),
    [
        (LINES.encode(), "jsonl", 3),
        (b"\xef\xbb\xbf" + LINES.encode(), "jsonl", 3),
        ("id;text;sent_at\n1;Grüße;1\n".encode("cp1252"), "csv", 1),
        (b"From a@example.org Mon Jan  1 10:00:00 2024\nFrom: a@example.org\n\nhello\n", "mbox", 1),
    ],
    ids=["jsonl", "marked", "csv", "mbox"],
)
def test_piped_records_are_imported(
    pipe: Pipe, desk: Desk, content: bytes, format_name: str, read: int
) -> None:
    code, told = pipe(content, "--corpus", "chat")

    assert code == 0
    assert (told["format"], told["read"], told["corpus"]) == (format_name, read, "chat")
    assert len(desk.texts()) == read


def test_what_was_piped_is_called_stdin_and_can_be_pruned(pipe: Pipe, desk: Desk) -> None:
    pipe(LINES.encode())

    code, told = pipe(
        LINES.encode().split(b"\n", 1)[1] + b"{", "--rejects", str(desk.path.parent / "r.jsonl")
    )

    assert code == 3
    assert told["items"][0]["file"] == "stdin"
    assert pipe(b"".join(LINES.encode().splitlines(True)[::2]), "--prune", "--yes")[1]["pruned"] == 1
    assert desk.texts() == ["text 0", "text 2"]


def test_nothing_piped_is_refused_as_empty(pipe: Pipe) -> None:
    code, told = pipe(b"")

    assert code == 2
    assert "stdin is empty" in told["error"]["message"]


def packed() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("chat.jsonl", LINES)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("content", "options", "said"),
    [
        (packed(), (), "zip cannot be read from standard input"),
        (b"[31.12.23, 10:00:00] First: hello\n", (), "whatsapp cannot be read from standard input"),
        (LINES.encode(), ("--format", "slack"), "looks like jsonl"),
        (b"SQLite format 3\0", (), "--db"),
    ],
    ids=["zip", "whatsapp", "slack", "sqlite"],
)
def test_what_cannot_come_this_way_is_refused(
    pipe: Pipe, desk: Desk, content: bytes, options: tuple[str, ...], said: str
) -> None:
    code, told = pipe(content, *options)

    assert code == 2
    assert said in told["error"]["message"]
    assert not desk.path.exists() or desk.texts() == []


def test_a_dash_names_standard_input_for_the_source_alone(pipe: Pipe, tmp_path: Path) -> None:
    source = tmp_path / "a.jsonl"
    source.write_text(LINES, "utf-8")

    code, told = pipe(b"[[rule]]", "--rules", "-", source=str(source))

    assert code == 2
    assert told["error"]["message"].startswith("- ")
