"""A file with corpora below the tools, and messages to put into it."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from frugal.api import Connection, Mode, SchemaFolder
from frugal.engine import read_migrations
from frugal.store import Store
from frugal_modes.evidence.loading import load
from frugal_modes.evidence.query import Query, read_query
from frugal_modes.evidence.records import Item, Message, Place
from frugal_modes.evidence.report import LoadReport
from frugal_modes.evidence.scanning import Incomplete, Limits, Population, scan

STAMP = "2026-11-02 10:14:00"
MINUTE = 60_000
START = 1_767_225_600_000
"""2026-01-01, UTC."""

BARE = Mode("evidence", "frugal_modes.evidence", schemas=(SchemaFolder("evidence", "frugal_modes.evidence"),))


class Shelf:
    """A store with corpora; the texts of the messages that a query finds are what most tests want to know."""

    def __init__(self, path: Path, clock: Any = None) -> None:
        self.store = Store(
            path,
            mode="evidence",
            setting="EVIDENCE_DB",
            migrations=read_migrations(BARE),
            clock=clock or no_clock,
            version="1",
        )
        self.call: Any = SimpleNamespace(store=self.store, stamp=lambda: STAMP)

    def load(self, items: Iterable[Item], corpus: str = "chat", **options: Any) -> LoadReport:
        """Load *items*."""
        options = {"source": "chat.jsonl", "format": "jsonl", **options}
        return load(self.call, corpus, items, **options)

    def add(self, *texts: str, corpus: str = "chat", **fields: Any) -> LoadReport:
        """Load plain messages, a minute apart."""
        return self.load(messages(*texts, **fields), corpus)

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Yield a reading connection."""
        with self.store.read() as db:
            yield db

    def query(self, raw: object, *corpora: str) -> Query:
        """Return the query that *raw* is."""
        with self.read() as db:
            return read_query(raw, db, corpora)

    def scan(self, raw: object, *corpora: str, **options: Any) -> Population | Incomplete:
        """Return what *raw* finds."""
        limits = options.pop("limits", Limits(seconds=60))
        with self.read() as db:
            return scan(db, read_query(raw, db, corpora), limits, **options)

    def found(self, raw: object, *corpora: str, **options: Any) -> Population:
        """Return what *raw* finds in a scan that is complete."""
        population = self.scan(raw, *corpora, **options)
        assert isinstance(population, Population)
        return population

    def texts(self, raw: object, *corpora: str) -> list[str]:
        """Return the texts that *raw* finds, in order of their rows."""
        numbers = sorted(self.found(raw, *corpora).numbers)
        stored = dict(self.rows("SELECT number, text FROM message"))
        return [stored[number] for number in numbers]

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        """Return what *statement* selects."""
        with self.read() as db:
            return [tuple(row) for row in db.execute(statement)]

    def version(self, corpus: str = "chat") -> str:
        """Return the version of a corpus."""
        return self.query({}, corpus).scope.version


OpenShelf = Callable[[], Shelf]


def no_clock() -> Any:
    """Stand for the clock of a store that has just been migrated."""
    from datetime import UTC, datetime

    return datetime(2026, 11, 2, 10, 14, tzinfo=UTC)


def messages(*texts: str, first: int = 1, **fields: Any) -> list[Message]:
    """Return messages with these texts, a minute apart, with the ids `1`, `2`, ..."""
    return [message(text, id=str(number), **fields) for number, text in enumerate(texts, first)]


def message(text: str, *, id: str = "1", **fields: Any) -> Message:  # noqa: A002 - as the format calls it
    """Return one message; its minute is its number."""
    number = int(id) if id.isdecimal() else 0
    plain = Message(
        natural_key=id,
        conversation_id="main",
        conversation_name="main",
        sender_id="ada",
        sender_name="Ada",
        sent_at=START + number * MINUTE,
        text=text,
        place=Place("chat.jsonl", max(number, 1)),
        seq=number,
    )
    return replace(plain, **fields)


def clause(match: str, text: str, **more: Any) -> dict[str, Any]:
    """Return a clause of a query."""
    return {"match": match, "text": text, **more}


def asking(match: str, text: str) -> dict[str, Any]:
    """Return a query of one clause."""
    return {"clauses": [clause(match, text)]}
