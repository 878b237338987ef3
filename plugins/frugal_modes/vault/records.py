"""What a source reader gives: cards, problems, and the units they come from. No SQL, no file is opened here."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

VAULT = "vault"
"""Name and kind of the one source that is written."""


@dataclass(frozen=True)
class Fact:
    """One statement that its source keeps as such (an observation, a relation), whole without the card around it."""

    text: str
    tags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Card:
    """One searchable record of a source. Times are UTC, `YYYY-MM-DDTHH:MM:SS.mmmZ`, or a bare `YYYY-MM-DD`; "" = not
    given. *path* is relative to the root of the source, `/` between its parts; *line* counts from 1, 0 = the whole file;
    *member* is the file inside an archive. *state* is `archived` for a card its source keeps but does not use.
    *supersedes* and *superseded_by* hold vault paths or refs as written. *metadata* is what else the front matter says,
    in its order. A card with *facts* has the text beside them in *rest*; the body holds both.
    """

    native_id: str
    path: str
    title: str
    body: str
    kind: str = "note"
    line: int = 0
    member: str = ""
    agent: str = ""
    status: str = ""
    priority: int = 0
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()
    created: str = ""
    updated: str = ""
    expires: str = ""
    invalid_at: str = ""
    supersedes: tuple[str, ...] = ()
    superseded_by: tuple[str, ...] = ()
    content_hash: str = ""
    state: str = ""
    metadata: tuple[tuple[str, str], ...] = ()
    facts: tuple[Fact, ...] = ()
    rest: str = ""


@dataclass(frozen=True)
class Problem:
    """Something of a source that could not be read: where (*path*, *place*: `line 7`, a member) and why.

    *reason* is a code, the text of which is `vault.problems.CODE`, with what it is about behind `: `.
    """

    path: str
    reason: str
    place: str = ""


LARGEST_FILE_BYTES = 5 * 1024 * 1024
LARGEST_EXPORT_BYTES = 200 * 1024 * 1024


@dataclass(frozen=True)
class Unit:
    """What is read at once: one file. *path* is relative to *root*, `/` between its parts; "" = the root itself.

    *most_bytes*: larger ones are not read. *also* names what its cards depend on besides (the log of a database, the
    folder whose files a list names), relative to *root* or absolute. *real* is where it lies if a link led here, else "".
    """

    root: Path
    path: str
    most_bytes: int = LARGEST_FILE_BYTES
    also: tuple[str, ...] = ()
    real: str = ""

    @property
    def file(self) -> Path:
        """Where the unit lies."""
        return self.root / self.path if self.path else self.root


@dataclass(frozen=True)
class Reading:
    """What one unit holds. Problems beside cards: the rest of the unit was read. *is_whole*: without an error, so that
    what is missing from *cards* is gone from the unit. *left_out* counts what the source itself does not keep any more
    (deleted, inactive, binary).
    """

    cards: tuple[Card, ...] = ()
    problems: tuple[Problem, ...] = ()
    is_whole: bool = True
    left_out: int = 0


class Reader(Protocol):
    """A format of sources: the whole interface between a format and the vault. It opens nothing for writing."""

    @property
    def name(self) -> str:
        """The kind of the source: `obsidian`, `mem0`."""

    def defaults(self, environ: Mapping[str, str]) -> tuple[Path, ...]:
        """Return the places where its program keeps such files, whether they exist or not."""

    def recognise(self, path: Path) -> str | None:
        """Return why *path* looks like this format, None if it does not."""

    def units(self, root: Path, options: Mapping[str, str]) -> Iterable[Unit | Problem]:
        """Yield every unit below *root* in a fixed order, and what could not be listed."""

    def read(self, unit: Unit, data: bytes, options: Mapping[str, str]) -> Reading:
        """Return the cards of *unit*, whose bytes are *data*; never raise for what the bytes hold."""
