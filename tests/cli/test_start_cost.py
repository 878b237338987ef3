"""What a shell command loads: no SDK, no validation library, no event loop, no HTTP, no other mode."""

import subprocess
import sys

import pytest

FORBIDDEN = (
    "mcp",
    "mcp_types",
    "pydantic",
    "asyncio",
    "anyio",
    "httpx",
    "httpx2",
    "http",
    "requests",
    "yaml",
    "email",
)
LIST_MODULES = """
import atexit, sys
sys.argv = ["frugal-memory", *{argv}]
atexit.register(lambda: print("\\n".join(sys.modules), file=sys.stderr))
from frugal.cli import main
main()
"""


def modules_of(line, *argv):
    done = subprocess.run(
        [sys.executable, "-c", LIST_MODULES.format(argv=list(argv))],
        capture_output=True,
        env=line.environ("en"),
        timeout=60,
        check=False,
        text=True,
    )
    assert done.returncode in (0, 1), done.stderr
    return set(done.stderr.split())


@pytest.mark.parametrize(
    "argv",
    [
        ["--help"],
        ["--version"],
        ["modes"],
        ["memory", "--help"],
        ["memory", "recall", "anything"],
        ["memory", "show", "1"],
        ["memory", "remember", "a fact"],
        ["memory", "topics", "--json"],
    ],
    ids=" ".join,
)
def test_command_loads_nothing_of_the_server(line, argv):
    loaded = modules_of(line, *argv)

    assert not loaded.intersection(FORBIDDEN)
    assert "frugal.server" not in loaded
    assert "frugal.demo" not in loaded


def test_tool_command_loads_the_modules_of_its_mode_alone(line):
    loaded = modules_of(line, "memory", "recall", "anything")

    modes = {name.split(".")[1] for name in loaded if name.startswith("frugal_modes.")}
    assert modes == {"memory"}


def test_help_opens_no_database_library(line):
    loaded = modules_of(line, "--help")

    assert "sqlite3" not in loaded
    assert "Stemmer" not in loaded
