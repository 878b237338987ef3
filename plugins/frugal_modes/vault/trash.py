"""The trash of the vault: what lies in `.trash`, from where, since when and why; nothing is purged by itself."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from frugal_modes.vault.moments import read_stamp
from frugal_modes.vault.slugs import fold_name, free_name
from frugal_modes.vault.writing import append_line, create, move

TRASH = ".trash"
MANIFEST = ".manifest.jsonl"
OLD_MANIFEST = ".manifest.json"
SUFFIXES = (".md", ".markdown")
DELETED, VERSION = "delete", "update"

_LARGEST_MANIFEST_BYTES = 64 * 1024 * 1024
_NAMES = {
    "trash": ("trash", "trash_path", "trashPath", "trashed", "trashed_path"),
    "original": ("original", "original_path", "originalPath", "path", "from"),
    "time": ("time", "deleted_at", "deletedAt", "trashed_at", "trashedAt", "at", "date"),
    "id": ("id", "number"),
    "hash": ("hash", "content_hash", "contentHash"),
    "reason": ("reason",),
}
"""How the parts of an entry are called, here and by the program whose manifest is read too."""


@dataclass(frozen=True)
class Trashed:
    """One file in the trash. Paths are relative to the vault; *time* is a stamp, "" = unknown; *number* 0 = unknown."""

    path: str
    original: str
    time: str = ""
    number: int = 0
    hash: str = ""
    reason: str = DELETED
    size_bytes: int = 0


def read_trash(vault: Path) -> tuple[Trashed, ...]:
    """Return what lies in the trash, newest first, what has no known time last."""
    known: dict[str, Trashed] = {}
    place: dict[str, int] = {}
    for index, entry in enumerate((*_old_entries(vault), *_entries(vault))):
        known[entry.path], place[entry.path] = entry, index
    found = [
        _with_size(known.get(path) or Trashed(path, path.removeprefix(f"{TRASH}/")), size)
        for path, size in _files(vault)
    ]
    return tuple(
        sorted(found, key=lambda item: (item.time, place.get(item.path, -1), item.path), reverse=True)
    )


def put_away(vault: Path, path: str, *, time: str, number: int = 0, content_hash: str = "") -> str:
    """Move the vault file *path* to the trash, its line in the manifest first; return where it lies now."""
    target = _record(vault, path, time=time, number=number, content_hash=content_hash, reason=DELETED)
    move(vault / path, vault / target)
    return target


def keep_version(
    vault: Path, path: str, data: bytes, *, time: str, number: int = 0, content_hash: str = ""
) -> str:
    """Put *data*, the file *path* as it was, to the trash; return where it lies."""
    target = _record(vault, path, time=time, number=number, content_hash=content_hash, reason=VERSION)
    create(vault / target, data)
    return target


def _record(vault: Path, path: str, *, time: str, number: int, content_hash: str, reason: str) -> str:
    target = _free_place(vault, path)
    entry = {
        "trash": target,
        "original": path,
        "time": time,
        "id": number,
        "hash": content_hash,
        "reason": reason,
    }
    append_line(vault / TRASH / MANIFEST, json.dumps(entry, ensure_ascii=False))
    return target


def _free_place(vault: Path, path: str) -> str:
    pure = PurePosixPath(TRASH, path)
    folder = vault / pure.parent
    taken = {fold_name(item.name) for item in folder.iterdir()} if folder.is_dir() else set()
    if pure.suffix.lower() == SUFFIXES[0]:
        return str(pure.with_name(free_name(pure.stem, taken)))
    names = (pure.name, *(f"{pure.stem}-{count}{pure.suffix}" for count in range(2, len(taken) + 3)))
    return str(pure.with_name(next(name for name in names if fold_name(name) not in taken)))


def _with_size(entry: Trashed, size_bytes: int) -> Trashed:
    return Trashed(entry.path, entry.original, entry.time, entry.number, entry.hash, entry.reason, size_bytes)


def _files(vault: Path) -> Iterator[tuple[str, int]]:
    """Yield the Markdown files in the trash; what else lies there is ours or a program's."""
    root = vault / TRASH
    if not root.is_dir():
        return
    for path in sorted(root.rglob("*")):
        if path.suffix.lower() in SUFFIXES and path.is_file():
            yield f"{TRASH}/{path.relative_to(root).as_posix()}", path.lstat().st_size


def _entries(vault: Path) -> Iterator[Trashed]:
    for line in _text(vault / TRASH / MANIFEST).split("\n"):
        if (raw := _parsed(line)) and (entry := _entry(raw)):
            yield entry


def _old_entries(vault: Path) -> Iterator[Trashed]:
    """Read the manifest of memory-agent: a list of entries, or an object with entries by the path in the trash."""
    parsed = _parsed(_text(vault / TRASH / OLD_MANIFEST))
    if isinstance(parsed, dict) and isinstance(parsed.get("entries", parsed.get("items")), list | dict):
        parsed = parsed.get("entries", parsed.get("items"))
    rows = parsed if isinstance(parsed, list) else _keyed(parsed) if isinstance(parsed, dict) else ()
    for raw in rows:
        if isinstance(raw, dict) and (entry := _entry(raw)):
            yield entry


def _keyed(parsed: Mapping[str, Any]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for key, value in parsed.items():
        row = (
            {"original": value} if isinstance(value, str) else dict(value) if isinstance(value, dict) else {}
        )
        if row:
            rows.append({"trash": key, **row})
    return rows


def _entry(raw: Any) -> Trashed | None:
    if not isinstance(raw, dict):
        return None
    part = {
        name: next((raw[key] for key in keys if raw.get(key) not in (None, "")), "")
        for name, keys in _NAMES.items()
    }
    path = _inside(str(part["trash"]))
    original = str(part["original"]).replace("\\", "/")
    if not path or not original:
        return None
    number = part["id"] if isinstance(part["id"], int) and not isinstance(part["id"], bool) else 0
    moment = read_stamp(str(part["time"]))
    return Trashed(path, original, moment, number, str(part["hash"]), str(part["reason"] or DELETED))


def _inside(path: str) -> str:
    """Return a path in the trash as it is written here: `.trash/03-Knowledge/x.md`."""
    text = path.replace("\\", "/")
    if f"/{TRASH}/" in f"/{text}":
        text = f"/{text}".rsplit(f"/{TRASH}/", 1)[1]
    return f"{TRASH}/{text.lstrip('/')}" if text.strip("/") else ""


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > _LARGEST_MANIFEST_BYTES:
            return ""
        return path.read_text("utf-8", errors="replace")
    except OSError:
        return ""


def _parsed(text: str) -> Any:
    try:
        return json.loads(text) if text.strip() else None
    except (ValueError, RecursionError):  # a writer was killed in the middle of a line
        return None
