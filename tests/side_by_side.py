"""Workspaces over fresh files beside each other, and what moves between them: exports, imports, merges."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from frugal.cli.contents import read_contents, store_contents
from frugal.engine import Workspace, build_engine
from frugal.settings import Options, load_settings
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


def exported(workspace: Workspace) -> bytes:
    """Return the export of a file."""
    return to_jsonl(read_contents(workspace))


def imported(workspace: Workspace, data: bytes) -> Merged:
    """Import an export, into an empty file as it is."""
    return store_contents(workspace, from_jsonl(data), may_load=True)


def merged(workspace: Workspace, other: Workspace) -> Merged:
    """Merge *other* under its own name into *workspace*."""
    contents = replace(from_jsonl(exported(other)), name=other.settings.name)
    return store_contents(workspace, contents, may_load=False)
