"""Which card supersedes which, and since when: derived from either end of each pointer, for all cards at once.

A crash between writing the new card and marking the old one is harmless: the pointer of the new one is enough. A card
of a source that may not be written is hidden the same way, as long as the card that supersedes it is there.
"""

import json
from dataclasses import dataclass

from frugal.api import Connection

POINTING = """
    SELECT card.number, card.created_ms, card.invalid_ms, card.supersedes, card.superseded_by
    FROM card WHERE card.supersedes <> '[]' OR card.superseded_by <> '[]' ORDER BY card.number
"""
DERIVED = """
    SELECT number, ended_ms, successor FROM card
    WHERE ended_ms IS NOT NULL OR successor IS NOT NULL OR invalid_ms IS NOT NULL
"""
DATES = """
    SELECT number, created_ms, invalid_ms FROM card
    WHERE number IN (SELECT value FROM json_each(:numbers)) OR invalid_ms IS NOT NULL
"""
SET = "UPDATE card SET ended_ms = :ended_ms, successor = :successor WHERE number = :number"

NATIVE = """
    SELECT identity.number FROM identity JOIN source ON source.id = identity.source
    WHERE source.name = :source AND identity.native_id = :native_id
    UNION ALL
    SELECT former_id.number FROM former_id JOIN source ON source.id = former_id.source
    WHERE source.name = :source AND former_id.native_id = :native_id
"""
NAMES = "SELECT name FROM source ORDER BY length(name) DESC, name"
VAULT = "vault"


@dataclass(frozen=True)
class _Claimed:
    """One card says that *successor* supersedes another; *is_own*: the superseded card says so itself."""

    successor: int
    is_own: bool


def derive(db: Connection) -> None:
    """Write `ended_ms` and `successor` of every card anew, inside a transaction; what is right stays untouched."""
    claims = _claims(db)
    dates = {
        number: (created, invalid)
        for number, created, invalid in db.execute(DATES, {"numbers": json.dumps(_named(claims))})
    }
    known = {number: (ended, successor) for number, ended, successor in db.execute(DERIVED).fetchall()}
    wanted: dict[int, tuple[int | None, int | None]] = {
        number: (invalid, None) for number, (_, invalid) in dates.items() if invalid is not None
    }
    for number, claimed in claims.items():
        found = [one for one in claimed if one.successor in dates]
        if number in dates:
            wanted[number] = _end(dates, number, found)
    for number in known.keys() | wanted.keys():
        ended, successor = wanted.get(number, (None, None))
        if known.get(number, (None, None)) != (ended, successor):
            db.execute(SET, {"number": number, "ended_ms": ended, "successor": successor})


def _end(
    dates: dict[int, tuple[int | None, int | None]], number: int, claimed: list[_Claimed]
) -> tuple[int | None, int | None]:
    """Return since when a card is superseded and by which: by the one it names itself, else by the earliest."""
    invalid = dates[number][1]
    if not claimed:
        return (invalid if invalid is not None else 0), None
    best = min(claimed, key=lambda one: (not one.is_own, dates[one.successor][0] or 0, one.successor))
    if invalid is None:
        invalid = dates[best.successor][0] or 0
    return invalid, best.successor


def _claims(db: Connection) -> dict[int, list[_Claimed]]:
    """Return who is superseded by whom as the cards say; a card whose own pointer leads nowhere has an empty list."""
    names = [row[0] for row in db.execute(NAMES)]
    found: dict[int, list[_Claimed]] = {}
    for number, _, _, supersedes, superseded_by in db.execute(POINTING).fetchall():
        for reference in json.loads(supersedes):
            old = resolve(db, reference, names)
            if old is not None and old != number:
                found.setdefault(old, []).append(_Claimed(number, is_own=False))
        for reference in json.loads(superseded_by):
            claimed = found.setdefault(number, [])
            new = resolve(db, reference, names)
            if new is not None and new != number:
                claimed.append(_Claimed(new, is_own=True))
    return found


def _named(claims: dict[int, list[_Claimed]]) -> list[int]:
    return sorted({*claims, *(one.successor for claimed in claims.values() for one in claimed)})


def resolve(db: Connection, reference: str, names: list[str]) -> int | None:
    """Return the number of the card that a pointer names: a ref, or a path of the vault; former ones too."""
    for name in names:
        if reference.startswith(f"{name}:") and (found := _number(db, name, reference[len(name) + 1 :])):
            return found
    found = _number(db, VAULT, reference)
    return found if found is not None else _number(db, VAULT, f"{reference}.md")  # [[a link]] names no suffix


def _number(db: Connection, source: str, native_id: str) -> int | None:
    row = db.execute(NATIVE, {"source": source, "native_id": native_id}).fetchone()
    return None if row is None else int(row[0])
