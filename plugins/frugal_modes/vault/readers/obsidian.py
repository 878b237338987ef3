"""An Obsidian vault: notes, without the folder of templates."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from frugal_modes.vault.readers.notes import is_markdown, read_note
from frugal_modes.vault.readers.sniffing import beginning
from frugal_modes.vault.readers.walking import walk
from frugal_modes.vault.records import Problem, Reading, Unit

SETTINGS = ".obsidian"
_TEMPLATE_SETTINGS = (
    ("templates.json", "folder"),
    ("plugins/templater-obsidian/data.json", "templates_folder"),
)


@dataclass(frozen=True)
class Obsidian:
    """One note is one card, called by its `title` key or its file."""

    name: str = "obsidian"
    option_names: tuple[str, ...] = ()

    def defaults(self, environ: Mapping[str, str]) -> tuple[Path, ...]:
        """Return nothing: a vault lies anywhere."""
        return ()

    def recognise(self, path: Path) -> str | None:
        """Return the reason if *path* is a folder with Obsidian's settings."""
        return "shape.obsidian" if (path / SETTINGS).is_dir() else None

    def units(self, root: Path, options: Mapping[str, str]) -> Iterable[Unit | Problem]:
        """Yield the notes; canvases and bases have other suffixes."""
        templates = frozenset(folder.casefold() for folder in _template_folders(root))
        return walk(root, options, is_markdown, enters=lambda path: path.casefold() not in templates)

    def read(self, unit: Unit, data: bytes, options: Mapping[str, str]) -> Reading:
        """Return the card."""
        return read_note(unit, data, has_heading_title=False)


def _template_folders(root: Path) -> list[str]:
    """Return the folders of templates that the core plugin and Templater are configured with."""
    folders: list[str] = []
    for file, key in _TEMPLATE_SETTINGS:
        try:
            values = json.loads(beginning(root / SETTINGS / file) or "{}")
        except (ValueError, RecursionError):
            continue
        folder = values.get(key) if isinstance(values, dict) else None
        if isinstance(folder, str) and folder.strip("/ "):
            folders.append(folder.strip("/ "))
    return folders


READER = Obsidian()
