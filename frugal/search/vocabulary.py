"""The words of the store: their numbers, which terms they are indexed as, which are spelled alike."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from frugal.search.codes import STOPS_BELOW, code_of, next_stop
from frugal.store import Connection
from frugal.text.analysis import PIECE, STOP, Cut
from frugal.text.stem import stem

ROWS_OF_TEXTS = """
SELECT id, word, term_id, written FROM search_word WHERE word IN (SELECT value FROM json_each(:words))
"""
HIGHEST_STOP = "SELECT coalesce(max(id), 0) FROM search_word WHERE id < :stops_below"
HIGHEST_WORD = "SELECT coalesce(max(id), 0) FROM search_word"
ADD_WORD = """
INSERT INTO search_word (id, word, term_id, written, df) VALUES (:id, :word, :term_id, :written, :df)
"""
SHIFT_FREQUENCIES = """
UPDATE search_word SET df = df + :step WHERE id IN (SELECT value FROM json_each(:ids))
"""
SET_WRITTEN = "UPDATE search_word SET written = 1 WHERE id = :id"
SET_UNWRITTEN = "UPDATE search_word SET written = 0 WHERE id = :id"
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
WRITTEN_WORDS_OF_TERM = "SELECT word FROM search_word WHERE term_id = :term_id AND written = 1 ORDER BY id"
DROP_ALIAS = "DELETE FROM search_alias WHERE bare = :bare AND term_id = :term_id"
DROP_ALIASES = "DELETE FROM search_alias WHERE term_id = :term_id"
HAS_TERM = "SELECT 1 FROM search_index WHERE search_index MATCH :term LIMIT 1"


_STOP_MARK = " "


class WordRow(NamedTuple):
    """A word's number and its term's; the two are equal where the word is its own term."""

    id: int
    term_id: int


def stop_text(term: str) -> str:
    """Return the text under which a stop word is kept, apart from words whose stem looks like it (`wars`)."""
    return _STOP_MARK + term


def is_stop_text(word: str) -> bool:
    """Whether a stored *word* is a stop word; it may have any number once those of stop words are used up."""
    return word.startswith(_STOP_MARK)


def counted(numbers: Iterable[int]) -> list[int]:
    """Return the distinct *numbers* that are no stop words, in order."""
    return [number for number in dict.fromkeys(numbers) if number >= STOPS_BELOW]


VERSION = "PRAGMA data_version"


def version(db: Connection) -> int:
    """Return a number that is another one after other connections wrote to the file."""
    return int(db.execute(VERSION).fetchone()[0])


class Register:
    """The numbers of words: those of the store, read once, and new ones, which `flush` writes."""

    def __init__(self, db: Connection) -> None:
        self._db = db
        self._asked: set[str] = set()
        self._terms: dict[str, int] = {}
        self._words: dict[tuple[str, int], int] = {}
        self._written: set[int] = set()
        self._highest: int | None = None
        self._highest_stop: int | None = None
        self._new: dict[int, tuple[str, int]] = {}
        self._newly_written: dict[int, str] = {}
        self._aliases: dict[tuple[str, int], None] = {}

    def load(self, words: Iterable[Cut]) -> None:
        """Read what the store knows of *words*; it is to be called before they are asked for."""
        texts: set[str] = set()
        for cut in words:
            texts.add(_term_text(cut))
            texts.add(cut.surface)
        texts -= self._asked
        if not texts:
            return
        self._asked |= texts
        asked = {"words": json.dumps(sorted(texts))}
        for number, word, term, written in self._db.execute(ROWS_OF_TEXTS, asked):
            if number == term:
                self._terms[word] = number
            self._words[word, term] = number
            if written:
                self._written.add(number)

    def find(self, cut: Cut) -> WordRow | None:
        """Return the numbers of a word, None if the store does not have it; nothing is added."""
        term = self._terms.get(_term_text(cut))
        if term is None:
            return None
        number = term if cut.flags & (STOP | PIECE) else self._words.get((cut.surface, term))
        return None if number is None else WordRow(number, term)

    def number(self, cut: Cut) -> WordRow:
        """Return the numbers of a word, new ones if need be."""
        text = _term_text(cut)
        term = self._terms.get(text) or self._new_term(text, is_stop=_is_stop(cut))
        if cut.flags & (STOP | PIECE):
            return WordRow(term, term)
        if cut.alias:
            self._aliases[cut.alias, term] = None
        number = self._words.get((cut.surface, term))
        if number is None or number not in self._written:
            number = self._written_word(cut.surface, term)
        return WordRow(number, term)

    def flush(self, frequencies: Mapping[int, int]) -> None:
        """Write what is new, and add *frequencies*: in how many more live documents each term is."""
        if self._new:
            self._db.executemany(ADD_WORD, self._new_rows(frequencies))
        # In order: behind a larger number a smaller one would cost FTS5 a segment.
        written = [{"id": number, "word": word} for number, word in sorted(self._newly_written.items())]
        if written:
            self._db.executemany(SET_WRITTEN, [row for row in written if row["id"] not in self._new])
            self._db.executemany(ADD_PIECES, written)
        if self._aliases:
            aliases = [{"bare": bare, "term_id": term} for bare, term in self._aliases]
            self._db.executemany(ADD_ALIAS, aliases)
        shift_frequencies(self._db, {key: step for key, step in frequencies.items() if key not in self._new})
        self._new.clear()
        self._newly_written.clear()
        self._aliases.clear()

    def _new_rows(self, frequencies: Mapping[int, int]) -> Iterator[dict[str, object]]:
        for number, (word, term) in self._new.items():
            is_written = int(number in self._written)
            df = frequencies.get(number, 0)
            yield {"id": number, "word": word, "term_id": term, "written": is_written, "df": df}

    def _new_term(self, text: str, *, is_stop: bool) -> int:
        number = (self._next_stop() if is_stop else None) or self._next_number()
        self._add(number, text, number)
        self._terms[text] = number
        return number

    def _written_word(self, text: str, term: int) -> int:
        """Return the number of a word that no document has had as a word."""
        number = self._words.get((text, term))
        if number is None:
            number = self._next_number()
            self._add(number, text, term)
        self._written.add(number)
        self._newly_written[number] = text
        return number

    def _add(self, number: int, text: str, term: int) -> None:
        self._words[text, term] = number
        self._new[number] = (text, term)

    def _next_stop(self) -> int | None:
        if self._highest_stop is None:
            self._highest_stop = self._db.execute(HIGHEST_STOP, {"stops_below": STOPS_BELOW}).fetchone()[0]
        number = next_stop(self._highest_stop)
        if number is not None:
            self._highest_stop = number
        return number

    def _next_number(self) -> int:
        if self._highest is None:
            self._highest = max(self._db.execute(HIGHEST_WORD).fetchone()[0], STOPS_BELOW - 1)
        self._highest += 1
        return self._highest


def _is_stop(cut: Cut) -> bool:
    """Whether the inverted index leaves a word out: a stop word, but not the last character of a run."""
    return cut.flags & (STOP | PIECE) == STOP


def _term_text(cut: Cut) -> str:
    return stop_text(cut.term) if _is_stop(cut) else cut.term


def shift_frequencies(db: Connection, steps: Mapping[int, int]) -> None:
    """Add *steps*, which may be negative, to the numbers of live documents that terms have."""
    alike: dict[int, list[int]] = {}
    for term, step in steps.items():
        alike.setdefault(step, []).append(term)
    for step, terms in alike.items():
        db.execute(SHIFT_FREQUENCIES, {"step": step, "ids": json.dumps(terms)})


def drop_unused(db: Connection, numbers: Iterable[int]) -> None:
    """Forget those of the words *numbers* that no document has any more, and terms that are left without words."""
    rows = db.execute(DOUBTFUL_WORDS, {"ids": json.dumps(counted(numbers))}).fetchall()
    gone: dict[tuple[str, int], None] = {}
    for number, word, term, written in rows:
        key = {"term": code_of(term), "word": code_of(number)}
        if db.execute(IS_INDEXED, key).fetchone():
            continue
        if written:
            db.execute(DROP_PIECES, {"id": number, "word": word})
            db.execute(SET_UNWRITTEN, {"id": number})
            gone[stem(word), term] = None
        if number != term:
            db.execute(DROP_WORD, {"id": number})
    for bare, term in gone:
        _drop_unused_alias(db, bare, term)
    for term in dict.fromkeys(row[2] for row in rows):
        _drop_bare_term(db, term)


def _drop_unused_alias(db: Connection, bare: str, term: int) -> None:
    words = db.execute(WRITTEN_WORDS_OF_TERM, {"term_id": term})
    if all(stem(word) != bare for (word,) in words):
        db.execute(DROP_ALIAS, {"bare": bare, "term_id": term})


def _drop_bare_term(db: Connection, term: int) -> None:
    if db.execute(HAS_TERM, {"term": code_of(term)}).fetchone():
        return
    if db.execute(WORDS_OF_TERM, {"term_id": term}).fetchone() is None:
        db.execute(DROP_ALIASES, {"term_id": term})
        db.execute(DROP_WORD, {"id": term})
