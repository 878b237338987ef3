"""The documents of the strictest tier that a query reaches: the cascade of systems that ask for all words first."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from frugal.search.candidates import Matches, all_of, any_of
from frugal.search.groups import Group, indexed, resolve
from frugal.search.matching import TERMS_A_MATCH
from frugal.search.protocol import Request, Restriction, Retriever
from frugal.search.query import parse_plain
from frugal.search.tiers import ALL, ALL_PREFIX, LEAST_PART, Grade, strictest
from frugal.store import Connection

GRADED = 1_000
"""Documents that are looked at for each tier, best first; a set that is larger is graded in part."""

CONTAINING = """
SELECT DISTINCT term_id FROM search_word WHERE written = 1 AND instr(word, :part)
ORDER BY term_id LIMIT :most
"""
Graded = Mapping[int, Grade]
GradesOf = Callable[[Sequence[int]], Graded]
"""The grades of some documents by the query."""


def strictest_set(
    db: Connection, request: Request, retriever: Retriever, grades_of: GradesOf
) -> tuple[str, frozenset[int]]:
    """Return the strictest tier that any document of the restriction reaches for a plain query, and who reaches it."""
    groups = resolve(db, parse_plain(request.query))
    known = indexed(groups)
    matches = Matches(db, request.restriction)
    if known and len(known) == len(groups):
        found = _of_tier(
            db, request, retriever, grades_of, ids=matches.every(all_of(g.every_term for g in known))
        )
        if found[0] == ALL:
            return found
    terms = [_with_parts(db, group) for group in groups]
    if groups and all(terms):
        ids = set.intersection(*(_every(matches, found) for found in terms))
        found = _of_tier(db, request, retriever, grades_of, ids=ids)
        if found[0] in (ALL, ALL_PREFIX):
            return found
    return _of_tier(db, request, retriever, grades_of, ids=None)


def _with_parts(db: Connection, group: Group) -> list[int]:
    """Return the terms of a word and of all words that contain it."""
    if group.is_piece or len(group.surface) < LEAST_PART:
        return list(group.every_term)
    rows = db.execute(CONTAINING, {"part": group.surface, "most": TERMS_A_MATCH})
    return list(dict.fromkeys([*group.every_term, *(row[0] for row in rows)]))


def _every(matches: Matches, terms: Sequence[int]) -> set[int]:
    found: set[int] = set()
    for start in range(0, len(terms), TERMS_A_MATCH):
        found |= matches.every(any_of(terms[start : start + TERMS_A_MATCH]))
    return found


def _of_tier(
    db: Connection, request: Request, retriever: Retriever, grades_of: GradesOf, *, ids: set[int] | None
) -> tuple[str, frozenset[int]]:
    """Return the strictest tier among *ids* (None: among all matches), and those that reach it."""
    if ids is not None and not ids:
        return "", frozenset()
    if ids is None or len(ids) > GRADED:
        restriction = request.restriction if ids is None else _within(ids)
        found = retriever.search(db, replace(request, restriction=restriction, limit=GRADED, total=None))
        ids = {hit.id for hit in found.hits}
    grades = grades_of(sorted(ids))
    tier = strictest(grade.tier for grade in grades.values())
    return tier, frozenset(number for number, grade in grades.items() if grade.tier == tier)


def _within(ids: Iterable[int]) -> Restriction:
    select = "SELECT value AS id FROM json_each(:strict_ids)"
    return Restriction(select, {"strict_ids": json.dumps(sorted(ids))}, is_small=True)
