"""The tools of memory and archive, declared once; language files name them."""

from collections.abc import Mapping
from typing import Any

from frugal.entries import caps
from frugal.entries.forms import Ids, KindFilter, OneKind, TagFilter, Tags
from frugal.entries.shell_tools import SHELL_TOOLS
from frugal.forms import Integer, Limit, Line, Number, Switch, Text
from frugal.ids import LARGEST_ID
from frugal.model import EVERY_KIND, NO_KIND, Access, Cap, Parameter, Tool

TEXT_CHARACTERS = 100_000


def _recall_cap(arguments: Mapping[str, Any]) -> Cap:
    return caps.WHOLE if arguments["full"] else caps.preview(arguments["limit"].value)


def _show_cap(arguments: Mapping[str, Any]) -> Cap:
    return caps.COMPLETE if arguments["full"] else caps.WHOLE


def _topics_cap(arguments: Mapping[str, Any]) -> Cap:
    return caps.COMPLETE if arguments["all"] else caps.TOPICS


def _remember_cap(_arguments: Mapping[str, Any]) -> Cap:
    return caps.REMEMBER


def _change_cap(_arguments: Mapping[str, Any]) -> Cap:
    return caps.CHANGE


def _consolidate_cap(_arguments: Mapping[str, Any]) -> Cap:
    return caps.CONSOLIDATE


def _check_cap(_arguments: Mapping[str, Any]) -> Cap:
    return caps.CHECK


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
    is_open_world="frugal.entries.factcheck:is_configured",
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
TOPICS = Tool(
    name="topics",
    run="frugal.entries.topics:topics",
    parameters=(
        Parameter("tag", TagFilter(), default=()),
        Parameter("limit", Integer(0, 200, default=0, lowers=True), default=Limit(0)),
        Parameter("page", Integer(1, LARGEST_ID, default=1), default=1),
        Parameter("all", Switch(), default=False),
    ),
    cap=_topics_cap,
    is_for_guests=True,
)
FORGET = Tool(
    name="forget",
    run="frugal.entries.forget:forget",
    parameters=(
        Parameter("ids", Ids(1_000), is_required=True),
        Parameter("reason", Line(500), default=""),
        Parameter("undo", Switch(), default=False),
    ),
    cap=_change_cap,
    access=Access.WRITES,
    is_destructive=True,
)
CLASSIFY = Tool(
    name="classify",
    run="frugal.entries.classify:classify",
    parameters=(
        Parameter("ids", Ids(1_000), is_required=True),
        Parameter("kind", OneKind(lists_unsorted=True), is_required=True),
    ),
    cap=_change_cap,
    access=Access.WRITES,
)
CONSOLIDATE = Tool(
    name="consolidate",
    run="frugal.entries.consolidate:consolidate",
    parameters=(
        Parameter("tag", TagFilter(), default=()),
        Parameter("kind", KindFilter(), default=(EVERY_KIND,)),
        Parameter("threshold", Number(0, 1, default=0.5), default=0.5),
        Parameter("groups", Integer(1, 50, default=5, lowers=True), default=Limit(5)),
    ),
    cap=_consolidate_cap,
)
CHECK = Tool(
    name="check",
    run="frugal.entries.check:check",
    parameters=(Parameter("ids", Ids(10, least=2), is_required=True),),
    cap=_check_cap,
    is_open_world=True,
)

TOOLS = (REMEMBER, RECALL, SHOW, TOPICS, FORGET, CLASSIFY, CONSOLIDATE, CHECK, *SHELL_TOOLS)
