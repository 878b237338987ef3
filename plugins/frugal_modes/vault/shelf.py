"""What the index knows of the cards: bring it up to date, place one file, look a card up.

    refresh(call) -> Sync               before every search, get and stats
    place(call, path) -> int | None     one file of the vault was written, moved or removed: index it alone
    find(db, reference) -> Known | None `12`, `#12`, `vault:03-Knowledge/x.md`, `03-Knowledge/x.md`; former ones too
    with_hash(db, content_hash, kind), titled(db, folded_title) -> tuple[Known, ...], live or not
    chain_end(db, number) -> Known      the newest of the cards that supersede each other

Look-ups read the index as it is; whoever must not miss an edit calls `refresh` first.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from frugal.api import Call, Connection
from frugal_modes.vault.lineage import source_names
from frugal_modes.vault.records import VAULT
from frugal_modes.vault.rows import fold_title
from frugal_modes.vault.visible import HIDDEN, milliseconds

if TYPE_CHECKING:
    from frugal_modes.vault.sync import Sync


@dataclass(frozen=True)
class Known:
    """One card as the index has it. *path* is relative to the root of its *source*; *supersedes* and *successor* are
    numbers that the index could resolve, *superseded_by* is what the front matter says (paths, refs).

    *state*: "" while *is_live*, else why it is hidden: `superseded`, `invalid`, `expired`, `archived`, `rejected`,
    `future`, `missing`, `detached`, `removed`, or `gone` (no file has it any more: in the trash, or deleted).
    *kind* and *title* of a card that is gone are "".
    """

    number: int
    source: str
    native_id: str
    path: str
    title: str = ""
    kind: str = ""
    is_live: bool = False
    state: str = "gone"
    content_hash: str = ""
    created: str = ""
    updated: str = ""
    supersedes: tuple[int, ...] = ()
    superseded_by: tuple[str, ...] = ()
    invalid_at: str = ""
    successor: int | None = None

    @property
    def ref(self) -> str:
        """The name of the card for ever: `source:native_id`."""
        return f"{self.source}:{self.native_id}"

    @property
    def is_in_vault(self) -> bool:
        """Whether its file may be written."""
        return self.source == VAULT


def refresh(call: Call) -> "Sync":
    """Bring the index up to date within the time a search may take; a guest only learns what is stale."""
    from frugal_modes.vault.sync import refresh as run

    return run(call)


def place(call: Call, path: Path | str) -> int | None:
    """Index one file of the vault alone: it was written, moved or removed. *path* is absolute or relative to the vault.

    Return the number of its card, None if there is no card or it could not be indexed.
    """
    from frugal_modes.vault.sync import place as run

    return run(call, path)


KNOWN = f"""
    SELECT identity.number, source.name, identity.native_id, coalesce(card.path, identity.path), card.title,
        card.kind, CASE WHEN card.number IS NULL THEN 'gone' ELSE {HIDDEN} END,
        coalesce(card.content_hash, identity.content_hash), card.created, card.updated, card.supersedes,
        card.superseded_by, card.invalid_at, card.successor
    FROM identity JOIN source ON source.id = identity.source
    LEFT JOIN card ON card.number = identity.number
    LEFT JOIN unit ON unit.id = card.unit
"""
BY_NUMBER = f"{KNOWN} WHERE identity.number = :number"
BY_NATIVE_ID = f"{KNOWN} WHERE source.name = :source AND identity.native_id = :native_id"
BY_FORMER_ID = f"""
    {KNOWN} WHERE identity.number = (
        SELECT former_id.number FROM former_id JOIN source AS home ON home.id = former_id.source
        WHERE home.name = :source AND former_id.native_id = :native_id
    )
"""
BY_HASH = f"{KNOWN} WHERE card.content_hash = :hash AND card.kind = :kind ORDER BY identity.number"
BY_TITLE = f"{KNOWN} WHERE card.folded_title = :title ORDER BY identity.number"
BY_FILE = f"""
    {KNOWN} WHERE card.path IN (:name, :name || '.md', :name || '.markdown')
        OR card.path LIKE :ending ESCAPE '!' OR card.path LIKE :ending || '.md' ESCAPE '!'
        OR card.path LIKE :ending || '.markdown' ESCAPE '!'
    ORDER BY identity.number
"""
SUPERSEDED_BY = "SELECT number FROM card WHERE successor = :number ORDER BY number"


def find(db: Connection, reference: str, *, at: datetime | None = None) -> Known | None:
    """Return the card that *reference* names, live or not, at the moment *at* (now); None if there never was one."""
    text = reference.strip()
    number = text.removeprefix("#")
    if number.isascii() and number.isdecimal() and len(number) < 19:
        return _first(db, BY_NUMBER, at, number=int(number))
    for name in _sources_named(db, text):
        if found := _named(db, name, text[len(name) + 1 :], at):
            return found
    return _named(db, VAULT, text.removeprefix("./"), at)


def _sources_named(db: Connection, text: str) -> list[str]:
    return [name for name in source_names(db) if text.startswith(f"{name}:")]


def _named(db: Connection, source: str, native_id: str, at: datetime | None) -> Known | None:
    names = {"source": source, "native_id": native_id}
    return _first(db, BY_NATIVE_ID, at, **names) or _first(db, BY_FORMER_ID, at, **names)


def with_hash(
    db: Connection, content_hash: str, kind: str, *, at: datetime | None = None
) -> tuple[Known, ...]:
    """Return the cards of *kind* with *content_hash*, live or not. The hash is a hint: compare title and body."""
    return _all(db, BY_HASH, at, hash=content_hash, kind=kind)


def titled(db: Connection, folded_title: str, *, at: datetime | None = None) -> tuple[Known, ...]:
    """Return the cards of any kind and source with the title that `rows.fold_title` makes *folded_title*."""
    return _all(db, BY_TITLE, at, title=folded_title)


def called(db: Connection, name: str, *, at: datetime | None = None) -> tuple[Known, ...]:
    """Return the live cards with *name* as their title, without any those whose file has that name."""
    escaped = name.replace("!", "!!").replace("%", "!%").replace("_", "!_")
    found = titled(db, fold_title(name), at=at) or _all(db, BY_FILE, at, name=name, ending=f"%/{escaped}")
    return tuple(known for known in found if known.is_live)


def chain_end(db: Connection, number: int, *, at: datetime | None = None) -> Known:
    """Return the card at the end of the line of successors of *number*, itself if nothing supersedes it.

    A circle, which only a hand can write, ends at its smallest number.
    """
    seen: dict[int, Known] = {}
    found = _first(db, BY_NUMBER, at, number=number)
    if found is None:
        raise LookupError(number)
    while found.successor is not None and found.number not in seen:
        seen[found.number] = found
        following = _first(db, BY_NUMBER, at, number=found.successor)
        if following is None or following.state == "gone":
            return found
        found = following
    return seen[min(seen)] if found.number in seen else found


def _first(db: Connection, statement: str, at: datetime | None, **values: str | int) -> Known | None:
    return next(iter(_all(db, statement, at, **values)), None)


def _all(db: Connection, statement: str, at: datetime | None, **values: str | int) -> tuple[Known, ...]:
    moment = milliseconds(at or datetime.now(UTC))
    rows = db.execute(statement, {**values, "at": moment}).fetchall()
    return tuple(_known(db, row) for row in rows)


def _known(db: Connection, row: Iterable[object]) -> Known:
    number, source, native_id, path, *card = row
    title, kind, state, content_hash, created, updated, _supersedes, superseded_by, invalid_at, successor = (
        card
    )
    assert isinstance(number, int)
    return Known(
        number,
        str(source),
        str(native_id),
        str(path),
        str(title or ""),
        str(kind or ""),
        not state,
        str(state),
        str(content_hash),
        str(created or ""),
        str(updated or ""),
        tuple(item[0] for item in db.execute(SUPERSEDED_BY, {"number": number})),
        tuple(json.loads(str(superseded_by))) if superseded_by else (),
        str(invalid_at or ""),
        successor if isinstance(successor, int) else None,
    )
