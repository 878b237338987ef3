"""A notebook in either language, called by English names whatever it speaks."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from frugal.budget import cost
from frugal.surface import Surface

FRAME_BYTES = 128
SWEEP = "vision/lr-sweep"


class Book:
    """One client of one notebook: `book("series", key="a/b")` is the text of the answer, in the book's language."""

    def __init__(self, shell: Any, path: Path) -> None:
        self.shell = shell
        self.path = path

    @property
    def surface(self) -> Surface:
        return self.shell.workspace.surface

    @property
    def language(self) -> str:
        return self.surface.language

    def text(self, key: str, **fields: object) -> str:
        """Return a text of ours in the book's language."""
        return self.surface.text(key, **fields)

    def word(self, english: str, german: str) -> str:
        """Return what the book says in its language."""
        return german if self.language == "de" else english

    def reply(self, tool: str, /, **arguments: object) -> Any:
        named = {self.surface.parameter_name(tool, name): value for name, value in arguments.items()}
        name = self.surface.tool_name(tool)
        found = self.surface.find_tool(name)
        is_command = found is not None and found.is_shell_only
        return self.shell.workspace.call(self.shell.client, name, named, from_shell=is_command)

    def __call__(self, tool: str, /, **arguments: object) -> str:
        reply = self.reply(tool, **arguments)
        assert not reply.is_error, reply.text
        return reply.text

    def refused(self, tool: str, /, **arguments: object) -> str:
        reply = self.reply(tool, **arguments)
        assert reply.is_error, reply.text
        return reply.text

    def items(self, tool: str, /, **arguments: object) -> tuple[dict[str, Any], ...]:
        return tuple(dict(item) for item in self.reply(tool, **arguments).answer.items)

    def rows(self, sql: str, **parameters: object) -> list[tuple[Any, ...]]:
        """Return what the file holds, read past the program."""
        with closing(sqlite3.connect(f"{self.path.as_uri()}?mode=ro", uri=True)) as db:
            return db.execute(sql, parameters).fetchall()

    def dump(self) -> list[tuple[Any, ...]]:
        """Return every recorded row of the file."""
        tables = ("series", "event", "criterion", "plan", "link", "recipe", "measurement", "result")
        return [(table, *row) for table in tables for row in self.rows(f"SELECT * FROM {table} ORDER BY 1")]

    def sweep(self, key: str = SWEEP, **more: object) -> str:
        """Open a series with a criterion, unless told otherwise."""
        given = {"question": "Which learning rate wins?", "criterion": "B beats A by 1 %", **more}
        return self("new_series", key=key, **given)


def size_of(text: str) -> int:
    """Return what an answer with *text* costs on the wire."""
    return cost(text).size_bytes + FRAME_BYTES


@pytest.fixture
def open_book(open_shell: Callable[..., Any], tmp_path: Path) -> Callable[..., Book]:
    def open_it(language: str = "en", *, file: str = "messbuch.db", **more: Any) -> Book:
        return Book(open_shell(language, file=file, mode="notebook", **more), tmp_path / file)

    return open_it


@pytest.fixture(params=["en", "de"])
def book(request: pytest.FixtureRequest, open_book: Callable[..., Book]) -> Book:
    """Return a fresh notebook; every test that takes it runs in both languages."""
    return open_book(request.param)


@pytest.fixture
def utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Run in UTC whatever the machine is set to."""
    import time

    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()
