"""Write the index: documents in, out, hidden and back. Every function runs inside the caller's transaction."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile

from frugal.search.codes import (
    SECTION_END,
    STOPS_BELOW,
    code_of,
    index_text,
    next_stop,
    number_of,
    split_codes,
)
from frugal.search.protocol import Document
from frugal.store import Connection
from frugal.text.analysis import PIECE, STOP, WHOLE, Token, analyse

TERM_NUMBERS = "SELECT term, id FROM search_term WHERE term IN (SELECT value FROM json_each(:terms))"
HIGHEST_STOP = "SELECT coalesce(max(id), 0) FROM search_term WHERE id < :stops_below"
HIGHEST_TERM = "SELECT coalesce(max(id), 0) FROM search_term"
ADD_TERM = "INSERT INTO search_term (id, term) VALUES (:id, :term)"
ADD_ALIAS = "INSERT OR IGNORE INTO search_alias (bare, term_id) VALUES (:bare, :term_id)"
SHIFT_FREQUENCIES = """
UPDATE search_term SET df = df + :step WHERE id IN (SELECT value FROM json_each(:ids))
"""
SHIFT_STATISTICS = """
UPDATE search_statistics SET documents = documents + :step, length = length + :step * :length WHERE id = 1
"""
KNOWN_WORDS = """
SELECT word, term_id FROM search_word WHERE word IN (SELECT value FROM json_each(:words))
"""
ADD_WORD = "INSERT INTO search_word (word, term_id) VALUES (:word, :term_id)"
ADD_WORD_PIECES = "INSERT INTO search_word_piece (rowid, word) VALUES (:id, :word)"
ADD_FORWARD = """
INSERT INTO search_forward (document, live, sitting, length, title, codes)
VALUES (:document, :live, :sitting, :length, :title, :codes)
"""
ADD_INDEX = "INSERT INTO search_index (rowid, codes) VALUES (:document, :codes)"
FORWARD_ROW = "SELECT live, length, codes FROM search_forward WHERE document = :document"
DROP_INDEX = """
INSERT INTO search_index (search_index, rowid, codes) VALUES ('delete', :document, :codes)
"""
DROP_FORWARD = "DELETE FROM search_forward WHERE document = :document"
SET_LIVE = "UPDATE search_forward SET live = :live WHERE document = :document"
HAS_TERM = "SELECT 1 FROM search_index WHERE search_index MATCH :code LIMIT 1"
WORDS_OF_TERM = "SELECT id, word FROM search_word WHERE term_id = :term_id"
DROP_WORD_PIECES = """
INSERT INTO search_word_piece (search_word_piece, rowid, word) VALUES ('delete', :id, :word)
"""
DROP_WORD = "DELETE FROM search_word WHERE id = :id"
DROP_ALIASES = "DELETE FROM search_alias WHERE term_id = :term_id"
DROP_TERM = "DELETE FROM search_term WHERE id = :term_id"
CLEAR = (
    "DELETE FROM search_forward",
    "DELETE FROM search_term",
    "DELETE FROM search_alias",
    "DELETE FROM search_word",
    "INSERT INTO search_index (search_index) VALUES ('delete-all')",
    "INSERT INTO search_word_piece (search_word_piece) VALUES ('delete-all')",
    "UPDATE search_statistics SET documents = 0, length = 0 WHERE id = 1",
)
COMPACT = (
    "INSERT INTO search_index (search_index) VALUES ('optimize')",
    "INSERT INTO search_word_piece (search_word_piece) VALUES ('optimize')",
)


@dataclass(frozen=True, slots=True)
class Analysed:
    """A document's tokens by section; *title* = how many of the text's tokens make the title."""

    text: tuple[Token, ...]
    tags: tuple[Token, ...]
    also: tuple[Token, ...]
    wholes: tuple[Token, ...]
    title: int

    @property
    def tokens(self) -> tuple[Token, ...]:
        """Every token of every section."""
        return self.text + self.tags + self.also + self.wholes

    @property
    def length(self) -> int:
        """The words of the text that count."""
        return sum(not token.flags & STOP for token in self.text)


def analyse_document(document: Document) -> Analysed:
    """Return the tokens of *document*, whole identifiers behind the sequences they would interrupt."""
    title, text = analyse(document.title), analyse(document.body)
    tags = [token for tag in document.tags for token in analyse(tag)]
    title_parts, text_parts = _parts(title), _parts(text)
    length = _common_length(title_parts, text_parts)
    if length < len(title_parts) - 1:  # a title may be cut inside its last word
        title_parts, text_parts, length = (), title_parts + text_parts, len(title_parts)
        text = title + text
    return Analysed(
        text_parts,
        _parts(tags),
        _parts(analyse(document.also)),
        tuple(token for token in text + tags if token.flags & WHOLE),
        length,
    )


def _common_length(left: Sequence[Token], right: Sequence[Token]) -> int:
    pairs = zip(left, right, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0].term == pair[1].term, pairs))


def _parts(tokens: Iterable[Token]) -> tuple[Token, ...]:
    return tuple(token for token in tokens if not token.flags & WHOLE)


def add(db: Connection, document: Document) -> None:
    """Index *document*; its id must not be indexed yet."""
    analysed = analyse_document(document)
    numbers = _number_terms(db, analysed.tokens)
    _note_words(db, analysed.tokens, numbers)
    sections = (analysed.text, analysed.tags, analysed.also, analysed.wholes)
    codes = "".join(
        "".join(code_of(numbers[term_key(token)]) for token in section) + SECTION_END for section in sections
    )
    row = {
        "document": document.id,
        "live": int(document.is_live),
        "sitting": document.sitting,
        "length": analysed.length,
        "title": analysed.title,
        "codes": codes,
    }
    db.execute(ADD_FORWARD, row)
    db.execute(ADD_INDEX, {"document": document.id, "codes": index_text(codes)})
    if document.is_live:
        _count(db, codes, length=analysed.length, step=1)


def remove(db: Connection, document_id: int) -> None:
    """Take a document out; words and terms that no other document has go with it. Unknown ids change nothing."""
    row = db.execute(FORWARD_ROW, {"document": document_id}).fetchone()
    if row is None:
        return
    live, length, codes = row
    if live:
        _count(db, codes, length=length, step=-1)
    db.execute(DROP_INDEX, {"document": document_id, "codes": index_text(codes)})
    db.execute(DROP_FORWARD, {"document": document_id})
    _drop_unused(db, codes)


def replace(db: Connection, document: Document) -> None:
    """Index *document* anew, whether its id was indexed or not."""
    remove(db, document.id)
    add(db, document)


def set_live(db: Connection, document_id: int, is_live: bool) -> None:
    """Hide a document from the statistics of live ones or bring it back; it stays indexed."""
    row = db.execute(FORWARD_ROW, {"document": document_id}).fetchone()
    if row is None or bool(row[0]) == is_live:
        return
    db.execute(SET_LIVE, {"document": document_id, "live": int(is_live)})
    _count(db, row[2], length=row[1], step=1 if is_live else -1)


def rebuild(db: Connection, documents: Iterable[Document]) -> int:
    """Throw the index away and make it again from *documents*; return how many there were."""
    for statement in CLEAR:
        db.execute(statement)
    count = 0
    for document in documents:
        add(db, document)
        count += 1
    compact(db)
    return count


def compact(db: Connection) -> None:
    """Merge the index into one piece, so that nothing of removed documents is left in it."""
    for statement in COMPACT:
        db.execute(statement)


def is_stop(token: Token) -> bool:
    """Whether the inverted index leaves *token* out: a stop word, but not the last character of a run."""
    return token.flags & (STOP | PIECE) == STOP


def term_key(token: Token) -> str:
    """Return the key of a term: a stop word is kept apart from a word whose stem looks like it (`wars`, `war`)."""
    return " " + token.term if is_stop(token) else token.term


def _number_terms(db: Connection, tokens: Iterable[Token]) -> dict[str, int]:
    stops = {term_key(token): is_stop(token) for token in tokens}
    numbers: dict[str, int] = dict(db.execute(TERM_NUMBERS, {"terms": json.dumps(list(stops))}))
    missing = [term for term in stops if term not in numbers]
    if not missing:
        return numbers
    stop = db.execute(HIGHEST_STOP, {"stops_below": STOPS_BELOW}).fetchone()[0]
    highest = max(db.execute(HIGHEST_TERM).fetchone()[0], STOPS_BELOW - 1)
    for term in missing:
        number = next_stop(stop) if stops[term] else None
        if number is None:
            number = highest = highest + 1
        else:
            stop = number
        numbers[term] = number
        db.execute(ADD_TERM, {"id": number, "term": term})
    return numbers


def _note_words(db: Connection, tokens: Iterable[Token], numbers: dict[str, int]) -> None:
    words = [token for token in tokens if not token.flags & (STOP | PIECE)]
    pairs = {(token.surface, numbers[token.term]): None for token in words}
    known = set(db.execute(KNOWN_WORDS, {"words": json.dumps([word for word, _ in pairs])}))
    for word, number in pairs:
        if (word, number) not in known:
            row = db.execute(ADD_WORD, {"word": word, "term_id": number}).lastrowid
            db.execute(ADD_WORD_PIECES, {"id": row, "word": word})
    for token in {token.alias: token for token in words if token.alias}.values():
        db.execute(ADD_ALIAS, {"bare": token.alias, "term_id": numbers[token.term]})


def _count(db: Connection, codes: str, *, length: int, step: int) -> None:
    ids = [number for number in _distinct_numbers(codes) if number >= STOPS_BELOW]
    db.execute(SHIFT_FREQUENCIES, {"step": step, "ids": json.dumps(ids)})
    db.execute(SHIFT_STATISTICS, {"step": step, "length": length})


def _distinct_numbers(codes: str) -> list[int]:
    return [number_of(code) for code in dict.fromkeys(split_codes(codes))]


def _drop_unused(db: Connection, codes: str) -> None:
    for number in _distinct_numbers(codes):
        if number < STOPS_BELOW or db.execute(HAS_TERM, {"code": code_of(number)}).fetchone():
            continue
        key = {"term_id": number}
        for word_id, word in db.execute(WORDS_OF_TERM, key).fetchall():
            db.execute(DROP_WORD_PIECES, {"id": word_id, "word": word})
            db.execute(DROP_WORD, {"id": word_id})
        db.execute(DROP_ALIASES, key)
        db.execute(DROP_TERM, key)
