"""Records into a file that holds none: numbers, dates, history and learned questions as they were."""

from frugal.call import Call
from frugal.entries.transfer import writing
from frugal.entries.transfer.origins import RECORD
from frugal.entries.transfer.parse import parse
from frugal.entries.transfer.secrets import refuse_secrets
from frugal.search import Indexer
from frugal.store import Connection, put_record
from frugal.transfer import Contents, Merged, Progress, no_progress

LANGUAGE = "language"
BATCH = 100
"""Entries written together, and told of."""


def load(call: Call, db: Connection, contents: Contents, *, progress: Progress = no_progress) -> Merged:
    """Store *contents* inside the transaction *db*; an export of the result gives the same bytes again."""
    parts = parse(contents, call.mode.kinds)
    refuse_secrets(call, parts)
    if contents.language:
        put_record(db, LANGUAGE, contents.language)
    if parts.name:
        put_record(db, RECORD, parts.name)
    for sitting in parts.sittings:
        writing.insert_sitting(db, sitting, sitting.id)
    for memo in parts.memos:
        writing.insert_memo(db, memo, memo.id)
    erased = {event.entry for event in parts.events if event.action == "erased"}
    indexer = Indexer()
    for start in range(0, len(parts.entries), BATCH):
        batch = parts.entries[start : start + BATCH]
        writing.insert_entries(call, db, batch, erased=erased, indexer=indexer)
        progress(start + len(batch), len(parts.entries))
    writing.insert_events(db, parts.events)
    writing.insert_learned(db, parts.learned)
    counts: dict[str, object] = {
        "entries": len(parts.entries),
        "new": len(parts.entries),
        "known": 0,
        "events": len(parts.events),
        "memos": len(parts.memos),
        "learned": len(parts.learned),
    }
    return Merged((call.surface.text("transfer.loaded", **counts),), counts=counts)
