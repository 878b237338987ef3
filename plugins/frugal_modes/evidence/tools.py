"""The tools and commands of the evidence mode, declared once; language files describe them."""

from frugal.api import Access, Integer, Parameter
from frugal_modes.evidence.declaring import (
    FLAG_NAMES,
    SESSION,
    answering,
    asking,
    changing,
    choice,
    command,
    line,
    number,
    ref,
    switch,
    words,
)
from frugal_modes.evidence.queryform import OneOf
from frugal_modes.evidence.tools_import import IMPORT_TOOLS

__all__ = ["FLAG_NAMES", "TOOLS"]

MOST_ITEMS = 20
ITEMS = 12
MOST_CONTEXT = 2
STRATEGIES = ("uniform", "across_time", "across_conversations")
DEFAULT_SEED = 1
MOST_SEED = 2**53 - 1

LIMIT = number("limit", 1, MOST_ITEMS, ITEMS)
YES = switch("yes")

MEASURE = asking("measure_messages", schema="MEASUREMENT", is_for_guests=True)
DISCOVER = asking(
    "discover_messages",
    LIMIT,
    number("context", 0, MOST_CONTEXT, 0),
    number("per_thread", 1, MOST_ITEMS, 1),
    switch("exclude_disclosed"),
    schema="DISCOVERY",
    is_for_guests=True,
)
SAMPLE = asking(
    "sample_messages",
    Parameter("strategy", OneOf(STRATEGIES), is_required=True, default=STRATEGIES[0], is_option=True),
    Parameter("seed", Integer(0, MOST_SEED), default=DEFAULT_SEED),
    LIMIT,
    switch("distinct_text"),
    schema="SAMPLE",
    is_for_guests=True,
)
EXPAND = answering(
    "expand_message_context",
    ref("query_ref", is_required=True, is_option=True),
    ref("message_ref", is_required=True),
    LIMIT,
    SESSION,
    schema="CONTEXT",
    is_for_guests=True,
)
EXPORT = asking(
    "export_messages",
    choice("format", ("jsonl", "csv"), "jsonl"),
    schema="EXPORT",
    access=Access.WRITES,
)
BUDGET = command("budget", "commands:budget", SESSION)
CORPORA = command("corpora", "commands:corpora")
DROP = changing("drop", "commands:drop", line("name", 40, is_required=True), YES, asks="yes")
DELETE = changing("delete", "commands:delete", words("refs", is_required=True), YES, asks="yes")
SHOW = command("show", "commands:show", words("refs", is_required=True), switch("history"))
SCHEMA = command("schema", "commands:schema", line("tool", 40, is_positional=True))
CHECK = command("check", "checking:check_corpora", switch("all"))

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
