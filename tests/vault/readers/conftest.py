"""Sources written by the tests in the formats of their programs, and a look at all their cards at once."""

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from frugal_modes.vault.probing import listed, read_unit
from frugal_modes.vault.readers import REFERENCES, load
from frugal_modes.vault.records import Card, Problem

READERS = {reader.name: reader for reader in load(REFERENCES)}


@dataclass
class Gathered:
    """Everything one source gave."""

    cards: list[Card] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    left_out: int = 0
    is_whole: bool = True

    @property
    def ids(self) -> list[str]:
        """The native ids in order."""
        return [card.native_id for card in self.cards]

    @property
    def titles(self) -> list[str]:
        """The titles in order."""
        return [card.title for card in self.cards]

    @property
    def reasons(self) -> list[tuple[str, str, str]]:
        """Path, place and code of every problem."""
        return [(item.path, item.place, item.reason.partition(": ")[0]) for item in self.problems]

    def card(self, native_id: str) -> Card:
        """Return the one card with this native id."""
        (found,) = [card for card in self.cards if card.native_id == native_id]
        return found


def gather(kind: str, root: Path, **options: str) -> Gathered:
    """Read the source of *kind* at *root* through."""
    found = Gathered()
    for item in listed(READERS[kind], root, options):
        if isinstance(item, Problem):
            found.problems.append(item)
            continue
        reading = read_unit(READERS[kind], item, options)
        found.cards += reading.cards
        found.problems += reading.problems
        found.left_out += reading.left_out
        found.is_whole = found.is_whole and reading.is_whole
    return found


def recognise(path: Path) -> list[str]:
    """Return the kinds that *path* looks like, in the order of `auto`."""
    return [name for name, reader in READERS.items() if name != "memory-tool" and reader.recognise(path)]


def tree(root: Path) -> dict[str, tuple[bytes, int]]:
    """Return bytes and time of change of everything below *root*."""
    files = [Path(folder) / name for folder, _, names in os.walk(root) for name in names]
    return {
        str(file): (file.read_bytes(), file.stat().st_mtime_ns) for file in sorted(files) if file.is_file()
    }


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str | bytes], Path]:
    """Write a file below the test's source `src` and return it."""

    def write_it(path: str, content: str | bytes) -> Path:
        file = tmp_path / "src" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return file

    return write_it


@pytest.fixture
def src(tmp_path: Path) -> Path:
    folder = tmp_path / "src"
    folder.mkdir(exist_ok=True)
    return folder
