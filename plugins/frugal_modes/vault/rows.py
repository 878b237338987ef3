"""Cards in and out of the index: rows of `card`, documents of the search, problems of a unit. Inside a transaction."""

import json
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b

from frugal.api import Connection, index_document, remove_document, scan_credentials
from frugal_modes.vault import identity
from frugal_modes.vault.documents import document
from frugal_modes.vault.hashes import content_hash
from frugal_modes.vault.identity import Trace
from frugal_modes.vault.moments import end_of, start_of
from frugal_modes.vault.records import Card, Problem, Reading
from frugal_modes.vault.stamps import Stamp
from frugal_modes.vault.visible import milliseconds

PROBLEMS_A_UNIT = 50


@dataclass(frozen=True)
class UnitRow:
    """A unit as it is to be written. *at* is the present moment as text."""

    source: int
    path: str
    stamp: Stamp
    file_hash: str
    at: str
    is_trusted: bool
    also: tuple[str, ...] = ()


@dataclass
class Changes:
    """What writing units did to the cards, by number."""

    inserted: list[int] = field(default_factory=list)
    updated: list[int] = field(default_factory=list)
    moved: list[int] = field(default_factory=list)
    removed: list[int] = field(default_factory=list)
    is_lineage_touched: bool = False


SET_UNIT = """
    INSERT INTO unit (source, path, size, mtime_ns, beside, file_hash, indexed_at, is_trusted, also)
    VALUES (:source, :path, :size, :mtime_ns, :beside, :file_hash, :at, :is_trusted, :also)
    ON CONFLICT (source, path) DO UPDATE SET size = excluded.size, mtime_ns = excluded.mtime_ns,
        beside = excluded.beside, file_hash = excluded.file_hash, indexed_at = excluded.indexed_at,
        is_trusted = excluded.is_trusted, also = excluded.also, is_missing = 0
    RETURNING id
"""
CARDS_OF_UNIT = "SELECT native_id, number FROM card WHERE unit = :unit ORDER BY number"


def fold_title(title: str) -> str:
    """Return *title* as titles are compared: NFKC, case folded, spaces collapsed."""
    return " ".join(unicodedata.normalize("NFKC", title).casefold().split())


def put_unit(
    db: Connection,
    row: UnitRow,
    reading: Reading,
    *,
    departing: Collection[int] | None,
    changes: Changes,
) -> int:
    """Write a unit and what it holds; return its number. What an erroneous reading does not give stays.

    *departing*: see `identity.claim`.
    """
    unit = put_stamp(db, row)
    put_problems(db, row.source, unit, reading.problems)
    before = dict(db.execute(CARDS_OF_UNIT, {"unit": unit}).fetchall())
    seen: set[str] = set()
    for ordinal, card in enumerate(reading.cards):
        native_id = _distinct(db, row.source, unit, card.native_id, seen)
        seen.add(native_id)
        trace = Trace(content_hash(card.title, card.body), row.file_hash, ordinal)
        _put_card(db, row, unit, native_id, card=card, trace=trace, departing=departing, changes=changes)
    if reading.is_whole:
        for native_id, number in before.items():
            if native_id not in seen:
                take_out(db, number, at=row.at, changes=changes)
    return unit


def put_stamp(db: Connection, row: UnitRow) -> int:
    """Write how a unit looked; return its number."""
    values = {
        "source": row.source,
        "path": row.path,
        "size": row.stamp.size,
        "mtime_ns": row.stamp.mtime_ns,
        "beside": row.stamp.beside,
        "file_hash": row.file_hash,
        "at": row.at,
        "is_trusted": int(row.is_trusted),
        "also": json.dumps(row.also, ensure_ascii=False),
    }
    return int(db.execute(SET_UNIT, values).fetchone()[0])


DROP_PROBLEMS = "DELETE FROM problem WHERE unit = :unit"
DROP_LISTED = "DELETE FROM problem WHERE source = :source AND unit IS NULL"
ADD_PROBLEM = """
    INSERT INTO problem (source, unit, path, place, reason) VALUES (:source, :unit, :path, :place, :reason)
"""


def put_problems(db: Connection, source: int, unit: int | None, problems: Sequence[Problem]) -> None:
    """Replace the problems of a unit, or (None) those met while the source was listed."""
    if unit is None:
        db.execute(DROP_LISTED, {"source": source})
    else:
        db.execute(DROP_PROBLEMS, {"unit": unit})
    for problem in _first(problems):
        values = {"path": problem.path, "place": problem.place, "reason": problem.reason}
        db.execute(ADD_PROBLEM, {"source": source, "unit": unit, **values})


def _first(problems: Sequence[Problem]) -> list[Problem]:
    """Return so many of the problems of a unit as anybody reads, and how many more there are."""
    rest = len(problems) - PROBLEMS_A_UNIT
    kept = list(problems[:PROBLEMS_A_UNIT])
    return [*kept, Problem(kept[-1].path, f"+{rest}")] if rest > 0 else kept


HOLDER = "SELECT 1 FROM card WHERE source = :source AND native_id = :native_id AND unit <> :unit"


def _distinct(db: Connection, source: int, unit: int, wanted: str, seen: Collection[str]) -> str:
    """Return *wanted*, with `~2`, ... where another record of the source has it already."""
    count, name = 1, wanted
    while name in seen or db.execute(HOLDER, {"source": source, "native_id": name, "unit": unit}).fetchone():
        count += 1
        name = f"{wanted}~{count}"
    return name


COLUMNS = (
    *("source", "unit", "native_id", "path", "line", "member", "title", "kind", "agent", "status"),
    *("priority", "tags", "aliases", "links", "headings", "created", "updated", "expires", "invalid_at"),
    *(
        "supersedes",
        "superseded_by",
        "content_hash",
        "body_hash",
        "folded_title",
        "secrets",
        "state",
        "metadata",
    ),
    *("created_ms", "expires_ms", "invalid_ms"),
)
INDEXED = ("title", "body", "path", "tags", "aliases", "headings")
POINTING = ("supersedes", "superseded_by", "invalid_ms", "created_ms", "native_id")
OLD = f"SELECT {', '.join(COLUMNS)}, body FROM card JOIN card_text USING (number) WHERE number = :number"
PUT = f"""
    INSERT INTO card (number, {", ".join(COLUMNS)}, ended_ms)
    VALUES (:number, {", ".join(f":{name}" for name in COLUMNS)}, :invalid_ms)
    ON CONFLICT (number) DO UPDATE SET {", ".join(f"{name} = excluded.{name}" for name in COLUMNS)}
"""

PUT_TEXT = """
    INSERT INTO card_text (number, body) VALUES (:number, :body)
    ON CONFLICT (number) DO UPDATE SET body = excluded.body
"""


def _put_card(
    db: Connection,
    row: UnitRow,
    unit: int,
    native_id: str,
    *,
    card: Card,
    trace: Trace,
    departing: Collection[int] | None,
    changes: Changes,
) -> None:
    claimed = identity.claim(db, row.source, native_id, path=card.path, trace=trace, departing=departing)
    values = _values(card, trace.content_hash) | {"source": row.source, "unit": unit, "native_id": native_id}
    old = db.execute(OLD, {"number": claimed.number}).fetchone()
    before = dict(zip((*COLUMNS, "body"), old, strict=True)) if old is not None else {}
    if before == values:
        return
    db.execute(PUT, {"number": claimed.number, **values})
    db.execute(PUT_TEXT, {"number": claimed.number, "body": card.body})
    if any(before.get(name) != values[name] for name in INDEXED):
        lists = {"tags": card.tags, "aliases": card.aliases, "headings": card.headings}
        index_document(
            db, document(claimed.number, title=card.title, body=card.body, path=card.path, **lists)
        )
    _note(claimed.number, before, values, is_moved=bool(claimed.moved_from), changes=changes)


def _note(
    number: int,
    before: dict[str, object],
    values: dict[str, object],
    *,
    is_moved: bool,
    changes: Changes,
) -> None:
    points = (
        values["supersedes"] != "[]" or values["superseded_by"] != "[]" or values["invalid_ms"] is not None
    )
    if points or any(before.get(name) != values[name] for name in POINTING):
        changes.is_lineage_touched = True
    if is_moved:
        changes.moved.append(number)
    elif before:
        changes.updated.append(number)
    else:
        changes.inserted.append(number)


def _values(card: Card, own_hash: str) -> dict[str, object]:
    created, expires, invalid = start_of(card.created), end_of(card.expires), start_of(card.invalid_at)
    body_hash = blake2b(plain(card.body).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    return {
        "path": card.path,
        "line": card.line,
        "member": card.member,
        "title": card.title,
        "body": card.body,
        "kind": card.kind.lower(),
        "agent": card.agent,
        "status": card.status,
        "priority": card.priority,
        "tags": _listed(card.tags),
        "aliases": _listed(card.aliases),
        "links": _listed(card.links),
        "headings": _listed(card.headings),
        "created": card.created,
        "updated": card.updated,
        "expires": card.expires,
        "invalid_at": card.invalid_at,
        "supersedes": _listed(card.supersedes),
        "superseded_by": _listed(card.superseded_by),
        "content_hash": own_hash,
        "body_hash": body_hash,
        "folded_title": fold_title(card.title),
        "secrets": _listed(secret_classes(card)),
        "state": card.state,
        "metadata": json.dumps(card.metadata, ensure_ascii=False),
        "created_ms": milliseconds(created) if created else None,
        "expires_ms": milliseconds(expires) if expires else None,
        "invalid_ms": milliseconds(invalid) if invalid else None,
    }


def _listed(items: Sequence[str]) -> str:
    return json.dumps(list(items), ensure_ascii=False)


def plain(body: str) -> str:
    """Return *body* as bodies are compared: NFKC, spaces collapsed."""
    return " ".join(unicodedata.normalize("NFKC", body).split())


def secret_classes(card: Card) -> tuple[str, ...]:
    """Return the classes of likely credentials in title, body, tags and agent, each once."""
    text = "\n\n".join((card.title, card.body, *card.tags, card.agent))
    return tuple(dict.fromkeys(found.kind for found in scan_credentials(text)))


DROP_TEXT = "DELETE FROM card_text WHERE number = :number"
DROP_CARD = "DELETE FROM card WHERE number = :number RETURNING supersedes, superseded_by, successor"
SUCCESSOR_OF = "SELECT 1 FROM card WHERE successor = :number LIMIT 1"


def take_out(db: Connection, number: int, *, at: str, changes: Changes) -> None:
    """Remove a card that is proved to be gone: its text and its index rows. Number and counts stay."""
    db.execute(DROP_TEXT, {"number": number})
    row = db.execute(DROP_CARD, {"number": number}).fetchone()
    if row is None:
        return
    remove_document(db, number)
    identity.let_go(db, number, at=at)
    changes.removed.append(number)
    if (
        row[2] is not None
        or tuple(row[:2]) != ("[]", "[]")
        or db.execute(SUCCESSOR_OF, {"number": number}).fetchone()
    ):
        changes.is_lineage_touched = True


DROP_UNIT = "DELETE FROM unit WHERE id = :unit"


def take_out_unit(db: Connection, unit: int, *, at: str, changes: Changes) -> None:
    """Remove a unit and what is left of its cards."""
    for _, number in db.execute(CARDS_OF_UNIT, {"unit": unit}).fetchall():
        take_out(db, number, at=at, changes=changes)
    db.execute(DROP_PROBLEMS, {"unit": unit})
    db.execute(DROP_UNIT, {"unit": unit})
