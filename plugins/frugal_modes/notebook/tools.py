"""The tools of the notebook, declared once; language files name them."""

from collections.abc import Mapping
from typing import Any

from frugal.api import Access, Cap, Integer, Line, Parameter, Switch, Tool
from frugal_modes.notebook.forms import (
    CalendarDate,
    Choice,
    KeyList,
    KeyName,
    NewKey,
    OneLine,
    OneWord,
    Prose,
    RowIds,
    RowText,
    SearchText,
    StatusFilter,
)
from frugal_modes.notebook.keys import NO_KEY
from frugal_modes.notebook.vocabulary import VERDICTS

PACKAGE = "frugal_modes.notebook"
COMMAND_CHARACTERS = 16_000
MOST_PAGES = 100_000
WRITING_CAP = Cap(16 * 1024, 16 * 1024)
UNLIMITED = Cap(1 << 40, 1 << 40)
"""Commands of the shell: nobody pays for their output by the token."""

KEY = Parameter("key", KeyName(), is_required=True, default="")


def _reading_cap(arguments: Mapping[str, Any]) -> Cap:
    """Return 16 KiB, for one series with `full` 640."""
    is_single = arguments["key"] and "*" not in arguments["key"]
    is_filtered = arguments["project"] or arguments["status"] or arguments["search"]
    size = 640 * 1024 if arguments["full"] and is_single and not is_filtered else 16 * 1024
    return Cap(size, size)


def _writing_cap(_arguments: Mapping[str, Any]) -> Cap:
    return WRITING_CAP


def _unlimited(_arguments: Mapping[str, Any]) -> Cap:
    return UNLIMITED


SERIES = Tool(
    name="series",
    run=f"{PACKAGE}.series_tool:series",
    parameters=(
        Parameter("key", KeyName(is_blank_allowed=True), default="", is_positional=True),
        Parameter("project", Line(400), default=""),
        Parameter("status", StatusFilter(), default=()),
        Parameter("search", SearchText(), default=""),
        Parameter("all", Switch(), default=False),
        Parameter("full", Switch(), default=False),
        Parameter("table", Switch(), default=False),
        Parameter("page", Integer(1, MOST_PAGES, default=1), default=1),
    ),
    cap=_reading_cap,
    is_for_guests=True,
)
NEW_SERIES = Tool(
    name="new_series",
    run=f"{PACKAGE}.new_series:new_series",
    parameters=(
        Parameter("key", NewKey(), is_required=True, default=NO_KEY),
        Parameter("question", Prose(is_blank_allowed=False), is_required=True, default=""),
        Parameter("criterion", Prose(), is_required=True, default=""),
        Parameter("plan", Prose(), default=""),
        Parameter("builds_on", KeyList(), default=()),
        Parameter("backfill", Prose(), default=""),
        Parameter("started", CalendarDate(), default=None),
    ),
    cap=_writing_cap,
    access=Access.WRITES,
    is_idempotent=False,
    gathers_problems=True,
)
EDIT_SERIES = Tool(
    name="edit_series",
    run=f"{PACKAGE}.edit_series:edit_series",
    parameters=(
        KEY,
        Parameter("status", OneWord(), default=None),
        Parameter("criterion", Prose(), default=""),
        Parameter("reason", Prose(), default=""),
        Parameter("note", Prose(), default=""),
        Parameter("plan", Prose(), default=""),
        Parameter("superseded_by", KeyName(is_blank_allowed=True), default=""),
        Parameter("started", CalendarDate(), default=None),
        Parameter("builds_on", KeyList(has_removals=True), default=()),
    ),
    cap=_writing_cap,
    access=Access.WRITES,
    is_idempotent=False,
    gathers_problems=True,
)
RECIPE = Tool(
    name="recipe",
    run=f"{PACKAGE}.recipe:recipe",
    parameters=(
        KEY,
        Parameter("command", Prose(COMMAND_CHARACTERS, is_blank_allowed=False), is_required=True, default=""),
        Parameter("arm", OneLine(), default=""),
        Parameter("code", Prose(), default=""),
        Parameter("parameters", Prose(COMMAND_CHARACTERS), default=""),
        Parameter("seed", OneLine(), default=""),
        Parameter("machine", OneLine(), default=""),
        Parameter("logs", Prose(), default=""),
        Parameter("note", Prose(), default=""),
        Parameter("supersedes", RowIds(letter="r"), default=()),
    ),
    cap=_writing_cap,
    access=Access.WRITES,
    is_idempotent=False,
    gathers_problems=True,
)
MEASUREMENTS = Tool(
    name="measurements",
    run=f"{PACKAGE}.measurements:measurements",
    parameters=(
        KEY,
        Parameter("rows", RowText(), is_required=True, default=""),
        Parameter("source", Prose(), default=""),
        Parameter("supersedes", RowIds(letter="m"), default=()),
    ),
    cap=_writing_cap,
    access=Access.WRITES,
    is_idempotent=False,
    gathers_problems=True,
)
RESULT = Tool(
    name="result",
    run=f"{PACKAGE}.result:result",
    parameters=(
        KEY,
        Parameter(
            "verdict", OneWord(VERDICTS, "unknown_verdict", is_needed=True), is_required=True, default=None
        ),
        Parameter("conclusion", Prose(is_blank_allowed=False), is_required=True, default=""),
        Parameter("open_questions", Prose(), default=""),
        Parameter("file", Prose(), default=""),
    ),
    cap=_writing_cap,
    access=Access.WRITES,
    is_idempotent=False,
    gathers_problems=True,
)
STATS = Tool(
    name="series_stats",
    command="stats",
    run=f"{PACKAGE}.commands:stats",
    parameters=(KEY,),
    cap=_unlimited,
    is_shell_only=True,
)
PLOT = Tool(
    name="series_plot",
    command="plot",
    run=f"{PACKAGE}.plot:plot",
    parameters=(
        KEY,
        Parameter("quantity", OneLine(), default=""),
        Parameter("kind", Choice(words=("arms", "order")), default="arms"),
        Parameter("out", Prose(4_096), default="", is_path=True),
        Parameter("width", Integer(40, 400, default=0), default=0),
        Parameter("ascii", Switch(), default=False),
        Parameter("force", Switch(), default=False),
    ),
    cap=_unlimited,
    is_shell_only=True,
)
EXPORT = Tool(
    name="series_export",
    command="export",
    run=f"{PACKAGE}.export:export",
    parameters=(
        KEY,
        Parameter("format", Choice(words=("md", "csv")), default="md"),
        Parameter("out", Prose(4_096), default="", is_path=True),
        Parameter("excel", Switch(), default=False),
        Parameter("force", Switch(), default=False),
    ),
    cap=_unlimited,
    is_shell_only=True,
)
ERASE = Tool(
    name="row_erase",
    command="erase",
    run=f"{PACKAGE}.erase:erase",
    parameters=(
        Parameter("row", KeyName(), is_required=True),
        Parameter("field", OneLine(), default=""),
    ),
    cap=_unlimited,
    access=Access.WRITES,
    is_destructive=True,
    is_shell_only=True,
)

TOOLS = (SERIES, NEW_SERIES, EDIT_SERIES, RECIPE, MEASUREMENTS, RESULT, STATS, PLOT, EXPORT, ERASE)
