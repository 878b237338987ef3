"""Stores on real files, and worker processes that import nothing but the store."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from store_worker import make_store

from frugal.store import Store

REPOSITORY = Path(__file__).parents[2]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "notes.db"


@pytest.fixture
def open_store(path: Path) -> Iterator[Callable[..., Store]]:
    """Make stores of *path* unless told otherwise; all are closed at the end."""
    made: list[Store] = []

    def make(where: Path = path, **overrides: object) -> Store:
        made.append(make_store(where, **overrides))
        return made[-1]

    yield make
    for store in made:
        store.close()


@pytest.fixture
def store(open_store: Callable[..., Store]) -> Store:
    return open_store()


@pytest.fixture
def start() -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Start a worker: *code* runs after `from store_worker import *`, with *arguments* in `sys.argv[1:]`."""
    running: list[subprocess.Popen[str]] = []

    def begin(code: str, *arguments: object) -> subprocess.Popen[str]:
        worker = subprocess.Popen(
            [sys.executable, "-c", f"from store_worker import *\n{code}", *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            env={"PYTHONPATH": f"{REPOSITORY}:{Path(__file__).parent}", "PYTHONDONTWRITEBYTECODE": "1"},
        )
        running.append(worker)
        return worker

    yield begin
    for worker in running:
        worker.kill()
        worker.communicate()


@pytest.fixture
def run(start: Callable[..., subprocess.Popen[str]]) -> Callable[..., str]:
    """Run a worker to its end; return what it printed."""

    def finish(code: str, *arguments: object) -> str:
        worker = start(code, *arguments)
        out, err = worker.communicate(timeout=60)
        assert worker.returncode == 0, err
        return out

    return finish
