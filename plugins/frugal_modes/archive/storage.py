"""The side table of sources."""

from collections.abc import Iterable
from typing import NamedTuple

from frugal.api import Connection
from frugal_modes.archive.sources import SourceKey

ADD = "INSERT OR IGNORE INTO source (entry_id, type, key) VALUES (:entry, :type, :key)"


def add_sources(db: Connection, entry_id: int, keys: Iterable[SourceKey]) -> None:
    """Note the sources of an entry."""
    db.executemany(ADD, [{"entry": entry_id, "type": key.type, "key": key.key} for key in keys])


DROP = "DELETE FROM source WHERE entry_id = :entry"


def drop_sources(db: Connection, entry_id: int) -> None:
    """Forget the sources of an entry."""
    db.execute(DROP, {"entry": entry_id})


SOURCES = "SELECT type, key FROM source WHERE entry_id = :entry"
EVIDENCE = "SELECT evidence FROM entry WHERE id = :entry"


def noted(db: Connection, entry_id: int) -> tuple[frozenset[SourceKey], str]:
    """Return the sources and the evidence level that are noted of an entry."""
    keys = frozenset(SourceKey(kind, key) for kind, key in db.execute(SOURCES, {"entry": entry_id}))
    return keys, str(db.execute(EVIDENCE, {"entry": entry_id}).fetchone()[0])


class Sharer(NamedTuple):
    """An entry that names a source: its kind as stored."""

    entry_id: int
    kind: str
    is_live: bool


SHARING = """
    SELECT source.entry_id, entry_state.kind, entry_state.live
    FROM source JOIN entry_state ON entry_state.entry_id = source.entry_id
    WHERE source.type = :type AND source.key = :key AND source.entry_id <> :besides
    ORDER BY source.entry_id DESC
"""


def sharing(db: Connection, key: SourceKey, *, besides: int) -> list[Sharer]:
    """Return the entries that name *key*, newest first, without the entry *besides*."""
    rows = db.execute(SHARING, {"type": key.type, "key": key.key, "besides": besides})
    return [Sharer(entry_id, kind, bool(live)) for entry_id, kind, live in rows]


KIND = "SELECT kind FROM entry_state WHERE entry_id = :entry"


def kind_of(db: Connection, entry_id: int) -> str:
    """Return the kind of an entry, as stored."""
    return str(db.execute(KIND, {"entry": entry_id}).fetchone()[0])
