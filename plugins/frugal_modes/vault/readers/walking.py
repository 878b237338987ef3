"""The files below the root of a source: in a fixed order, without what is ignored, links never out of the root."""

import os
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from frugal_modes.vault.records import LARGEST_FILE_BYTES, Problem, Unit

IGNORED = frozenset(
    {".git", ".hg", ".svn", ".trash", ".obsidian", ".stfolder", ".stversions", ".venv", "node_modules"}
    | {"__pycache__"}
)
"""Names of path parts below the root that are never entered; a part is meant as a whole: `.trash-old` is read."""

IGNORE_OPTION = "ignore"
"""The option that carries the globs of `vault.json`, one a line."""

Wanted = Callable[[str], bool]


def globs_of(options: Mapping[str, str]) -> tuple[str, ...]:
    """Return the globs that a source is to ignore."""
    return tuple(line.strip() for line in options.get(IGNORE_OPTION, "").splitlines() if line.strip())


def is_ignored(path: str, globs: tuple[str, ...]) -> bool:
    """Tell whether *path*, relative to the root with `/`, is left out by a glob.

    A glob without `/` is meant for any part, one with `/` for the path from the root; `**` goes over folders.
    """
    parts = path.split("/")
    for glob in globs:
        pattern = _pattern(glob)
        if "/" in glob.rstrip("/"):
            if any(pattern.fullmatch("/".join(parts[:count])) for count in range(1, len(parts) + 1)):
                return True
        elif any(pattern.fullmatch(part) for part in parts):
            return True
    return False


@lru_cache(maxsize=512)
def _pattern(glob: str) -> re.Pattern[str]:
    words = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    pieces = re.split(r"(\*\*/|\*\*|\*|\?)", glob.strip("/"))
    return re.compile("".join(words.get(piece) or re.escape(piece) for piece in pieces), re.DOTALL)


def native(path: str) -> str:
    """Return the native id of a file: its path in NFC."""
    return path if path.isascii() else unicodedata.normalize("NFC", path)


def walk(
    root: Path,
    options: Mapping[str, str],
    wanted: Wanted,
    *,
    most_bytes: int = LARGEST_FILE_BYTES,
    enters: Wanted = lambda _path: True,
) -> Iterator[Unit | Problem]:
    """Yield a unit for every file whose path is *wanted* below *root*, or for *root* itself if it is a file.

    *enters* tells which folders are entered. What cannot be listed and links that leave the root are problems.
    """
    if not root.is_dir():
        if wanted(root.name):
            yield Unit(root, "", most_bytes)
        return
    walker = _Walk(root, globs_of(options), wanted, enters)
    for found in walker.run():
        yield found if isinstance(found, Problem) else Unit(root, found.path, most_bytes, real=found.real)


class _Found(NamedTuple):
    """A file (*folder* is "") or a folder: its path, where a link led (else ""), and for a folder its real place."""

    path: str
    real: str
    folder: str = ""


class _Folder(NamedTuple):
    path: str
    real: str
    above: frozenset[str]


class _Walk:
    """One walk over the files below a root."""

    def __init__(self, root: Path, globs: tuple[str, ...], wanted: Wanted, enters: Wanted) -> None:
        self._root = str(root)
        self._real = os.path.realpath(root)
        self._globs = globs
        self._wanted = wanted
        self._enters = enters

    def run(self) -> Iterator[_Found | Problem]:
        """Yield the files, depth first, names in order."""
        folders = [_Folder("", "", frozenset({self._real}))]
        while folders:
            folder = folders.pop()
            deeper: list[_Folder] = []
            try:
                with os.scandir(f"{self._root}/{folder.path}") as listing:
                    entries = sorted(listing, key=lambda entry: entry.name)
            except OSError as error:
                yield Problem(folder.path, f"unreadable: {error.strerror or error}")
                continue
            for entry in entries:
                found = self._examine(entry, folder)
                if isinstance(found, _Found) and found.folder:
                    deeper.append(_Folder(found.path, found.real, folder.above | {found.folder}))
                elif found is not None:
                    yield found
            folders.extend(reversed(deeper))

    def _examine(self, entry: os.DirEntry[str], folder: _Folder) -> _Found | Problem | None:
        """Return what *entry* of *folder* is, None if it is left out."""
        path = f"{folder.path}/{entry.name}" if folder.path else entry.name
        if entry.name in IGNORED or (self._globs and is_ignored(path, self._globs)):
            return None
        try:
            is_folder = entry.is_dir()
            if not (self._enters(path) if is_folder else self._wanted(path)):
                return None
            if not path.isascii() and not _is_text(path):
                return Problem(os.fsencode(path).decode("utf-8", "backslashreplace"), "name_not_utf8")
            if entry.is_symlink():
                return self._follow(entry, path, folder.above, is_folder=is_folder)
            is_special = not is_folder and not entry.is_file()  # a socket, a pipe
        except OSError as error:
            return Problem(path, f"unreadable: {error.strerror or error}")
        real = f"{folder.real}/{entry.name}" if folder.real else ""
        place = real or f"{self._real}/{path}"
        return None if is_special else _Found(path, real, place if is_folder else "")

    def _follow(
        self, entry: os.DirEntry[str], path: str, above: frozenset[str], *, is_folder: bool
    ) -> _Found | Problem | None:
        """Return where a link leads: never out of the root, and not around in a circle."""
        target = os.path.realpath(entry.path)
        if target != self._real and not target.startswith(self._real + os.sep):
            return Problem(path, "link_leaves_root")
        if is_folder:
            return None if target in above else _Found(path, target, target)
        return _Found(path, target) if entry.is_file() else Problem(path, "link_leads_nowhere")


def _is_text(path: str) -> bool:
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
