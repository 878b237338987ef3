"""Which files are taken over, and which are refused without a byte being touched."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from old_files import (
    ARCHIVE_KINDS,
    STAMP,
    backups_of,
    is_sound,
    rows_of,
    write_file,
    write_full_text_file,
)

from frugal.store import peek_language

COUNTS = """
    SELECT (SELECT count(*) FROM entry), (SELECT count(*) FROM event), (SELECT count(*) FROM learned_question),
           (SELECT count(*) FROM entry_state WHERE memo_id IS NOT NULL)
"""
WHOLE = (5, 2, 1, 2)
LANGUAGE = "SELECT value FROM record WHERE key = 'language'"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "files" / "memory.db"


def traces_of(path: Path) -> tuple[bytes, int, list[str]]:
    """Return what a refusal has to leave: bytes, change time, the folder's names."""
    return path.read_bytes(), path.stat().st_mtime_ns, sorted(file.name for file in path.parent.iterdir())


@pytest.mark.parametrize("layout", ["5", "6"])
@pytest.mark.parametrize("journal", ["WAL", "DELETE"])
@pytest.mark.parametrize("language", ["en", "de"])
def test_layouts_5_and_6_are_taken_over(
    path: Path, open_file: Callable, layout: str, journal: str, language: str
) -> None:
    write_file(path, layout=layout, journal=journal, language=language)

    owner = open_file(path)
    text = owner("recall", query="lamp driver")
    owner.workspace.close()

    assert "The lamp driver resets after 9 s." in text
    assert rows_of(path, COUNTS) == [WHOLE]
    assert rows_of(path, LANGUAGE) == [(language,)]
    assert is_sound(path)
    assert len(backups_of(path)) == 1


def test_layout_5_of_an_archive_is_taken_over(path: Path, open_file: Callable) -> None:
    entry = (1, "Study, arXiv:2301.01234v2", "x", STAMP, "befund", STAMP, None, None)
    write_file(path, layout="5", kinds=ARCHIVE_KINDS, entries=[entry], log=(), questions=())

    open_file(path, "archive")("topics")

    assert rows_of(path, "SELECT entry_id, type, key FROM source") == [(1, "arxiv", "2301.01234")]
    assert rows_of(path, "SELECT kind FROM entry_state") == [("befund",)]


def test_later_layout_with_everything_of_6_is_taken_over(path: Path, open_file: Callable) -> None:
    write_file(path, layout="8", more=["ALTER TABLE eintrag ADD COLUMN neues TEXT"])

    open_file(path)("topics")

    assert rows_of(path, COUNTS) == [WHOLE]


@pytest.mark.parametrize(
    "statement",
    ["DROP TABLE marken", "ALTER TABLE veraltet RENAME COLUMN grund TO warum", "DROP TABLE suche"],
)
def test_later_layout_that_lacks_something_is_refused_with_its_number(
    path: Path, open_file: Callable, statement: str
) -> None:
    write_file(path, layout="8", more=[statement])
    before = traces_of(path)

    reply = open_file(path).reply("topics")

    assert reply.is_error
    assert "layout 8" in reply.text
    assert traces_of(path) == before


@pytest.mark.parametrize("layout", ["3", "4"])
@pytest.mark.parametrize("is_guest", [False, True])
def test_layouts_before_5_are_refused_with_number_and_advice(
    path: Path, open_file: Callable, layout: str, is_guest: bool
) -> None:
    write_full_text_file(path, layout=layout)
    before = traces_of(path)

    owner = open_file(path, is_guest=is_guest)
    refusals = [owner.reply("topics"), owner.reply("recall", query="lamp")]

    for reply in refusals:
        assert reply.is_error
        assert f"layout {layout} " in reply.text
        assert "0.2.0" in reply.text
    assert traces_of(path) == before


def test_half_lifted_file_is_refused_with_its_number(path: Path, open_file: Callable) -> None:
    add = "INSERT INTO mem (content, tags) VALUES ('The lamp.', 'lamp')"
    write_file(path, more=["CREATE VIRTUAL TABLE mem USING fts5 (content, tags)", add])
    before = traces_of(path)

    reply = open_file(path).reply("topics")

    assert reply.is_error
    assert "layout 6 " in reply.text
    assert traces_of(path) == before


def test_empty_full_text_table_beside_the_entries_does_not_matter(path: Path, open_file: Callable) -> None:
    write_file(path, more=["CREATE VIRTUAL TABLE mem USING fts5 (content, tags)"])

    open_file(path)("topics")

    assert rows_of(path, COUNTS) == [WHOLE]


def test_archive_is_not_read_as_a_memory(path: Path, open_file: Callable) -> None:
    entry = (1, "Study", "x", STAMP, "befund", STAMP, None, None)
    write_file(path, kinds=ARCHIVE_KINDS, entries=[entry], log=(), questions=())
    before = traces_of(path)

    reply = open_file(path, "memory").reply("topics")

    assert reply.is_error
    assert "befund" not in reply.text
    assert "MEMORY_DB" in reply.text
    assert traces_of(path) == before


def test_notebook_is_not_read_as_a_memory(path: Path, open_file: Callable) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE reihe (id INTEGER PRIMARY KEY, kennung TEXT)")
    before = traces_of(path)

    reply = open_file(path, "memory").reply("topics")

    assert reply.is_error
    assert "another mode" in reply.text
    assert traces_of(path) == before


def test_file_without_entries_becomes_an_empty_memory(path: Path, open_file: Callable) -> None:
    write_file(path, entries=(), log=(), questions=())

    owner = open_file(path)

    assert "remember" not in owner("topics")
    assert rows_of(path, COUNTS) == [(0, 0, 0, 0)]
    owner("remember", text="First.", tags="x")
    assert rows_of(path, "SELECT id FROM entry") == [(1,)]


@pytest.mark.parametrize(
    ("language", "entries", "found"),
    [("de", (), "de"), ("en", (), "en"), (None, None, "de"), (None, (), None), ("fr", (), None)],
)
def test_language_of_an_old_file_is_known_before_it_is_opened(
    path: Path, language: str | None, entries: tuple | None, found: str | None
) -> None:
    given = {} if entries is None else {"entries": entries, "log": (), "questions": ()}
    write_file(path, language=language, **given)
    before = traces_of(path)

    assert peek_language(path) == found
    assert traces_of(path) == before


def test_set_language_does_not_change_the_recorded_one(path: Path, open_file: Callable) -> None:
    write_file(path, language="de")

    text = open_file(path, language="en")("topics")

    assert "entries" in text
    assert rows_of(path, LANGUAGE) == [("de",)]


def test_guest_is_refused_in_words_and_works_after_the_owner(path: Path, open_file: Callable) -> None:
    write_file(path)
    before = traces_of(path)
    guest = open_file(path, is_guest=True)

    refusals = [
        guest.reply(tool, **given)
        for tool, given in (("topics", {}), ("recall", {"query": "lamp"}), ("show", {"ids": "1"}))
    ]

    for reply in refusals:
        assert reply.is_error
        assert str(path) in reply.text
        assert "frugal-memory upkeep" in reply.text
    assert traces_of(path) == before
    open_file(path)("topics")
    assert "The lamp driver resets after 9 s." in guest("recall", query="lamp driver")


def test_guest_of_an_archive_is_told_the_command_with_its_flag(path: Path, open_file: Callable) -> None:
    write_file(path, kinds=ARCHIVE_KINDS, entries=(), log=(), questions=())

    reply = open_file(path, "archive", is_guest=True).reply("topics")

    assert f"frugal-memory upkeep --archive --db {path}" in reply.text
