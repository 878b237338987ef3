"""modes: what is installed: every mode with its flags, file, tools and cost, and every plugin."""

import json
from typing import TYPE_CHECKING

from frugal.cli.command import Command, Values
from frugal.cli.outcome import Outcome
from frugal.cli.session import Session
from frugal.model import Mode, Plugin
from frugal.registry import Owned
from frugal.strings import Catalogue

if TYPE_CHECKING:
    from frugal.engine import ToolDefinition

LIST_FRAME: dict[str, object] = {"ttlMs": 0, "cacheScope": "private", "resultType": "complete"}
"""What stands beside the tools in the result of `tools/list`."""


def build(session: Session) -> Command:
    """Return the command."""
    return Command(session, "modes", modes, description=session.text("cli.commands.modes.help"))


def modes(session: Session, _values: Values) -> Outcome:
    """Tell about every mode and every plugin."""
    registry = session.registry()
    texts = session.catalogue  # of the default mode: each mode that is opened below brings its own
    plugins = {plugin.name: plugin for plugin in registry.plugins}
    items = [_item(session, owned, plugins.get(owned.plugin)) for owned in registry.owned]
    session.mode, session.file = None, None
    lines = [_lines(texts, item) for item in items]
    unused = [plugin for plugin in registry.plugins if plugin.error]
    lines += [
        texts.text(
            "cli.modes.unused", name=plugin.name, distribution=plugin.distribution, reason=plugin.error
        )
        for plugin in unused
    ]
    told = [
        {
            "name": plugin.name,
            "distribution": plugin.distribution,
            "version": plugin.version,
            "is_used": not plugin.error,
            "reason": plugin.error,
        }
        for plugin in registry.plugins
    ]
    return Outcome("\n".join(lines), items=tuple(items), counts={"plugins": told})


def _item(session: Session, owned: Owned, plugin: Plugin | None) -> dict[str, object]:
    mode = owned.mode
    found: dict[str, object] = {
        "name": mode.name,
        "flags": list(mode.flags),
        "is_wrapper": mode.is_wrapper,
        "plugin": owned.plugin,
        "distribution": plugin.distribution if plugin else "",
        "version": plugin.version if plugin else "",
    }
    if mode.is_wrapper:
        return {**found, "file": None, "exists": False, "tools": [], "guest_tools": [], "tool_list_bytes": 0}
    return {**found, **_opened(session, mode)}


def _opened(session: Session, mode: Mode) -> dict[str, object]:
    workspace = session.open(mode, is_guest=False)
    surface = workspace.surface
    path = workspace.settings.path
    offered = [tool for tool in mode.tools if not tool.is_shell_only]
    return {
        "file": str(path),
        "exists": path.exists(),
        "tools": [surface.tool_name(tool.name) for tool in offered],
        "guest_tools": [surface.tool_name(tool.name) for tool in offered if tool.is_for_guests],
        "tool_list_bytes": tool_list_bytes(workspace.definitions()),
    }


def _lines(texts: Catalogue, item: dict[str, object]) -> str:
    text = texts.text
    flags = ", ".join(_words(item["flags"])) or text("cli.modes.no_flag")
    head = f"{item['name']} ({flags}), {item['plugin']} {item['version']}".rstrip()
    if item["is_wrapper"]:
        return f"{head}\n  {text('cli.modes.wrapper')}"
    state = text("cli.modes.exists" if item["exists"] else "cli.modes.absent")
    tools = text("cli.modes.tools", tools=", ".join(_words(item["tools"])), size=item["tool_list_bytes"])
    guests = text("cli.modes.guests", tools=", ".join(_words(item["guest_tools"])) or "-")
    return f"{head}\n  {item['file']} ({state})\n  {tools}\n  {guests}"


def _words(value: object) -> list[str]:
    return [str(word) for word in value] if isinstance(value, list) else []


def tool_list_bytes(definitions: "tuple[ToolDefinition, ...]") -> int:
    """Return the size of the whole result of `tools/list`, as minified UTF-8 JSON, without the SDK."""
    tools = [
        {
            "name": item.name,
            "description": item.description,
            "inputSchema": item.input_schema,
            "annotations": {
                "readOnlyHint": item.is_read_only,
                "destructiveHint": item.is_destructive,
                "idempotentHint": item.is_idempotent,
                "openWorldHint": item.is_open_world,
            },
        }
        for item in definitions
    ]
    found = json.dumps({**LIST_FRAME, "tools": tools}, ensure_ascii=False, separators=(",", ":"))
    return len(found.encode())
