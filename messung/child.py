"""A command in a process of its own: how long it took, wall, and the most memory it held at once.

The peak that the system reports of a process begins with that of the process it was forked from, and a measurement may
hold hundreds of MiB. So this file is also a program: a small process between the two that starts the command and reports.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from messung.unavailable import NotAvailable

REPORT = "child.json"
OUTPUT = "child.out"
ERRORS = "child.err"
KIB = 1024


@dataclass(frozen=True)
class Ended:
    """What a command took (seconds, bytes resident at most, seconds of CPU) and wrote to its output."""

    seconds: float
    peak_bytes: int
    output: str
    cpu_s: float = 0.0

    @property
    def peak_mib(self) -> float:
        """The most memory resident at once, MiB."""
        return self.peak_bytes / KIB**2


def run_child(command: Sequence[str], *, environ: Mapping[str, str], folder: Path) -> Ended:
    """Run *command* in *folder* to its end, nothing on its input; raise `NotAvailable` if it fails."""
    between = [sys.executable, "-I", "-S", str(Path(__file__).resolve()), *command]
    subprocess.run(between, env=dict(environ), cwd=folder, check=False, stdin=subprocess.DEVNULL)
    told = json.loads((folder / REPORT).read_text("utf-8"))
    if told["exit_code"]:
        raise _failure(command, int(told["exit_code"]))
    output = (folder / OUTPUT).read_text("utf-8", "replace")
    return Ended(float(told["seconds"]), int(told["peak_bytes"]), output, float(told["cpu_s"]))


def _failure(command: Sequence[str], exit_code: int) -> "NotAvailable":
    """Return the error without paths: it goes into a report."""
    from messung.unavailable import (
        NotAvailable,
    )  # the program between has no folder of packages to take it from

    words = [word for word in command[1:] if os.sep not in word and not word.startswith("-")]
    return NotAvailable(f"{' '.join(words[:4])}: ended with {exit_code}")


def frugal(*words: str) -> list[str]:
    """Return the shell command `frugal-memory` with *words*, of this checkout."""
    return [sys.executable, "-m", "frugal", *words]


def main(command: Sequence[str]) -> int:
    """Run *command*, write what it took into the current folder."""
    start = time.perf_counter()
    with Path(OUTPUT).open("wb") as output, Path(ERRORS).open("wb") as errors:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=errors)
        _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    told = {
        "seconds": time.perf_counter() - start,
        "peak_bytes": used.ru_maxrss * (1 if sys.platform == "darwin" else KIB),
        "cpu_s": used.ru_utime + used.ru_stime,
        "exit_code": process.returncode,
    }
    Path(REPORT).write_text(json.dumps(told), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
