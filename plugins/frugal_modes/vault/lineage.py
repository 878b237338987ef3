"""Which card supersedes which, and since when: derived from either end of each pointer, for all cards at once.

A crash between writing the new card and marking the old one is harmless: the pointer of the new one is enough. A card
of a source that may not be written is hidden the same way, as long as the card that supersedes it is there.
"""

import json
from collections.abc import Container
from dataclasses import dataclass

from frugal.api import Connection
from frugal_modes.vault.records import VAULT

POINTING = """
    SELECT card.number, card.supersedes, card.superseded_by
    FROM card JOIN source ON source.id = card.source
    WHERE (card.supersedes <> '[]' OR card.superseded_by <> '[]') AND source.state NOT IN ('detached', 'removed')
    ORDER BY card.number
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


def source_names(db: Connection) -> list[str]:
    """Return the names of all sources, longer ones first: a name may begin another's."""
    return [row[0] for row in db.execute(NAMES)]


@dataclass(frozen=True)
class _Claimed:
    """One card says that *successor* supersedes another; *is_own*: the superseded card says so itself."""

    successor: int
    is_own: bool


def derive(db: Connection) -> None:
    """Write `ended_ms` and `successor` of every card anew, inside a transaction; what is right stays untouched."""
    claims = _claims(db)
    created: dict[int, int] = {}
    wanted: dict[int, tuple[int | None, int | None]] = {}
    for number, created_ms, invalid_ms in db.execute(DATES, {"numbers": json.dumps(_named(claims))}):
        created[number] = created_ms or 0
        if invalid_ms is not None or number in claims:
            wanted[number] = (invalid_ms or 0, None)
    wanted.update(_ends(claims, created))
    known = {number: (ended, successor) for number, ended, successor in db.execute(DERIVED).fetchall()}
    for number in known.keys() | wanted.keys():
        ended, successor = wanted.get(number, (None, None))
        if known.get(number, (None, None)) != (ended, successor):
            db.execute(SET, {"number": number, "ended_ms": ended, "successor": successor})


def _ends(
    claims: dict[int, list[_Claimed]], created: dict[int, int]
) -> dict[int, tuple[int | None, int | None]]:
    """Return since when each card with a successor is superseded, and by which.

    It is the one the card names itself, else the earliest. A card ends when the first of all that follow it begins,
    whatever dates were written by hand: so along a chain one card holds at a time, and never none.
    """
    claimed = {
        number: [one for one in found if one.successor in created]
        for number, found in claims.items()
        if number in created
    }
    best = {
        number: min(found, key=lambda one: (not one.is_own, created[one.successor], one.successor)).successor
        for number, found in claimed.items()
        if found
    }
    ends: dict[int, tuple[int | None, int | None]] = {}
    for number in _closing(best):
        del best[number]
        ends[number] = (None, None)
    for start in best:
        for number in reversed(_following(best, start, ends)):
            later = ends.get(best[number], (None, None))[0]
            begun = [created[one.successor] for one in claimed[number]]
            ends[number] = (min(begun if later is None else [*begun, later]), best[number])
    return ends


def _following(best: dict[int, int], start: int, known: Container[int]) -> list[int]:
    """Return *start* and the superseded cards that follow it up to one that is *known*."""
    found: list[int] = []
    number = start
    while number in best and number not in known:
        found.append(number)
        number = best[number]
    return found


def _closing(best: dict[int, int]) -> list[int]:
    """Return the smallest number of every circle, which only a hand can write: there it is cut, that card stays live."""
    found: list[int] = []
    seen: set[int] = set()
    for start in sorted(best):
        path: dict[int, None] = {}
        number = start
        while number in best and number not in seen:
            seen.add(number)
            path[number] = None
            number = best[number]
        if number in path:
            steps = list(path)
            found.append(min(steps[steps.index(number) :]))
    return found


def _claims(db: Connection) -> dict[int, list[_Claimed]]:
    """Return who is superseded by whom as the cards say; a card whose own pointer leads nowhere has an empty list."""
    names = source_names(db)
    found: dict[int, list[_Claimed]] = {}
    for number, supersedes, superseded_by in db.execute(POINTING).fetchall():
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


def successors(db: Connection) -> dict[int, set[int]]:
    """Return by the number of each card those that say, or of which it says itself, that they supersede it."""
    return {number: {one.successor for one in claimed} for number, claimed in _claims(db).items() if claimed}


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
