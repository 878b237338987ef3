"""Ctrl-C in a long command: exit 130, no traceback, nothing half-done, nothing left over; done again it succeeds."""

import json
import os
import signal
import threading

import pytest

from frugal.cli import console

pytestmark = [
    pytest.mark.usefixtures("heard_interruption"),
    pytest.mark.skipif(
        threading.current_thread() is not threading.main_thread(),
        reason="interruptions come to the main thread alone",
    ),
]

PARAGRAPH = "Paragraph {number} of the note says something about the harbour gate and the pier."
MESSAGES = "".join(
    json.dumps(
        {
            "id": f"m{number}",
            "conversation_id": "c",
            "sender_id": "ann",
            "text": f"harbour {number}",
            "sent_at": "2026-01-01T10:00:00Z",
        }
    )
    + "\n"
    for number in range(50)
)


@pytest.fixture
def port(line, monkeypatch):
    """Notes, an export, another memory and messages, all in the folder of the line."""
    monkeypatch.chdir(line.folder)
    notes = line.folder / "notes"
    notes.mkdir()
    for number in range(4):
        text = "\n\n".join(PARAGRAPH.format(number=f"{number}-{part}") for part in range(3))
        (notes / f"n{number}.md").write_text(text, encoding="utf-8")
    (line.folder / "m.jsonl").write_text(MESSAGES, encoding="utf-8")
    line("import", "notes", "--db", "other.db")
    line("export", "--out", "other.jsonl", "--db", "other.db")
    return line


def left_over(port):
    """Return the files that belong to nothing."""
    names = (path.name for path in port.folder.rglob("*"))
    return [name for name in names if ".part" in name or ".tmp" in name or name.startswith(".o")]


LONG = [
    ("import", "notes"),
    ("import", "other.jsonl"),
    ("merge", "other.db"),
    ("upkeep", "--db", "other.db"),
    ("vault", "index", "--dir", "notes"),
    ("vault", "index", "--rebuild", "--dir", "notes"),
    ("evidence", "import", "m.jsonl"),
    ("evidence", "generate", "--profile", "week", "--out", "made.db"),
]


@pytest.mark.parametrize("words", LONG, ids=" ".join)
def test_interrupted_while_it_tells_how_far_it_is(port, monkeypatch, tmp_path, words):
    with monkeypatch.context() as patch:
        patch.setattr(console.Progress, "__call__", lambda *_: signal.raise_signal(signal.SIGINT))
        patch.setenv("TMPDIR", str(tmp_path))
        told = port(*words)

    assert told.code == 130, told
    assert told.err.splitlines()[-1] == "Interrupted."
    assert "Traceback" not in told.err
    assert left_over(port) == []
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert port(*words).code == 0


WRITING = [
    ("export", "--db", "other.db", "--out", "o.jsonl"),
    ("export", "--db", "other.db", "--format", "markdown", "--out", "o"),
    ("backup", "o.db", "--db", "other.db"),
    ("evidence", "export", "--query", "{}", "--db", "messages.db"),
]


@pytest.mark.parametrize("words", WRITING, ids=lambda words: " ".join(words[:2]))
def test_interrupted_while_it_writes_a_file(port, monkeypatch, words):
    port("evidence", "import", "m.jsonl", "--db", "messages.db")
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", lambda _handle: signal.raise_signal(signal.SIGINT))
        told = port(*words)

    assert told.code == 130, told
    assert "Traceback" not in told.err
    assert left_over(port) == []
    assert port(*words).code == 0


def test_interrupted_inside_the_database_is_no_failure_of_the_file(port, monkeypatch):
    """SQLite drops what is raised in its callbacks and calls the statement interrupted."""
    from frugal.store import pool

    port("import", "notes")
    with monkeypatch.context() as patch:
        patch.setattr(pool, "STEPS_BETWEEN_LOOKS", 1)
        patch.setattr(pool._Lent, "_is_unwanted", lambda _self: signal.raise_signal(signal.SIGINT) or 0)
        told = port("memory", "recall", "harbour gate")

    assert told.code == 130, told
    assert told.err.splitlines()[-1] == "Interrupted."
    assert port("memory", "recall", "harbour gate").code == 0


def test_interrupted_with_json_is_one_object(port, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(console.Progress, "__call__", lambda *_: signal.raise_signal(signal.SIGINT))
        told = port("import", "notes", "--json")

    assert told.code == 130
    assert told.json["error"]["code"] == "interrupted"
