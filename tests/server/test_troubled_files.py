"""Whatever is wrong with the file, the server starts, and every tool says what it is, where, and what to do."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from connections import SdkConnection, open_workspace
from stdio_client import text_of

import frugal
from frugal.engine import Workspace, read_migrations, utc_now
from frugal.server.edge import Edge
from frugal.store import Store

ADVICE_NEVER_GIVEN = ("delete", "remove the file", "move it", "move the file", "löschen", "verschieben")
LANGUAGES = ("en", "de")
TOOLS: dict[str, tuple[tuple[str, dict[str, object]], ...]] = {
    "en": (("remember", {"text": "x y z"}), ("recall", {"query": "x"}), ("show", {"ids": "1"})),
    "de": (("remember", {"text": "x y z"}), ("recall", {"query": "x"}), ("zeige", {"ids": "1"})),
}


def a_folder(file: Path) -> str:
    file.mkdir()
    return "folder Ordner"


def a_damaged_file(file: Path) -> str:
    file.write_bytes(b"SQLite format 3\0" + bytes(range(256)) * 40)
    return "restore"


def no_database(file: Path) -> str:
    file.write_text("This is a letter and no database. " * 200, "utf-8")
    return "restore"


def a_foreign_database(file: Path) -> str:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE invoices (id INTEGER)")
        connection.commit()
    return "invoices"


def a_newer_file(file: Path) -> str:
    workspace = open_workspace(file.parent)
    with workspace.store.write() as connection:
        (table,) = (
            row[0]
            for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            if {"set_name", "name"}
            <= {column[1] for column in connection.execute(f"PRAGMA table_info({row[0]})")}
        )
        columns = [column[1] for column in connection.execute(f"PRAGMA table_info({table})")]
        values = {name: "9999_from_the_future" if name == "name" else "entries" for name in columns}
        places = ", ".join(f":{name}" for name in columns)
        connection.execute(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({places})", values)
    workspace.close()
    return "9999_from_the_future"


def an_empty_file_with_a_log(file: Path) -> str:
    file.touch()
    file.with_name(f"{file.name}-wal").write_bytes(b"\x37\x7f\x06\x82" + bytes(5000))
    return "log Protokoll"


TROUBLES = (a_folder, a_damaged_file, no_database, a_foreign_database, a_newer_file, an_empty_file_with_a_log)


def contents(folder: Path) -> dict[str, object]:
    return {
        path.name: path.read_bytes() if path.is_file() else "folder" for path in folder.glob("memory.db*")
    }


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("make", TROUBLES)
def test_every_tool_names_the_trouble_and_touches_nothing(
    connect: Callable[..., SdkConnection], tmp_path: Path, make: Callable[[Path], str], language: str
) -> None:
    file = tmp_path / "memory.db"
    words = make(file).split()
    before = contents(tmp_path)
    workspace = open_workspace(tmp_path, language)
    connection = connect(Edge(workspace).build())

    results = [connection.call(tool, arguments) for tool, arguments in TOOLS[language]]

    for result in results:
        text = text_of(result)
        assert result["isError"], text
        assert str(file) in text
        assert any(word in text for word in words), text
        assert len(text) <= 800
        assert not any(advice in text for advice in ADVICE_NEVER_GIVEN), text
        assert "Traceback" not in text
    workspace.close()
    assert contents(tmp_path) == before


def with_short_patience(workspace: Workspace) -> Workspace:
    """Return *workspace* over a store that waits a tenth of a second for a lock, not thirty seconds."""
    workspace._store = Store(
        workspace.settings.path,
        mode=workspace.mode.name,
        setting="MEMORY_DB",
        migrations=read_migrations(workspace.mode),
        clock=utc_now,
        version=frugal.__version__,
        language="en",
        busy_timeout_s=0.1,
    )
    return workspace


@pytest.mark.parametrize("language", LANGUAGES)
def test_pain_11_lock_is_called_a_lock_and_nothing_is_stored(
    connect: Callable[..., SdkConnection], tmp_path: Path, language: str
) -> None:
    workspace = with_short_patience(open_workspace(tmp_path, language))
    connection = connect(Edge(workspace).build())
    connection.call("remember", {"text": "The first one."})

    with closing(sqlite3.connect(tmp_path / "memory.db", isolation_level=None)) as foreign:
        foreign.execute("BEGIN IMMEDIATE")
        refused = connection.call("remember", {"text": "The second one."})
        found = connection.call("recall", {"query": "first"})
        foreign.execute("ROLLBACK")
    again = connection.call("remember", {"text": "The second one."})

    text = text_of(refused)
    assert refused["isError"]
    assert {"en": "Another process", "de": "anderer Prozess"}[language] in text
    assert {"en": "Try again", "de": "Noch einmal"}[language] in text
    assert "frugal-memory doctor" in text
    assert not any(advice in text for advice in ADVICE_NEVER_GIVEN)
    assert not found["isError"]
    assert "#2 " in text_of(again)
    workspace.close()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="permissions do not bind root")
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_file_that_may_not_be_written_can_still_be_read(
    connect: Callable[..., SdkConnection], tmp_path: Path, language: str
) -> None:
    owner = open_workspace(tmp_path, language)
    connect(Edge(owner).build()).call("remember", {"text": "Read only."})
    owner.close()
    file = tmp_path / "memory.db"
    file.chmod(0o400)
    workspace = open_workspace(tmp_path, language)
    connection = connect(Edge(workspace).build())

    found = connection.call("recall", {"query": "read"})
    refused = connection.call("remember", {"text": "Not this one."})

    assert not found["isError"]
    assert refused["isError"]
    assert str(file) in text_of(refused)
    assert "400" in text_of(refused)
    workspace.close()


def test_a_file_that_was_replaced_is_noticed(connect: Callable[..., SdkConnection], tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    replacement = open_workspace(other)
    connect(Edge(replacement).build()).call("remember", {"text": "From the restored file."})
    replacement.close()
    workspace = open_workspace(tmp_path)
    connection = connect(Edge(workspace).build())
    connection.call("remember", {"text": "From the old file."})
    workspace.store.close()

    (other / "memory.db").replace(tmp_path / "memory.db")
    result: dict[str, Any] = connection.call("recall", {"query": "file"})

    assert "From the restored file." in text_of(result)
    assert "From the old file." not in text_of(result)
    workspace.close()
