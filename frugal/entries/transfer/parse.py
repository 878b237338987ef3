"""Records read back: every field checked, every reference found; anything else refuses the whole."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from frugal.ids import LARGEST_ID
from frugal.model import KindVocabulary
from frugal.transfer import Contents, Record, damaged, refuse_repeats

STAMP = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d")
ACTIONS = frozenset({"superseded", "restored", "kind", "tags", "also", "erased"})

TEXT, MAYBE_TEXT, NUMBER, MAYBE_NUMBER = (str,), (str, type(None)), (int,), (int, type(None))
FIELDS: Mapping[str, Mapping[str, tuple[type, ...]]] = {
    "entry": {
        "text": TEXT,
        "also": TEXT,
        "created_at": TEXT,
        "evidence": TEXT,
        "origin": TEXT,
        "sitting": MAYBE_NUMBER,
        "kind": TEXT,
        "kind_at": MAYBE_TEXT,
        "live": (bool,),
        "times_stored": NUMBER,
        "memo": MAYBE_NUMBER,
        "memo_position": MAYBE_NUMBER,
        "tags": (list,),
    },
    "event": {
        "entry": NUMBER,
        "action": TEXT,
        "successor": MAYBE_NUMBER,
        "reason": MAYBE_TEXT,
        "detail": MAYBE_TEXT,
        "at": TEXT,
    },
    "learned": {"question": TEXT, "confirmed": NUMBER, "confirmed_at": TEXT, "misses": NUMBER},
    "memo": {"subject": TEXT, "pieces": NUMBER, "first": NUMBER, "last": NUMBER},
    "sitting": {"process": TEXT, "tags": TEXT, "last_at": TEXT},
    "name": {},
}
ID_TYPES: Mapping[str, tuple[type, ...]] = {"learned": (tuple,), "name": TEXT}


@dataclass(frozen=True, slots=True)
class EntryRow:
    """An entry with its state and tags, under the numbers of its file."""

    id: int
    text: str
    also: str
    created_at: str
    evidence: str
    origin: str
    sitting: int | None
    kind: str
    kind_at: str | None
    live: bool
    times_stored: int
    memo: int | None
    memo_position: int | None
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EventRow:
    """One line of the log."""

    id: int
    entry: int
    action: str
    successor: int | None
    reason: str | None
    detail: str | None
    at: str


@dataclass(frozen=True, slots=True)
class LearnedRow:
    """One learned pair."""

    key: str
    entry: int
    question: str
    confirmed: int
    confirmed_at: str
    misses: int


@dataclass(frozen=True, slots=True)
class MemoRow:
    """One imported memo."""

    id: int
    subject: str
    pieces: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class SittingRow:
    """Entries written together."""

    id: int
    process: str
    tags: str
    last_at: str


@dataclass(frozen=True)
class Parts:
    """The contents of a file of entries, each kind in the order of its numbers."""

    entries: tuple[EntryRow, ...]
    events: tuple[EventRow, ...]
    learned: tuple[LearnedRow, ...]
    memos: tuple[MemoRow, ...]
    sittings: tuple[SittingRow, ...]
    name: str = ""


Row = TypeVar("Row")


def parse(contents: Contents, kinds: KindVocabulary) -> Parts:
    """Return the parts of *contents*; raise `DamagedExport` for a record that this version did not write."""
    refuse_repeats(contents.records)
    by_type: dict[str, list[Record]] = {name: [] for name in FIELDS}
    for record in contents.records:
        _check(record)
        by_type[record.type].append(record)
    for records in by_type.values():
        records.sort(key=lambda record: record.id)
    parts = Parts(
        entries=tuple(_entry(record, kinds) for record in by_type["entry"]),
        events=_rows(EventRow, by_type["event"]),
        learned=tuple(_learned(record) for record in by_type["learned"]),
        memos=_rows(MemoRow, by_type["memo"]),
        sittings=_rows(SittingRow, by_type["sitting"]),
        name=next((str(record.id) for record in by_type["name"]), ""),
    )
    _check_references(parts, by_type)
    return parts


def _check(record: Record) -> None:
    wanted = FIELDS.get(record.type)
    if wanted is None or record.fields.keys() != wanted.keys():
        raise damaged(record)
    if type(record.id) not in ID_TYPES.get(record.type, NUMBER):
        raise damaged(record)
    values = [record.id, *(record.id if isinstance(record.id, tuple) else ()), *record.fields.values()]
    for value in values:
        _check_value(record, value)
    if any(type(record.fields[name]) not in types for name, types in wanted.items()):
        raise damaged(record)


def _check_value(record: Record, value: object) -> None:
    """Raise for a number that SQLite cannot hold and for half a surrogate pair."""
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            raise damaged(record) from None
    elif isinstance(value, int) and not 0 <= value <= LARGEST_ID:
        raise damaged(record)


def _rows(row: type[Row], records: Sequence[Record]) -> tuple[Row, ...]:
    return tuple(row(id=record.id, **record.fields) for record in records)  # type: ignore[call-arg]  # checked above


def _entry(record: Record, kinds: KindVocabulary) -> EntryRow:
    fields = dict(record.fields)
    tags = fields.pop("tags")
    assert isinstance(tags, list)
    for tag in tags:
        _check_value(record, tag)
    row = EntryRow(id=record.id, tags=tuple(tags), **fields)  # type: ignore[arg-type]  # checked above
    is_sound = (
        all(isinstance(tag, str) and 1 <= len(tag) <= 64 for tag in tags)
        and row.text
        and STAMP.fullmatch(row.created_at)
        and (row.memo is None) == (row.memo_position is None)
        and row.times_stored >= 1
        and kinds.stored(row.kind).stored == row.kind
    )
    if not is_sound:
        raise damaged(record)
    return row


def _learned(record: Record) -> LearnedRow:
    assert isinstance(record.id, tuple)
    if [type(part) for part in record.id] != [str, int]:
        raise damaged(record)
    key, entry = record.id
    return LearnedRow(key, entry, **record.fields)  # type: ignore[arg-type]  # checked above


def _check_references(parts: Parts, records: Mapping[str, Sequence[Record]]) -> None:
    """Raise for a reference to a record that is not there, and for an unknown action."""
    entries = {row.id for row in parts.entries} | {None}
    memos = {row.id for row in parts.memos} | {None}
    sittings = {row.id for row in parts.sittings} | {None}
    for entry, record in zip(parts.entries, records["entry"], strict=True):
        if entry.memo not in memos or entry.sitting not in sittings:
            raise damaged(record)
    for event, record in zip(parts.events, records["event"], strict=True):
        if event.entry not in entries or event.successor not in entries or event.action not in ACTIONS:
            raise damaged(record)
    for learned, record in zip(parts.learned, records["learned"], strict=True):
        if learned.entry not in entries:
            raise damaged(record)
