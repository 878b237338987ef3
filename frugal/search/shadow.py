"""An index made anew beside the one in use, which takes its place at once: readers always see a full one."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from frugal.search import index
from frugal.search.codes import index_text, numbers_in
from frugal.search.edition import note_analysis
from frugal.search.protocol import Document
from frugal.store import Connection, scratch

SCHEMA = Path(__file__).with_name("schema")
TERMS_OF_WORDS = "SELECT id, term_id FROM search_word"
FORWARD_CODES = "SELECT document, codes FROM search_forward ORDER BY document"
POSTINGS = "CREATE TABLE shadow_posting (document INTEGER PRIMARY KEY, codes TEXT NOT NULL) STRICT"
ADD_POSTING = "INSERT INTO shadow_posting (document, codes) VALUES (:document, :codes)"


COPIED = {
    "search_word": ("id", "word", "term_id", "written", "df"),
    "search_alias": ("bare", "term_id"),
    "search_forward": ("document", "live", "sitting", "length", "title", "codes"),
}
ADD_INDEX = "INSERT INTO search_index (rowid, codes) VALUES (?, ?)"
ADD_PIECES = "INSERT INTO search_word_piece (rowid, word) SELECT id, word FROM search_word WHERE written = 1"
STATISTICS = "SELECT documents, length FROM search_statistics WHERE id = 1"
SET_STATISTICS = "UPDATE search_statistics SET documents = ?, length = ? WHERE id = 1"


class Shadow:
    """An index in the making. Nothing of the one in use is touched, nor locked, before `pour`."""

    def __init__(self, db: Connection) -> None:
        self._db = db

    def add(self, document: Document) -> None:
        """Index *document*; its id must be new."""
        index.add(self._db, document)

    def finish(self) -> None:
        """Get ready for `pour`, so that it takes as little time as it can."""
        terms: dict[int, int] = dict(self._db.execute(TERMS_OF_WORDS))
        self._db.execute(POSTINGS)
        self._db.executemany(
            ADD_POSTING,
            (
                {"document": document, "codes": index_text(terms[word] for word in numbers_in(codes))}
                for document, codes in self._db.execute(FORWARD_CODES)
            ),
        )

    def pour(self, db: Connection) -> None:
        """Put this index in the place of that of *db*, inside the caller's write transaction, after `finish`."""
        for statement in index.CLEAR:
            db.execute(statement)
        for table, columns in COPIED.items():
            names, marks = ", ".join(columns), ", ".join("?" * len(columns))
            rows = self._db.execute(f"SELECT {names} FROM {table}")
            db.executemany(f"INSERT INTO {table} ({names}) VALUES ({marks})", _plain(rows))
        postings = self._db.execute("SELECT document, codes FROM shadow_posting ORDER BY document")
        db.executemany(ADD_INDEX, _plain(postings))
        db.execute(ADD_PIECES)
        db.execute(SET_STATISTICS, tuple(self._db.execute(STATISTICS).fetchone()))
        note_analysis(db)


def _plain(rows: Iterable[tuple[object, ...]]) -> Iterator[tuple[object, ...]]:
    return (tuple(row) for row in rows)


@contextmanager
def new_shadow() -> Iterator[Shadow]:
    """Yield an empty index beside the one in use; it is gone with the block."""
    scripts = [file.read_text("utf-8") for file in sorted(SCHEMA.glob("*.sql"))]
    with scratch(scripts) as db:
        yield Shadow(db)
