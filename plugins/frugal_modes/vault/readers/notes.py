"""Markdown files, one card each: what the formats made of them share."""

from pathlib import Path

from frugal_modes.vault.cardtext import read_card
from frugal_modes.vault.readers.texts import decoded
from frugal_modes.vault.readers.walking import native, walk
from frugal_modes.vault.records import Problem, Reading, Unit

SUFFIXES = (".md", ".markdown")


def is_markdown(path: str) -> bool:
    """Tell whether a file is Markdown by its name, in any case."""
    return path.lower().endswith(SUFFIXES)


def has_markdown(folder: Path) -> bool:
    """Tell whether *folder* holds a Markdown file, at any depth."""
    return any(isinstance(found, Unit) for found in walk(folder, {}, is_markdown))


def path_of(unit: Unit) -> str:
    """Return the path by which cards of *unit* are named: a root that is a file has its own name."""
    return native(unit.path or unit.root.name)


def read_note(unit: Unit, data: bytes, *, kind: str = "note", has_heading_title: bool = True) -> Reading:
    """Return the one card of a Markdown file."""
    path = path_of(unit)
    text = decoded(data, path)
    if isinstance(text, Problem):
        return Reading(problems=(text,), is_whole=False)
    return read_card(text, path=path, kind=kind, has_heading_title=has_heading_title)
