"""The tools that search and read: search, get, stats, reindex; guests get all but the last."""

from collections.abc import Mapping
from typing import Any

from frugal.api import Access, Cap, Line, Parameter, Switch, Tool
from frugal_modes.vault.reading_forms import LARGEST, CardId, Count, Query

PACKAGE = "frugal_modes.vault"
KIB = 1024
MOST_HITS = 20
QUERY_CHARACTERS = 1_000
SEARCH_CAP = Cap(6 * KIB, 6 * KIB)
GET_CAP = Cap(64 * KIB, 64 * KIB)
FULL_CAP = Cap(KIB * KIB, KIB * KIB)
STATS_CAP = Cap(4 * KIB, 4 * KIB)
UNLIMITED = Cap(1 << 40, 1 << 40)
"""Commands of the shell: nobody pays for their output by the token."""


def _search_cap(_arguments: Mapping[str, Any]) -> Cap:
    return SEARCH_CAP


def get_cap(arguments: Mapping[str, Any]) -> Cap:
    """Return 64 KiB, with `full` 1 MiB."""
    return FULL_CAP if arguments["full"] else GET_CAP


def unlimited(_arguments: Mapping[str, Any]) -> Cap:
    """Return no cap worth the name."""
    return UNLIMITED


def _stats_cap(_arguments: Mapping[str, Any]) -> Cap:
    return STATS_CAP


SEARCH = Tool(
    name="memory_search",
    command="search",
    run=f"{PACKAGE}.searching:memory_search",
    parameters=(
        Parameter("query", Query(QUERY_CHARACTERS), is_required=True),
        Parameter("limit", Count(1, MOST_HITS), short="n"),
        Parameter("kind", Line(64), default=""),
        Parameter("source", Line(200), default=""),
        Parameter("as_of", Line(64), default=""),
        Parameter("include_invalid", Switch(), default=False),
        Parameter("strict", Switch(), default=False),
    ),
    cap=_search_cap,
    is_for_guests=True,
)
GET = Tool(
    name="memory_get",
    command="show",
    run=f"{PACKAGE}.reading:memory_get",
    parameters=(
        Parameter("id", CardId(), is_required=True),
        Parameter("offset", Count(0, LARGEST)),
        Parameter("max_chars", Count(-LARGEST, LARGEST)),
        Parameter("full", Switch(), default=False),
    ),
    cap=get_cap,
    is_for_guests=True,
)
STATS = Tool(
    name="memory_stats",
    command="stats",
    run=f"{PACKAGE}.stats:memory_stats",
    parameters=(),
    cap=_stats_cap,
    is_for_guests=True,
)
REINDEX = Tool(
    name="memory_reindex",
    command="index",
    run=f"{PACKAGE}.reindex:memory_reindex",
    parameters=(
        Parameter("rebuild", Switch(), default=False),
        Parameter("source", Line(200), default="", is_shell_only=True),
        Parameter("prune", Line(200), default="", is_shell_only=True),
    ),
    cap=_stats_cap,
    access=Access.WRITES,
)

TOOLS = (SEARCH, GET, STATS, REINDEX)
