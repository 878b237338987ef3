"""Everything the index holds, for comparing one way of writing it with another."""

import sqlite3
from contextlib import closing
from pathlib import Path

TABLES = (
    "SELECT id, documents, length FROM search_statistics ORDER BY id",
    "SELECT id, word, term_id, written, df FROM search_word ORDER BY id",
    "SELECT bare, term_id FROM search_alias ORDER BY bare, term_id",
    "SELECT document, live, sitting, length, title, codes FROM search_forward ORDER BY document",
)
INVERTED = ("search_index", "search_word_piece")


def held(path: Path) -> list[list[tuple[object, ...]]]:
    """Return every row of the index in *path*, numbers of words included, and every place of every term."""
    with closing(sqlite3.connect(path)) as db:
        found = [db.execute(query).fetchall() for query in TABLES]
        for name in INVERTED:
            db.execute(f"CREATE VIRTUAL TABLE temp.{name}_place USING fts5vocab(main, {name}, instance)")
            places = f"SELECT term, doc, col, offset FROM temp.{name}_place ORDER BY term, doc, col, offset"
            found.append(db.execute(places).fetchall())
        return found
