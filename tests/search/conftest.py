"""A bare store with the search tables, for tests that need no entries."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from bare_store import open_store

from frugal.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty one."""
    opened = open_store(tmp_path / "search.db")
    yield opened
    opened.close()
