"""The words of the store: their numbers, which terms they are indexed as, which are spelled alike."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from frugal.search.codes import STOPS_BELOW, code_of, next_stop
from frugal.store import Connection
from frugal.text.analysis import PIECE, STOP, Token

ROWS_OF_TEXTS = """
SELECT id, word, term_id, written FROM search_word WHERE word IN (SELECT value FROM json_each(:words))
"""
HIGHEST_STOP = "SELECT coalesce(max(id), 0) FROM search_word WHERE id < :stops_below"
HIGHEST_WORD = "SELECT coalesce(max(id), 0) FROM search_word"
ADD_WORD = """
INSERT INTO search_word (id, word, term_id, written) VALUES (:id, :word, :term_id, :written)
"""
SET_WRITTEN = "UPDATE search_word SET written = :written WHERE id = :id"
ADD_PIECES = "INSERT INTO search_word_piece (rowid, word) VALUES (:id, :word)"
ADD_ALIAS = "INSERT OR IGNORE INTO search_alias (bare, term_id) VALUES (:bare, :term_id)"

# A word whose term has live documents and no other spelling is in use; only the others have to be looked for.
DOUBTFUL_WORDS = """
SELECT word.id, word.word, word.term_id, word.written
FROM search_word AS word JOIN search_word AS term ON term.id = word.term_id
WHERE word.id IN (SELECT value FROM json_each(:ids)) AND (
    term.df = 0 OR (term.written = 1 AND term.id <> word.id) OR EXISTS (
        SELECT 1 FROM search_word AS other
        WHERE other.term_id = word.term_id AND other.term_id <> other.id AND other.id <> word.id
    )
)
"""
WORDS_OF_TERM = "SELECT id FROM search_word WHERE term_id = :term_id AND term_id <> id LIMIT 1"
IS_INDEXED = """
SELECT 1 FROM search_forward
WHERE document IN (SELECT rowid FROM search_index WHERE search_index MATCH :term) AND instr(codes, :word)
LIMIT 1
"""
DROP_PIECES = """
INSERT INTO search_word_piece (search_word_piece, rowid, word) VALUES ('delete', :id, :word)
"""
DROP_WORD = "DELETE FROM search_word WHERE id = :id"
DROP_ALIASES = "DELETE FROM search_alias WHERE term_id = :term_id"
HAS_TERM = "SELECT 1 FROM search_index WHERE search_index MATCH :term LIMIT 1"


class WordRow(NamedTuple):
    """A word's number and its term's; the two are equal where the word is its own term."""

    id: int
    term_id: int


def is_stop(token: Token) -> bool:
    """Whether the inverted index leaves *token* out: a stop word, but not the last character of a run."""
    return token.flags & (STOP | PIECE) == STOP


def stop_text(term: str) -> str:
    """Return the text under which a stop word is kept, apart from words whose stem looks like it (`wars`)."""
    return " " + term


def counted(numbers: Iterable[int]) -> list[int]:
    """Return the distinct *numbers* that are no stop words, in order."""
    return [number for number in dict.fromkeys(numbers) if number >= STOPS_BELOW]


class _Register:
    """The rows of some texts, and new ones as they are needed."""

    def __init__(self, db: Connection, texts: Iterable[str]) -> None:
        self._db = db
        rows = db.execute(ROWS_OF_TEXTS, {"words": json.dumps(sorted(set(texts)))}).fetchall()
        self._terms: dict[str, int] = {word: number for number, word, term, _ in rows if number == term}
        self._words: dict[tuple[str, int], int] = {(word, term): number for number, word, term, _ in rows}
        self._written = {number for number, _, _, written in rows if written}
        self._highest: int | None = None

    def term(self, text: str, *, is_stop: bool) -> int:
        """Return the number of the term *text*, a new one if need be."""
        if text in self._terms:
            return self._terms[text]
        number = (self._next_stop() if is_stop else None) or self._next_number()
        self._add(number, text, number)
        self._terms[text] = number
        return number

    def word(self, text: str, term: int) -> int:
        """Return the number of the written word *text* of *term*, a new one if need be."""
        number = self._words.get((text, term))
        if number is None:
            number = self._next_number()
            self._add(number, text, term)
        if number not in self._written:
            self._written.add(number)
            self._db.execute(SET_WRITTEN, {"id": number, "written": 1})
            self._db.execute(ADD_PIECES, {"id": number, "word": text})
        return number

    def _add(self, number: int, text: str, term: int) -> None:
        self._words[text, term] = number
        self._db.execute(ADD_WORD, {"id": number, "word": text, "term_id": term, "written": 0})

    def _next_stop(self) -> int | None:
        return next_stop(self._db.execute(HIGHEST_STOP, {"stops_below": STOPS_BELOW}).fetchone()[0])

    def _next_number(self) -> int:
        if self._highest is None:
            self._highest = max(self._db.execute(HIGHEST_WORD).fetchone()[0], STOPS_BELOW - 1)
        self._highest += 1
        return self._highest


def number_words(db: Connection, tokens: Sequence[Token]) -> Mapping[Token, WordRow]:
    """Return the numbers of all *tokens*' words, adding what is new to the vocabulary."""
    texts = {text for token in tokens for text in (_term_text(token), token.surface)}
    register = _Register(db, texts)
    found: dict[Token, WordRow] = {}
    by_word: dict[tuple[str, str, int], WordRow] = {}
    for token in tokens:
        key = (token.surface, token.term, token.flags)
        if key not in by_word:
            by_word[key] = _number(db, register, token)
        found[token] = by_word[key]
    return found


def known_words(db: Connection, tokens: Sequence[Token]) -> Mapping[Token, WordRow]:
    """Return the numbers of those of *tokens* whose words the vocabulary has; nothing is written."""
    texts = {text for token in tokens for text in (_term_text(token), token.surface)}
    rows = db.execute(ROWS_OF_TEXTS, {"words": json.dumps(sorted(texts))}).fetchall()
    terms = {word: number for number, word, term, _ in rows if number == term}
    words = {(word, term): number for number, word, term, _ in rows}
    found: dict[Token, WordRow] = {}
    for token in tokens:
        term = terms.get(_term_text(token))
        if term is None:
            continue
        number = term if token.flags & (STOP | PIECE) else words.get((token.surface, term))
        if number is not None:
            found[token] = WordRow(number, term)
    return found


def _term_text(token: Token) -> str:
    return stop_text(token.term) if is_stop(token) else token.term


def _number(db: Connection, register: _Register, token: Token) -> WordRow:
    term = register.term(_term_text(token), is_stop=is_stop(token))
    if token.flags & (STOP | PIECE):
        return WordRow(term, term)
    if token.alias:
        db.execute(ADD_ALIAS, {"bare": token.alias, "term_id": term})
    return WordRow(register.word(token.surface, term), term)


def drop_unused(db: Connection, numbers: Iterable[int]) -> None:
    """Forget those of the words *numbers* that no document has any more, and terms that are left without words."""
    rows = db.execute(DOUBTFUL_WORDS, {"ids": json.dumps(counted(numbers))}).fetchall()
    for number, word, term, written in rows:
        key = {"term": code_of(term), "word": code_of(number)}
        if db.execute(IS_INDEXED, key).fetchone():
            continue
        if written:
            db.execute(DROP_PIECES, {"id": number, "word": word})
            db.execute(SET_WRITTEN, {"id": number, "written": 0})
        if number != term:
            db.execute(DROP_WORD, {"id": number})
    for term in dict.fromkeys(row[2] for row in rows):
        _drop_bare_term(db, term)


def _drop_bare_term(db: Connection, term: int) -> None:
    if db.execute(HAS_TERM, {"term": code_of(term)}).fetchone():
        return
    if db.execute(WORDS_OF_TERM, {"term_id": term}).fetchone() is None:
        db.execute(DROP_ALIASES, {"term_id": term})
        db.execute(DROP_WORD, {"id": term})
