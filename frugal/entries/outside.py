"""What lies outside the filters of a search: a better match, words only others have, near spellings of unknown words and
tags."""

from dataclasses import replace

from frugal.entries import tags
from frugal.entries.filters import Filter, Snapshot, tag_select
from frugal.entries.forms import UNTAGGED
from frugal.entries.learned import within
from frugal.search import EVERY_DOCUMENT, Found, Request, Retriever
from frugal.search.expansion import near_words
from frugal.store import Connection
from frugal.text.analysis import STOP, query_words
from frugal.text.titles import one_line

WORDS_NAMED = 5
NEAR_WORDS = 3


def better_match(
    db: Connection,
    request: Request,
    wanted: Filter,
    found: Found,
    retriever: Retriever,
    snapshot: Snapshot,
) -> int | None:
    """Return the best entry of the same search without tags, if it lies outside and nothing inside has all words."""
    if not wanted.tags or found.is_explicit or found.has_all_words:
        return None
    restriction = snapshot.restriction(wanted.without_tags())
    # The total is of no interest; to look for one hit costs nothing where there is none.
    best = found.hits[0].score if found.hits else 0.0
    alone = replace(request, restriction=restriction, limit=1, total=found.total or 1, at_least=best)
    everywhere = retriever.search(db, alone)
    if not everywhere.hits or within(db, everywhere.hits[0].id, request.restriction):
        return None
    return everywhere.hits[0].id


ANY_TAGGED = "SELECT EXISTS ({select})"
TAGS_NAMED = 5


def unknown_tags(db: Connection, wanted: Filter) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the first tags of a filter that no entry has, each with the known ones like it and their live entries."""
    unknown = [tag for tag in wanted.tags if tag != UNTAGGED and not _is_known(db, tag)][:TAGS_NAMED]
    known = tags.board(db) if unknown else []
    return tuple(
        (tag, tuple(f"{one_line(row.name, 64)} {row.count}" for row in tags.near(tag, known)))
        for tag in unknown
    )


def _is_known(db: Connection, tag: str) -> bool:
    parameters: dict[str, str | int] = {}
    select = tag_select((tag,), parameters)
    return bool(db.execute(ANY_TAGGED.format(select=select), parameters).fetchone()[0])


def words_outside(
    db: Connection, request: Request, found: Found, retriever: Retriever
) -> tuple[tuple[str, int], ...]:
    """Return words of a query without hits that entries outside the filters have, and how many of them."""
    words = query_words(request.query)
    counted = [word for word in words if not word.flags & STOP] or words
    outside: list[tuple[str, int]] = []
    for word in counted:
        if word.surface in found.unknown or len(outside) == WORDS_NAMED:
            continue
        alone = replace(request, query=word.surface, restriction=EVERY_DOCUMENT)
        if count := retriever.count(db, alone):
            outside.append((word.surface, count))
    return tuple(outside)


def unknown_words(db: Connection, found: Found) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the first words that no entry of the store has, each with up to three store words spelled like it."""
    return tuple(
        (word, tuple(close.word for close in near_words(db, word)[:NEAR_WORDS]))
        for word in found.unknown[:WORDS_NAMED]
    )
