"""One store growing from size to size beside raw FTS5 and the predecessor; everything measured at each size."""

import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TypeVar

from messung import agreement, bulk
from messung.agreement import Agreement
from messung.bulk import Bulk
from messung.corpus import SEED, Corpus, Query
from messung.datasets import Entry
from messung.filler import GrowingStore
from messung.stdio import StdioServer
from messung.systems.mcp_client import server_environment
from messung.systems.predecessor import Predecessor
from messung.timing import Disk, Times, interleave, timed
from messung.unavailable import NotAvailable
from messung.yardstick import RawIndex

Contender = Callable[[Query], object]

LIMIT = 8
TAG = "project3"
KIND = "decision"
REMEMBERED = 60
CONSOLIDATED_UP_TO = 10_000
PREDECESSOR_UP_TO = 5_000


@dataclass
class Stage:
    """What was measured at one size. *recall* by way of asking; *tools*: one call each, seconds; *bulk*: shell commands."""

    entries: int
    recall: dict[str, Times] = field(default_factory=dict)
    remember: dict[str, Times] = field(default_factory=dict)
    tools: dict[str, Times] = field(default_factory=dict)
    raw_bytes: int = 0
    index_bytes: int = 0
    text_bytes: int = 0
    tables: dict[str, int] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    bulk: Bulk | None = None
    agreement: dict[str, Agreement] = field(default_factory=dict)


@dataclass(frozen=True)
class Plan:
    """How much to measure."""

    sizes: tuple[int, ...]
    rounds: int
    queries: int
    predecessor_up_to: int = PREDECESSOR_UP_TO


@dataclass
class Ground:
    """Everything that grows: the raw index, our store, the predecessor; those that cannot be had are None."""

    raw: RawIndex
    ours: GrowingStore | None
    predecessor: Predecessor | None
    disk: Disk
    folder: Path
    missing: dict[str, str] = field(default_factory=dict)


def prepare(stack: ExitStack, systems: Sequence[str]) -> Ground:
    """Return empty stores in a temporary folder that *stack* removes."""
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="messung-")))
    raw = RawIndex(folder)
    disk = Disk(folder)
    stack.callback(raw.close)
    stack.callback(disk.close)
    ground = Ground(raw, None, None, disk, folder)
    if "ours" in systems:
        ground.ours = _open(ground, "frugal-memory", lambda: GrowingStore(folder), stack)
    if "predecessor" in systems:
        ground.predecessor = _open(ground, "frugal-memory 0.2.0", lambda: Predecessor(folder), stack)
    return ground


Grown = TypeVar("Grown", GrowingStore, Predecessor)


def _open(ground: Ground, label: str, start: Callable[[], Grown], stack: ExitStack) -> Grown | None:
    try:
        system = start()
    except NotAvailable as reason:
        ground.missing[label] = str(reason)
        return None
    stack.callback(system.close)
    return system


def grow(corpus: Corpus, ground: Ground, plan: Plan) -> Iterator[Stage]:
    """Yield a stage at every size of *plan*."""
    entries = corpus.entries(plan.sizes[-1])
    fresh = corpus.entries(REMEMBERED * len(plan.sizes), seed=SEED + 1)
    reached = 0
    for size in plan.sizes:
        batch = list(islice(entries, size - reached))
        reached = size
        ground.raw.extend(entry.text for entry in batch)
        if ground.ours is not None:
            ground.ours.extend(batch)
        if ground.predecessor is not None and size <= plan.predecessor_up_to:
            ground.predecessor.store(batch)
        stage = _measure(ground, plan, size, corpus.queries, list(islice(fresh, REMEMBERED)))
        stage.bulk = bulk.measure(
            corpus,
            size,
            has_ours=ground.ours is not None,
            has_predecessor=ground.predecessor is not None and size <= plan.predecessor_up_to,
        )
        yield stage


def _measure(
    ground: Ground, plan: Plan, size: int, queries: Sequence[Query], fresh: Sequence[Entry]
) -> Stage:
    stage = Stage(size)
    with ExitStack() as stack:
        contenders = _contenders(ground, size <= plan.predecessor_up_to, stack)
        stage.recall = interleave(contenders, queries[: plan.queries], rounds=plan.rounds)
    stage.raw_bytes = ground.raw.size_bytes()
    if ground.ours is not None:
        stage.tables = ground.ours.sizes()
        stage.index_bytes = ground.ours.index_bytes()
        stage.text_bytes = sum(pages for name, pages in stage.tables.items() if name.startswith("entry"))
        _time_tools(ground.ours, stage)
        stage.agreement = agreement.measure(ground.ours, queries[: plan.queries], LIMIT)
    _time_remember(ground, stage, fresh, has_predecessor=size <= plan.predecessor_up_to)
    return stage


def _contenders(ground: Ground, has_predecessor: bool, stack: ExitStack) -> dict[str, Contender]:
    contenders: dict[str, Contender] = {"raw FTS5": lambda query: ground.raw.ask(query.words)}
    if ours := ground.ours:
        contenders["ours"] = lambda query: ours.call("recall", query=query.words, limit=LIMIT)
        contenders["ours, tag"] = lambda query: ours.call("recall", query=query.words, limit=LIMIT, tag=TAG)
        contenders["ours, kind"] = lambda query: ours.call(
            "recall", query=query.words, limit=LIMIT, kind=KIND
        )
        server = stack.enter_context(_server(ground.folder))
        contenders |= _over_stdio("ours", server)
    if has_predecessor and ground.predecessor:
        contenders |= _over_stdio("0.2.0", ground.predecessor.server)
    return contenders


def _over_stdio(name: str, server: StdioServer) -> dict[str, Contender]:
    return {
        f"{name}, stdio": lambda query: server.call("recall", query=query.words, limit=LIMIT),
        f"{name}, stdio, whole question": lambda query: server.call("recall", query=query.whole, limit=LIMIT),
        f"{name}, ping": lambda _query: server.ping(),
    }


def _server(folder: Path) -> StdioServer:
    return StdioServer([sys.executable, "-m", "frugal"], environ=server_environment(folder), folder=folder)


def _time_tools(ours: GrowingStore, stage: Stage) -> None:
    calls: dict[str, tuple[str, dict[str, object]]] = {
        "show": ("show", {"ids": "1,2,3"}),
        "topics": ("topics", {}),
        "topics of a tag": ("topics", {"tag": TAG}),
    }
    if stage.entries <= CONSOLIDATED_UP_TO:
        calls["consolidate"] = ("consolidate", {})
    for label, (tool, arguments) in calls.items():
        try:
            times = [
                timed(lambda tool=tool, arguments=arguments: ours.call(tool, **arguments)) for _ in range(5)
            ]
            stage.tools[label] = Times(times)
        except NotAvailable as reason:
            stage.refused[label] = str(reason)


def _time_remember(ground: Ground, stage: Stage, fresh: Sequence[Entry], *, has_predecessor: bool) -> None:
    ways: dict[str, Callable[[Entry], object]] = {"fsync": lambda _entry: ground.disk.sync()}
    if ours := ground.ours:
        ways["ours"] = lambda entry: ours.remember(entry.text, entry.tags)
    if has_predecessor and (old := ground.predecessor):
        ways["0.2.0, stdio"] = lambda entry: old.remember(entry.text, entry.tags)
    stage.remember = {name: Times() for name in ways}
    for entry in fresh:
        for name, way in ways.items():
            stage.remember[name].seconds.append(timed(way, entry))
    ground.raw.extend(entry.text for entry in fresh)


def library_version() -> str:
    """Return the version of SQLite."""
    return f"SQLite {sqlite3.sqlite_version}"
