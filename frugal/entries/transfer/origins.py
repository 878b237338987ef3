"""Where merged entries came from: `b#72`, the name of a memory and a number of there.

The text of such an entry is not rewritten, so bare numbers in it mean that memory.
"""

import re
from collections.abc import Iterator, Sequence

from frugal.call import Call
from frugal.errors import BadValue, Refusal
from frugal.ids import IdSpan
from frugal.settings import NAME
from frugal.store import Connection, put_record, read_record

RECORD = "name"
FOREIGN_IDS = "foreign_ids"
MOST_NAMED = 8

_NAMED = re.compile(rf"({NAME.pattern})#([1-9][0-9]{{0,18}})(?: |\Z)")


def named_origin(origin: str) -> tuple[str, int] | None:
    """Return the name and the number of the memory that an entry came from, None for one of this memory."""
    match = _NAMED.match(origin)
    return (match[1], int(match[2])) if match else None


def shown_origin(origin: str) -> str:
    """Return `b#72`, or "" for an entry of this memory."""
    match = _NAMED.match(origin)
    return match[0].rstrip() if match else ""


def origin_at(name: str, entry_id: int, origin: str) -> str:
    """Return the origin of an entry that leaves the memory *name*: the first one stays, a file's stays behind it."""
    return origin if named_origin(origin) else f"{name}#{entry_id} {origin}".rstrip()


# The name of a file


def note_name(call: Call, db: Connection) -> None:
    """Record under which name the numbers of this file are given, inside the transaction of a new entry.

    A name that every memory of the mode bears says nothing.
    """
    if call.mode.names is None or call.settings.has_given_name:
        put_record(db, RECORD, call.settings.name)


def recorded_name(db: Connection) -> str:
    """Return the name under which numbers of this file were given last, "" if none was recorded."""
    return read_record(db, RECORD) or ""


# Numbers of there


ORIGINS = "SELECT id, origin FROM entry WHERE origin <> '' ORDER BY id"


def explain(call: Call, problems: Sequence[Refusal]) -> tuple[Refusal, ...]:
    """Return *problems*, those about ids of another memory with the numbers that its merged entries have here."""
    return tuple(_explain(call, item) if item.key == FOREIGN_IDS else item for item in problems)


def _explain(call: Call, problem: Refusal) -> Refusal:
    spans = problem.data.get("spans")
    if not isinstance(spans, tuple) or not call.store.path.exists():
        return problem
    with call.store.read() as db:
        found = dict(_merged_from(db, spans))
    if not found:
        return problem
    surface = call.surface
    shown = [f"{there} = {surface.id(here)}" for there, here in found.items()]
    here = ", ".join(shown[:MOST_NAMED])
    if len(shown) > MOST_NAMED:
        here += surface.text("lines.and_more", count=len(shown) - MOST_NAMED)
    return BadValue("foreign_ids_here", **{**problem.data, "here": here})


def _merged_from(db: Connection, spans: Sequence[IdSpan]) -> Iterator[tuple[str, int]]:
    for entry_id, origin in db.execute(ORIGINS):
        named = named_origin(origin)
        if named and any(
            span.name.casefold() == named[0].casefold() and span.first <= named[1] <= span.last
            for span in spans
        ):
            yield f"{named[0]}#{named[1]}", entry_id
