"""Exports and ends, as a kill does, at the step of this number: `python export_worker.py FOLDER STEP`."""

import os
import signal
import sys
from datetime import UTC, datetime
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parents[1])]

from corpora import Bench, benches, clause  # noqa: E402 - found on the path that was just set

from frugal_modes.evidence import export  # noqa: E402 - as above
from frugal_modes.evidence.desk import DeskTool  # noqa: E402 - as above
from frugal_modes.evidence.tools import EXPORT, FLAG_NAMES  # noqa: E402 - as above


def main(folder: Path, last: int) -> None:
    """Export the harbour; leave at step *last* without any cleaning up."""
    steps = 0

    def step(_name: str) -> None:
        nonlocal steps
        steps += 1
        if steps == last:
            os.kill(os.getpid(), signal.SIGKILL)

    def stopping(desk: object, **arguments: object) -> object:
        return export._export(desk, **arguments, step=step)  # type: ignore[arg-type]  # as the tool calls it

    opened = benches(folder, lambda: datetime(2026, 11, 2, 10, 14, tzinfo=UTC))
    bench: Bench = next(opened)(file="evidence.db")
    tool = DeskTool(stopping, EXPORT.parameters, FLAG_NAMES)  # type: ignore[arg-type]  # stopping takes what comes
    call = bench.workspace.new_call(bench.client)
    query = {"clauses": [clause("harbour")]}
    answer = tool(call, query=query, query_ref="", format="jsonl", max_bytes=None)
    assert not answer.is_refusal, answer.text
    print(steps)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
