"""memory_search: any word may match, the engine ranks; tiers, coverage and duplicates describe what it found."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from frugal.api import (
    Answer,
    Call,
    Connection,
    Found,
    Grade,
    Grader,
    LexicalRetriever,
    Request,
    Restriction,
    Retriever,
    Scored,
    is_learning,
    near_words,
    note_asked,
    strictest_set,
)
from frugal_modes.vault import freshness, learned, shelf
from frugal_modes.vault.freshness import Differing
from frugal_modes.vault.hits import Hit, grouped, in_order, rows_of
from frugal_modes.vault.question import (
    DEFAULT_LIMIT,
    SHELL_LIMIT,
    Question,
    check_filters,
    moment_asked,
    with_names,
)
from frugal_modes.vault.reading_forms import Clamped
from frugal_modes.vault.sync import Sync
from frugal_modes.vault.visible import milliseconds

CANDIDATES = 100
"""Hits among which duplicates are sought."""
ROUNDS = 3
"""How often a search is done again because files changed under it."""
NAMED_WORDS = 8
NEAR_WORDS = 3


@dataclass(frozen=True)
class Result:
    """What a search came to: *hits* with their *grades*, the counts around them, and what could not be looked at."""

    hits: tuple[Hit, ...]
    grades: tuple[Grade, ...]
    found: Found
    hidden: dict[str, int]
    cards: int
    sources: int
    near: tuple[tuple[str, tuple[str, ...]], ...] = ()
    fired: tuple[int, ...] = ()
    stale: frozenset[int] = frozenset()
    vanished: int = 0
    sync: Sync = field(default_factory=Sync)


def memory_search(
    call: Call,
    *,
    query: str,
    limit: Clamped | None,
    kind: str,
    source: str,
    as_of: str,
    include_invalid: bool,
    strict: bool,
) -> Answer:
    """Return the cards that match *query* best; what changed on disk is read first."""
    from frugal_modes.vault.search_text import answer_of

    default = SHELL_LIMIT if call.is_from_shell else DEFAULT_LIMIT
    question = Question(
        query,
        limit or Clamped(default, default),
        moment_asked(call, as_of),
        as_of,
        kind,
        source,
        include_invalid,
        strict,
    )
    result = look_up(call, question)
    answer, listed = answer_of(call, question, result)
    note_asked(call, query, [hit.row.number for hit in result.hits[:listed]], result.fired)
    return answer


def look_up(call: Call, question: Question) -> Result:
    """Return what *question* finds now; files that changed since the index was brought up to date are read again."""
    sync = shelf.refresh(call)
    result, changed = _search(call, question)
    for _ in range(ROUNDS - 1):
        if not changed or call.is_guest or not freshness.renew(call, changed):
            break
        result, changed = _search(call, question)
    result, changed = _past_ghosts(call, question, result, changed)
    return _without_ghosts(replace(result, sync=sync), changed, question.limit.value)


def _search(call: Call, question: Question) -> tuple[Result, Differing]:
    with call.store.read() as db:
        check_filters(db, question)
        result = find(db, question, LexicalRetriever(), has_learned=is_learning(call))
        changed = freshness.differing(db, (row.unit for hit in result.hits for row in hit.rows))
    return result, changed


def _past_ghosts(
    call: Call, question: Question, result: Result, changed: Differing
) -> tuple[Result, Differing]:
    """Search for so many more hits as there are of files that are gone, so that what is there fills the answer."""
    limit = question.limit
    for _ in range(ROUNDS):
        ghosts = sum(hit.without(changed.gone) is None for hit in result.hits)
        if not ghosts or len(result.hits) < limit.value or limit.value == question.limit.value + ghosts:
            break
        limit = limit._replace(value=question.limit.value + ghosts)
        result, changed = _search(call, replace(question, limit=limit))
    return result, changed


def _without_ghosts(result: Result, changed: Differing, most: int) -> Result:
    """Drop hits whose files are gone, a duplicate that is there in their place, and mark those that say something else."""
    if not changed:
        return result
    kept: list[tuple[Hit, Grade]] = []
    vanished = 0
    for hit, grade in zip(result.hits, result.grades, strict=True):
        living = hit.without(changed.gone)
        vanished += living is None
        if living is not None:
            kept.append((living, grade))
    stale = frozenset(hit.row.number for hit, _ in kept if hit.row.unit in changed.changed)
    gone = sum(row.unit in changed.gone for hit in result.hits for row in hit.rows)
    return replace(
        result,
        hits=tuple(hit for hit, _ in kept[:most]),
        grades=tuple(grade for _, grade in kept[:most]),
        found=replace(result.found, total=max(result.found.total - gone, 0)),
        cards=max(result.cards - gone, 0),
        stale=stale,
        vanished=vanished,
    )


def find(db: Connection, question: Question, retriever: Retriever, *, has_learned: bool = False) -> Result:
    """Search in one snapshot."""
    question = with_names(db, question)
    at = milliseconds(question.moment)
    counts = _counts(db, question, retriever)
    request = Request(question.query, question.restriction, limit=CANDIDATES, total=counts.get("", 0) or None)
    grader = Grader(question.query)
    if question.is_strict:
        request = _strictly(db, request, retriever, grader, at)
    found = retriever.search(db, request)
    front = _in_front(db, question, request, found) if has_learned else ()
    scored = [*front, *(hit for hit in found.hits if hit.id not in {item.id for item in front})]
    rows = rows_of(db, [hit.id for hit in scored], at=at)
    ordered = [*in_order(front, rows), *in_order(scored[len(front) :], rows)]
    hits = tuple(grouped(ordered, question.limit.value))
    cards, sources = db.execute(SIZE).fetchone()
    return Result(
        hits,
        tuple(grader.grade(hit.row.fields) for hit in hits),
        found,
        {reason: count for reason, count in counts.items() if reason and count},
        cards,
        sources,
        near=() if hits else _near(db, found.unknown),
        fired=tuple(hit.id for hit in front),
    )


SIZE = """
    SELECT (SELECT count(*) FROM card WHERE source IN (SELECT id FROM source WHERE state NOT IN ('detached', 'removed')))
        - (SELECT count(*) FROM card WHERE unit IN (
            SELECT unit.id FROM unit JOIN source ON source.id = unit.source
            WHERE unit.is_missing = 1 AND source.state NOT IN ('detached', 'removed'))),
        (SELECT count(*) FROM source WHERE state NOT IN ('detached', 'removed'))
"""


def _counts(db: Connection, question: Question, retriever: Retriever) -> dict[str, int]:
    """Return how many matches there are by the reason that hides them, "" for those that are seen."""
    if not isinstance(retriever, LexicalRetriever):
        return {}
    return retriever.count_by(db, Request(question.query, question.restriction), question.reasons)


STRICTEST = "SELECT value AS id FROM json_each(:strictest)"


def _strictly(db: Connection, request: Request, retriever: Retriever, grader: Grader, at: int) -> Request:
    """Return the request narrowed to the strictest tier that any match reaches."""

    def grades_of(numbers: Sequence[int]) -> dict[int, Grade]:
        rows = rows_of(db, numbers, at=at)
        return {number: grader.grade(row.fields) for number, row in rows.items()}

    tier, numbers = strictest_set(db, request, retriever, grades_of)
    if not tier:
        return request

    inside = Restriction(
        STRICTEST,
        {"strictest": json.dumps(sorted(numbers))},
        is_small=True,
    )
    return replace(request, restriction=inside, total=None)


ALLOWED = "SELECT id FROM ({select}) WHERE id = :learned_number"


def _in_front(db: Connection, question: Question, request: Request, found: Found) -> tuple[Scored, ...]:
    """Return what was learned for exactly these words and the filters let through."""
    if found.is_explicit:
        return ()
    best = found.hits[0].score if found.hits else 0.0
    statement = ALLOWED.replace("{select}", request.restriction.select)
    allowed = (
        Scored(number, best)
        for number in learned.pairs(question.moment).answers(db, question.query)
        if db.execute(statement, {**request.restriction.parameters, "learned_number": number}).fetchone()
    )
    return tuple(islice(allowed, learned.MOST_IN_FRONT))


def _near(db: Connection, unknown: Sequence[str]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the words that occur nowhere, each with store words spelled nearly like it."""
    return tuple(
        (word, tuple(dict.fromkeys(item.word for item in near_words(db, word)))[:NEAR_WORDS])
        for word in unknown[:NAMED_WORDS]
    )
