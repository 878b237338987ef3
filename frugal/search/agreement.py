"""Does the index say what the texts say? Compared with what today's analysis would write, and mended where it differs.

Rows of the forward index are compared with the documents; everything else can be recomputed from the forward index.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from frugal.search import vocabulary
from frugal.search.codes import STOPS_BELOW, code_of, index_text, numbers_in
from frugal.search.index import analyse_document, forward_text, replace
from frugal.search.protocol import Document
from frugal.store import Connection
from frugal.text.analysis import PIECE, Token, analyse
from frugal.text.stem import stem

ROWS = """
SELECT document, live, sitting, length, title, codes FROM search_forward
WHERE document IN (SELECT value FROM json_each(:ids))
"""


def stale(db: Connection, documents: Sequence[Document]) -> list[int]:
    """Return the ids of those of *documents* that are not indexed as they would be today."""
    analysed = {document.id: analyse_document(document) for document in documents}
    tokens: dict[Token, None] = {}
    for parts in analysed.values():
        tokens.update(dict.fromkeys(parts.tokens))
    words = vocabulary.known_words(db, list(tokens))
    rows = {row[0]: tuple(row[1:]) for row in db.execute(ROWS, {"ids": json.dumps(list(analysed))})}
    found: list[int] = []
    for document in documents:
        parts = analysed[document.id]
        if any(token not in words for token in parts.tokens):
            found.append(document.id)
            continue
        wanted = (int(document.is_live), document.sitting, parts.length, parts.title)
        if rows.get(document.id) != (*wanted, forward_text(parts, words)):
            found.append(document.id)
    return found


def replace_all(db: Connection, documents: Iterable[Document]) -> None:
    """Index *documents* anew; words that nothing has any more stay until `settle`."""
    for document in documents:
        replace(db, document, keeps_words=True)


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


@dataclass
class _Wanted:
    """What the forward index asks of everything else; terms and words by number."""

    holders: dict[int, list[int]] = field(default_factory=dict)
    frequencies: dict[int, int] = field(default_factory=dict)
    used: set[int] = field(default_factory=set)
    texts: dict[int, list[int]] = field(default_factory=dict)
    documents: int = 0
    length: int = 0


FORWARD = "SELECT document, live, length, codes FROM search_forward ORDER BY document"
TERMS_OF_WORDS = "SELECT id, term_id FROM search_word"


def _wanted(db: Connection) -> _Wanted:
    term_of: dict[int, int] = dict(db.execute(TERMS_OF_WORDS))
    found = _Wanted()
    for document, live, length, codes in db.execute(FORWARD):
        numbers = numbers_in(codes)
        found.used.update(numbers)
        terms = [term_of.get(number, number) for number in numbers]
        found.texts[document] = terms
        for term in set(terms):
            if term >= STOPS_BELOW:
                found.holders.setdefault(term, []).append(document)
                found.frequencies[term] = found.frequencies.get(term, 0) + live
        found.documents += live
        found.length += length * live
    return found


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


@dataclass(frozen=True)
class _WordRow:
    word: str
    term: int
    is_written: bool
    df: int


WORDS = "SELECT id, word, term_id, written, df FROM search_word"


def _word_rows(db: Connection) -> dict[int, _WordRow]:
    return {row[0]: _WordRow(row[1], row[2], bool(row[3]), row[4]) for row in db.execute(WORDS)}


HOLDERS = "SELECT rowid FROM search_index WHERE search_index MATCH :term ORDER BY rowid"


def _differing_postings(db: Connection, wanted: _Wanted, rows: Mapping[int, _WordRow]) -> list[int]:
    terms = {number for number, row in rows.items() if row.term == number and number >= STOPS_BELOW}
    return [
        term
        for term in sorted(terms | wanted.holders.keys())
        if [row[0] for row in db.execute(HOLDERS, {"term": code_of(term)})] != wanted.holders.get(term, [])
    ]


def _differing_frequencies(wanted: _Wanted, rows: Mapping[int, _WordRow]) -> list[int]:
    return [number for number, row in rows.items() if row.df != wanted.frequencies.get(number, 0)]


def _unused(wanted: _Wanted, rows: Mapping[int, _WordRow]) -> list[int]:
    """Return words that no document has and that are no term of such a word. Stop words stay, there are few."""
    kept = wanted.used | {rows[number].term for number in wanted.used if number in rows}
    return [number for number in rows if number not in kept and number >= STOPS_BELOW]


def _wrongly_written(wanted: _Wanted, rows: Mapping[int, _WordRow]) -> list[int]:
    return [number for number, row in rows.items() if row.is_written != _is_written(number, row, wanted)]


def _is_written(number: int, row: _WordRow, wanted: _Wanted) -> bool:
    """Tell whether documents have the word itself: neither a stop word, nor a bare term, nor a piece of a run."""
    if number < STOPS_BELOW or number not in wanted.used:
        return False
    return row.term != number or not any(token.flags & PIECE for token in analyse(row.word))


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
        if row is not None and number >= STOPS_BELOW and (bare := stem(row.word)) != rows[row.term].word:
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
        texts = ({"document": key, "codes": index_text(terms)} for key, terms in wanted.texts.items())
        db.executemany(ADD_POSTINGS, texts)
    changed = _differing_frequencies(wanted, rows)
    db.executemany(
        SET_FREQUENCY, [{"id": number, "df": wanted.frequencies.get(number, 0)} for number in changed]
    )
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
