"""A query's words as the store knows them: which codes stand for each of them, and how rare it is."""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from frugal.search.codes import STOPS_BELOW, code_of
from frugal.search.query import PlainQuery
from frugal.search.vocabulary import stop_text
from frugal.store import Connection
from frugal.text.analysis import QueryWord

STATISTICS = "SELECT documents, length FROM search_statistics WHERE id = 1"
TERMS = """
SELECT word, id, df FROM search_word
WHERE word IN (SELECT value FROM json_each(:texts)) AND term_id = id
"""
TERMS_OF_ALIASES = """
SELECT bare, id, df FROM search_alias JOIN search_word ON id = search_alias.term_id
WHERE bare IN (SELECT value FROM json_each(:texts))
"""
TERMS_FROM = "SELECT id, df FROM search_word WHERE word >= :first AND word < :end AND term_id = id"
WORDS_OF_TERMS = """
SELECT id, word, term_id FROM search_word
WHERE term_id IN (SELECT value FROM json_each(:terms)) AND term_id <> id
"""
_LAST = "\U0010ffff"
_GLUED = re.compile(r"[^\W\d_]+\d+")


@dataclass(frozen=True, slots=True)
class Group:
    """One counted word: *terms* are its numbers in the inverted index, *codes* its words in the forward index.

    *exact* are the codes of the word spelled as in the query. *around* are terms of identifiers that hold the word
    as a part, *around_codes* their words; *is_glued* where one of them is a word with a number behind it (`uniq26`).
    *df* = live documents, at most (spellings are added up).
    """

    surface: str
    term: str
    position: int
    is_piece: bool
    df: int
    terms: tuple[int, ...]
    codes: tuple[str, ...]
    exact: tuple[str, ...]
    around: tuple[int, ...] = ()
    around_codes: tuple[str, ...] = ()
    is_glued: bool = False

    @property
    def every_term(self) -> tuple[int, ...]:
        """The terms any of which makes the word present."""
        return tuple(dict.fromkeys(self.terms + self.around))


@dataclass(frozen=True, slots=True)
class _Known:
    terms: dict[str, tuple[int, int]]
    aliases: dict[str, list[tuple[int, int]]]


def resolve(db: Connection, query: PlainQuery) -> list[Group]:
    """Return a group for each word of *query*, also for those that no document has (they have no terms)."""
    texts = {text for word in query.words for text in (*_own_texts(word, query.is_stops), *word.wholes)}
    known = _look_up(db, texts)
    own = [_own_terms(db, word, known, is_stop=query.is_stops) for word in query.words]
    around = [[known.terms[text] for text in word.wholes if text in known.terms] for word in query.words]
    words = words_of(db, {number for rows in (*own, *around) for number, _ in rows})
    return [
        _group(word, rows, outer, words) for word, rows, outer in zip(query.words, own, around, strict=True)
    ]


def words_of(db: Connection, terms: Iterable[int]) -> dict[int, list[tuple[int, str]]]:
    """Return (number, text) of the words of each of *terms* that are not the term itself."""
    found: dict[int, list[tuple[int, str]]] = {}
    for number, text, term in db.execute(WORDS_OF_TERMS, {"terms": json.dumps(sorted(terms))}):
        found.setdefault(term, []).append((number, text))
    return found


def _look_up(db: Connection, texts: Iterable[str]) -> _Known:
    wanted = {"texts": json.dumps(sorted(texts))}
    terms = {text: (number, df) for text, number, df in db.execute(TERMS, wanted)}
    aliases: dict[str, list[tuple[int, int]]] = {}
    for bare, number, df in db.execute(TERMS_OF_ALIASES, wanted):
        aliases.setdefault(bare, []).append((number, df))
    return _Known(terms, aliases)


def _own_texts(word: QueryWord, is_stop: bool) -> tuple[str, ...]:
    spellings = (word.term, word.alias) if word.alias else (word.term,)
    return (*spellings, stop_text(word.term)) if is_stop else spellings


def _own_terms(db: Connection, word: QueryWord, known: _Known, *, is_stop: bool) -> list[tuple[int, int]]:
    rows = [known.terms[text] for text in _own_texts(word, is_stop) if text in known.terms]
    rows += known.aliases.get(word.term, [])
    if word.is_prefix:
        rows += db.execute(TERMS_FROM, {"first": word.term, "end": word.term + _LAST}).fetchall()
    return list(dict.fromkeys(rows))


def _group(
    word: QueryWord,
    own: Sequence[tuple[int, int]],
    around: Sequence[tuple[int, int]],
    words: dict[int, list[tuple[int, str]]],
) -> Group:
    terms = tuple(number for number, _ in own)
    outer = tuple(number for number, _ in around if number not in terms)
    spelled = [(number, text) for term in terms for number, text in words.get(term, ())]
    exact = [number for number, text in spelled if text == word.surface]
    if word.surface == word.term:
        exact += terms[:1]
    return Group(
        surface=word.surface,
        term=word.term,
        position=word.position,
        is_piece=bool(word.flags & 4),
        df=sum(df for _, df in own),
        terms=terms,
        codes=tuple(map(code_of, (*terms, *(number for number, _ in spelled)))),
        exact=tuple(map(code_of, exact)),
        around=outer,
        around_codes=tuple(map(code_of, (*outer, *(n for term in outer for n, _ in words.get(term, ()))))),
        is_glued=bool(outer) and any(map(_GLUED.fullmatch, word.wholes)),
    )


def indexed(groups: Iterable[Group]) -> list[Group]:
    """Return the groups with a term in the inverted index: neither unknown nor stop words."""
    return [group for group in groups if any(term >= STOPS_BELOW for term in group.every_term)]
