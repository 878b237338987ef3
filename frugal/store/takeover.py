"""Files of the predecessor become ours inside one transaction: aside, copied, compared, noted, gone.

The copying itself belongs to the mode; here is what holds for every one.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from sqlite3 import Connection

from frugal.errors import TakeoverDiffers
from frugal.model import Migration
from frugal.store.predecessor import TABLES, VIRTUAL, OldFile, TakenOver, Takeover
from frugal.store.recognition import put_record, read_record
from frugal.store.statements import statements_of

ASIDE = "predecessor_"
RECORD = "takeovers"
MOST_NAMED = 100
"""So many rows of a kind that were counted apart are named in the file's record; the backup has them all."""

TRIGGERS = "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = :table ORDER BY name"
VIEWS = "SELECT name FROM sqlite_schema WHERE type = 'view' ORDER BY name"
KNOWN = "SELECT type FROM sqlite_schema WHERE name = :name"
DROP = 'DROP {kind} "{name}"'
RENAME = 'ALTER TABLE "{name}" RENAME TO "{new}"'


@dataclass(frozen=True)
class Noted:
    """A takeover as the file records it: when (UTC), from which layout (0: it names none), counts, what was set apart."""

    at: str
    layout: int
    backup: str
    counts: Mapping[str, int]
    apart: Mapping[str, Sequence[str]] = field(default_factory=dict)
    zone: str = ""
    is_late: bool = False


def set_aside(connection: Connection, old: OldFile) -> OldFile:
    """Drop what is derived and give the main table another name: its own is needed for a view that stays."""
    for table in (*TABLES[old.table], *VIRTUAL):
        for (name,) in connection.execute(TRIGGERS, {"table": table}).fetchall():
            _drop(connection, "TRIGGER", name)
    # Where nothing in the file is ours yet, every view is old, and would keep its tables from being renamed.
    if not old.is_late:
        for (name,) in connection.execute(VIEWS).fetchall():
            _drop(connection, "VIEW", name)
    for name in VIRTUAL:
        if _kind(connection, name) == "table":
            _drop(connection, "TABLE", name)
    if _kind(connection, old.main) != "table":
        return old
    new = ASIDE + old.main
    connection.execute(RENAME.format(name=old.main, new=new))
    return replace(old, main=new)


def copy(connection: Connection, old: OldFile, takeover: Takeover, *, path: Path) -> TakenOver:
    """Let the mode copy the rows; raise TakeoverDiffers if a number is not what it was."""
    taken = takeover.copy(connection, old)
    for item in taken.compared:
        if item.before != item.after:
            raise TakeoverDiffers(path=str(path), what=item.what, before=item.before, after=item.after)
    return taken


def note(connection: Connection, old: OldFile, taken: TakenOver, *, at: str, backup: str) -> Noted:
    """Record in the file what was taken over, for the owner who asks later."""
    noted = Noted(
        at=at,
        layout=old.layout,
        backup=backup,
        counts=dict(taken.counts),
        apart={key: rows[:MOST_NAMED] for key, rows in taken.apart.items() if rows},
        zone=taken.zone,
        is_late=old.is_late,
    )
    every = [asdict(one) for one in (*notes(connection), noted)]
    put_record(connection, RECORD, json.dumps(every, ensure_ascii=False))
    return noted


def notes(connection: Connection) -> tuple[Noted, ...]:
    """Return what was taken over into this file, oldest first."""
    return tuple(Noted(**noted) for noted in json.loads(read_record(connection, RECORD) or "[]"))


def clear(connection: Connection, old: OldFile) -> None:
    """Remove the old tables."""
    for name in (old.main, *TABLES[old.table]):
        if _kind(connection, name) == "table":
            _drop(connection, "TABLE", name)


def guard(connection: Connection, old: OldFile, steps: Sequence[Migration]) -> None:
    """Put the view back that keeps an old program out, if a table had taken its place."""
    if _kind(connection, old.table):
        return
    view = re.compile(rf"^CREATE VIEW {old.table}\b", re.MULTILINE)
    for step in steps:
        for statement in filter(view.search, statements_of(step.sql)):
            connection.execute(statement)


def _kind(connection: Connection, name: str) -> str:
    row = connection.execute(KNOWN, {"name": name}).fetchone()
    return str(row[0]) if row else ""


def _drop(connection: Connection, kind: str, name: str) -> None:
    connection.execute(DROP.format(kind=kind, name=name.replace('"', '""')))
