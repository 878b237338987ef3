"""Plugins of other people: how they are installed, made and found."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

DISTRIBUTION = Path(__file__).parent / "distribution"

HEAD = """from frugal.api import *


def mode(**values):
    return Mode(**{{"name": "{name}", "package": "{name}", "flags": ("--{name}",), **values}})


"""

TEXTS = """
summary = "one line"
instructions = "-"

[tools.same]
name = "same"
description = "Whatever."
"""

Shell = Callable[..., subprocess.CompletedProcess[str]]


def install(source: Path, target: Path) -> Path:
    """Install the distribution in *source* into *target*, from its own folder and without a network."""
    offline = ("--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check", "--quiet")
    subprocess.run(
        [sys.executable, "-m", "pip", "install", *offline, "--target", str(target), str(source)],
        check=True,
        stdin=subprocess.DEVNULL,
    )
    return target


def module_code(name: str, code: str) -> str:
    """Return a module in which `mode(...)` makes a mode called *name*."""
    return HEAD.format(name=name) + code


def with_plugins(site: Path) -> dict[str, str]:
    """Return the variables under which the plugins in *site* are found."""
    return {"PYTHONPATH": str(site), "FRUGAL_MEMORY_NO_PLUGINS": ""}
