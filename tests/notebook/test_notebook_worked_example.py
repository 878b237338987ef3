"""docs/notebook.md is executed: its calls go through the protocol, its answers are compared, its plots drawn."""

import json
import os
import re
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from anyio.from_thread import start_blocking_portal
from mcp.client.client import Client

from frugal.server.edge import Edge
from tests.notebook.conftest import Book

pytestmark = pytest.mark.usefixtures("utc")

PAGE = (Path(__file__).parents[2] / "docs" / "notebook.md").read_text("utf-8")
CALLS = re.compile(r"^```call\n(\w+)\n(.*?)^```\n\n```answer\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PLOT = re.compile(r"^```plot\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def _call_all(book: Book, mode: str) -> list[tuple[str, str]]:
    """Send every call of the page through a client of the protocol; return what it said beside what the page says."""
    pairs = []
    with start_blocking_portal() as portal:
        client: Any = Client(Edge(book.shell.workspace).build(), mode=mode)
        with portal.wrap_async_context_manager(client):
            for name, arguments, expected in CALLS.findall(PAGE):
                result = portal.call(client.call_tool, name, json.loads(arguments))
                assert not result.is_error, result.content[0].text
                pairs.append((result.content[0].text, expected.removesuffix("\n")))
    return pairs


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_calls_of_the_page_give_the_answers_of_the_page(open_book: Callable[..., Book], mode: str) -> None:
    book = open_book()

    pairs = _call_all(book, mode)

    assert len(pairs) == 7
    for said, expected in pairs:
        assert said == expected


def test_sweep_is_plotted_as_text_svg_and_png(open_book: Callable[..., Book], tmp_path: Path) -> None:
    book = open_book()
    _call_all(book, "auto")
    book.shell.workspace.close()

    text = _shell(book, tmp_path, "plot", "vision/lr-sweep", "--width", "72").stdout
    for ending in ("svg", "png"):
        _shell(book, tmp_path, "plot", "lr-sweep", "--out", str(tmp_path / f"sweep.{ending}"))

    assert text.startswith(PLOT.findall(PAGE)[0])
    for arm in ("lr=1e-4", "lr=3e-4", "lr=1e-3"):
        assert arm in text
    svg = (tmp_path / "sweep.svg").read_text("utf-8")
    for shown in (
        "accuracy [%]",
        "lr=1e-4",
        "lr=3e-4",
        "lr=1e-3",
        "n = 5",
        ">arm<",
        "mean and 95 % interval",
    ):
        assert shown in svg
    assert svg.count("<title>") == 15
    width, height = struct.unpack(">II", (tmp_path / "sweep.png").read_bytes()[16:24])
    assert (width, height) == (1080, 660)


def _shell(book: Book, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environ = {
        **os.environ,
        "MESSBUCH_DB": str(book.path),
        "XDG_DATA_HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder),
        "MPLCONFIGDIR": str(folder / "matplotlib"),
        "MEMORY_LANG": "en",
    }
    command = [sys.executable, "-m", "frugal", "notebook", *arguments]
    done = subprocess.run(
        command, env=environ, capture_output=True, encoding="utf-8", timeout=100, check=False
    )
    assert done.returncode == 0, done.stderr
    return done
