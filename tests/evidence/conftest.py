"""An evidence file of the test's own, opened as often as a test wants: through the tools, below them, from the shell."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from corpora import Bench, Opener, benches
from shelf import OpenShelf, Shelf
from shell_line import Line, line_in

from frugal_modes.evidence import settings


@pytest.fixture
def open_bench(tmp_path: Path, clock: Any) -> Iterator[Opener]:
    yield from benches(tmp_path, clock)


@pytest.fixture
def bench(open_bench: Opener) -> Bench:
    return open_bench()


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    """Yield an empty file below the tools: `evidence.db` of the test's folder."""
    shelf = Shelf(tmp_path / "evidence.db")
    yield shelf
    shelf.store.close()


@pytest.fixture(scope="module")
def open_shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenShelf]:
    """Yield what opens an empty file below the tools that lasts as long as the module."""
    opened: list[Shelf] = []

    def open_it() -> Shelf:
        opened.append(Shelf(tmp_path_factory.mktemp("shelf") / "evidence.db"))
        return opened[-1]

    yield open_it
    for shelf in opened:
        shelf.store.close()


@pytest.fixture
def shell(open_shell: Callable[..., Any]) -> Any:
    return open_shell("en", file="evidence.db", mode="evidence")


@pytest.fixture
def line(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Line:
    """Return what runs `frugal-memory evidence ...` over the file of the test."""
    return line_in(tmp_path, capsys, monkeypatch, "evidence")


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scans end complete however busy the machine is; tests of the time limit set their own."""
    monkeypatch.setattr(settings, "SECONDS", 600)
