"""The library `bm25s` with its defaults and English Snowball stems: plain BM25 in numpy."""

import importlib
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from messung.datasets import Entry
from messung.systems.protocol import Answer
from messung.unavailable import NotAvailable

LINE_CHARACTERS = 120


class Bm25s:
    """An index in memory, built once. Its answer is counted like that of plain FTS5: one short line a hit."""

    def __init__(self) -> None:
        try:
            self._library: Any = importlib.import_module("bm25s")
            stemmer: Any = importlib.import_module("Stemmer")
        except ImportError as error:
            raise NotAvailable(f"{error.name} is not installed (dependency group messung)") from error
        self._stemmer = stemmer.Stemmer("english")
        self._index: Any = None
        self._texts: list[str] = []

    @property
    def version(self) -> str:
        """The version of the library and of the stemmer."""
        return f"bm25s {version('bm25s')}, PyStemmer {version('PyStemmer')}"

    def _tokens(self, texts: list[str]) -> Any:
        return self._library.tokenize(texts, stopwords="en", stemmer=self._stemmer, show_progress=False)

    def store(self, entries: Sequence[Entry]) -> list[int]:
        """Index *entries* under ids from 1."""
        self._texts = [entry.text for entry in entries]
        self._index = self._library.BM25()
        self._index.index(self._tokens(self._texts), show_progress=False)
        return list(range(1, len(entries) + 1))

    def ask(self, query: str, limit: int) -> Answer:
        """Return the best rows that share a word with the query."""
        tokens = self._tokens([query])
        if not tokens.ids[0]:
            return Answer((), "")
        wanted = min(limit, len(self._texts))
        rows, scores = self._index.retrieve(tokens, k=wanted, show_progress=False)
        ids = [int(row) + 1 for row, score in zip(rows[0], scores[0], strict=True) if score > 0]
        lines = [f"#{number} {self._texts[number - 1][:LINE_CHARACTERS]}" for number in ids]
        return Answer(tuple(ids), "\n".join(lines))

    def read(self, entry_id: int) -> str:
        """Return the text behind its id."""
        return f"#{entry_id} {self._texts[entry_id - 1]}"

    def close(self) -> None:
        """Drop the index."""
        self._index = None
