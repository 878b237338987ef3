"""The tools of memory and archive, declared once; language files name them."""

from collections.abc import Mapping
from typing import Any

from frugal.entries.forms import Ids, KindFilter, OneKind, TagFilter, Tags
from frugal.forms import Integer, Limit, Line, Switch, Text
from frugal.model import NO_KIND, Access, Cap, Parameter, Tool

TEXT_CHARACTERS = 100_000


def _recall_cap(arguments: Mapping[str, Any]) -> Cap:
    if arguments["full"]:
        return Cap(16 * 1024, 16 * 1024)
    characters = 440 + 137 * int(arguments["limit"].value)
    return Cap(characters, 2 * characters)


def _show_cap(arguments: Mapping[str, Any]) -> Cap:
    size = 640 * 1024 if arguments["full"] else 16 * 1024
    return Cap(size, size)


def _remember_cap(_arguments: Mapping[str, Any]) -> Cap:
    return Cap(2_400, 6 * 1024)


REMEMBER = Tool(
    name="remember",
    run="frugal.entries.remember:remember",
    parameters=(
        Parameter("text", Text(TEXT_CHARACTERS, advice="text_too_long"), is_required=True),
        Parameter("tags", Tags(), default=()),
        Parameter("kind", OneKind(), default=NO_KIND),
        Parameter("supersedes", Ids(100, least=0), default=()),
        Parameter("also", Line(300), default=""),
    ),
    cap=_remember_cap,
    access=Access.WRITES,
    is_open_world="fact_check",
)
RECALL = Tool(
    name="recall",
    run="frugal.entries.recall:recall",
    parameters=(
        Parameter("query", Text(2_000, needs_word=True), is_required=True),
        Parameter("limit", Integer(1, 50, default=8, lowers=True), default=Limit(8)),
        Parameter("kind", KindFilter(), default=()),
        Parameter("tag", TagFilter(), default=()),
        Parameter("full", Switch(), default=False),
        Parameter("include_superseded", Switch(), default=False),
    ),
    cap=_recall_cap,
    is_for_guests=True,
)
SHOW = Tool(
    name="show",
    run="frugal.entries.show:show",
    parameters=(
        Parameter("ids", Ids(200), is_required=True),
        Parameter("full", Switch(), default=False),
    ),
    cap=_show_cap,
    is_for_guests=True,
)

TOOLS = (REMEMBER, RECALL, SHOW)
