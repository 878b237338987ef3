"""Rows of the tables of entries, written as they are given. Everything runs inside the caller's transaction."""

from collections.abc import Collection, Sequence
from dataclasses import asdict

from frugal.call import Call
from frugal.entries import storage
from frugal.entries.transfer.parse import EntryRow, EventRow, LearnedRow, MemoRow, SittingRow
from frugal.model import resolve
from frugal.search import Document, Indexer, add
from frugal.store import Connection
from frugal.text.normalise import identity_hash
from frugal.text.titles import title

INSERT_ENTRY = """
    INSERT INTO entry (id, text, title, also, created_at, identity, sitting_id, evidence, origin)
    VALUES (:id, :text, :title, :also, :created_at, :identity, :sitting, :evidence, :origin)
"""
INSERT_STATE = """
    INSERT INTO entry_state (entry_id, kind, kind_at, live, times_stored, memo_id, memo_position)
    VALUES (:id, :kind, :kind_at, :live, :times_stored, :memo, :memo_position)
"""
SET_EVIDENCE = "UPDATE entry SET evidence = :evidence WHERE id = :id AND evidence <> :evidence"


def insert_entry(call: Call, db: Connection, row: EntryRow, *, is_erased: bool) -> int:
    """Store *row* under the next free id and index it; return the id.

    What the mode takes from a text is taken anew, unless the text was erased.
    """
    document = _insert(db, row, None)
    add(db, document)
    if not is_erased:
        _note(call, db, row, document.id)
    return document.id


def insert_entries(
    call: Call, db: Connection, rows: Sequence[EntryRow], *, erased: Collection[int], indexer: Indexer
) -> None:
    """Store *rows* under the ids they have and index them; those *erased* have no text to take something from."""
    indexer.add_all(db, [_insert(db, row, row.id) for row in rows])
    if call.mode.entry_rules.store_hook:
        for row in rows:
            if row.id not in erased:
                _note(call, db, row, row.id)
        indexer.forget()  # whatever the mode did, it may have written to the index


def _insert(db: Connection, row: EntryRow, entry_id: int | None) -> Document:
    """Store *row* under *entry_id*, None for the next free one, and return what is to be indexed."""
    head = title(row.text)
    values = {**asdict(row), "id": entry_id, "title": head, "identity": identity_hash(row.text)}
    del values["tags"]
    stored = int(db.execute(INSERT_ENTRY, values).lastrowid or 0)
    db.execute(INSERT_STATE, {**values, "id": stored, "live": int(row.live)})
    storage.write_tags(db, stored, row.tags, start=0)
    return Document(stored, head, row.text, row.tags, row.also, row.sitting, row.live)


def _note(call: Call, db: Connection, row: EntryRow, entry_id: int) -> None:
    """Take from the text of an entry what the mode takes; what was known of its evidence stays."""
    hook = call.mode.entry_rules.store_hook
    if hook:
        resolve(hook)(call, db, entry_id, row.text)
        db.execute(SET_EVIDENCE, {"id": entry_id, "evidence": row.evidence})


INSERT_EVENT = """
    INSERT INTO event (seq, entry_id, action, successor_id, reason, detail, at)
    VALUES (:id, :entry, :action, :successor, :reason, :detail, :at)
"""


def insert_events(db: Connection, rows: Sequence[EventRow]) -> None:
    """Write lines of the log under the numbers they have."""
    db.executemany(INSERT_EVENT, [asdict(row) for row in rows])


INSERT_LEARNED = """
    INSERT INTO learned_question (word_key, entry_id, question, confirmed, confirmed_at, misses)
    VALUES (:key, :entry, :question, :confirmed, :confirmed_at, :misses)
"""


def insert_learned(db: Connection, rows: Sequence[LearnedRow]) -> None:
    """Write learned pairs."""
    db.executemany(INSERT_LEARNED, [asdict(row) for row in rows])


INSERT_MEMO = """
    INSERT INTO memo (id, subject, pieces, first_id, last_id) VALUES (:id, :subject, :pieces, :first, :last)
"""


def insert_memo(db: Connection, row: MemoRow, memo_id: int | None) -> int:
    """Write a memo under *memo_id*, None for the next free one; return the id."""
    return int(db.execute(INSERT_MEMO, {**asdict(row), "id": memo_id}).lastrowid or 0)


INSERT_SITTING = """
    INSERT INTO sitting (id, process_key, tags_key, last_at) VALUES (:id, :process, :tags, :last_at)
"""


def insert_sitting(db: Connection, row: SittingRow, sitting_id: int | None) -> int:
    """Write a sitting under *sitting_id*, None for the next free one; return the id."""
    return int(db.execute(INSERT_SITTING, {**asdict(row), "id": sitting_id}).lastrowid or 0)
