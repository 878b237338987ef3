"""Ranking of a set that is known exactly: what an explicit query matches, or documents that hold stop words."""

import json
from collections.abc import Iterable, Sequence

from frugal.search.candidates import has_units, units_of
from frugal.search.explicit import Node, Phrase, Prefix, Word, leaves
from frugal.search.groups import Group, resolve
from frugal.search.matching import Matching, positive_words
from frugal.search.protocol import Grouping, Restriction, Scored
from frugal.store import Connection

PREFIX_WORDS = 8
CANDIDATES = 200

MOST_FREQUENT = """
SELECT word.word FROM search_word AS word JOIN search_word AS term ON term.id = word.term_id
WHERE word.id IN (SELECT value FROM json_each(:ids)) AND word.written = 1
ORDER BY term.df DESC, word.word LIMIT :most
"""


def within_set(ids: Iterable[int]) -> Restriction:
    """Return the restriction to *ids*."""
    select = "SELECT value AS id FROM json_each(:exact_ids)"
    return Restriction(select, {"exact_ids": json.dumps(sorted(ids))}, is_small=True)


def ranking_groups(db: Connection, node: Node, matching: Matching) -> list[Group]:
    """Return the words by which the matches of *node* are ranked: its words, phrases, and words a prefix found."""
    texts: list[str] = []
    for leaf in leaves(node):
        if isinstance(leaf, Word | Phrase):
            texts.append(leaf.text)
        elif isinstance(leaf, Prefix):
            texts += _frequent(db, matching, leaf.text)
    return resolve(db, positive_words(texts))


def _frequent(db: Connection, matching: Matching, prefix: str) -> list[str]:
    numbers = [word for word, _ in matching.words_beginning(prefix)]
    rows = db.execute(MOST_FREQUENT, {"ids": json.dumps(numbers), "most": PREFIX_WORDS})
    return [row[0] for row in rows]


def count_units(db: Connection, ids: Sequence[int], grouping: Grouping | None) -> int:
    """Return how many slots *ids* fill."""
    if not has_units(db, grouping):
        return len(ids)
    units = units_of(db, ids, grouping)
    return len(ids) - len(units) + len(set(units.values()))


def filled_up(
    db: Connection, hits: Sequence[Scored], ids: Iterable[int], *, limit: int, grouping: Grouping | None
) -> tuple[Scored, ...]:
    """Return *hits* and behind them others of *ids*, newest first, until *limit* slots are filled."""
    if len(hits) >= limit:
        return tuple(hits[:limit])
    taken = {hit.unit for hit in hits if hit.unit is not None}
    listed = {hit.id for hit in hits}
    others = sorted((number for number in ids if number not in listed), reverse=True)
    units = units_of(db, others, grouping)
    filled = list(hits)
    for number in others:
        unit = units.get(number)
        if unit is not None and unit in taken:
            continue
        if unit is not None:
            taken.add(unit)
        filled.append(Scored(number, 0.0, unit))
        if len(filled) == limit:
            break
    return tuple(filled)
