"""An owner's memory and a guest's view of the same file."""

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
    "tag": "marke",
    "full": "voll",
    "all": "alle",
    "kind": "art",
    "supersedes": "ersetzt",
    "include_superseded": "mit_veraltet",
}
NAMES = re.compile(r"[\w.]*#[0-9]+")


class Tools:
    """One workspace, its tools under their English names."""

    def __init__(self, shell: Any) -> None:
        self.shell = shell
        self.workspace = shell.workspace
        self.language = shell.workspace.surface.language

    def word(self, english: str) -> str:
        """Return a name in this language."""
        return english if self.language == "en" else GERMAN.get(english, english)

    def __call__(self, tool: str, /, **arguments: object) -> str:
        """Return the text of an answer; a refusal fails the test."""
        return self.shell(self.word(tool), **{self.word(name): value for name, value in arguments.items()})

    def refused(self, tool: str, /, **arguments: object) -> str:
        """Return the text of a refusal; an answer fails the test."""
        return self.shell.refused(
            self.word(tool), **{self.word(name): value for name, value in arguments.items()}
        )

    def store(self, *texts: str, **arguments: object) -> list[int]:
        """Store *texts* and return their ids."""
        answers = [self("remember", text=text, **arguments) for text in texts]
        return [int(re.search(r"#(\d+)", answer)[1]) for answer in answers]  # type: ignore[index]  # all have an id

    def number_from(self, first: int) -> None:
        """Let the next entry have the id *first*."""
        (before,) = self.store(f"The entry before {first}.")
        with self.workspace.store.write() as db:
            db.execute("UPDATE sqlite_sequence SET seq = :seq WHERE name = 'entry'", {"seq": first - 1})
        assert before < first


@pytest.fixture
def open_owner(open_shell: Callable[..., Any]) -> Callable[..., Tools]:
    return lambda language="en", **options: Tools(open_shell(language, **options))


@pytest.fixture
def open_guest(open_shell: Callable[..., Any]) -> Callable[..., Tools]:
    def open_it(language: str = "en", *, name: str = "b", **options: Any) -> Tools:
        return Tools(open_shell(language, is_guest=True, MEMORY_NAME=name, **options))

    return open_it
