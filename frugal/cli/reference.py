"""The pages `tools.md`, `commands.md`, `modes.md` and `hooks.md` of docs, made from the declarations.

    python -m frugal.cli.reference docs

writes them; a test compares.
"""

import io
import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import redirect_stdout
from pathlib import Path

from frugal.cli.modes import tool_list_bytes
from frugal.cli.reference_plugins import hooks_page, modes_page
from frugal.cli.root import COMMANDS, run
from frugal.engine import Engine, Workspace, build_engine
from frugal.model import Access, Mode, Parameter, Tool
from frugal.settings import Options, load_settings
from frugal.shellwords import command_name, option_name
from frugal.strings import LANGUAGES

NOTE = "<!-- Made by `python -m frugal.cli.reference docs` from the declarations; a test compares. -->"
NOWHERE = "/nonexistent"
ENVIRON: Mapping[str, str] = {
    "HOME": NOWHERE,
    "XDG_DATA_HOME": NOWHERE,
    "XDG_CONFIG_HOME": NOWHERE,
    "MEMORY_NAME": "box",
    "FRUGAL_MEMORY_NO_PLUGINS": "1",
}
"""No file, no plugin and no setting of the machine gets into a page."""

STREAMS = """\
Results go to stdout, everything else to stderr; all of it is UTF-8. With `--json` stdout holds exactly one object, also
when something failed: `ok`, `command`, `mode`, `file`, and `text` and `items` or `error` (`code`, `message`, `hint`);
counts stand beside them. Keys are English in every language. An empty result is `"ok": true` with exit 1. Names of tools
and options are taken in both languages; help shows the active one. Operations and the tools of vault and evidence have
one name in every language; memory, archive and notebook have German ones too.\
"""

EXIT_CODES = """\
| exit | meaning |
|---|---|
| 0 | done |
| 1 | no result, nothing of that name or number, refused by a rule because of what is stored, or a check failed |
| 2 | usage, settings or environment: unknown flag, a value that cannot be read, arguments that do not go together, \
nothing at a path, no permission, locked for 30 s, disk full, damage |
| 3 | conflict or partial: target exists, a differing file left alone, something left out |
| 4 | evidence: refused. A budget is spent, `--max-bytes` too small, a message that no answer has shown, an unsafe target |
| 130 | interrupted |

This holds for the tools of every mode as for the operations; evidence has one more, 4 (evidence.md). What stands behind
`frugal-memory` in a hint can be pasted: it has the options that chose the file. A path may begin with `~` and hold
variables; `-` is standard output where something is written, and standard input where `evidence import` reads.
"""


def pages() -> dict[str, str]:
    """Return every page by its file name."""
    engines = {language: _engine(language) for language in LANGUAGES}
    return {
        "tools.md": tools_page(),
        "commands.md": commands_page(),
        "modes.md": modes_page(NOTE, engines),
        "hooks.md": hooks_page(NOTE),
    }


def tools_page() -> str:
    """Return the page about the tools of every built-in mode."""
    blocks = [NOTE, "# Tools", "Names and texts of one process are in one language, `MEMORY_LANG`."]
    engines = {language: _engine(language) for language in LANGUAGES}
    for mode in engines["en"].registry.modes:
        if not mode.is_wrapper:
            opened = {language: engine.open(mode) for language, engine in engines.items()}
            blocks += _mode_blocks(mode, opened)
    return "\n\n".join(blocks) + "\n"


def _engine(language: str) -> Engine:
    return build_engine(load_settings(Options(lang=language), ENVIRON))


def _mode_blocks(mode: Mode, opened: Mapping[str, Workspace]) -> Iterator[str]:
    english = opened["en"]
    flags = ", ".join(f"`{flag}`" for flag in mode.flags) or "no flag"
    yield f"## {mode.name} ({flags})"
    sizes = ", ".join(
        f"{tool_list_bytes(workspace.definitions())} bytes ({language})"
        for language, workspace in opened.items()
    )
    about = english.surface.text("summary") if english.surface.catalogue.has("summary") else mode.name
    yield f"{about[:1].upper()}{about[1:]}. `tools/list`: {sizes}."
    for tool in mode.tools:
        if not tool.is_shell_only:
            yield from _tool_blocks(tool, opened)


def _tool_blocks(tool: Tool, opened: Mapping[str, Workspace]) -> Iterator[str]:
    english, german = opened["en"].surface, opened["de"].surface
    name, other = english.tool_name(tool.name), german.tool_name(tool.name)
    yield f"### {name}" + (f" (`{other}`)" if other != name else "")
    yield english.text(f"tools.{tool.name}.description")
    yield _traits(tool)
    if tool.parameters:
        rows = [_parameter_row(tool, parameter, opened) for parameter in tool.parameters]
        yield "\n".join(["| parameter | German | value | meaning |", "|---|---|---|---|", *rows])


def _traits(tool: Tool) -> str:
    traits = ["reads" if tool.access is Access.READS else "writes"]
    traits += ["destructive"] if tool.is_destructive else []
    traits += ["idempotent"] if tool.is_idempotent else []
    traits += (
        ["open world" + (" when set up" if isinstance(tool.is_open_world, str) else "")]
        if tool.is_open_world
        else []
    )
    traits.append("for guests too" if tool.is_for_guests else "not for guests")
    return f"*{', '.join(traits)}*"


def _parameter_row(tool: Tool, parameter: Parameter, opened: Mapping[str, Workspace]) -> str:
    names = [workspace.surface.parameter_name(tool.name, parameter.name) for workspace in opened.values()]
    surface = opened["en"].surface
    schema = parameter.form.schema(surface)
    value = str(schema.get("type", "value"))
    if isinstance(words := schema.get("enum"), list):
        value = ", ".join(f"`{word}`" for word in words)
    if "default" in schema:
        value += f", `{json.dumps(schema['default'])}` unless given"
    if parameter.is_required:
        value += ", required"
    meaning = surface.text(f"tools.{tool.name}.parameters.{parameter.name}.description").replace("|", "\\|")
    return f"| `{names[0]}` | `{names[1]}` | {value} | {meaning} |"


def commands_page() -> str:
    """Return the page about the shell: the help of every command, and the German names."""
    blocks = [NOTE, "# Commands", _help(), STREAMS, "Exit codes:", EXIT_CODES.rstrip(), "## Operations"]
    for name in COMMANDS:
        blocks += [f"### {name}", _help(name)]
    english, german = _engine("en"), _engine("de")
    for mode in english.registry.modes:
        if mode.is_wrapper:
            continue
        blocks += [f"## {mode.name}", _help(mode.name)]
        surface, other = english.open(mode).surface, german.open(mode).surface
        for tool in mode.tools:
            name = command_name(tool, surface.catalogue, mode)
            blocks += [f"### {mode.name} {name}", _help(mode.name, *name.split())]
            options = [
                option_name(other.parameter_name(tool.name, item.name))
                for item in tool.parameters
                if not item.is_argument
            ]
            words = [f"`{word}`" for word in (command_name(tool, other.catalogue, mode), *options)]
            blocks.append(f"German: {' '.join(words)}")
    return "\n\n".join(blocks) + "\n"


def _help(*command: str) -> str:
    written = io.StringIO()
    with redirect_stdout(written):
        run([*command, "--help"], environ={**ENVIRON, "MEMORY_LANG": "en"})
    return f"```text\n{written.getvalue().rstrip()}\n```"


def main(folder: str) -> None:
    """Write the pages into *folder*."""
    for name, text in pages().items():
        Path(folder, name).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(sys.argv[1])
