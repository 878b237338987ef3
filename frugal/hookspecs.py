"""The hooks of frugal-memory. A plugin implements them with `@hookimpl` from `frugal.api`."""

from collections.abc import Iterable
from typing import Any

import pluggy

from frugal.model import Mode

PROJECT = "frugal"

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


@hookspec
def frugal_modes() -> Mode | Iterable[Mode]:  # type: ignore[empty-body]  # a specification has no body
    """Return the mode, or the modes, of this plugin. Called once at start, before any file is opened."""


@hookspec
def frugal_extend(mode: Mode) -> Mode | None:
    """Return *mode* with something added (a tool, a kind), or None. Called once for every mode, after `frugal_modes`."""


@hookspec
def frugal_commands(cli: Any) -> None:
    """Add commands to the shell's root group *cli* (a click group). Called when the shell lists its commands."""


@hookspec(firstresult=True)
def frugal_second_opinion(new: str, old: str) -> str | None:
    """Return `contradiction`, `progress` or `independent` for two notes, or None. Asked instead of the configured model."""
