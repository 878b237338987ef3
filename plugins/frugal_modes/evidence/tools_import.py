"""The commands that bring messages in: import, and the generated corpus with its evaluation."""

from frugal.api import Parameter, Text
from frugal_modes.evidence.declaring import (
    LONGEST_PATH,
    changing,
    choice,
    command,
    line,
    number,
    path,
    switch,
)
from frugal_modes.evidence.vocabulary import FORMATS

DATE_ORDERS = ("dmy", "mdy", "ymd")
PROFILES = ("week", "month", "million")
WORDINGS = ("train", "held-out")
MOST_SEED = (1 << 31) - 1
DEFAULT_SEEDS = "1,2,3,4,5"

PROFILE = choice("profile", PROFILES, "month")

IMPORT = changing(
    "import",
    "importing:import_source",
    path("source", is_required=True),
    choice("format", FORMATS),
    line("corpus", 80),
    Parameter("map", Text(LONGEST_PATH), default=""),
    line("timezone", 80),
    choice("date_order", DATE_ORDERS),
    path("rules"),
    path("rejects"),
    switch("dry_run"),
    switch("prune"),
    switch("yes"),
    choice("progress", ("json",)),
)
GENERATE = changing(
    "generate",
    "generator.generating:generate",
    PROFILE,
    number("seed", 0, MOST_SEED, 1),
    choice("wording", WORDINGS, "train"),
    path("out", is_required=True, is_option=True),
    switch("force"),
)
EVALUATE = command(
    "evaluate",
    "evaluation.evaluate:evaluate",
    PROFILE,
    line("seeds", LONGEST_PATH, default=DEFAULT_SEEDS),
    choice("wording", WORDINGS),
    path("locomo"),
)

IMPORT_TOOLS = (IMPORT, GENERATE, EVALUATE)
