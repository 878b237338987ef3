"""Everything a file of entries holds that cannot be recomputed, as records."""

from collections.abc import Iterator

from frugal.entries.transfer.origins import recorded_name
from frugal.store import Connection
from frugal.transfer import Record

ENTRIES = """
    SELECT entry.id, entry.text, entry.also, entry.created_at, entry.evidence, entry.origin,
           entry.sitting_id AS sitting, entry_state.kind, entry_state.kind_at, entry_state.live,
           entry_state.times_stored, entry_state.memo_id AS memo, entry_state.memo_position
    FROM entry JOIN entry_state ON entry_state.entry_id = entry.id
    ORDER BY entry.id
"""
TAGS = "SELECT entry_id, spelling FROM entry_tag ORDER BY entry_id, position"
EVENTS = """
    SELECT seq AS id, entry_id AS entry, action, successor_id AS successor, reason, detail, at FROM event ORDER BY seq
"""
LEARNED = """
    SELECT word_key, entry_id AS entry, question, confirmed, confirmed_at, misses FROM learned_question
    ORDER BY word_key, entry_id
"""
MEMOS = "SELECT id, subject, pieces, first_id AS first, last_id AS last FROM memo ORDER BY id"
SITTINGS = "SELECT id, process_key AS process, tags_key AS tags, last_at FROM sitting ORDER BY id"


def records(db: Connection) -> Iterator[Record]:
    """Yield entries with their state and tags, events, learned questions, memos, sittings, and the file's name.

    Titles, identities, folded tags, directories, index and the rows of a mode's store hook are derived and left out.
    """
    tags: dict[int, list[str]] = {}
    for entry_id, spelling in db.execute(TAGS):
        tags.setdefault(entry_id, []).append(spelling)
    is_empty = True
    for row in db.execute(ENTRIES):
        fields = dict(row)
        is_empty = False
        entry_id = fields.pop("id")
        yield Record("entry", entry_id, {**fields, "live": bool(row["live"]), "tags": tags.get(entry_id, [])})
    yield from _rows(db, "event", EVENTS)
    for row in db.execute(LEARNED):
        fields = dict(row)
        key = (fields.pop("word_key"), fields.pop("entry"))
        yield Record("learned", key, fields)
    yield from _rows(db, "memo", MEMOS)
    yield from _rows(db, "sitting", SITTINGS)
    if not is_empty and (name := recorded_name(db)):
        yield Record("name", name, {})


def _rows(db: Connection, kind: str, statement: str) -> Iterator[Record]:
    for row in db.execute(statement):
        fields = dict(row)
        yield Record(kind, fields.pop("id"), fields)
