"""What starting a process costs: CPU of a shell command, and of a server up to its first answer."""

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from messung.report import table
from messung.stdio import StdioServer, bare_environment
from messung.systems.mcp_client import server_environment
from messung.systems.predecessor import executable
from messung.unavailable import NotAvailable

TRIES = 5


def measure(systems: Sequence[str]) -> str:
    """Return a table of the best of five starts: CPU (user + system) and wall seconds."""
    ours = [sys.executable, "-m", "frugal"]
    ways: dict[str, Callable[[Path], None]] = {
        "bare Python": lambda folder: _run([sys.executable, "-c", "pass"], bare_environment(folder), folder)
    }
    if "ours" in systems:
        ways["ours, --help"] = lambda folder: _run([*ours, "--help"], server_environment(folder), folder)
        ways["ours, server"] = lambda folder: _greet(ours, server_environment(folder), folder)
    if "predecessor" in systems:
        ways["0.2.0, server"] = lambda folder: _greet([executable()], bare_environment(folder), folder)
    rows = [[name, *_best(way)] for name, way in ways.items()]
    return table(["", "CPU s", "wall s"], rows)


def _best(way: Callable[[Path], None]) -> tuple[str, str]:
    costs = []
    for _ in range(TRIES):
        with tempfile.TemporaryDirectory(prefix="messung-") as folder:
            before, clock = _cpu_of_children(), time.perf_counter()
            try:
                way(Path(folder))
            except (NotAvailable, subprocess.CalledProcessError):
                return "not measured", "-"
            costs.append((_cpu_of_children() - before, time.perf_counter() - clock))
    return f"{min(cost[0] for cost in costs):.2f}", f"{min(cost[1] for cost in costs):.2f}"


def _cpu_of_children() -> float:
    """Return the CPU time of every child that has ended, user and system, seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _run(command: Sequence[str], environ: dict[str, str], folder: Path) -> None:
    subprocess.run(
        command, env=environ, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


def _greet(command: Sequence[str], environ: dict[str, str], folder: Path) -> None:
    """Start a server, take its greeting, end it: the CPU counts once the process has ended."""
    StdioServer(command, environ=environ, folder=folder).close()
