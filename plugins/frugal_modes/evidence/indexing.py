"""The word index as a whole: made by which rules, and made anew when they have changed."""

import unicodedata
from collections.abc import Iterator

from frugal.api import ANALYSIS_VERSION, Connection, put_record, read_record
from frugal_modes.evidence.proposals import INDEX_VERSION, indexed

RECORD = "evidence_index"

HAS_MESSAGES = "SELECT EXISTS (SELECT 1 FROM message)"
TEXTS = "SELECT number, words, text FROM message ORDER BY number"
EMPTY = "INSERT INTO word_index (word_index) VALUES ('delete-all')"
MERGE = "INSERT INTO word_index (word_index) VALUES ('optimize')"
INDEX = "INSERT INTO word_index (rowid, words, stems) VALUES (:number, :words, :stems)"
RECOUNT = "UPDATE message SET words = :words WHERE number = :number"


def rules() -> str:
    """Return what the tokens of the index depend on: our rules, the engine's stems, the Unicode tables of this Python."""
    return f"{INDEX_VERSION}/{ANALYSIS_VERSION}/{unicodedata.unidata_version}"


def is_current(db: Connection) -> bool:
    """Tell whether the index was made by the rules of today; an empty one is."""
    return read_record(db, RECORD) == rules() or not db.execute(HAS_MESSAGES).fetchone()[0]


def refresh_index(db: Connection, *, is_forced: bool = False) -> bool:
    """Make the index anew if its rules have changed or *is_forced*, inside the caller's transaction; tell if it was."""
    is_stale = is_forced or not is_current(db)
    if is_stale:
        rebuild(db)
    put_record(db, RECORD, rules())
    return is_stale


def rebuild(db: Connection) -> None:
    """Fill the index anew from the texts, and correct how many words each has."""
    miscounted: list[dict[str, int]] = []
    db.execute(EMPTY)
    db.executemany(INDEX, _entries(db, miscounted))
    db.executemany(RECOUNT, miscounted)


def purge(db: Connection) -> None:
    """Leave no word of a message that was taken away: the index keeps them beside their removal until it is merged."""
    db.execute(MERGE if db.execute(HAS_MESSAGES).fetchone()[0] else EMPTY)


def _entries(db: Connection, miscounted: list[dict[str, int]]) -> Iterator[dict[str, object]]:
    for number, stored, text in db.execute(TEXTS):
        words, stems, count = indexed(text)
        if count != stored:
            miscounted.append({"number": number, "words": count})
        yield {"number": number, "words": words, "stems": stems}
