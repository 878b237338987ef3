"""Fixtures: machines with a memory each, over engine and shell."""

import io
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from machines import Machine

from frugal.engine import Workspace


@pytest.fixture
def machine(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Machine]:
    """Make a machine called *name*, with a folder of its own; further variables as keywords."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(), encoding="utf-8"))

    def make(name: str = "a", lang: str = "en", **environ: str) -> Machine:
        return Machine(tmp_path / name, capsys, {"MEMORY_NAME": name, "MEMORY_LANG": lang, **environ})

    return make


@pytest.fixture
def closing() -> Iterator[Callable[[Workspace], Workspace]]:
    """Close workspaces at the end of the test."""
    opened: list[Workspace] = []

    def keep(workspace: Workspace) -> Workspace:
        opened.append(workspace)
        return workspace

    yield keep
    for workspace in opened:
        workspace.close()
