"""The access counts of a memory-agent database, copied once, by path; that database is never written."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from frugal.api import Call, Connection, StoreError, copied_rows, expand_path, shown_path
from frugal_modes.vault.moments import to_stamp
from frugal_modes.vault.records import VAULT
from frugal_modes.vault.vaultjson import read_settings

DATABASE = "memory.db"
DONE = "counts_taken_over"
MARK = "SELECT value FROM meta WHERE key = 'counts_taken_over'"
SET_MARK = "INSERT INTO meta (key, value) VALUES ('counts_taken_over', :value) ON CONFLICT (key) DO NOTHING"
COUNTS = "SELECT rel_path, access_count, last_accessed FROM card_stats WHERE access_count > 0"
ADD = """
    INSERT INTO access (source, native_id, reads, last_read)
    SELECT source.id, :path, :reads, :last_read FROM source WHERE source.name = :vault
    ON CONFLICT (source, native_id) DO UPDATE SET reads = reads + excluded.reads,
        last_read = max(last_read, excluded.last_read)
"""


def take_over(call: Call) -> int:
    """Copy the counts if there is such a database and that was not done before; return how many cards they were of."""
    if call.is_guest or not _place(call):
        return 0
    with call.store.read() as db:
        if db.execute(MARK).fetchone():
            return 0
    path = _place(call)
    rows = list(_rows(path)) if path is not None and path.is_file() else []
    if not rows:
        return 0
    with call.store.write() as db:
        if db.execute(MARK).fetchone():
            return 0
        _add(db, rows)
        db.execute(SET_MARK, {"value": shown_path(path) if path else ""})
    return len(rows)


def _add(db: Connection, rows: list[tuple[str, int, str]]) -> None:
    for path, reads, last_read in rows:
        db.execute(ADD, {"path": path, "reads": reads, "last_read": last_read, "vault": VAULT})


def _place(call: Call) -> Path | None:
    """Return where memory-agent keeps its database, None where nothing says that it is in use."""
    settings = call.settings
    environ, system = settings.values, settings.system
    if given := settings.value("MEMORY_AGENT_DB"):
        return expand_path(given, environ=environ, system=system)
    if not (given := settings.value("MEMORY_AGENT_HOME")):
        return None
    home = expand_path(given, environ=environ, system=system)
    named = read_settings(home / "config.json").get("db")
    if isinstance(named, str) and named.strip():
        return expand_path(named, environ=environ, system=system, base=home)
    return home / DATABASE


def _rows(path: Path) -> Iterator[tuple[str, int, str]]:
    """Yield path, reads and last read of each card; a database that says nothing of them yields nothing."""
    try:
        found = copied_rows(path, COUNTS)
    except StoreError:
        return
    for rel_path, reads, last in found:
        if isinstance(rel_path, str) and isinstance(reads, int):
            moment = (
                datetime.fromtimestamp(last, UTC) if isinstance(last, int) and 0 < last < 10**11 else None
            )
            yield rel_path.replace("\\", "/"), reads, to_stamp(moment) if moment else ""
