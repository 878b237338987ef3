"""Owners and guests of old files, over one folder a test."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from frugal.call import Client
from frugal.engine import Reply, Workspace, build_engine
from frugal.settings import Options, load_settings
from tests.conftest import DATA

LEGACY = DATA / "legacy"


class Owner:
    """One client of one workspace: `owner("show", ids="1")`; *noticed* are the lines about the file on stderr."""

    def __init__(self, workspace: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
        self.workspace = workspace
        self.client = Client()
        self._capsys = capsys

    def reply(self, tool: str, /, **arguments: object) -> Reply:
        return self.workspace.call(self.client, tool, arguments)

    def __call__(self, tool: str, /, **arguments: object) -> str:
        reply = self.reply(tool, **arguments)
        assert not reply.is_error, reply.text
        return reply.text

    def noticed(self) -> list[str]:
        return self._capsys.readouterr().err.splitlines()


Open = Callable[..., Owner]


@pytest.fixture
def open_file(
    tmp_path: Path, clock: Callable[[], object], capsys: pytest.CaptureFixture[str]
) -> Iterator[Open]:
    """Open a file in a mode; without *language* the file's own decides."""
    opened: list[Workspace] = []

    def open_it(path: Path, mode: str = "memory", *, language: str = "", is_guest: bool = False) -> Owner:
        environ = {"XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path), "MEMORY_NAME": "box"}
        engine = build_engine(load_settings(Options(db=str(path), lang=language), environ), clock=clock)
        workspace = engine.open(engine.registry.mode(mode), is_guest=is_guest)
        opened.append(workspace)
        return Owner(workspace, capsys)

    yield open_it
    for workspace in opened:
        workspace.close()


@pytest.fixture
def legacy(tmp_path: Path) -> Callable[[str], Path]:
    """Copy a file that the published version wrote into the test's folder."""
    if not (LEGACY / "expected.json").is_file():
        pytest.skip("needs the files of the published version: set FRUGAL_DATA")

    def copy(name: str) -> Path:
        target = tmp_path / "files" / name
        target.parent.mkdir(exist_ok=True)
        shutil.copyfile(LEGACY / name, target)
        return target

    return copy


@pytest.fixture
def expected(legacy: Callable[[str], Path]) -> dict[str, Any]:
    """What has to be readable after the takeover, by file."""
    found: dict[str, Any] = json.loads((LEGACY / "expected.json").read_text("utf-8"))
    return found
