"""An export that is killed at any step leaves the old file or the new one, and the next one clears up."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from corpora import Opener, clause, messages

WORKER = Path(__file__).with_name("export_worker.py")
QUERY = {"clauses": [clause("harbour")]}
STEPS = 16
"""Of both files together: create, write, flush, sync, rename, sync the folder, written; and two beyond."""


def kill_at(folder: Path, step: int) -> int:
    """Export in a process of its own that ends at a step; return its exit code."""
    done = subprocess.run(
        [sys.executable, str(WORKER), str(folder), str(step)], capture_output=True, check=False, timeout=60
    )
    assert done.returncode in (0, -signal.SIGKILL), done.stderr.decode()
    return done.returncode


@pytest.mark.skipif(sys.platform == "win32", reason="has no kill -9")
def test_a_kill_at_any_step_leaves_the_old_file_or_the_new_one(open_bench: Opener, tmp_path: Path) -> None:
    bench = open_bench()
    bench.fill(messages([f"harbour {n}" for n in range(20)]))
    told = bench("export_messages", query=QUERY)
    new = {name: Path(told[name]).read_bytes() for name in ("path", "manifest")}
    old = {"path": b'{"ref":"m-old"}\n', "manifest": b'{"rows":1}\n'}
    bench.workspace.close()

    codes = []
    for step in range(1, STEPS):
        for name, data in old.items():
            Path(told[name]).write_bytes(data)
        codes.append(kill_at(tmp_path, step))

        for name, data in old.items():
            assert Path(told[name]).read_bytes() in (data, new[name]), (step, name)
    again = open_bench()("export_messages", query=QUERY)

    assert codes[0] == -signal.SIGKILL
    assert codes[-1] == 0, "every step was tried"
    assert {name: Path(told[name]).read_bytes() for name in old} == new
    assert {path.name for path in (tmp_path / "exports").iterdir()} == {
        Path(again[name]).name for name in ("path", "manifest")
    }
    assert json.loads(new["manifest"])["rows"] == 20
