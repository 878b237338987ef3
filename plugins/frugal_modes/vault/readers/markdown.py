"""A folder of Markdown files, one card each."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from frugal_modes.vault.readers.notes import has_markdown, is_markdown, read_note
from frugal_modes.vault.readers.walking import walk
from frugal_modes.vault.records import Problem, Reading, Unit


@dataclass(frozen=True)
class Markdown:
    """One file is one card."""

    name: str = "markdown"
    option_names: tuple[str, ...] = ()

    def defaults(self, environ: Mapping[str, str]) -> tuple[Path, ...]:
        """Return nothing: Markdown lies anywhere."""
        return ()

    def recognise(self, path: Path) -> str | None:
        """Return the reason if *path* is a Markdown file, or a folder with one at any depth."""
        found = has_markdown(path) if path.is_dir() else is_markdown(path.name) and path.is_file()
        return "shape.markdown" if found else None

    def units(self, root: Path, options: Mapping[str, str]) -> Iterable[Unit | Problem]:
        """Yield the Markdown files."""
        return walk(root, options, is_markdown)

    def read(self, unit: Unit, data: bytes, options: Mapping[str, str]) -> Reading:
        """Return the card."""
        return read_note(unit, data)


READER = Markdown()
