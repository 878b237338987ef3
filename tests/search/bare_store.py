"""A store that holds nothing but the search tables."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from frugal.engine import read_migrations
from frugal.model import Mode, SchemaFolder
from frugal.search import LexicalRetriever, Request
from frugal.store import Connection, Store

SEARCH = Mode(name="search", package="frugal", schemas=(SchemaFolder("search", "frugal.search"),))


def open_store(file: Path) -> Store:
    """Return a store that holds nothing but the search tables."""
    return Store(
        file,
        mode="search",
        setting="SEARCH_DB",
        migrations=read_migrations(SEARCH),
        clock=lambda: datetime(2026, 11, 2, tzinfo=UTC),
        version="0",
    )


def ids(db: Connection, query: str, **more: Any) -> list[int]:
    """Return the ids of what a search finds, best first."""
    return [hit.id for hit in LexicalRetriever().search(db, Request(query, limit=50, **more)).hits]
