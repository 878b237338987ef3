"""The tools and commands of the evidence mode, declared once; language files describe them."""

from collections.abc import Callable, Mapping
from typing import Any

from frugal.api import Access, Cap, Integer, Line, Parameter, Switch, Tool
from frugal_modes.evidence.budgets import CAPS, LEAST_BYTES
from frugal_modes.evidence.queryform import OneOf, QueryObject, Words
from frugal_modes.evidence.tools_import import IMPORT_TOOLS

PACKAGE = "frugal_modes.evidence"
UNLIMITED = Cap(1 << 40, 1 << 40)
"""Commands of the shell: nobody pays for their output by the token."""

MOST_ITEMS = 20
ITEMS = 12
MOST_CONTEXT = 2
LONGEST_REF = 40
STRATEGIES = ("uniform", "across_time", "across_conversations")
DEFAULT_SEED = 1
MOST_SEED = 2**53 - 1

QUERY = Parameter("query", QueryObject())
QUERY_REF = Parameter("query_ref", Line(LONGEST_REF), default="")
LIMIT = Parameter("limit", Integer(1, MOST_ITEMS, default=ITEMS), default=ITEMS)
SESSION = Parameter("session", Line(4_096), default="", is_shell_only=True)


def _flag(name: str) -> Parameter:
    return Parameter(name, Words(), default=(), is_shell_only=True)


CLAUSE_FLAGS = tuple(map(_flag, ("literal", "phrase", "prefix", "stem", "none")))
FILTER_FLAGS = tuple(
    map(
        _flag,
        ("conversation", "conversation_type", "sender", "sender_type", "thread", "organization", "workspace"),
    )
)
FLAGS = (
    *CLAUSE_FLAGS,
    Parameter("any", Switch(), default=False, is_shell_only=True),
    *FILTER_FLAGS,
    Parameter("since", Line(80), default="", is_shell_only=True),
    Parameter("until", Line(80), default="", is_shell_only=True),
    Parameter("timezone", Line(80), default="", is_shell_only=True),
    SESSION,
)
"""What the shell has in place of a query object."""

FLAG_NAMES = tuple(parameter.name for parameter in FLAGS)


def _max_bytes(tool: str) -> Parameter:
    return Parameter("max_bytes", Integer(LEAST_BYTES, CAPS[tool]), default=None)


def _cap_of(tool: str) -> Callable[[Mapping[str, Any]], Cap]:
    cap = Cap(CAPS[tool], CAPS[tool])
    return lambda _arguments: cap


def _unlimited(_arguments: Mapping[str, Any]) -> Cap:
    return UNLIMITED


MEASURE = Tool(
    name="measure_messages",
    command="measure",
    run=f"{PACKAGE}.measure:measure_messages",
    parameters=(QUERY, QUERY_REF, _max_bytes("measure_messages"), *FLAGS),
    cap=_cap_of("measure_messages"),
    is_for_guests=True,
    gathers_problems=True,
    output_schema=f"{PACKAGE}.schemas:MEASUREMENT",
)
DISCOVER = Tool(
    name="discover_messages",
    command="discover",
    run=f"{PACKAGE}.discover:discover_messages",
    parameters=(
        QUERY,
        QUERY_REF,
        LIMIT,
        Parameter("context", Integer(0, MOST_CONTEXT, default=0), default=0),
        Parameter("per_thread", Integer(1, MOST_ITEMS, default=1), default=1),
        Parameter("exclude_disclosed", Switch(), default=False),
        _max_bytes("discover_messages"),
        *FLAGS,
    ),
    cap=_cap_of("discover_messages"),
    is_for_guests=True,
    gathers_problems=True,
    output_schema=f"{PACKAGE}.schemas:DISCOVERY",
)
SAMPLE = Tool(
    name="sample_messages",
    command="sample",
    run=f"{PACKAGE}.sample:sample_messages",
    parameters=(
        QUERY,
        QUERY_REF,
        Parameter("strategy", OneOf(STRATEGIES), is_required=True, default=STRATEGIES[0], is_option=True),
        Parameter("seed", Integer(0, MOST_SEED), default=DEFAULT_SEED),
        LIMIT,
        Parameter("distinct_text", Switch(), default=False),
        _max_bytes("sample_messages"),
        *FLAGS,
    ),
    cap=_cap_of("sample_messages"),
    is_for_guests=True,
    gathers_problems=True,
    output_schema=f"{PACKAGE}.schemas:SAMPLE",
)
EXPAND = Tool(
    name="expand_message_context",
    command="expand",
    run=f"{PACKAGE}.expand:expand_message_context",
    parameters=(
        Parameter("query_ref", Line(LONGEST_REF), is_required=True, default="", is_option=True),
        Parameter("message_ref", Line(LONGEST_REF), is_required=True, default=""),
        LIMIT,
        _max_bytes("expand_message_context"),
        SESSION,
    ),
    cap=_cap_of("expand_message_context"),
    is_for_guests=True,
    gathers_problems=True,
    output_schema=f"{PACKAGE}.schemas:CONTEXT",
)
EXPORT = Tool(
    name="export_messages",
    command="export",
    run=f"{PACKAGE}.export:export_messages",
    parameters=(
        QUERY,
        QUERY_REF,
        Parameter("format", OneOf(("jsonl", "csv"), default="jsonl"), default="jsonl"),
        _max_bytes("export_messages"),
        *FLAGS,
    ),
    cap=_cap_of("export_messages"),
    access=Access.WRITES,
    gathers_problems=True,
    output_schema=f"{PACKAGE}.schemas:EXPORT",
)
BUDGET = Tool(
    name="evidence_budget",
    command="budget",
    run=f"{PACKAGE}.commands:budget",
    parameters=(SESSION,),
    cap=_unlimited,
    is_shell_only=True,
)
CORPORA = Tool(
    name="evidence_corpora",
    command="corpora",
    run=f"{PACKAGE}.commands:corpora",
    parameters=(),
    cap=_unlimited,
    is_shell_only=True,
)
DROP = Tool(
    name="evidence_drop",
    command="drop",
    run=f"{PACKAGE}.commands:drop",
    parameters=(
        Parameter("name", Line(40), is_required=True, default=""),
        Parameter("yes", Switch(), default=False),
    ),
    cap=_unlimited,
    access=Access.WRITES,
    is_destructive=True,
    is_shell_only=True,
    asks="yes",
)
DELETE = Tool(
    name="evidence_delete",
    command="delete",
    run=f"{PACKAGE}.commands:delete",
    parameters=(
        Parameter("refs", Words(), is_required=True, default=()),
        Parameter("yes", Switch(), default=False),
    ),
    cap=_unlimited,
    access=Access.WRITES,
    is_destructive=True,
    is_shell_only=True,
    asks="yes",
)
SHOW = Tool(
    name="evidence_show",
    command="show",
    run=f"{PACKAGE}.commands:show",
    parameters=(
        Parameter("refs", Words(), is_required=True, default=()),
        Parameter("history", Switch(), default=False),
    ),
    cap=_unlimited,
    is_shell_only=True,
)
SCHEMA = Tool(
    name="evidence_schema",
    command="schema",
    run=f"{PACKAGE}.commands:schema",
    parameters=(Parameter("tool", Line(40), default="", is_positional=True),),
    cap=_unlimited,
    is_shell_only=True,
)
CHECK = Tool(
    name="evidence_check",
    command="check",
    run=f"{PACKAGE}.checking:check_corpora",
    parameters=(Parameter("all", Switch(), default=False),),
    cap=_unlimited,
    is_shell_only=True,
)

TOOLS = (
    MEASURE,
    DISCOVER,
    SAMPLE,
    EXPAND,
    EXPORT,
    BUDGET,
    CORPORA,
    DROP,
    DELETE,
    SHOW,
    SCHEMA,
    CHECK,
    *IMPORT_TOOLS,
)
