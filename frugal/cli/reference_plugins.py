"""The pages `docs/modes.md` and `docs/hooks.md`: what the installed modes are, and what a plugin may implement."""

import inspect
from collections.abc import Iterator

from frugal import hookspecs
from frugal.cli.modes import tool_list_bytes
from frugal.engine import Engine
from frugal.hookspecs import PROJECT
from frugal.model import Mode, Transfer

HEAD = ["| start | file | setting | tools | for guests | definitions (en, de) |", "|---|---|---|---|---|---|"]


def modes_page(note: str, engines: dict[str, Engine]) -> str:
    """Return the page about the built-in modes under *note*; *engines* by language."""
    english = engines["en"]
    rows = [_row(mode, engines) for mode in english.registry.modes if not mode.is_wrapper]
    wrappers = [mode for mode in english.registry.modes if mode.is_wrapper]
    blocks = [
        note,
        "# Modes",
        "One program, one mode a process, each with a file of its own. Definitions: bytes of `tools/list`.",
        "\n".join([*HEAD, *rows]),
        *(_kinds(english)),
        *(_wrapper(mode, english) for mode in wrappers),
        "A mode of another distribution comes in through the entry-point group `frugal` and is listed by "
        "`frugal-memory modes`: [writing-a-mode.md](writing-a-mode.md), [hooks.md](hooks.md).",
    ]
    return "\n\n".join(blocks) + "\n"


def _row(mode: Mode, engines: dict[str, Engine]) -> str:
    sizes = [f"{tool_list_bytes(engine.open(mode).definitions())}" for engine in engines.values()]
    offered = [tool for tool in mode.tools if not tool.is_shell_only]
    guests = [f"`{tool.name}`" for tool in offered if tool.is_for_guests]
    start = " or ".join(f"`frugal-memory {flag}`" for flag in mode.flags) or "`frugal-memory`"
    cells = [
        start,
        f"`{mode.file_name}`",
        f"`{mode.settings_prefix}_DB`",
        ", ".join(f"`{tool.name}`" for tool in offered),
        ", ".join(guests) or "-",
        ", ".join(sizes),
    ]
    return f"| {' | '.join(cells)} |"


def _kinds(engine: Engine) -> Iterator[str]:
    for mode in engine.registry.modes:
        if mode.kinds.kinds:
            yield f"## Kinds of {mode.name}"
            rows = [
                f"| {kind.english} | {kind.german} | {'left out of a search unless asked for' if kind.is_hidden else ''} |"
                for kind in mode.kinds.kinds
            ]
            yield "\n".join(["| English | German | |", "|---|---|---|", *rows])


def _wrapper(mode: Mode, engine: Engine) -> str:
    flags = " or ".join(f"`{flag}`" for flag in mode.flags)
    about = engine.open(mode).surface.text("summary")
    return f"{flags} goes with any of them: {about}."


def hooks_page(note: str) -> str:
    """Return the page about the hook specifications and the fields of a mode, under *note*."""
    blocks = [
        note,
        "# Hooks",
        "A plugin is an entry point in the group `frugal`; it implements these with `@hookimpl` from `frugal.api`. "
        "[writing-a-mode.md](writing-a-mode.md) builds one.",
    ]
    for name, function in inspect.getmembers(hookspecs, inspect.isfunction):
        if name.startswith(f"{PROJECT}_"):
            blocks += [f"## {name}", f"`{name}{inspect.signature(function)}`", inspect.getdoc(function) or ""]
    for value in (Mode, Transfer):
        blocks += [f"## The value `{value.__name__}`", inspect.getdoc(value) or ""]
    return "\n\n".join(blocks) + "\n"
