"""An archive in one language, or one test for both."""

import re
from collections.abc import Callable
from typing import Any

import pytest

GERMAN = {
    "show": "zeige",
    "topics": "themen",
    "forget": "vergessen",
    "classify": "einordnen",
    "consolidate": "verdichten",
    "check": "pruefe",
    "kind": "art",
    "supersedes": "ersetzt",
    "also": "auch",
    "tag": "marke",
    "full": "voll",
    "all": "alle",
    "reason": "grund",
    "undo": "rueckgaengig",
    "threshold": "schwelle",
    "groups": "gruppen",
    "include_superseded": "mit_veraltet",
    "finding": "befund",
    "method": "methode",
    "survey": "ueberblick",
    "resource": "werkzeug",
    "gap": "luecke",
    "lead": "spur",
    "rejected": "verworfen",
    "unsorted": "gemischt",
    "archive": "archiv",
}


class Archive:
    """The tools of the archive under their English names, in either language."""

    def __init__(self, shell: Any, language: str) -> None:
        self.shell = shell
        self.language = language

    def word(self, english: str) -> str:
        """Return a name or kind in this language."""
        return english if self.language == "en" else GERMAN.get(english, english)

    def pick(self, english: str, german: str) -> str:
        """Return the text of this language."""
        return english if self.language == "en" else german

    def __call__(self, tool: str, /, **arguments: object) -> str:
        """Return the text of an answer; a refusal fails the test."""
        return self.shell(self.word(tool), **self._spoken(arguments))

    def refused(self, tool: str, /, **arguments: object) -> str:
        """Return the text of a refusal; an answer fails the test."""
        return self.shell.refused(self.word(tool), **self._spoken(arguments))

    def _spoken(self, arguments: dict[str, object]) -> dict[str, object]:
        return {self.word(name): value for name, value in arguments.items()}

    def store(self, text: str, **arguments: object) -> int:
        """Store *text* and return its id."""
        found = re.search(r"#(\d+)", self("remember", text=text, **arguments))
        assert found
        return int(found[1])

    def named(self, number: int) -> str:
        """Return an id as it is printed."""
        return f"{self.word('archive')}#{number}"

    def rows(self, sql: str) -> list[tuple[object, ...]]:
        """Return rows of the file."""
        with self.shell.workspace.store.read() as db:
            return [tuple(row) for row in db.execute(sql)]


@pytest.fixture
def open_archive(open_shell: Callable[..., Any]) -> Callable[..., Archive]:
    """Open an archive in *language*; several may share the file of a test."""

    def open_it(language: str = "en", **options: Any) -> Archive:
        return Archive(open_shell(language, file="papers.db", mode="archive", **options), language)

    return open_it


@pytest.fixture(params=["en", "de"])
def archive(request: pytest.FixtureRequest, open_archive: Callable[..., Archive]) -> Archive:
    """A fresh archive, once in English and once in German."""
    return open_archive(request.param)
