"""The number of a card: given once, kept for ever, and taken along when its file is renamed."""

import json
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import PurePosixPath

from frugal.api import Connection


@dataclass(frozen=True)
class Trace:
    """By what a card is known again in another file: its text, or the file as a whole and its place in it."""

    content_hash: str
    file_hash: str
    ordinal: int


@dataclass(frozen=True)
class Claim:
    """The number of a card. *moved_from* is the native id it had before, "" if it did not move."""

    number: int
    is_new: bool = False
    moved_from: str = ""


OWN = "SELECT number FROM identity WHERE source = :source AND native_id = :native_id"
NEW = """
    INSERT INTO identity (source, native_id, path, content_hash, file_hash, ordinal)
    VALUES (:source, :native_id, :path, :content_hash, :file_hash, :ordinal)
"""
RENEW = """
    UPDATE identity SET path = :path, content_hash = :content_hash, file_hash = :file_hash, ordinal = :ordinal,
        gone_since = ''
    WHERE number = :number AND (path, content_hash, file_hash, ordinal, gone_since)
        <> (:path, :content_hash, :file_hash, :ordinal, '')
"""
RENAME = "UPDATE identity SET native_id = :native_id WHERE number = :number"
NO_FORMER = "DELETE FROM former_id WHERE source = :source AND native_id = :native_id"
FORMER = """
    INSERT INTO former_id (source, native_id, number) VALUES (:source, :moved_from, :number)
    ON CONFLICT (source, native_id) DO UPDATE SET number = excluded.number
"""
MOVE_READS = """
    UPDATE OR REPLACE access SET native_id = :native_id WHERE source = :source AND native_id = :moved_from
"""


def claim(
    db: Connection,
    source: int,
    native_id: str,
    *,
    path: str,
    trace: Trace,
    departing: Collection[int] | None,
) -> Claim:
    """Return the number of the card *native_id* of *source*: its own, one whose file was renamed, or a new one.

    *departing* are units about to be removed, whose cards may move; None: nothing is to be taken for moved.
    """
    values: dict[str, str | int] = {
        "source": source,
        "native_id": native_id,
        "path": path,
        "content_hash": trace.content_hash,
        "file_hash": trace.file_hash,
        "ordinal": trace.ordinal,
    }
    row = db.execute(OWN, {"source": source, "native_id": native_id}).fetchone()
    if row is not None:
        db.execute(RENEW, {**values, "number": row[0]})
        return Claim(row[0])
    moved = _moved(db, values, departing) if departing is not None else None
    db.execute(NO_FORMER, values)
    if moved is None:
        return Claim(int(db.execute(NEW, values).lastrowid or 0), is_new=True)
    number, before = moved
    names = {**values, "number": number, "moved_from": before}
    db.execute(RENAME, names)
    db.execute(RENEW, names)
    db.execute(FORMER, names)
    db.execute(MOVE_READS, names)
    return Claim(number, moved_from=before)


CANDIDATES = """
    SELECT number, native_id, path FROM identity
    WHERE source = :source AND gone_since <> '' AND {same}
    UNION
    SELECT identity.number, identity.native_id, identity.path
    FROM json_each(:departing) AS gone CROSS JOIN card ON card.unit = gone.value
    CROSS JOIN identity ON identity.number = card.number
    WHERE identity.source = :source AND {same}
    ORDER BY 1
"""
SAME_FILE = CANDIDATES.replace(
    "{same}", "identity.file_hash = :file_hash AND identity.ordinal = :ordinal AND identity.file_hash <> ''"
)
SAME_TEXT = CANDIDATES.replace("{same}", "identity.content_hash = :content_hash")


def _moved(
    db: Connection, values: dict[str, str | int], departing: Collection[int]
) -> tuple[int, str] | None:
    """Return number and native id of the one card that went when this one came; of several, that with its file name."""
    given = {**values, "departing": json.dumps(sorted(departing))}
    for statement in (SAME_FILE, SAME_TEXT):
        found = db.execute(statement, given).fetchall()
        if len(found) > 1:
            name = PurePosixPath(str(values["path"])).name
            found = [row for row in found if PurePosixPath(row[2]).name == name]
        if len(found) == 1:
            return int(found[0][0]), str(found[0][1])
    return None


GONE = "UPDATE identity SET gone_since = :at WHERE number = :number"


def let_go(db: Connection, number: int, *, at: str) -> None:
    """Note that no file has the card *number* any more; number and counts stay."""
    db.execute(GONE, {"number": number, "at": at})
