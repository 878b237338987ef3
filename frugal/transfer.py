"""What a mode's contents look like on their way from one file to another, and the JSONL format of an export.

    {"counts":{"entry":2},"format":"frugal-memory export","language":"en","mode":"memory","version":1}
    {"id":1,"type":"entry",...}                      one record a line, sorted by type and id, keys sorted
    {"count":2,"sha256":"..."}                       how many records, and the SHA-256 of every line before

Nothing in it depends on when, where or by whom it was written: equal contents give equal bytes.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from frugal.errors import DamagedExport

FORMAT = "frugal-memory export"
VERSION = 1

Progress = Callable[[int, int], None]
"""Told what is done and how much there is."""

Id = int | str | tuple[int | str, ...]


def no_progress(_done: int, _total: int) -> None:
    """Tell nobody."""


class Record(NamedTuple):
    """One row of something: its type, its *id* (unique for the type, all of one sort) and its other fields."""

    type: str
    id: Id
    fields: Mapping[str, object]


@dataclass(frozen=True)
class Contents:
    """Everything a file holds; *name* is what stands before `#` where its numbers meet those of another file."""

    mode: str
    language: str | None
    records: tuple[Record, ...]
    name: str = ""


@dataclass(frozen=True)
class Merged:
    """What came of loading or merging: *lines* for the reader in the language of the call, *items* and *counts* for
    `--json`. *left_out* counts what could not be taken."""

    lines: tuple[str, ...]
    items: tuple[Mapping[str, object], ...] = ()
    counts: Mapping[str, object] = field(default_factory=dict)
    left_out: int = 0


class Page(NamedTuple):
    """One file of an export as Markdown: a name that is good on every file system, its text, how many items it has."""

    name: str
    text: str
    items: int


def to_jsonl(contents: Contents) -> bytes:
    """Return *contents* in the format of this module."""
    records = sorted(contents.records, key=lambda record: (record.type, record.id))
    lines = [_line(_header(contents))]
    lines += [_line({**record.fields, "type": record.type, "id": record.id}) for record in records]
    body = b"".join(lines)
    return body + _line({"count": len(records), "sha256": hashlib.sha256(body).hexdigest()})


def _header(contents: Contents) -> dict[str, object]:
    counts = Counter(record.type for record in contents.records)
    return {
        "format": FORMAT,
        "version": VERSION,
        "mode": contents.mode,
        "language": contents.language,
        "counts": dict(counts),
    }


def _line(row: Mapping[str, object]) -> bytes:
    text = json.dumps(row, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode() + b"\n"


def is_jsonl(start: bytes) -> bool:
    """Tell whether a file that begins with *start* (its first 4,096 bytes) is an export."""
    return _is_header(_parsed(start.split(b"\n", 1)[0]))


def ends_as_jsonl(end: bytes) -> bool:
    """Tell whether a file that ends with *end* (its last 4,096 bytes) ends as an export does."""
    row = _parsed(end.rstrip(b"\r\n").rpartition(b"\n")[2])
    return isinstance(row, dict) and row.keys() == {"count", "sha256"}


def _is_header(row: object) -> bool:
    return isinstance(row, dict) and row.get("format") == FORMAT


def from_jsonl(data: bytes) -> Contents:
    """Return what an export holds; raise `DamagedExport` unless it is whole, unchanged and of a version we know."""
    # JSON has no bare carriage return, so line ends that a transport changed are no damage.
    lines = data.replace(b"\r\n", b"\n").split(b"\n")
    header = _parsed(lines[0])
    if not isinstance(header, dict) or not _is_header(header):
        raise DamagedExport("export_unknown")
    if header.get("version") != VERSION:
        raise DamagedExport("export_version", found=str(header.get("version"))[:20], version=VERSION)
    if len(lines) < 3 or lines.pop() != b"":
        raise DamagedExport("export_short")
    _check_end(lines)
    records = tuple(_record(line, number) for number, line in enumerate(lines[1:-1], 2))
    if header.get("counts") != dict(Counter(record.type for record in records)):
        raise DamagedExport("export_changed")
    language = header.get("language")
    return Contents(str(header.get("mode")), language if isinstance(language, str) else None, records)


def _check_end(lines: Sequence[bytes]) -> None:
    """Raise unless the last line counts the records and has the sum of all lines before it."""
    end = _parsed(lines[-1])
    if not isinstance(end, dict) or end.keys() != {"count", "sha256"}:
        raise DamagedExport("export_short")
    total = hashlib.sha256()
    for line in lines[:-1]:
        total.update(line + b"\n")
    if end["count"] != len(lines) - 2 or end["sha256"] != total.hexdigest():
        raise DamagedExport("export_changed")


def _record(line: bytes, number: int) -> Record:
    row = _parsed(line)
    if not isinstance(row, dict) or not isinstance(row.get("type"), str):
        raise DamagedExport("export_line", line=number)
    found = row.pop("id", None)
    if isinstance(found, list):
        found = tuple(found)
    parts = found if isinstance(found, tuple) else (found,)
    if not all(isinstance(part, int | str) and not isinstance(part, bool) for part in parts):
        raise DamagedExport("export_line", line=number)
    return Record(row.pop("type"), found, row)


def _parsed(line: bytes) -> Any:
    """Return the JSON value of *line*, None if there is none."""
    try:
        return json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        return None


def damaged(record: Record) -> DamagedExport:
    """Return the error for a record that this version did not write; it names its type and id."""
    return DamagedExport("export_record", type=record.type[:40], id=str(record.id)[:40])


def refuse_repeats(records: Iterable[Record]) -> None:
    """Raise `DamagedExport` if two records have the same type and id."""
    seen: set[tuple[str, Id]] = set()
    for record in records:
        if (record.type, record.id) in seen:
            raise damaged(record)
        seen.add((record.type, record.id))
