"""The folder of an agent's memory tool: text files of any name, read as they are."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from frugal_modes.vault.readers.notes import path_of
from frugal_modes.vault.readers.texts import decoded
from frugal_modes.vault.readers.walking import walk
from frugal_modes.vault.records import Card, Problem, Reading, Unit

_SNIFFED_BYTES = 8192


@dataclass(frozen=True)
class MemoryTool:
    """One text file is one card, its path the title; binary files are counted only."""

    name: str = "memory-tool"
    option_names: tuple[str, ...] = ()

    def defaults(self, environ: Mapping[str, str]) -> tuple[Path, ...]:
        """Return nothing: the program that offers the tool chose the place."""
        return ()

    def recognise(self, path: Path) -> str | None:
        """Return the reason for every folder and file: the format has no mark, so `auto` never asks."""
        return "shape.memory_tool" if path.is_dir() or path.is_file() else None

    def units(self, root: Path, options: Mapping[str, str]) -> Iterable[Unit | Problem]:
        """Yield every file."""
        return walk(root, options, lambda _path: True)

    def read(self, unit: Unit, data: bytes, options: Mapping[str, str]) -> Reading:
        """Return the file as it is."""
        if b"\0" in data[:_SNIFFED_BYTES]:
            return Reading(left_out=1)
        path = path_of(unit)
        text = decoded(data, path)
        if isinstance(text, Problem):
            return Reading(problems=(text,), is_whole=False)
        return Reading((Card(native_id=path, path=path, title=path, body=text.replace("\r\n", "\n")),))


READER = MemoryTool()
