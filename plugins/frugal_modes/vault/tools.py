"""The tools of the vault in their fixed order: search and reading, writing, then the commands of the shell."""

from importlib import import_module
from importlib.util import find_spec

from frugal.api import Tool

PACKAGE = "frugal_modes.vault"

ORDER = (
    "memory_search",
    "memory_get",
    "memory_capture",
    "memory_update",
    "memory_supersede",
    "memory_delete",
    "memory_stats",
    "memory_reindex",
)


def _tools_of(module: str) -> tuple[Tool, ...]:
    name = f"{PACKAGE}.{module}"
    if find_spec(name) is None:
        return ()
    tools: tuple[Tool, ...] = import_module(name).TOOLS
    return tools


def _in_order() -> tuple[Tool, ...]:
    found = [
        tool
        for module in ("tools_reading", "tools_writing", "tools_sources", "tools_bench")
        for tool in _tools_of(module)
    ]
    rank = {name: place for place, name in enumerate(ORDER)}
    return tuple(sorted(found, key=lambda tool: rank.get(tool.name, len(rank))))


TOOLS = _in_order()
