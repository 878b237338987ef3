"""The commands that bring messages in: import, and the generated corpus with its evaluation."""

from collections.abc import Mapping
from typing import Any

from frugal.api import Access, Cap, Integer, Line, Parameter, Switch, Text, Tool
from frugal_modes.evidence.queryform import OneOf

PACKAGE = "frugal_modes.evidence"
UNLIMITED = Cap(1 << 40, 1 << 40)
PATH_CHARACTERS = 4_096
FORMATS = ("jsonl", "csv", "slack", "mattermost", "discord", "whatsapp", "mbox", "telegram")
DATE_ORDERS = ("dmy", "mdy", "ymd")
PROFILES = ("week", "month", "million")
WORDINGS = ("train", "held-out")
MOST_SEED = (1 << 31) - 1
DEFAULT_SEEDS = "1,2,3,4,5"


def _unlimited(_arguments: Mapping[str, Any]) -> Cap:
    return UNLIMITED


IMPORT = Tool(
    name="evidence_import",
    command="import",
    run=f"{PACKAGE}.importing:import_source",
    parameters=(
        Parameter("source", Text(PATH_CHARACTERS), is_required=True, default=""),
        Parameter("format", OneOf(FORMATS, default=""), default=""),
        Parameter("corpus", Line(80), default=""),
        Parameter("map", Text(PATH_CHARACTERS), default=""),
        Parameter("timezone", Line(80), default=""),
        Parameter("date_order", OneOf(DATE_ORDERS, default=""), default=""),
        Parameter("rules", Text(PATH_CHARACTERS), default=""),
        Parameter("rejects", Text(PATH_CHARACTERS), default=""),
        Parameter("dry_run", Switch(), default=False),
        Parameter("prune", Switch(), default=False),
        Parameter("yes", Switch(), default=False),
        Parameter("progress", OneOf(("json",), default=""), default=""),
    ),
    cap=_unlimited,
    access=Access.WRITES,
    is_destructive=True,
    is_shell_only=True,
)
GENERATE = Tool(
    name="evidence_generate",
    command="generate",
    run=f"{PACKAGE}.generator.generating:generate",
    parameters=(
        Parameter("profile", OneOf(PROFILES, default="month"), default="month"),
        Parameter("seed", Integer(0, MOST_SEED, default=1), default=1),
        Parameter("wording", OneOf(WORDINGS, default="train"), default="train"),
        Parameter("out", Text(PATH_CHARACTERS), is_required=True, default="", is_option=True),
        Parameter("force", Switch(), default=False),
    ),
    cap=_unlimited,
    access=Access.WRITES,
    is_destructive=True,
    is_shell_only=True,
)
EVALUATE = Tool(
    name="evidence_evaluate",
    command="evaluate",
    run=f"{PACKAGE}.evaluation.evaluate:evaluate",
    parameters=(
        Parameter("profile", OneOf(PROFILES, default="month"), default="month"),
        Parameter("seeds", Line(4_096), default=DEFAULT_SEEDS),
        Parameter("wording", OneOf(WORDINGS, default=""), default=""),
        Parameter("locomo", Text(PATH_CHARACTERS), default=""),
    ),
    cap=_unlimited,
    is_shell_only=True,
)

IMPORT_TOOLS = (IMPORT, GENERATE, EVALUATE)
