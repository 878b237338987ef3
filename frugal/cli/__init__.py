"""The shell. Nothing is imported before it is needed: `--help` has a quarter of a second of CPU to live."""

import os
import sys
from collections.abc import Sequence

SCRIPTS: dict[str, tuple[str, ...]] = {
    "frugal-memory": (),
    "frugal-memory-import": ("import",),
    "frugal-memory-nachziehen": ("upkeep",),
    "frugal-memory-skill": ("skill",),
}
"""The console scripts and the command each of them starts with."""


def main() -> None:
    """Run `frugal-memory`."""
    _run("frugal-memory")


def main_import() -> None:
    """Run `frugal-memory-import`, the older name of `frugal-memory import`."""
    _run("frugal-memory-import")


def main_upkeep() -> None:
    """Run `frugal-memory-nachziehen`, the older name of `frugal-memory upkeep`."""
    _run("frugal-memory-nachziehen")


def main_skill() -> None:
    """Run `frugal-memory-skill`, the older name of `frugal-memory skill`."""
    _run("frugal-memory-skill")


def _run(script: str) -> None:
    try:
        from frugal.cli import console
        from frugal.cli.root import run

        console.speak_utf8()
        code = run(as_utf8(sys.argv[1:]), script=script)
    except KeyboardInterrupt:  # while modules are still being loaded
        code = 130
    sys.exit(code)


def as_utf8(arguments: Sequence[str]) -> list[str]:
    """Return *arguments* read as UTF-8 whatever the locale; bytes that are not become lone surrogates."""
    return [os.fsencode(argument).decode("utf-8", "surrogateescape") for argument in arguments]
