"""Write the index: documents in, out, hidden and back. Everything runs inside the caller's transaction."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

from frugal.search import vocabulary
from frugal.search.codes import SECTION_END, TAG_END, code_of, index_text, numbers_in
from frugal.search.protocol import Document
from frugal.store import Connection
from frugal.text.analysis import STOP, WHOLE, Token, analyse

TERMS_OF_WORDS = "SELECT id, term_id FROM search_word WHERE id IN (SELECT value FROM json_each(:ids))"
SHIFT_FREQUENCIES = """
UPDATE search_word SET df = df + :step WHERE id IN (SELECT value FROM json_each(:ids))
"""
SHIFT_STATISTICS = """
UPDATE search_statistics SET documents = documents + :step, length = length + :step * :length WHERE id = 1
"""
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
CLEAR = (
    "DELETE FROM search_forward",
    "DELETE FROM search_word",
    "DELETE FROM search_alias",
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
    """A document's tokens by section, the tags' one by one; *title* = how many of the text's tokens are the title."""

    text: Sequence[Token]
    tags: Sequence[Sequence[Token]]
    also: Sequence[Token]
    wholes: Sequence[Token]
    title: int

    @property
    def tokens(self) -> list[Token]:
        """Every token of every section."""
        return [*self.text, *(token for tag in self.tags for token in tag), *self.also, *self.wholes]

    @property
    def length(self) -> int:
        """The words of the text that count."""
        return sum(not token.flags & STOP for token in self.text)


def analyse_document(document: Document) -> Analysed:
    """Return the tokens of *document*: whole identifiers stand behind the sequences they would interrupt."""
    title, text = analyse(document.title), analyse(document.body)
    title_parts, text_parts = _parts(title), _parts(text)
    title_length = _common_length(title_parts, text_parts)
    if title_length < len(title_parts) - 1:  # a title may be cut inside its last word
        title_length = len(title_parts)
        text_parts, text = title_parts + text_parts, title + text
    tags = [analyse(tag) for tag in document.tags]
    wholes = [token for tokens in (text, *tags) for token in tokens if token.flags & WHOLE]
    also = _parts(analyse(document.also))
    return Analysed(text_parts, [_parts(tag) for tag in tags], also, wholes, title_length)


def _parts(tokens: Iterable[Token]) -> list[Token]:
    return [token for token in tokens if not token.flags & WHOLE]


def _common_length(left: Sequence[Token], right: Sequence[Token]) -> int:
    pairs = zip(left, right, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0].term == pair[1].term, pairs))


def add(db: Connection, document: Document) -> None:
    """Index *document*; its id must not be indexed yet."""
    analysed = analyse_document(document)
    words = vocabulary.number_words(db, analysed.tokens)
    codes = forward_text(analysed, words)
    terms = [words[token].term_id for token in analysed.tokens]
    row = {
        "document": document.id,
        "live": int(document.is_live),
        "sitting": document.sitting,
        "length": analysed.length,
        "title": analysed.title,
        "codes": codes,
    }
    db.execute(ADD_FORWARD, row)
    db.execute(ADD_INDEX, {"document": document.id, "codes": index_text(terms)})
    if document.is_live:
        _count(db, terms, length=analysed.length, step=1)


def forward_text(analysed: Analysed, words: Mapping[Token, vocabulary.WordRow]) -> str:
    """Return the codes of a document's words as the forward index holds them."""

    def encoded(tokens: Iterable[Token]) -> str:
        return "".join(code_of(words[token].id) for token in tokens)

    tags = TAG_END.join(map(encoded, analysed.tags))
    wholes = TAG_END.join(encoded([token]) for token in analysed.wholes)
    sections = (encoded(analysed.text), tags, encoded(analysed.also), wholes)
    return "".join(section + SECTION_END for section in sections)


def remove(db: Connection, document_id: int) -> None:
    """Take a document out, and with it the words that no other document has. Unknown ids change nothing."""
    if (codes := _take_out(db, document_id)) is not None:
        vocabulary.drop_unused(db, numbers_in(codes))


def replace(db: Connection, document: Document, *, keeps_words: bool = False) -> None:
    """Index *document* anew, whether its id was indexed or not.

    With *keeps_words* the words that no document has any more stay, for whoever replaces many and tidies up at the end.
    """
    codes = _take_out(db, document.id)
    add(db, document)
    if codes is not None and not keeps_words:
        vocabulary.drop_unused(db, numbers_in(codes))


def set_live(db: Connection, document_id: int, is_live: bool) -> None:
    """Take a document out of the statistics of live ones or bring it back; it stays indexed."""
    row = db.execute(FORWARD_ROW, {"document": document_id}).fetchone()
    if row is None or bool(row[0]) == is_live:
        return
    db.execute(SET_LIVE, {"document": document_id, "live": int(is_live)})
    _count(db, _terms_of(db, row[2]), length=row[1], step=1 if is_live else -1)


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


def _take_out(db: Connection, document_id: int) -> str | None:
    row = db.execute(FORWARD_ROW, {"document": document_id}).fetchone()
    if row is None:
        return None
    live, length, codes = row
    terms = _terms_of(db, codes)
    if live:
        _count(db, terms, length=length, step=-1)
    db.execute(DROP_INDEX, {"document": document_id, "codes": index_text(terms)})
    db.execute(DROP_FORWARD, {"document": document_id})
    return str(codes)


def _terms_of(db: Connection, codes: str) -> list[int]:
    words = numbers_in(codes)
    term_of = dict(db.execute(TERMS_OF_WORDS, {"ids": json.dumps(sorted(set(words)))}))
    return [term_of[word] for word in words]


def _count(db: Connection, terms: Iterable[int], *, length: int, step: int) -> None:
    db.execute(SHIFT_FREQUENCIES, {"step": step, "ids": json.dumps(vocabulary.counted(terms))})
    db.execute(SHIFT_STATISTICS, {"step": step, "length": length})
