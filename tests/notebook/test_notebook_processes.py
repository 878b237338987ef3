"""Several processes over one file: every call is stored once, of two creators one is told."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.notebook.conftest import Book

WORKER = Path(__file__).with_name("notebook_worker.py")


def _run_together(path: Path, *, processes: int, count: int) -> list[list[int]]:
    """Run the worker in several processes at once; return what each of them printed."""
    started = [
        subprocess.Popen(
            [sys.executable, str(WORKER), str(path), "vision/shared", f"arm-{number}", str(count)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        for number in range(processes)
    ]
    printed = []
    for process in started:
        output, errors = process.communicate(timeout=100)
        assert process.returncode == 0, errors
        printed.append([int(word) for word in output.split()])
    return printed


@pytest.mark.parametrize(("processes", "count"), [(2, 200), (8, 10)])
def test_processes_on_one_fresh_file_lose_nothing(
    open_book: Callable[..., Book], processes: int, count: int
) -> None:
    book = open_book()

    printed = _run_together(book.path, processes=processes, count=count)

    assert sum(created for created, _ in printed) == 1
    assert [stored for _, stored in printed] == [count] * processes
    total = processes * count
    assert book.rows("SELECT count(*), count(DISTINCT number), max(number) FROM measurement") == [
        (total, total, total)
    ]
    assert book.rows("SELECT count(*) FROM event WHERE type = 'measurements'") == [(total,)]
    for number in range(processes):
        own = book.rows("SELECT seed FROM measurement WHERE arm = :arm ORDER BY number", arm=f"arm-{number}")
        assert [int(seed) for (seed,) in own] == list(range(count))


def test_reading_does_not_wait_for_a_writer(open_book: Callable[..., Book]) -> None:
    writer, reader = open_book(), open_book()
    writer.sweep()

    with writer.shell.workspace.store.write():
        answer = reader("series")

    assert "vision/lr-sweep" in answer
