"""The sources as the index keeps them: told from the settings, hidden when they leave, found again when they return."""

import json
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path

from frugal.api import Connection
from frugal_modes.vault.registered import Registered
from frugal_modes.vault.stamps import hash_of

ROWS = "SELECT id, name, kind, root, options, place, state FROM source ORDER BY id"


def are_settled(db: Connection, sources: Sequence[Registered]) -> bool:
    """Tell whether the index knows exactly *sources*."""
    kept = {row[1]: tuple(row[2:6]) for row in db.execute(ROWS) if row[6] not in ("removed", "detached")}
    return kept == {source.name: _told(source) for source in sources}


def _told(source: Registered) -> tuple[str, str, str, int]:
    options = json.dumps(dict(sorted(source.options.items())), ensure_ascii=False)
    return source.kind, str(source.root), options, source.place


ADD = """
    INSERT INTO source (name, kind, root, options, place, state)
    VALUES (:name, :kind, :root, :options, :place, 'unread')
"""
RENEW = """
    UPDATE source SET name = :name, kind = :kind, root = :root, options = :options, place = :place, state = :state
    WHERE id = :id
"""
REMOVE = "UPDATE source SET state = 'removed' WHERE id = :id"
DETACH = "UPDATE source SET state = 'detached', name = :name WHERE id = :id"
FORGET_STAMPS = "UPDATE unit SET is_trusted = 0, size = -1 WHERE source = :id"


def settle(db: Connection, sources: Sequence[Registered]) -> None:
    """Write what the settings say of the sources, inside a transaction.

    Another root under a known name: the same source if half of what is known lies there too, else the old one is
    detached, and attached again once its root returns.
    """
    rows = {row[1]: row for row in db.execute(ROWS).fetchall()}
    for source in sources:
        row = rows.get(source.name)
        kind, root, options, place = _told(source)
        values: dict[str, str | int] = {"kind": kind, "root": root, "options": options, "place": place}
        earlier = rows.get(_detached_name(source.name, root))
        if row is None:
            row = earlier
        elif row[3] != root and not _goes_along(db, row[0], source.root, is_known=earlier is not None):
            name = _detached_name(source.name, row[3])
            db.execute(DETACH, {"id": row[0], "name": f"{name}-{row[0]}" if name in rows else name})
            row = earlier
        if row is None:
            db.execute(ADD, {"name": source.name, **values})
            continue
        if row[6] in ("detached", "removed") or (row[2], row[4]) != (kind, options):
            db.execute(FORGET_STAMPS, {"id": row[0]})
        state = "unread" if row[6] in ("detached", "removed") else row[6]
        db.execute(RENEW, {"id": row[0], "name": source.name, "state": state, **values})
    names = {source.name for source in sources}
    for number, name, *_, state in rows.values():
        if name not in names and state != "detached":
            db.execute(REMOVE, {"id": number})


def _detached_name(name: str, root: str) -> str:
    return f"{name}@{blake2b(root.encode('utf-8', 'surrogatepass'), digest_size=4).hexdigest()}"


ANY_IDENTITY = "SELECT 1 FROM identity WHERE source = :id LIMIT 1"
KNOWN_FILES = "SELECT path, file_hash FROM unit WHERE source = :id ORDER BY path"


def _goes_along(db: Connection, source: int, root: Path, *, is_known: bool) -> bool:
    """Tell whether *source* goes on at *root*: half of the files that are known lie there with the same content.

    One that never had a card goes along too, unless *root* is known (*is_known*) from an earlier time.
    """
    known = db.execute(KNOWN_FILES, {"id": source}).fetchall()
    if not known:
        return not is_known and db.execute(ANY_IDENTITY, {"id": source}).fetchone() is None
    needed = (len(known) + 1) // 2
    same = 0
    for place, (path, file_hash) in enumerate(known):
        if same >= needed or same + len(known) - place < needed:
            break
        try:
            same += hash_of((root / path if path else root).read_bytes()) == file_hash
        except OSError:
            continue
    return same >= needed


SOURCE_IDS = "SELECT name, id FROM source WHERE state NOT IN ('removed', 'detached')"


def ids(db: Connection) -> dict[str, int]:
    """Return the numbers of the sources that are in use, by name."""
    return dict(db.execute(SOURCE_IDS).fetchall())
