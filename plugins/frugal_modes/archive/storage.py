"""The side table of sources."""

from collections.abc import Iterable

from frugal.api import Connection
from frugal_modes.archive.sources import SourceKey

ADD = "INSERT OR IGNORE INTO source (entry_id, type, key) VALUES (:entry, :type, :key)"
SHARING = """
    SELECT source.entry_id, entry_state.live, entry_state.kind
    FROM source JOIN entry_state ON entry_state.entry_id = source.entry_id
    WHERE source.type = :type AND source.key = :key AND source.entry_id <> :entry
    ORDER BY entry_state.kind = :first DESC, source.entry_id DESC
"""


def add_sources(db: Connection, entry_id: int, keys: Iterable[SourceKey]) -> None:
    """Note the sources of an entry."""
    db.executemany(ADD, [{"entry": entry_id, "type": key.type, "key": key.key} for key in keys])


def sharing(db: Connection, key: SourceKey, *, besides: int, first_kind: str) -> tuple[list[int], int]:
    """Return the live entries that name *key*, those of *first_kind* in front, and how many superseded ones do."""
    live: list[int] = []
    hidden = 0
    row = {"type": key.type, "key": key.key, "entry": besides, "first": first_kind}
    for entry_id, is_live, _kind in db.execute(SHARING, row):
        if is_live:
            live.append(entry_id)
        else:
            hidden += 1
    return live, hidden
