"""Entry points of installed distributions, read from their files.

`importlib.metadata` gives the same, but importing it costs a fifth of the time a shell command may take. Where
anything but plain folders is to be looked through (zip files, eggs, finders of other tools) it is asked all the same.
"""

import os
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.machinery import PathFinder
from typing import Any, NamedTuple

FILE = "entry_points.txt"
HEADERS = ("METADATA", "PKG-INFO")
_SUFFIXES = (".dist-info", ".egg-info")
_VALUE = re.compile(r"(?P<module>[\w.]+)\s*(?::\s*(?P<attribute>[\w.]+)\s*)?(?:\[.*\]\s*)?")


class Distribution(NamedTuple):
    """The distribution that brought an entry point."""

    name: str
    version: str


class EntryPoint(NamedTuple):
    """A name and the object it stands for, written `package.module:attribute`."""

    name: str
    value: str
    dist: Distribution

    def load(self) -> Any:
        """Import and return the object; raise what the import raises, ValueError if *value* is malformed."""
        match = _VALUE.fullmatch(self.value)
        if match is None:
            raise ValueError(f"entry point {self.name} = {self.value}")
        found: Any = import_module(match["module"])
        for attribute in (match["attribute"] or "").split("."):
            found = getattr(found, attribute) if attribute else found
        return found


def entry_points(group: str) -> list[EntryPoint]:
    """Return the entry points of *group*, in the order of `sys.path`; the first of two equal distributions counts."""
    folders = _plain_folders()
    return _asked(group) if folders is None else list(_read(folders, group))


def _plain_folders() -> list[str] | None:
    """Return the folders of `sys.path`, None if something else than folders has to be searched."""
    if any(finder is not PathFinder and hasattr(finder, "find_distributions") for finder in sys.meta_path):
        return None
    folders: list[str] = []
    for entry in sys.path:
        folder = entry or os.curdir
        if not os.path.exists(folder):  # noqa: PTH110 - pathlib would cost more than the look itself
            continue
        if not os.path.isdir(folder) or folder.rstrip(os.sep).endswith(".egg"):  # noqa: PTH112 - as above
            return None
        folders.append(folder)
    return folders


def _read(folders: list[str], group: str) -> Iterator[EntryPoint]:
    seen: set[str] = set()
    for folder in folders:
        try:
            names = os.listdir(folder)  # noqa: PTH208 - as above
        except OSError:
            continue
        for name in names:
            if not name.lower().endswith(_SUFFIXES):
                continue
            key = re.sub(r"[-_.]+", "-", name.rpartition(".")[0].partition("-")[0]).lower()
            if key in seen:
                continue
            seen.add(key)
            place = os.path.join(folder, name)  # noqa: PTH118 - as above
            found = _section(_text(place, FILE), group)
            if found:
                dist = _distribution(place)
                yield from (EntryPoint(left, right, dist) for left, right in found)


def _text(place: str, name: str) -> str:
    try:
        with open(os.path.join(place, name), encoding="utf-8") as stream:  # noqa: PTH118, PTH123 - as above
            return stream.read()
    except (OSError, UnicodeDecodeError):
        return ""


def _section(text: str, group: str) -> list[tuple[str, str]]:
    """Return the names and values below `[group]`."""
    if f"[{group}]" not in text:
        return []
    found: list[tuple[str, str]] = []
    section = ""
    for line in map(str.strip, text.splitlines()):
        if line.startswith("[") and line.endswith("]"):
            section = line[1:-1]
        elif section == group and line and not line.startswith("#"):
            name, _, value = line.partition("=")
            found.append((name.strip(), value.strip()))
    return found


def _distribution(place: str) -> Distribution:
    text = next(filter(None, (_text(place, name) for name in HEADERS)), "")
    header = text.partition("\n\n")[0]
    name, version = (re.search(rf"(?mi)^{key}:[ \t]*(\S+)", header) for key in ("name", "version"))
    return Distribution(name[1] if name else "?", version[1] if version else "?")


def _asked(group: str) -> list[EntryPoint]:
    from importlib import metadata

    return [
        EntryPoint(
            point.name,
            point.value,
            Distribution(point.dist.name, point.dist.version) if point.dist else Distribution("?", "?"),
        )
        for point in metadata.entry_points(group=group)
    ]
