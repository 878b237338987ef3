"""The commands for sources and places: of the shell alone."""

from frugal.api import Access, Parameter
from frugal_modes.vault.declarations import shell_only, switch
from frugal_modes.vault.source_forms import Given, Settings, SourceName

SOURCE_ADD = shell_only(
    "source_add",
    "source_commands:add",
    Parameter("kind", Given(), is_required=True, default=""),
    Parameter("path", Given(), default="", is_positional=True, is_path=True),
    Parameter("name", SourceName(), default=""),
    Parameter("option", Settings(), default=()),
    switch("force"),
    access=Access.WRITES,
)
SOURCE_LIST = shell_only("source_list", "source_commands:list_all", switch("available"))
SOURCE_REMOVE = shell_only(
    "source_remove",
    "source_commands:remove",
    Parameter("name", SourceName(), is_required=True, default=""),
    switch("forget"),
    access=Access.WRITES,
    is_destructive=True,
)
PATHS = shell_only("paths", "source_commands:paths")

TOOLS = (PATHS, SOURCE_ADD, SOURCE_LIST, SOURCE_REMOVE)
