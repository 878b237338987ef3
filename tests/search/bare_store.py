"""A store that holds nothing but the search tables."""

from datetime import UTC, datetime
from pathlib import Path

from frugal.engine import read_migrations
from frugal.model import Mode, SchemaFolder
from frugal.store import Store

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
