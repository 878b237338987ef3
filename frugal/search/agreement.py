"""Does the index say what the texts say? Compared with what today's analysis would write, and mended where it differs.

Rows of the forward index are compared with the documents; everything else can be recomputed from the forward index.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

from frugal.search import vocabulary
from frugal.search.codes import (
    STOPS_BELOW,
    code_of,
    distinct_codes,
    index_text,
    number_of,
    split_codes,
)
from frugal.search.coding import Coder
from frugal.search.protocol import Document
from frugal.store import Connection
from frugal.text.stem import stem
from frugal.text.tokenise import is_of_run

ROWS = """
SELECT document, live, sitting, length, title, codes FROM search_forward
WHERE document IN (SELECT value FROM json_each(:ids))
"""


class Comparison:
    """Compares documents with their rows, batch after batch, and remembers the words it has met while nobody writes."""

    def __init__(self) -> None:
        self._seen: tuple[Connection, int] | None = None
        self._coder: Coder | None = None

    def stale(self, db: Connection, documents: Sequence[Document]) -> list[int]:
        """Return the ids of those of *documents* that are not indexed as they would be today.

        Between two calls nothing may be written through the connection *db* itself.
        """
        ids = json.dumps([document.id for document in documents])
        stored = {row[0]: tuple(row[1:]) for row in db.execute(ROWS, {"ids": ids})}
        there = [document for document in documents if document.id in stored]
        right = {
            document.id
            for document, row in zip(there, self._coder_of(db).rows(there), strict=True)
            if stored[document.id]
            == (int(document.is_live), document.sitting, row.length, row.title, row.codes)
        }
        return [document.id for document in documents if document.id not in right]

    def _coder_of(self, db: Connection) -> Coder:
        seen = (db, vocabulary.version(db))
        if self._coder is None or self._seen != seen or self._coder.is_full:
            self._coder = Coder(vocabulary.Register(db), is_writing=False)
            self._seen = seen
        return self._coder


def stale(db: Connection, documents: Sequence[Document]) -> list[int]:
    """Return the ids of those of *documents* that are not indexed as they would be today."""
    return Comparison().stale(db, documents)


@dataclass(frozen=True)
class Differences:
    """How many parts differ from what the forward index says."""

    postings: int = 0
    frequencies: int = 0
    words: int = 0
    aliases: int = 0
    statistics: int = 0

    @property
    def count(self) -> int:
        """All of them together."""
        return self.postings + self.frequencies + self.words + self.aliases + self.statistics


_STOPS = frozenset(map(code_of, range(STOPS_BELOW)))


@dataclass
class _Wanted:
    """What the forward index asks of everything else; terms and words by number, stop words left out."""

    holders: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    hidden: Counter[int] = field(default_factory=Counter)
    used: set[int] = field(default_factory=set)
    documents: int = 0
    length: int = 0

    def frequency(self, term: int) -> int:
        """Return how many live documents have *term*."""
        held = self.holders.get(term)
        return len(held) - self.hidden[term] if held else 0


class _Terms(dict[str, int]):
    """The terms of words by the words' codes; what the vocabulary does not have is its own term."""

    def __init__(self, db: Connection) -> None:
        super().__init__()
        self._term_of: dict[int, int] = dict(db.execute(TERMS_OF_WORDS))

    def __missing__(self, code: str) -> int:
        number = number_of(code)
        self[code] = found = self._term_of.get(number, number)
        return found


FORWARD = "SELECT document, live, length, codes FROM search_forward ORDER BY document"
TERMS_OF_WORDS = "SELECT id, term_id FROM search_word"


def _wanted(db: Connection) -> _Wanted:
    found = _Wanted()
    terms = _Terms(db)
    term_of = terms.__getitem__
    holders = found.holders
    for document, live, length, codes in db.execute(FORWARD):
        held = set(map(term_of, distinct_codes(codes) - _STOPS))
        for term in held:
            holders[term].append(document)
        if live:
            found.documents += 1
            found.length += length
        else:
            found.hidden.update(held)
    found.used.update(map(number_of, terms))
    for term in [term for term in holders if term < STOPS_BELOW]:  # of a word with a wrong term
        del holders[term]
    return found


def _texts(db: Connection) -> Iterator[dict[str, object]]:
    """Yield the rows of the inverted index."""
    term_of = _Terms(db).__getitem__
    for document, _, _, codes in db.execute(FORWARD):
        yield {"document": document, "codes": index_text(map(term_of, split_codes(codes)))}


def differences(db: Connection) -> Differences:
    """Return what does not agree with the forward index; reads only."""
    wanted = _wanted(db)
    rows = _word_rows(db)
    return Differences(
        postings=len(_differing_postings(db, wanted, rows)),
        frequencies=len(_differing_frequencies(wanted, rows)),
        words=len(_unused(wanted, rows)) + len(_wrongly_written(wanted, rows)),
        aliases=len(_aliases(wanted, rows) ^ set(_known_aliases(db))),
        statistics=int(not _has_right_statistics(db, wanted)),
    )


class _WordRow(NamedTuple):
    word: str
    term: int
    is_written: int
    df: int


WORDS = "SELECT id, word, term_id, written, df FROM search_word"


def _word_rows(db: Connection) -> dict[int, _WordRow]:
    return {number: _WordRow(*row) for number, *row in db.execute(WORDS)}


HOLDERS = "SELECT rowid FROM search_index WHERE search_index MATCH :term ORDER BY rowid"


def _differing_postings(db: Connection, wanted: _Wanted, rows: Mapping[int, _WordRow]) -> list[int]:
    terms = {number for number, row in rows.items() if row.term == number and number >= STOPS_BELOW}
    cursor = db.cursor()
    cursor.row_factory = None  # there are as many rows as words in all texts
    return [
        term
        for term in sorted(terms | wanted.holders.keys())
        if list(chain.from_iterable(cursor.execute(HOLDERS, {"term": code_of(term)})))
        != wanted.holders.get(term, [])
    ]


def _differing_frequencies(wanted: _Wanted, rows: Mapping[int, _WordRow]) -> list[int]:
    return [number for number, row in rows.items() if row.df != wanted.frequency(number)]


def _unused(wanted: _Wanted, rows: Mapping[int, _WordRow]) -> list[int]:
    """Return words that no document has and that are no term of such a word. Stop words stay, there are few."""
    kept = wanted.used | {rows[number].term for number in wanted.used if number in rows}
    return [number for number in rows if number not in kept and number >= STOPS_BELOW]


def _wrongly_written(wanted: _Wanted, rows: Mapping[int, _WordRow]) -> list[int]:
    return [number for number, row in rows.items() if row.is_written != _is_written(number, row, wanted)]


def _is_written(number: int, row: _WordRow, wanted: _Wanted) -> bool:
    """Tell whether documents have the word itself: neither a stop word, nor a bare term, nor a piece of a run."""
    if number < STOPS_BELOW or number not in wanted.used or vocabulary.is_stop_text(row.word):
        return False
    return row.term != number or not is_of_run(row.word)


ALIASES = "SELECT bare, term_id FROM search_alias"


def _known_aliases(db: Connection) -> list[tuple[str, int]]:
    return [(bare, term) for bare, term in db.execute(ALIASES)]


def _aliases(wanted: _Wanted, rows: Mapping[int, _WordRow]) -> set[tuple[str, int]]:
    """Return the bare stems that differ from the term: only words with an umlaut have such.

    Also where the word is its own term: without an umlaut its stem would be the term too.
    """
    found: set[tuple[str, int]] = set()
    for number in wanted.used:
        row = rows.get(number)
        if row is None or not _is_written(number, row, wanted):
            continue
        if (bare := stem(row.word)) != rows[row.term].word:
            found.add((bare, row.term))
    return found


STATISTICS = "SELECT documents, length FROM search_statistics WHERE id = 1"


def _has_right_statistics(db: Connection, wanted: _Wanted) -> bool:
    row = db.execute(STATISTICS).fetchone()
    return row is not None and tuple(row) == (wanted.documents, wanted.length)


DROP_POSTINGS = "INSERT INTO search_index (search_index) VALUES ('delete-all')"
ADD_POSTINGS = "INSERT INTO search_index (rowid, codes) VALUES (:document, :codes)"
SET_FREQUENCY = "UPDATE search_word SET df = :df WHERE id = :id"
DROP_WORD = "DELETE FROM search_word WHERE id = :id"
SET_WRITTEN = "UPDATE search_word SET written = :written WHERE id = :id"
DROP_PIECES = "INSERT INTO search_word_piece (search_word_piece) VALUES ('delete-all')"
ADD_PIECES = "INSERT INTO search_word_piece (rowid, word) SELECT id, word FROM search_word WHERE written = 1"
ADD_ALIAS = "INSERT INTO search_alias (bare, term_id) VALUES (:bare, :term_id)"
DROP_ALIAS = "DELETE FROM search_alias WHERE bare = :bare AND term_id = :term_id"
SET_STATISTICS = """
INSERT INTO search_statistics (id, documents, length) VALUES (1, :documents, :length)
ON CONFLICT (id) DO UPDATE SET documents = excluded.documents, length = excluded.length
"""


def settle(db: Connection) -> None:
    """Make everything agree with the forward index, inside the caller's write transaction."""
    wanted = _wanted(db)
    rows = _word_rows(db)
    if _differing_postings(db, wanted, rows):
        db.execute(DROP_POSTINGS)
        db.executemany(ADD_POSTINGS, _texts(db))
    changed = _differing_frequencies(wanted, rows)
    db.executemany(SET_FREQUENCY, [{"id": number, "df": wanted.frequency(number)} for number in changed])
    _settle_words(db, wanted, rows)
    known, needed = set(_known_aliases(db)), _aliases(wanted, rows)
    db.executemany(DROP_ALIAS, [{"bare": bare, "term_id": term} for bare, term in known - needed])
    db.executemany(ADD_ALIAS, [{"bare": bare, "term_id": term} for bare, term in needed - known])
    db.execute(SET_STATISTICS, {"documents": wanted.documents, "length": wanted.length})


def _settle_words(db: Connection, wanted: _Wanted, rows: Mapping[int, _WordRow]) -> None:
    unused, wrong = _unused(wanted, rows), _wrongly_written(wanted, rows)
    if not unused and not wrong:
        return
    flags = [{"id": number, "written": int(_is_written(number, rows[number], wanted))} for number in wrong]
    db.executemany(SET_WRITTEN, flags)
    db.executemany(DROP_WORD, [{"id": number} for number in unused])
    db.execute(DROP_PIECES)
    db.execute(ADD_PIECES)
