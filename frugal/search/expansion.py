"""Store words asked for besides a word of the query: those that contain it, lie in it, or are spelled nearly like it."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from frugal.search.codes import code_of
from frugal.search.groups import Group, words_of
from frugal.search.spelling import is_near, knows_letters, one_step_away
from frugal.store import Connection

LEAST_CONTAINED = 5
"""Letters of a store word that lies in a word of the query."""
LEAST_CONTAINING = 4
"""Letters of a word of the query that store words contain."""
LEAST_NEAR = 5
"""Letters of an unknown word that near spellings are sought for."""
PER_WORD = 8
POSTINGS = 3_000
"""Documents that all expansions of a query have together, at most."""
LEAST_TWO_STEPS = 8
"""Letters of a word that may differ in two places."""
NEAR_POOL = 2_000

CONTAINING = """
SELECT word.word, word.term_id, term.df
FROM search_word_piece CROSS JOIN search_word AS word ON word.id = search_word_piece.rowid
JOIN search_word AS term ON term.id = word.term_id
WHERE search_word_piece MATCH :pieces AND instr(word.word, :part) AND word.word <> :word
ORDER BY
    substr(word.word, 1, length(:part)) <> :part AND substr(word.word, -length(:part)) <> :part,
    length(word.word), term.df DESC, word.word, word.term_id
LIMIT :most
"""
SPELLED = """
SELECT word.word, word.term_id, term.df
FROM search_word AS word JOIN search_word AS term ON term.id = word.term_id
WHERE word.word IN (SELECT value FROM json_each(:words)) AND word.written = 1
"""
SHARING_PIECES = """
SELECT word.word, word.term_id, term.df
FROM search_word_piece CROSS JOIN search_word AS word ON word.id = search_word_piece.rowid
JOIN search_word AS term ON term.id = word.term_id
WHERE search_word_piece MATCH :pieces AND length(word.word) BETWEEN :shortest AND :longest
ORDER BY term.df DESC, word.word, word.term_id LIMIT :most
"""


class StoreWord(NamedTuple):
    """A word of the store, its term and the live documents that have the term."""

    word: str
    term: int
    df: int


@dataclass(frozen=True, slots=True)
class Expansion:
    """A store word asked for in place of word number *group* of the query; *codes* are all words of its term."""

    group: int
    word: str
    term: int
    df: int
    codes: tuple[str, ...]
    is_near: bool


def expand(db: Connection, groups: Sequence[Group]) -> list[Expansion]:
    """Return what else to ask for: at most 8 store words a word, none that the query asks for itself."""
    taken = {term for group in groups for term in group.every_term}
    left = POSTINGS
    chosen: list[tuple[int, StoreWord, bool]] = []
    inside = _contained(db, [group.surface for group in groups if not group.is_piece])
    for number, group in enumerate(groups):
        count = 0
        for found, is_close in _others(db, group, inside.get(group.surface, ())):
            if count == PER_WORD:
                break
            if found.term in taken or found.df > left:
                continue
            taken.add(found.term)
            left -= found.df
            count += 1
            chosen.append((number, found, is_close))
    words = words_of(db, {found.term for _, found, _ in chosen})
    return [
        Expansion(number, found.word, found.term, found.df, _codes(found.term, words), is_close)
        for number, found, is_close in chosen
    ]


def _codes(term: int, words: dict[int, list[tuple[int, str]]]) -> tuple[str, ...]:
    return tuple(map(code_of, (term, *(number for number, _ in words.get(term, ())))))


def _others(db: Connection, group: Group, inside: Sequence[StoreWord]) -> Iterator[tuple[StoreWord, bool]]:
    """Yield store words and whether they are mere near spellings, the most useful first; *inside* lie in the word."""
    if group.is_piece:
        return
    letters = _letters(group.surface)
    outside = _containing(db, group) if letters >= LEAST_CONTAINING else []
    for pair in _in_turn(inside, outside):
        yield pair, False
    if not group.every_term and letters >= LEAST_NEAR:
        for found in near_words(db, group.surface):
            yield found, True


def _in_turn(left: Sequence[StoreWord], right: Sequence[StoreWord]) -> Iterator[StoreWord]:
    for place in range(max(len(left), len(right))):
        yield from left[place : place + 1]
        yield from right[place : place + 1]


def _containing(db: Connection, group: Group) -> list[StoreWord]:
    """Return store words that contain the word or, where that is a part of it, its stem: at an end first."""
    is_part = len(group.term) >= LEAST_CONTAINING and group.term in group.surface
    part = group.term if is_part else group.surface
    parameters = {
        "pieces": " AND ".join(_pieces(part, step=3)),
        "part": part,
        "word": group.surface,
        "most": 2 * PER_WORD,
    }
    return [StoreWord._make(row) for row in db.execute(CONTAINING, parameters)]


def _contained(db: Connection, words: Iterable[str]) -> dict[str, list[StoreWord]]:
    """Return the store words inside each of *words*, longest first, without those that lie in a longer one of them."""
    parts = {word: _parts(word) for word in words if _letters(word) >= LEAST_CONTAINED}
    rows = sorted(_spelled(db, set().union(*parts.values())), key=lambda item: (-len(item.word), item))
    return {word: _longest(row for row in rows if row.word in parts[word]) for word in parts}


def _parts(word: str) -> set[str]:
    size = len(word)
    return {
        word[start:end]
        for start in range(size)
        for end in range(start + LEAST_CONTAINED, size + 1)
        if end - start < size
    }


def _longest(found: Iterable[StoreWord]) -> list[StoreWord]:
    kept: list[StoreWord] = []
    for item in found:
        if _letters(item.word) >= LEAST_CONTAINED and not any(item.word in k.word for k in kept):
            kept.append(item)
    return kept


def _letters(word: str) -> int:
    return sum(map(str.isalpha, word))


def near_words(db: Connection, word: str) -> list[StoreWord]:
    """Return store words spelled nearly like *word*: fewest differences first, then the more frequent."""
    found = dict.fromkeys(_spelled(db, one_step_away(word)), 1)
    allowed = 1 if len(word) < LEAST_TWO_STEPS else 2
    if pieces := _undamaged(word, allowed):
        parameters = {
            "pieces": pieces,
            "shortest": len(word) - allowed,
            "longest": len(word) + allowed,
            "most": NEAR_POOL,
        }
        for row in db.execute(SHARING_PIECES, parameters):
            item = StoreWord._make(row)
            if item not in found and item.word != word and (steps := is_near(word, item.word, allowed)):
                found[item] = steps
    return sorted(found, key=lambda item: (found[item], -item.df, item.word, item.term))


def _undamaged(word: str, allowed: int) -> str:
    """Return what a word must have of *word* to be spelled nearly like it: two steps leave one of three parts whole.

    "" if there is nothing more to find: one step away is every spelling that `one_step_away` gives.
    """
    if allowed == 1 and knows_letters(word):
        return ""
    third = len(word) // 3
    if third < 3:
        return " OR ".join(_pieces(word))
    parts = (word[:third], word[third:-third], word[-third:])
    return " OR ".join(f"({' AND '.join(_pieces(part))})" for part in parts)


def near(db: Connection, word: str, limit: int = 3) -> tuple[str, ...]:
    """Return at most *limit* distinct store words (folded) spelled nearly like *word*, nearest first."""
    return tuple(dict.fromkeys(found.word for found in near_words(db, word)))[:limit]


def _spelled(db: Connection, words: Iterable[str]) -> list[StoreWord]:
    parameters = {"words": json.dumps(sorted(words))}
    return [StoreWord._make(row) for row in db.execute(SPELLED, parameters)]


def _pieces(word: str, step: int = 1) -> list[str]:
    """Return the three-letter pieces of *word* that begin at every *step*-th letter, and the last, quoted for FTS5."""
    places = [*range(0, len(word) - 3, step), len(word) - 3]
    pieces = dict.fromkeys(word[place : place + 3] for place in places)
    return ['"' + piece.replace('"', '""') + '"' for piece in pieces]
