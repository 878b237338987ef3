"""The commands for sources and places: of the shell alone."""

from collections.abc import Mapping
from typing import Any

from frugal.api import Access, Cap, Parameter, Switch, Tool
from frugal_modes.vault.source_forms import Given, Settings, SourceName

PACKAGE = "frugal_modes.vault"
UNLIMITED = Cap(1 << 40, 1 << 40)


def _unlimited(_arguments: Mapping[str, Any]) -> Cap:
    return UNLIMITED


SOURCE_ADD = Tool(
    name="source_add",
    run=f"{PACKAGE}.source_commands:add",
    parameters=(
        Parameter("kind", Given(), is_required=True, default=""),
        Parameter("path", Given(), default="", is_positional=True),
        Parameter("name", SourceName(), default=""),
        Parameter("option", Settings(), default=()),
        Parameter("force", Switch(), default=False),
    ),
    cap=_unlimited,
    access=Access.WRITES,
    is_shell_only=True,
)
SOURCE_LIST = Tool(
    name="source_list",
    run=f"{PACKAGE}.source_commands:list_all",
    parameters=(Parameter("available", Switch(), default=False),),
    cap=_unlimited,
    is_shell_only=True,
)
SOURCE_REMOVE = Tool(
    name="source_remove",
    run=f"{PACKAGE}.source_commands:remove",
    parameters=(
        Parameter("name", SourceName(), is_required=True, default=""),
        Parameter("forget", Switch(), default=False),
    ),
    cap=_unlimited,
    access=Access.WRITES,
    is_destructive=True,
    is_shell_only=True,
)
PATHS = Tool(
    name="paths",
    run=f"{PACKAGE}.source_commands:paths",
    parameters=(),
    cap=_unlimited,
    is_shell_only=True,
)

TOOLS = (PATHS, SOURCE_ADD, SOURCE_LIST, SOURCE_REMOVE)
