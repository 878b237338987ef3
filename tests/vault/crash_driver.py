"""Run one write again and again, dead at its n-th step, and tell what the next process finds. One line of JSON a step.

A step is whatever changes a file or a folder of the vault, and the moments before and after indexing. Each run is a
fork, so the modules are loaded once.
"""

import json
import os
import shutil
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from frugal.call import Client
from frugal.engine import Workspace, build_engine
from frugal.settings import Options, load_settings
from frugal_modes.vault import VAULT, shelf
from frugal_modes.vault.cardtext import read_card

BODIES = {
    "old": "The old card says that it lies in /etc/nginx.",
    "new": "The new card says that it lies in /opt/nginx.",
    "other": "Another card that nobody touches, about backups.",
}
INDEXING = ("index", "rebuild")
BORDERS = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE")
EVENTS = frozenset({"os.rename", "os.link", "os.remove", "os.mkdir", "os.chmod"})
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT
DEAD = 9
MOST_STEPS = 120


def workspace(root: Path) -> Workspace:
    values = {
        "HOME": str(root),
        "XDG_DATA_HOME": str(root),
        "XDG_CONFIG_HOME": str(root),
        "VAULT_DIR": str(root / "vault"),
    }
    engine = build_engine(load_settings(Options(db=str(root / "vault.db"), lang="en"), values), modes=[VAULT])
    return engine.open(VAULT)


def call(opened: Workspace, tool: str, **arguments: object) -> dict[str, Any]:
    reply = opened.call(Client(), tool, arguments, from_shell=True)
    counts = dict(reply.answer.counts) if reply.answer else {}
    return {"text": reply.text, "is_error": reply.is_error, **counts}


def prepare(root: Path, action: str) -> None:
    """Make a vault with two cards; for a restore the first lies in the trash."""
    (root / "vault").mkdir(parents=True)
    opened = workspace(root)
    call(opened, "memory_capture", title="Nginx", body=BODIES["old"])
    call(opened, "memory_capture", title="Backups", body=BODIES["other"])
    if action == "restore":
        call(opened, "memory_delete", id=1)
    opened.close()
    if action in INDEXING:  # edits by hand that no index knows yet: a renamed card and a new one
        folder = root / "vault" / "03-Knowledge"
        text = (folder / "nginx.md").read_text("utf-8")
        (folder / "nginx.md").rename(folder / "moved.md")
        (folder / "new.md").write_text(text.replace(BODIES["old"], BODIES["new"]), "utf-8")


def act(opened: Workspace, action: str) -> dict[str, Any]:
    if action == "capture":
        return call(opened, "memory_capture", title="Nginx", body=BODIES["new"])
    if action == "update":
        return call(opened, "memory_update", id=1, body=BODIES["new"])
    if action == "supersede":
        return call(opened, "memory_supersede", old_id=1, title="Nginx moved", body=BODIES["new"])
    if action == "delete":
        return call(opened, "memory_delete", id=1)
    if action in INDEXING:
        return call(opened, "memory_reindex", rebuild=action == "rebuild")
    return call(opened, "restore", which="1")


def die_at(step: int, root: Path, *, is_indexing: bool) -> None:
    """Let this process end before its *step*-th touch of the vault, or of the borders of a transaction of the index."""
    inside = str(root / "vault")
    count = 0

    def count_one() -> None:
        nonlocal count
        count += 1
        if count == step:
            os._exit(DEAD)

    def heard(event: str, args: tuple[Any, ...]) -> None:
        is_write = event in EVENTS or (event == "open" and bool(args[2] & WRITES))
        if is_write and any(
            isinstance(item, str | bytes) and inside in os.fsdecode(item) for item in args[:2]
        ):
            count_one()

    place = shelf.place

    def placed(*args: Any) -> int | None:
        count_one()
        number = place(*args)
        count_one()
        return number

    shelf.place = placed  # type: ignore[assignment]  # the process dies with it
    sys.addaudithook(heard)
    if is_indexing:
        connect = sqlite3.connect

        def connected(*args: Any, **named: Any) -> sqlite3.Connection:
            db = connect(*args, **named)
            db.set_trace_callback(lambda sql: count_one() if sql.startswith(BORDERS) else None)
            return db

        sqlite3.connect = connected  # type: ignore[assignment]  # the process dies with it


def in_fork(work: Callable[[], dict[str, Any]]) -> tuple[int, dict[str, Any]]:
    """Run *work* in a child; return its exit code and what it returned."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        code = 1
        try:
            with os.fdopen(writing, "w") as stream:
                json.dump(work(), stream)
            code = 0
        finally:
            os._exit(code)
    os.close(writing)
    with os.fdopen(reading) as stream:
        told = stream.read()
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), json.loads(told) if told else {}


def writer(root: Path, action: str, step: int) -> dict[str, Any]:
    opened = workspace(root)
    if action in INDEXING:  # nothing is open yet
        die_at(step, root, is_indexing=True)
        return act(opened, action)
    with opened.store.read() as db:
        db.execute("SELECT 1").fetchone()
    die_at(step, root, is_indexing=False)
    return act(opened, action)


def look(root: Path) -> dict[str, Any]:
    """Return what a new process finds: whole cards, those of them that the index has, their numbers and states."""
    opened = workspace(root)
    vault = root / "vault"
    call(opened, "memory_delete", id="99")  # a call that is refused, after it has looked at every file
    found = []
    for path in sorted(vault.rglob("*.md")):
        name = path.relative_to(vault).as_posix()
        card = read_card(path.read_bytes().decode(), path=name).cards[0]
        with opened.store.read() as db:
            known = None if name.startswith(".trash") else shelf.find(db, name)
        found.append(
            {
                "path": name,
                "body": card.body,
                "is_whole": card.body in BODIES.values() and bool(card.created),
                "number": known.number if known else None,
                "state": known.state if known else None,
            }
        )
    opened.close()
    with sqlite3.connect(root / "vault.db") as db:
        integrity = db.execute("PRAGMA integrity_check").fetchone()[0]
    temporary = [path.name for path in vault.rglob(".frugal-memory-*.tmp")]
    return {"files": found, "integrity": integrity, "temporary": temporary}


def aftermath(root: Path, action: str) -> dict[str, Any]:
    """Return what the next process finds, what the same call says then, and what is found after it."""
    after = look(root)
    opened = workspace(root)
    retried = act(opened, action)
    opened.close()
    return {"after": after, "retried": retried, "final": look(root)}


def main(folder: str, action: str) -> None:
    first = Path(folder) / "first"
    prepare(first, action)  # here, so that the forks find everything loaded
    for step in range(1, MOST_STEPS):
        root = Path(folder) / "run"
        shutil.copytree(first, root)
        code, acknowledged = in_fork(lambda root=root, step=step: writer(root, action, step))
        found = in_fork(lambda root=root: aftermath(root, action))[1]
        print(json.dumps({"step": step, "code": code, "told": acknowledged, **found}), flush=True)
        shutil.rmtree(root)
        if code != DEAD:
            return


if __name__ == "__main__":
    main(*sys.argv[1:])
