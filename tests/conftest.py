"""Fixtures that every test may use: a fixed clock, and a workspace over a fresh file in either language."""

import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from frugal.call import Client
from frugal.engine import Workspace, build_engine
from frugal.settings import Options, load_settings

COMMON = settings(
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
settings.register_profile("default", COMMON)
# A run for a landing must be one that can be repeated.
settings.register_profile("ci", COMMON, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")

REPOSITORY = Path(__file__).parents[1]
DATA = Path(os.environ.get("FRUGAL_DATA", REPOSITORY.parent / "shared" / "data"))


class TickingClock:
    """A clock that moves only when told to."""

    def __init__(self) -> None:
        self.moment = datetime(2026, 11, 2, 10, 14, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.moment

    def advance(self, **span: float) -> None:
        """Move on by a `timedelta(**span)`."""
        self.moment += timedelta(**span)


class Shell:
    """One client of one workspace, for tests that need no protocol: `shell("recall", query="x")` is its text."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.client = Client()

    def __call__(self, tool: str, /, **arguments: object) -> str:
        """Return the text of an answer; a refusal fails the test."""
        reply = self.workspace.call(self.client, tool, arguments)
        assert not reply.is_error, reply.text
        return reply.text

    def refused(self, tool: str, /, **arguments: object) -> str:
        """Return the text of a refusal; an answer fails the test."""
        reply = self.workspace.call(self.client, tool, arguments)
        assert reply.is_error, reply.text
        return reply.text


@pytest.fixture
def clock() -> TickingClock:
    return TickingClock()


@pytest.fixture
def open_shell(tmp_path: Path, clock: TickingClock) -> Iterator[Callable[..., Shell]]:
    """Open the memory in *language* over a file of the test's folder; further variables as keywords."""
    opened: list[Workspace] = []

    def open_it(
        language: str = "en",
        *,
        file: str = "memory.db",
        mode: str = "memory",
        is_guest: bool = False,
        **environ: str,
    ) -> Shell:
        options = Options(db=str(tmp_path / file), lang=language)
        values = {
            "MEMORY_NAME": "box",
            "XDG_DATA_HOME": str(tmp_path),
            "XDG_CONFIG_HOME": str(tmp_path),
            **environ,
        }
        engine = build_engine(load_settings(options, values), clock=clock)
        workspace = engine.open(engine.registry.mode(mode), is_guest=is_guest)
        opened.append(workspace)
        return Shell(workspace)

    yield open_it
    for workspace in opened:
        workspace.close()


@pytest.fixture
def en(open_shell: Callable[..., Shell]) -> Shell:
    return open_shell("en")


@pytest.fixture
def de(open_shell: Callable[..., Shell]) -> Shell:
    return open_shell("de", file="gedaechtnis.db")
