"""The tools that search and read: search, get, stats, reindex; guests get all but the last."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from frugal.api import Access, Cap, Parameter
from frugal_modes.vault.declarations import KIB, switch, tool, words
from frugal_modes.vault.reading_forms import LARGEST, CardId, Count, Query

MOST_HITS = 20
QUERY_CHARACTERS = 1_000
SEARCH_CAP = Cap(6 * KIB, 6 * KIB)
GET_CAP = Cap(64 * KIB, 64 * KIB)
FULL_CAP = Cap(KIB * KIB, KIB * KIB)
STATS_CAP = Cap(4 * KIB, 4 * KIB)


def get_cap(arguments: Mapping[str, Any]) -> Cap:
    """Return 64 KiB, with `full` 1 MiB."""
    return FULL_CAP if arguments["full"] else GET_CAP


SEARCH = tool(
    "memory_search",
    "searching:memory_search",
    Parameter("query", Query(QUERY_CHARACTERS), is_required=True),
    Parameter("limit", Count(1, MOST_HITS), short="n"),
    words("kind", 64),
    words("source", 200),
    words("as_of", 64),
    switch("include_invalid"),
    switch("strict"),
    cap=SEARCH_CAP,
    command="search",
    is_for_guests=True,
)
GET = tool(
    "memory_get",
    "reading:memory_get",
    Parameter("id", CardId(), is_required=True),
    Parameter("offset", Count(0, LARGEST)),
    Parameter("max_chars", Count(-LARGEST, LARGEST)),
    switch("full"),
    cap=get_cap,
    command="show",
    is_for_guests=True,
)
STATS = tool("memory_stats", "stats:memory_stats", cap=STATS_CAP, command="stats", is_for_guests=True)
REINDEX = tool(
    "memory_reindex",
    "reindex:memory_reindex",
    switch("rebuild"),
    replace(words("source", 200), is_shell_only=True),
    replace(words("prune", 200), is_shell_only=True),
    cap=STATS_CAP,
    command="index",
    access=Access.WRITES,
)

TOOLS = (SEARCH, GET, STATS, REINDEX)
