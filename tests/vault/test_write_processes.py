"""Several processes write one vault: every acknowledged card is a file of its own, none overwritten, all found."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.vault.conftest import Vault

WORKER = Path(__file__).with_name("capture_worker.py")


def run_together(folder: Path, *, processes: int, captures: int) -> list[dict[str, Any]]:
    """Start *processes* workers, let them go at once, and return every answer."""
    started = [
        subprocess.Popen(
            [sys.executable, str(WORKER), str(folder), str(name), str(captures)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        for name in range(processes)
    ]
    for worker in started:
        assert worker.stdout is not None
        assert worker.stdout.readline() == "ready\n"
    for worker in started:
        assert worker.stdin is not None
        worker.stdin.write("go\n")
        worker.stdin.flush()
    answers = []
    for worker in started:
        out, _ = worker.communicate(timeout=100)
        assert worker.returncode == 0
        answers += [json.loads(line) for line in out.splitlines()]
    return answers


@pytest.mark.parametrize(("processes", "captures"), [(6, 2), (2, 20)])
def test_same_title_at_once_gives_distinct_files(
    open_vault: Callable[..., Vault], tmp_path: Path, processes: int, captures: int
) -> None:
    (tmp_path / "vault").mkdir()

    answers = run_together(tmp_path, processes=processes, captures=captures)

    vault = open_vault()
    vault.clock.advance(days=36_500)  # the workers wrote by the clock of this machine
    assert all(answer["action"] == "created" for answer in answers), answers
    paths = [answer["path"] for answer in answers]
    assert len(set(paths)) == len(answers) == processes * captures
    assert vault.files() == sorted(paths)
    for answer in answers:
        assert vault.card(answer["path"]).body == answer["body"]
        known = vault.known(answer["path"])
        assert (known.number, known.is_live) == (answer["id"], True)
    assert len({answer["id"] for answer in answers}) == len(answers)
