"""What stands beside entries and goes along with them by content: sittings, memos, learned questions."""

from collections.abc import Mapping
from dataclasses import replace

from frugal.entries import learned, memos
from frugal.entries.transfer import writing
from frugal.entries.transfer.parse import LearnedRow, MemoRow, Parts, SittingRow
from frugal.store import Connection

SAME_SITTING = """
    SELECT id FROM sitting WHERE process_key = :process AND tags_key = :tags AND last_at = :last_at
    ORDER BY id LIMIT 1
"""
SITTING_OF = """
    SELECT sitting.id FROM entry JOIN sitting ON sitting.id = entry.sitting_id
    WHERE entry.id = :id AND sitting.process_key = :process AND sitting.tags_key = :tags
"""


class Sittings:
    """Finds or makes, for a sitting of theirs, the one of this file."""

    def __init__(self, parts: Parts) -> None:
        self._rows = {row.id: row for row in parts.sittings}
        self._members: dict[int, list[int]] = {}
        for entry in parts.entries:
            if entry.sitting is not None:
                self._members.setdefault(entry.sitting, []).append(entry.id)
        self._found: dict[int, int] = {}

    def process(self, sitting: int | None) -> str | None:
        """Return the key of the process that wrote in a sitting of theirs."""
        return None if sitting is None else self._rows[sitting].process

    def here(self, db: Connection, sitting: int | None, ours: Mapping[int, int]) -> int | None:
        """Return the number that a sitting of theirs has here; *ours* gives those of the entries so far."""
        if sitting is None:
            return None
        if sitting not in self._found:
            row = self._rows[sitting]
            found = self._known(db, row, ours)
            self._found[sitting] = writing.insert_sitting(db, row, None) if found is None else found
        return self._found[sitting]

    def _known(self, db: Connection, row: SittingRow, ours: Mapping[int, int]) -> int | None:
        """Return the sitting that has entries of theirs already, or that is the same in everything."""
        key = {"process": row.process, "tags": row.tags}
        known = [ours[member] for member in self._members.get(row.id, ()) if member in ours]
        for entry_id in known:
            if found := db.execute(SITTING_OF, {**key, "id": entry_id}).fetchone():
                return int(found[0])
        found = db.execute(SAME_SITTING, {**key, "last_at": row.last_at}).fetchone()
        return int(found[0]) if found else None


MEMO_OF = "SELECT memo_id FROM entry_state WHERE entry_id = :id"


def merge_memos(db: Connection, parts: Parts, ours: Mapping[int, int]) -> int:
    """Record the memos of theirs of whose pieces none belongs to a memo here; return how many."""
    members: dict[int, dict[int, int]] = {}
    for entry in parts.entries:
        if entry.memo is not None and entry.memo_position is not None:
            members.setdefault(entry.memo, {}).setdefault(ours[entry.id], entry.memo_position)
    rows = {row.id: row for row in parts.memos}
    added = 0
    for memo_id, places in members.items():
        if all(db.execute(MEMO_OF, {"id": entry_id}).fetchone()[0] is None for entry_id in places):
            _record(db, rows[memo_id], places)
            added += 1
    return added


def _record(db: Connection, row: MemoRow, places: Mapping[int, int]) -> None:
    memo = writing.insert_memo(db, replace(row, first=min(places), last=max(places)), None)
    memos.join(db, memo, places)


PAIRS = "SELECT word_key, entry_id, question, confirmed, confirmed_at, misses FROM learned_question"
PUT_PAIR = """
    INSERT INTO learned_question (word_key, entry_id, question, confirmed, confirmed_at, misses)
    VALUES (:key, :entry, :question, :confirmed, :confirmed_at, :misses)
    ON CONFLICT (word_key, entry_id) DO UPDATE SET
        question = excluded.question, confirmed = excluded.confirmed, confirmed_at = excluded.confirmed_at
"""


def merge_learned(db: Connection, parts: Parts, ours: Mapping[int, int]) -> int:
    """Add the learned pairs that are missing and keep the bounds; return how many came to stay.

    Of a pair that both have, the larger count and the later confirmation count.
    """
    before = _pairs(db)
    for row in parts.learned:
        moved = replace(row, entry=ours[row.entry])
        own = before.get((moved.key, moved.entry))
        if own is None or moved.confirmed_at > own.confirmed_at or moved.confirmed > own.confirmed:
            _put(db, moved, own)
    learned.PAIRS.keep_bounds(db, {row.key for row in parts.learned})
    return len(_pairs(db).keys() - before.keys())


def _pairs(db: Connection) -> dict[tuple[str, int], LearnedRow]:
    rows = [LearnedRow(*row) for row in db.execute(PAIRS)]
    return {(row.key, row.entry): row for row in rows}


def _put(db: Connection, row: LearnedRow, own: LearnedRow | None) -> None:
    later = row if own is None or row.confirmed_at > own.confirmed_at else own
    most = max(row.confirmed, own.confirmed) if own else row.confirmed
    values = {"key": row.key, "entry": row.entry, "misses": row.misses}
    told = {"question": later.question, "confirmed": most, "confirmed_at": later.confirmed_at}
    db.execute(PUT_PAIR, {**values, **told})
