"""The reader of the vault itself: Markdown files, the kind of a card without one by its folder."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from frugal_modes.vault.cardtext import read_card
from frugal_modes.vault.kinds import kind_of_path
from frugal_modes.vault.readers.texts import decoded
from frugal_modes.vault.readers.walking import walk
from frugal_modes.vault.records import Problem, Reading, Unit

SUFFIXES = (".md", ".markdown")


class VaultReader:
    """Every Markdown file below the vault is a card."""

    name = "vault"

    def defaults(self, environ: Mapping[str, str]) -> tuple[Path, ...]:
        """Return nothing: where the vault lies is a setting."""
        return ()

    def recognise(self, path: Path) -> str | None:
        """Return None: a folder is only made the vault by the settings."""
        return None

    def units(self, root: Path, options: Mapping[str, str]) -> Iterable[Unit | Problem]:
        """Yield the Markdown files below *root*."""
        found: Iterator[Unit | Problem] = walk(root, options, lambda path: path.lower().endswith(SUFFIXES))
        return found

    def read(self, unit: Unit, data: bytes, options: Mapping[str, str]) -> Reading:
        """Return the card of one file."""
        text = decoded(data, unit.path)
        if isinstance(text, Problem):
            return Reading(problems=(text,), is_whole=False)
        return read_card(text, path=unit.path, kind=kind_of_path(unit.path))


READER = VaultReader()
