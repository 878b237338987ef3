"""The evidence tools over stdio: words of one frequency asked of each, and queries too large for the time they have."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice, product
from pathlib import Path
from typing import Any

from messung.child import frugal
from messung.stdio import StdioServer
from messung.systems.mcp_client import server_environment
from messung.timing import Times, timed
from messung.unavailable import NotAvailable

FILE = "evidence.db"
SENDER_TYPES = ("internal", "client")
LIMIT_S = 1
WHOLE_S = 30
LIMIT_SETTING = "EVIDENCE_SECONDS"

Query = dict[str, object]

TOOLS: dict[str, tuple[str, dict[str, object]]] = {
    "measure_messages": ("measure_messages", {}),
    "discover_messages": ("discover_messages", {}),
    "sample_messages, uniform": ("sample_messages", {"strategy": "uniform"}),
    "sample_messages, across_time": ("sample_messages", {"strategy": "across_time"}),
    "sample_messages, across_conversations": ("sample_messages", {"strategy": "across_conversations"}),
}


@dataclass
class Asked:
    """What one tool was asked: times, bytes of the answers, messages matching; *first_ms* is the overview before."""

    label: str
    first_ms: float = 0.0
    times: Times = field(default_factory=Times)
    sizes: list[int] = field(default_factory=list)
    matching: list[int] = field(default_factory=list)
    is_complete: bool = True


@dataclass(frozen=True)
class Cut:
    """One query with time enough and with too little: seconds, and what the short answer says."""

    label: str
    whole_s: float
    is_whole: bool
    limited_s: float
    outcome: str
    has_totals: bool

    @property
    def takes_longer(self) -> bool:
        """Whether the query cannot be done within the limit: it was cut, or takes half as long again."""
        return not self.is_whole or self.outcome != "complete" or self.whole_s > 1.5 * LIMIT_S

    @property
    def after_limit_s(self) -> float:
        """How long after the limit the answer came."""
        return max(0.0, self.limited_s - LIMIT_S)


def queries(words: Sequence[str], count: int) -> list[Query]:
    """Return *count* queries: one word each, and where there are too few, again for the senders of one type."""
    plain: Iterator[Query] = ({"clauses": [_literal(word)]} for word in words)
    narrowed: Iterator[Query] = (
        {"clauses": [_literal(word)], "filters": {"sender_types": [kind]}}
        for kind, word in product(SENDER_TYPES, words)
    )
    return list(islice(chain(plain, narrowed), count))


def _literal(word: str) -> dict[str, str]:
    return {"match": "literal", "text": word}


def ask(place: Path, words: Sequence[str], *, calls: int) -> list[Asked]:
    """Ask every tool *calls* times of the corpus in *place*, each in a server of its own."""
    return [_ask(place, label, queries(words, calls)) for label in TOOLS] if words else []


def _ask(place: Path, label: str, asked: Sequence[Query]) -> Asked:
    tool, arguments = TOOLS[label]
    found = Asked(label)
    with _server(place) as server:
        found.first_ms = 1000 * timed(lambda: server.call("measure_messages"))
        for query in asked:
            seconds, answer = call(server, tool, query=query, **arguments)
            found.times.seconds.append(seconds)
            found.sizes.append(answer.size)
            found.is_complete &= answer.outcome == "complete"
            if (matching := answer.matching) is not None:
                found.matching.append(matching)
    print(f"evidence {label:40} p95 {found.times.p95_ms:8.0f} ms", flush=True)
    return found


def _server(place: Path, seconds: int | None = None) -> StdioServer:
    environ = server_environment(place) | ({LIMIT_SETTING: str(seconds)} if seconds else {})
    return StdioServer(frugal("--evidence", "--db", str(place / FILE)), environ=environ, folder=place)


@dataclass(frozen=True)
class Reply:
    """An answer as the client reads it."""

    size: int
    content: dict[str, Any]

    @property
    def outcome(self) -> str:
        """`complete` or `incomplete`."""
        return str(self.content["outcome"])

    @property
    def matching(self) -> int | None:
        """How many messages match, if the answer tells."""
        counts = self.content.get("counts") or self.content.get("population")
        return int(counts["messages"]) if counts else None

    @property
    def has_totals(self) -> bool:
        """Whether any total of the population is in it."""
        return any(
            self.content.get(name) is not None for name in ("counts", "population", "omitted", "buckets")
        )


def call(server: StdioServer, tool: str, **arguments: object) -> tuple[float, Reply]:
    """Return how long a call took and its answer; raise `NotAvailable` for an error."""
    texts: list[str] = []
    seconds = timed(lambda: texts.append(server.call(tool, **arguments)))
    content = json.loads(texts[0])
    if "outcome" not in content:
        raise NotAvailable(f"{tool}: {content.get('code', 'no outcome')}")
    return seconds, Reply(len(texts[0].encode()), content)


def large_queries(words: Sequence[str]) -> dict[str, Query]:
    """Return queries of growing size over the most frequent words."""
    sizes = (("literal", 1), ("literal", 4), ("literal", 16), ("stem", 16))
    return {
        f"{count} most frequent {'word' if count == 1 else 'words'}, {match}": {
            "clauses": [{"match": match, "text": word} for word in words[:count]],
            "combine": "any",
        }
        for match, count in sizes
    }


def cut(place: Path, words: Sequence[str]) -> list[Cut]:
    """Discover large queries with 30 s and with one, each time in a new server."""
    return [_cut(place, label, query) for label, query in large_queries(words).items()]


def _cut(place: Path, label: str, query: Query) -> Cut:
    tries = []
    for limit_s in (WHOLE_S, LIMIT_S):
        with _server(place, limit_s) as server:
            server.call("measure_messages")
            tries.append(call(server, "discover_messages", query=query))
    (whole_s, whole), (limited_s, limited) = tries
    return Cut(label, whole_s, whole.outcome == "complete", limited_s, limited.outcome, limited.has_totals)
