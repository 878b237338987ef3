"""Plain SQLite FTS5, the yardstick: porter stems, stop words out of the query, the rest joined with OR, bm25."""

import re
import sqlite3
from collections.abc import Iterable, Sequence

from messung.datasets import Entry
from messung.stopwords import ENGLISH
from messung.systems.protocol import Answer

LINE_CHARACTERS = 120

CREATE = "CREATE VIRTUAL TABLE plain USING fts5 (text, tokenize = 'porter unicode61')"
INSERT = "INSERT INTO plain (rowid, text) VALUES (:id, :text)"
BEST = "SELECT rowid, text FROM plain WHERE plain MATCH :query ORDER BY bm25(plain), rowid LIMIT :limit"
TEXT = "SELECT text FROM plain WHERE rowid = :id"

WORD = re.compile(r"\w+")


def or_query(text: str, stop_words: Iterable[str] = ENGLISH) -> str:
    """Return the FTS5 query for *text*: its words without stop words, quoted, joined with OR.

    All words if nothing else is left, an empty string if there is no word at all.
    """
    words = WORD.findall(text.lower())
    stopped = frozenset(stop_words)
    return " OR ".join(f'"{word}"' for word in [word for word in words if word not in stopped] or words)


class PlainFts5:
    """FTS5 in this process. Its answer is counted as one line a hit: `#id` and at most 120 characters."""

    def __init__(self) -> None:
        self._db = sqlite3.connect(":memory:")
        self._db.execute(CREATE)

    @property
    def version(self) -> str:
        """The SQLite library of this Python."""
        return f"SQLite {sqlite3.sqlite_version}"

    def store(self, entries: Sequence[Entry]) -> list[int]:
        """Index *entries* under ids from 1."""
        ids = list(range(1, len(entries) + 1))
        rows = [{"id": number, "text": entry.text} for number, entry in zip(ids, entries, strict=True)]
        self._db.executemany(INSERT, rows)
        return ids

    def ask(self, query: str, limit: int) -> Answer:
        """Return the best rows; ties by age."""
        match = or_query(query)
        if not match:
            return Answer((), "")
        rows = self._db.execute(BEST, {"query": match, "limit": limit}).fetchall()
        lines = [f"#{number} {text[:LINE_CHARACTERS]}" for number, text in rows]
        return Answer(tuple(number for number, _ in rows), "\n".join(lines))

    def read(self, entry_id: int) -> str:
        """Return the text behind its id."""
        (text,) = self._db.execute(TEXT, {"id": entry_id}).fetchone()
        return f"#{entry_id} {text}"

    def close(self) -> None:
        """Drop the index."""
        self._db.close()
