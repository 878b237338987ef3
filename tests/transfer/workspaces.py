"""Memories over fresh files, several beside each other, for properties of what moves between them."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from histories import Life

from frugal.cli.contents import read_contents, store_contents
from frugal.engine import Workspace, build_engine
from frugal.entries import derived
from frugal.settings import Options, load_settings
from frugal.text.normalise import identity_text
from frugal.transfer import Merged, from_jsonl, to_jsonl


class Clock:
    """Moves when told to."""

    def __init__(self, hour: int) -> None:
        self.moment = datetime(2026, 11, 2, hour, 14, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.moment

    def advance(self, **span: float) -> None:
        """Move on by a `timedelta(**span)`."""
        self.moment += timedelta(**span)


@contextmanager
def workspaces(mode: str = "memory") -> Iterator[Callable[[str], Workspace]]:
    """Open workspaces by name, each over a fresh file and with a clock of its own."""
    hours = count(8)
    opened: list[Workspace] = []
    with TemporaryDirectory() as folder:

        def open_one(name: str) -> Workspace:
            environ = {"XDG_DATA_HOME": folder, "XDG_CONFIG_HOME": folder, f"{mode.upper()}_NAME": name}
            options = Options(db=str(Path(folder) / f"{name}.db"), lang="en")
            engine = build_engine(load_settings(options, environ), clock=Clock(next(hours)))
            opened.append(engine.open(engine.registry.mode(mode)))
            return opened[-1]

        yield open_one
        for workspace in opened:
            workspace.close()


def live(workspace: Workspace, history: Sequence[tuple[str, dict[str, Any]]]) -> None:
    """Let the memory live through *history*."""
    Life(workspace, workspace.engine.clock).live(history)


def exported(workspace: Workspace) -> bytes:
    """Return the export of a memory."""
    return to_jsonl(read_contents(workspace))


def imported(workspace: Workspace, data: bytes) -> Merged:
    """Import an export, into an empty file as it is."""
    return store_contents(workspace, from_jsonl(data), may_load=True)


def merged(workspace: Workspace, other: Workspace) -> Merged:
    """Merge *other* into *workspace*."""
    contents = from_jsonl(exported(other))
    from dataclasses import replace

    named = replace(contents, name=other.settings.name)
    return store_contents(workspace, named, may_load=False)


def texts(workspace: Workspace, *, only_live: bool = False) -> list[str]:
    """Return the texts of a memory, as they count as identical, sorted."""
    rows = [record.fields for record in read_contents(workspace).records if record.type == "entry"]
    return sorted(identity_text(str(row["text"])) for row in rows if row["live"] or not only_live)


def faults(workspace: Workspace) -> list[object]:
    """Return what is derived and not as it would be made today."""
    with workspace.store.read() as db:
        batch = derived.look(db, 0)
        found: list[object] = [*batch.titles, *batch.identities, *batch.index, *batch.tags]
        if derived.compare_directories(db).count:
            found.append("directories")
        return found + db.execute("PRAGMA foreign_key_check").fetchall()
