"""A corpus file of the test's own for what is imported."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from import_desk import Desk


@pytest.fixture
def open_desk(open_shell: Callable[..., Any], tmp_path: Path) -> Callable[..., Desk]:
    def open_it(language: str = "en") -> Desk:
        return Desk(open_shell(language, file="evidence.db", mode="evidence"), tmp_path / "evidence.db")

    return open_it


@pytest.fixture
def desk(open_desk: Callable[..., Desk]) -> Desk:
    return open_desk()
