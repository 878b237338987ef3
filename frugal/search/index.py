"""Write the index: documents in, out, hidden and back. Everything runs inside the caller's transaction."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice

from frugal.search import vocabulary
from frugal.search.codes import index_text, numbers_in
from frugal.search.coding import Coder, Row
from frugal.search.edition import note_analysis
from frugal.search.protocol import Document
from frugal.store import Connection

BATCH = 500
"""Documents written together."""

TERMS_OF_WORDS = "SELECT id, term_id FROM search_word WHERE id IN (SELECT value FROM json_each(:ids))"
SHIFT_STATISTICS = """
UPDATE search_statistics SET documents = documents + :documents, length = length + :length WHERE id = 1
"""
ANY_DOCUMENT = "SELECT 1 FROM search_forward LIMIT 1"
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


def add(db: Connection, document: Document) -> None:
    """Index *document*; its id must not be indexed yet."""
    add_all(db, (document,))


def add_all(db: Connection, documents: Iterable[Document]) -> int:
    """Index *documents*, whose ids must not be indexed yet; return how many there were.

    The index is the same as if they were added one by one.
    """
    return Indexer().add_all(db, documents)


class Indexer:
    """Adds documents over several transactions, each inside `with indexer`, and remembers the words it has met.

    What other connections write is noticed, and a transaction that fails. Whoever writes to the index by other ways on
    the same connection has to call `forget`.
    """

    def __init__(self) -> None:
        self._seen: tuple[Connection, int] | None = None
        self._register: vocabulary.Register | None = None
        self._coder: Coder | None = None

    def __enter__(self) -> None:
        """Begin a transaction: to be entered before it, so that a commit that fails is noticed too."""

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self.forget()  # its words were taken back

    def add_all(self, db: Connection, documents: Iterable[Document]) -> int:
        """Index *documents*, whose ids must not be indexed yet; return how many there were."""
        left = iter(documents)
        count = 0
        while batch := tuple(islice(left, BATCH)):
            register, coder = self._ready(db)
            _add_batch(db, batch, list(coder.rows(batch)), register)
            count += len(batch)
        return count

    def forget(self) -> None:
        """Drop all that is remembered."""
        self._seen = self._register = self._coder = None

    def _ready(self, db: Connection) -> tuple[vocabulary.Register, Coder]:
        seen = (db, vocabulary.version(db))
        if self._register is None or self._coder is None or self._seen != seen or self._coder.is_full:
            self._register = vocabulary.Register(db)
            self._coder = Coder(self._register, is_writing=True)
            self._seen = seen
        return self._register, self._coder


def _add_batch(
    db: Connection, documents: Sequence[Document], rows: Sequence[Row], register: vocabulary.Register
) -> None:
    frequencies: Counter[int] = Counter()
    length = 0
    for document, row in zip(documents, rows, strict=True):
        if document.is_live:
            frequencies.update(row.terms)
            length += row.length
    register.flush(frequencies)
    if db.execute(ANY_DOCUMENT).fetchone() is None:
        note_analysis(db)
    pairs = list(zip(documents, rows, strict=True))
    db.executemany(ADD_FORWARD, (_forward(document, row) for document, row in pairs))
    db.executemany(ADD_INDEX, ({"document": document.id, "codes": row.posted} for document, row in pairs))
    live = sum(document.is_live for document in documents)
    if live:
        db.execute(SHIFT_STATISTICS, {"documents": live, "length": length})


def _forward(document: Document, row: Row) -> dict[str, object]:
    return {
        "document": document.id,
        "live": int(document.is_live),
        "sitting": document.sitting,
        "length": row.length,
        "title": row.title,
        "codes": row.codes,
    }


def remove(db: Connection, document_id: int) -> None:
    """Take a document out, and with it the words that no other document has. Unknown ids change nothing."""
    if (codes := _take_out(db, document_id)) is not None:
        vocabulary.drop_unused(db, numbers_in(codes))


def replace(db: Connection, document: Document) -> None:
    """Index *document* anew, whether its id was indexed or not."""
    codes = _take_out(db, document.id)
    add(db, document)
    if codes is not None:
        vocabulary.drop_unused(db, numbers_in(codes))


def replace_all(db: Connection, documents: Sequence[Document], indexer: Indexer) -> None:
    """Index *documents* anew; the words that no document has any more stay, for the caller to tidy up at the end."""
    for document in documents:
        _take_out(db, document.id)
    indexer.add_all(db, documents)


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
    count = add_all(db, documents)
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
    vocabulary.shift_frequencies(db, dict.fromkeys(vocabulary.counted(terms), step))
    db.execute(SHIFT_STATISTICS, {"documents": step, "length": step * length})
