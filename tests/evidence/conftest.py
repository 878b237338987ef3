"""An evidence file of the test's own, opened as often as a test wants."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from corpora import Bench, Opener, benches

from frugal_modes.evidence import settings


@pytest.fixture
def open_bench(tmp_path: Path, clock: Any) -> Iterator[Opener]:
    yield from benches(tmp_path, clock)


@pytest.fixture
def bench(open_bench: Opener) -> Bench:
    return open_bench()


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scans end complete however busy the machine is; tests of the time limit set their own."""
    monkeypatch.setattr(settings, "SECONDS", 600)
