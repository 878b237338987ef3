"""Memos: a text that was stored in pieces, and which entries are its pieces, in order."""

from collections.abc import Mapping, Sequence

from frugal.store import Connection
from frugal.text.titles import one_line

SUBJECT_CHARACTERS = 60

INSERT_MEMO = """
    INSERT INTO memo (subject, pieces, first_id, last_id) VALUES (:subject, :pieces, :first, :last)
"""
JOIN_MEMO = "UPDATE entry_state SET memo_id = :memo, memo_position = :position WHERE entry_id = :id"


def record_memo(db: Connection, ids: Sequence[int], *, subject: str) -> None:
    """Record that the entries *ids* are the pieces of one memo, in order."""
    record_places(db, {entry_id: position for position, entry_id in enumerate(ids, 1)}, subject=subject)


def record_places(db: Connection, places: Mapping[int, int], *, subject: str) -> None:
    """Record a memo of which some pieces may be missing; *places* gives the position of each entry, from 1."""
    row = {"subject": one_line(subject, SUBJECT_CHARACTERS), "pieces": max(places.values())}
    memo = db.execute(INSERT_MEMO, {**row, "first": min(places), "last": max(places)}).lastrowid
    join(db, int(memo or 0), places)


def join(db: Connection, memo: int, places: Mapping[int, int]) -> None:
    """Make the entries of *places* pieces of *memo* at their positions."""
    rows = [{"memo": memo, "position": at, "id": entry_id} for entry_id, at in places.items()]
    db.executemany(JOIN_MEMO, rows)
