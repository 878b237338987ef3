"""One run over one source: how it is read, what is counted on the way, and how a record becomes a message."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, tzinfo
from functools import lru_cache
from typing import Any

from frugal_modes.evidence.importers.ordinals import Ordinals
from frugal_modes.evidence.importers.times import Moment, NoMoment, read_moment
from frugal_modes.evidence.records import Item, Message, Place, Reject, Repair, Unknown

TEXT_BYTES = 1024 * 1024
LINE_BYTES = 16 * 1024 * 1024
DETAIL_CHARACTERS = 200
ID_CHARACTERS = 256
MOST_UNKNOWN = 200
"""Names of unread fields that are told; hostile data may hold more than anybody wants to read."""

_FAULTS = re.compile("[\0\ud800-\udfff]")


class Rejected(Exception):
    """A record cannot be read: *reason* is one of `REJECT_REASONS`."""

    def __init__(self, reason: str, detail: object = "") -> None:
        self.reason = reason
        self.detail = shown(detail)
        super().__init__(reason)


class SourceDamaged(Exception):
    """A file ends or breaks before it should."""


def shown(detail: object) -> str:
    """Return *detail* as a report shows it: one line of at most 200 characters."""
    text = detail if isinstance(detail, str) else repr(detail)
    return "".join(char if char.isprintable() else " " for char in text[:DETAIL_CHARACTERS])


def mended(text: str) -> str:
    """Return *text* with NUL characters and lone surrogates as U+FFFD."""
    return _FAULTS.sub("�", text)


@lru_cache(maxsize=4096)
def mended_name(name: str) -> str:
    """Return a name or an id of a source, mended and without outer blanks."""
    return mended(name).strip()


@dataclass
class Reading:
    """What one run knows. *zone* counts for times without an offset, *date_order* is `dmy`, `mdy`, `ymd` or "" (unsaid).

    *mapping* gives the source's name for a field of ours.
    """

    zone: tzinfo = UTC
    date_order: str = ""
    mapping: Mapping[str, str] = field(default_factory=dict)
    seq: int = 0
    ordinals: Ordinals = field(default_factory=Ordinals)
    unknown: set[str] = field(default_factory=set)
    told: Callable[[int], None] = lambda _read: None
    """Takes the bytes that were read."""

    def moment(self, raw: Any) -> Moment:
        """Return the time *raw* stands for; raise `Rejected` if there is none or it is no time."""
        if raw is None or raw == "":
            raise Rejected("time_missing")
        try:
            return read_moment(raw, self.zone)
        except NoMoment as error:
            raise Rejected("bad_time" if error.is_text else "bad_type", raw) from None

    def edited(self, raw: Any) -> int | None:
        """Return the time of an edit; 0 and whatever is no time count as none."""
        if raw in (None, "", 0, "0", False):
            return None
        try:
            return read_moment(raw, self.zone).ms
        except NoMoment:
            return None

    def unread(self, name: str) -> Iterator[Unknown]:
        """Yield a field that is not read, once a run."""
        if name not in self.unknown and len(self.unknown) < MOST_UNKNOWN:
            self.unknown.add(name)
            yield Unknown(shown(name))

    def message(self, place: Place, *, text: str, text_raw: str = "", **fields: Any) -> Iterator[Item]:
        """Yield a message and what had to be mended in it; raise `Rejected` if its text cannot be kept.

        *fields* are those of `Message`; *text_raw* is dropped if it says the same.
        """
        if not text.strip():
            raise Rejected("text_missing")
        for value in (text, text_raw):
            if len(value) * 4 > TEXT_BYTES and len(value.encode("utf-8", "surrogatepass")) > TEXT_BYTES:
                raise Rejected("text_too_long", f"{len(value)} characters")
        if found := _FAULTS.search(text):
            yield Repair(place, "nul" if found[0] == "\0" else "surrogate")
            text = mended(text)
        raw = mended(text_raw) if text_raw else ""
        fields = {
            key: mended_name(value) if isinstance(value, str) else value for key, value in fields.items()
        }
        self.seq += 1
        yield Message(text=text, text_raw="" if raw == text else raw, place=place, seq=self.seq, **fields)


def rejected(place: Place, error: Rejected) -> Reject:
    """Return the reject for *error*."""
    return Reject(place, error.reason, error.detail)


def string(value: Any) -> str:
    """Return *value* if it is a text, its digits if it is an integer, else ""."""
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else ""


def own_text(record: Mapping[str, Any], name: str) -> str:
    """Return the text in the field *name*, "" without one; raise `Rejected` for anything but a text."""
    value = record.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise Rejected("bad_type", f"{name}: {value!r}"[:200])
    return value


def mapping(value: Any) -> dict[str, Any]:
    """Return *value* if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def sequence(value: Any) -> list[Any]:
    """Return *value* if it is an array, else an empty one."""
    return value if isinstance(value, list) else []


def first_text(*values: Any) -> str:
    """Return the first of *values* that is a text with something in it."""
    return next((value for value in values if isinstance(value, str) and value.strip()), "")
