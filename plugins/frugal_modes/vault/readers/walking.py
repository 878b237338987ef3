"""The files below the root of a source: in a fixed order, without what is ignored, links never out of the root."""

import os
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from frugal_modes.vault.records import LARGEST_EXPORT_BYTES, LARGEST_FILE_BYTES, Problem, Unit

IGNORED = frozenset(
    {".git", ".hg", ".svn", ".trash", ".obsidian", ".stfolder", ".stversions", ".venv", "node_modules"}
    | {"__pycache__"}
)
"""Names of path parts below the root that are never entered; a part is meant as a whole: `.trash-old` is read."""

IGNORE_OPTION = "ignore"
"""The option that carries the globs of `vault.json`, one a line."""

AFTER_OPTION = "walk-after"
"""The option that carries a path: a walk begins behind it and comes to what lies before it last."""

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


def walk_order(path: str) -> str:
    """Return what paths are to be sorted by to stand as a walk comes to them: the files of a folder, then its folders."""
    folder, _, name = path.rpartition("/")
    return f"{folder_order(folder)}\x000{name}" if folder else f"0{name}"


def folder_order(folder: str) -> str:
    """Return how `walk_order` begins for everything below *folder*."""
    return "1" + folder.replace("/", "\x001")


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

    *enters* tells which folders are entered. What cannot be listed and links that leave the root are problems. With
    `AFTER_OPTION` the files behind that path come first.
    """
    if not root.is_dir():
        if wanted(root.name):
            yield Unit(root, "", most_bytes)
        return
    globs, after = globs_of(options), options.get(AFTER_OPTION, "")
    for part in _parts(after) if after else (_everything,):
        for found in _Walk(root, globs, wanted, enters, part).run():
            yield found if isinstance(found, Problem) else Unit(root, found.path, most_bytes, real=found.real)


def walk_exports(root: Path, options: Mapping[str, str], wanted: Wanted) -> Iterator[Unit | Problem]:
    """Yield a unit for the export that *root* is, whatever its name, or for the *wanted* files of a folder."""
    is_folder = root.is_dir()
    return walk(root, options, lambda path: not is_folder or wanted(path), most_bytes=LARGEST_EXPORT_BYTES)


Part = Callable[[str, bool], bool]
"""Tells by its path whether a file belongs to a part of a walk, or (True) whether a folder may hold such files."""


def _everything(_path: str, _is_folder: bool) -> bool:
    return True


def _parts(after: str) -> tuple[Part, Part]:
    """Return what lies behind *after*, and the rest; whole folders on the other side are not entered."""
    mark = walk_order(after)

    def is_behind(path: str, is_folder: bool) -> bool:
        if not is_folder:
            return walk_order(path) > mark
        order = folder_order(path) + "\0"
        return order > mark or mark.startswith(order)

    def is_before(path: str, is_folder: bool) -> bool:
        return folder_order(path) + "\0" <= mark if is_folder else walk_order(path) <= mark

    return is_behind, is_before


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

    def __init__(
        self, root: Path, globs: tuple[str, ...], wanted: Wanted, enters: Wanted, part: Part
    ) -> None:
        self._root = str(root)
        self._real = os.path.realpath(root)
        self._globs = globs
        self._wanted = wanted
        self._enters = enters
        self._is_part = part

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
            is_meant = self._enters if is_folder else self._wanted
            if not (is_meant(path) and self._is_part(path, is_folder)):
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
