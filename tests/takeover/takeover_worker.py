"""Takeovers that are killed: one process prepares everything, then a child of it dies at each statement in turn.

Run as `takeover_worker.py SOURCE FOLDER STEPS`, prints one JSON object: the number of statements, and by statement the
state that the kill left, as the parent reads it afterwards.
"""

import json
import os
import shutil
import signal
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from frugal.call import Client
from frugal.engine import build_engine
from frugal.settings import Options, load_settings
from frugal.store import connections

OLD_STATE = """
    SELECT (SELECT count(*) FROM eintrag), (SELECT sum(length(content)) FROM eintrag),
           (SELECT count(*) FROM veraltet), (SELECT count(*) FROM nachfrage)
"""
NEW_STATE = """
    SELECT (SELECT count(*) FROM entry), (SELECT sum(length(text)) FROM entry), (SELECT count(*) FROM event),
           (SELECT count(*) FROM learned_question)
"""


def take_over(path: Path) -> None:
    """Open *path* as its owner and ask for something."""
    folder = str(path.parent)
    environ = {"XDG_DATA_HOME": folder, "XDG_CONFIG_HOME": folder, "MEMORY_LANG": "en"}
    engine = build_engine(load_settings(Options(db=str(path)), environ))
    workspace = engine.open(engine.registry.mode("memory"))
    reply = workspace.call(Client(), "topics", {})
    workspace.close()
    if reply.is_error:
        raise RuntimeError(reply.text)


def at_each_statement(do: Callable[[int], None]) -> None:
    """Call *do* with the number of each statement that a writing connection is about to run, from 0."""
    opened = connections.open_writer
    number = -1

    def trace(_statement: str) -> None:
        nonlocal number
        number += 1
        do(number)

    def open_writer(path: Path, *, busy_timeout_s: float) -> sqlite3.Connection:
        connection = opened(path, busy_timeout_s=busy_timeout_s)
        connection.set_trace_callback(trace)
        return connection

    connections.open_writer = open_writer


def fork(run: Callable[[], None]) -> int:
    """Run something in a child and return how it ended."""
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        run()
        os._exit(0)
    return os.waitpid(child, 0)[1]


def count_statements(path: Path) -> int:
    """Return how many statements a takeover of *path* runs."""
    tally = path.with_suffix(".tally")

    def run() -> None:
        at_each_statement(lambda number: tally.write_text(str(number + 1), encoding="utf-8") and None)
        take_over(path)

    fork(run)
    return int(tally.read_text(encoding="utf-8"))


def kill_at(path: Path, step: int) -> int:
    """Kill a takeover of *path* as it is about to run the statement *step*."""

    def die(number: int) -> None:
        if number == step:
            os.kill(os.getpid(), signal.SIGKILL)

    def run() -> None:
        at_each_statement(die)
        take_over(path)

    return fork(run)


def state_of(path: Path) -> tuple[str, list[int]]:
    """Return which state *path* is in, and its counts; damage is named."""
    with closing(sqlite3.connect(path)) as db:
        if db.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
            return "damaged", []
        kind = db.execute("SELECT type FROM sqlite_schema WHERE name = 'eintrag'").fetchone()[0]
        rows = db.execute(OLD_STATE if kind == "table" else NEW_STATE).fetchone()
        return ("old" if kind == "table" else "new"), list(rows)


def main(source: Path, folder: Path, steps: int) -> None:
    """Kill at *steps* statements spread evenly, and report."""
    count = count_statements(Path(shutil.copy(source, folder / "count.db")))
    found = []
    for step in sorted({number * count // steps for number in range(steps)} | {count - 1}):
        place = folder / str(step)
        place.mkdir()
        path = Path(shutil.copy(source, place / "memory.db"))
        was_killed = os.WIFSIGNALED(kill_at(path, step))
        left, counts = state_of(path)
        end = fork(lambda path=path: take_over(path))
        found.append(
            [
                step,
                was_killed,
                left,
                counts,
                end,
                *state_of(path),
                sorted(file.name for file in place.iterdir()),
            ]
        )
        shutil.rmtree(place)
    print(json.dumps({"statements": count, "found": found}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
