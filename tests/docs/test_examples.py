"""Every example in README and docs does what it shows: `sh` blocks are run line by line, `json` and `toml` blocks read.

`claude mcp add NAME -- COMMAND` and `ssh ... HOST COMMAND` are played by two small scripts that start COMMAND with an
empty input, so that a line with a wrong flag fails. Blocks that set up an environment are run by `.ci/run`.
"""

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
PAGES = ["README.md", *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"^ *```(\w*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
LANGUAGES = {
    "sh",
    "python",
    "json",
    "toml",
    "sql",
    "xml",
    "markdown",
    "text",
    "yaml",
    "call",
    "answer",
    "plot",
}
SETS_UP = re.compile(r"-m venv|mcp-publisher|twine")

CLAUDE = """#!/bin/sh
while [ "$1" != "--" ]; do shift; done
shift
exec "$@" < /dev/null
"""
SSH = """#!/bin/sh
while [ "${1#-}" != "$1" ]; do
    [ "$1" = -o ] && shift
    shift
done
shift
exec "$@" < /dev/null
"""


class Block(NamedTuple):
    """One fenced block of a page."""

    page: str
    language: str
    text: str


def blocks() -> Iterator[Block]:
    for page in PAGES:
        for language, text in FENCE.findall((ROOT / page).read_text("utf-8")):
            yield Block(page, language, text)


def of(language: str) -> list[object]:
    found = [block for block in blocks() if block.language == language]
    return [pytest.param(block, id=f"{block.page}-{number}") for number, block in enumerate(found)]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with notes, an older file to merge, and a `claude` and an `ssh` that start what they are told to."""
    scripts = tmp_path / "bin"
    scripts.mkdir()
    for name, script in (("claude", CLAUDE), ("ssh", SSH)):
        (scripts / name).write_text(script, encoding="utf-8")
        (scripts / name).chmod(0o755)
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "shop.md").write_text("The shop's backups run at three in the morning.\n", encoding="utf-8")
    for fact in ("The pool of the shop holds 10 connections.", "The pool of the shop holds 20 connections."):
        run_in(tmp_path, f"frugal-memory memory remember '{fact}' --tags shop")
    return tmp_path


def run_in(home: Path, script: str) -> subprocess.CompletedProcess[str]:
    environ = {
        "HOME": str(home),
        "PATH": os.pathsep.join([str(home / "bin"), str(Path(sys.executable).parent), os.environ["PATH"]]),
        "MEMORY_NAME": "box",
        "PYTHONUTF8": "1",
    }
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=home,
        env=environ,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=110,
        check=False,
    )


@pytest.mark.parametrize("page", PAGES)
def test_every_block_says_what_it_is(page: str) -> None:
    languages = {block.language for block in blocks() if block.page == page}

    assert languages <= LANGUAGES, "an example that nobody runs is `text`"


@pytest.mark.parametrize("block", [item for item in of("sh") if not SETS_UP.search(item.values[0].text)])  # type: ignore[attr-defined]  # pytest.param
def test_shell_example_runs(block: Block, home: Path) -> None:
    done = run_in(home, block.text)

    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("block", of("json"))
def test_json_example_is_json(block: Block) -> None:
    assert json.loads(block.text)


@pytest.mark.parametrize("block", of("toml"))
def test_toml_example_is_toml(block: Block) -> None:
    assert tomllib.loads(block.text) or block.text.strip().startswith("#")
