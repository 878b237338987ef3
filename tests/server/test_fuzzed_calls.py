"""Thousands of calls nobody would make on purpose, over every installed mode and its guest view.

Each is answered in words, nothing breaks inside, a plain call works afterwards, and what was stored is there byte for
byte. `FRUGAL_FUZZED_CALLS` sets how many calls there are in all, `FRUGAL_FUZZED_SEED` which ones.
"""

import json
import os
import random
import sqlite3
import traceback
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import anyio
import mcp_types as types
import pytest
from fuzzing import FuzzedCall, Fuzzer
from stdio_client import isolated

from frugal import discovery
from frugal.call import Client
from frugal.engine import Workspace, build_engine
from frugal.server.edge import Edge
from frugal.settings import Options, load_settings
from frugal.text.normalise import identity_text

CALLS = int(os.environ.get("FRUGAL_FUZZED_CALLS", "3000"))
SEED = int(os.environ.get("FRUGAL_FUZZED_SEED", "1"))
ROUND = 2500
"""Calls to one file: then a fresh one is begun, in the other language."""
PLAIN_EVERY = 25
LARGEST_ANSWER_BYTES = 1024 * 1024
MODES = [
    mode
    for mode in discovery.discover(discovery.new_manager(), only_built_in=True).modes
    if not mode.is_wrapper
]
KEPT_AS_GIVEN = {"remember": ("text",), "new_series": ("question",), "memory_capture": ("body",)}
"""Tools and parameters whose text is stored character by character, by their English names."""
FIRST: dict[str, tuple[tuple[str, dict[str, Any]], ...]] = {
    "notebook": (
        (
            "new_series",
            {"key": "a/b", "question": "Which wins?", "criterion": "B beats A", "plan": "three runs"},
        ),
        ("new_series", {"key": "a/c", "question": "And then?", "criterion": "p < 0.05", "builds_on": "a/b"}),
        ("measurements", {"key": "a/b", "rows": "acc | 81.2 % | A | 1 | 5\nacc | 3/4 | B", "source": "log"}),
        ("result", {"key": "a/c", "verdict": "met", "conclusion": "B it is."}),
    ),
}
"""Calls that begin a mode, by English names: without them hardly any later one gets inside."""
DAYS = [f"2026-01-{day:02d}T10:00:00Z" for day in range(1, 10)]
TRIMMED = frozenset({"new_series", "memory_capture"})
"""Tools that leave blanks at both ends of a text away."""


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Collect what would be written to stderr as a traceback."""
    found: list[str] = []
    monkeypatch.setattr(traceback, "print_exc", lambda *_args, **_more: found.append(traceback.format_exc()))
    return found


def context() -> Any:
    """Return what the SDK hands to a handler, as far as ours look at it."""
    return SimpleNamespace(lifespan_context=Client(), session=SimpleNamespace(client_params=None))


class Target:
    """One mode over one file, for its owner or a guest, called through the handlers of the protocol."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.edge = Edge(workspace)
        self.context = context()
        self.asked = 0
        self.internal = workspace.surface.text("errors.internal")

    async def call(self, made: FuzzedCall) -> types.CallToolResult:
        """Return the answer to a call; whatever no client may ever get fails the test."""
        # What JSON can carry and the model would refuse (half a surrogate pair) reaches the handlers over stdio as well.
        params = types.CallToolRequestParams.model_construct(name=made.tool, arguments=made.arguments)
        result = await self.edge.call_tool(self.context, params)
        wire = result.model_dump_json(by_alias=True)
        text = "\n".join(item.text for item in result.content if isinstance(item, types.TextContent))
        assert text.strip(), "an answer says something"
        assert self.internal not in text
        assert "Traceback" not in text or "Traceback" in str(made.arguments)
        assert len(wire.encode("utf-8")) < LARGEST_ANSWER_BYTES
        if result.is_error:
            assert " " in text.strip(), "an error is a sentence"
        return result

    async def plain_call_works(self) -> None:
        """Make the plainest call of the mode: a tool that reads and needs nothing, if there is no other."""
        # A new question each time: each has a budget.
        if self.workspace.surface.find_tool("measure_messages"):
            self.asked += 1
            query = {"clauses": [{"match": "literal", "text": f"port {self.asked}"}]}
            assert not (await self.call(FuzzedCall("measure_messages", {"query": query}))).is_error
            return
        for definition in self.workspace.definitions():
            if definition.is_read_only and not definition.input_schema.get("required"):
                result = await self.call(FuzzedCall(definition.name, {}))
                assert not result.is_error, result
                return

    def stored_text(self, made: FuzzedCall, result: types.CallToolResult) -> str | None:
        """Return the text of *made* that has to be in the file now, None if there is none."""
        tool = self.workspace.surface.find_tool(made.tool)
        if tool is None or result.is_error:
            return None
        for name in KEPT_AS_GIVEN.get(tool.name, ()):
            given = made.arguments.get(self.workspace.surface.parameter_name(tool.name, name))
            if isinstance(given, str):
                return given.strip() if tool.name in TRIMMED else given
        return None


def everything_in(folder: Path) -> tuple[set[str], str]:
    """Return every text in the databases of *folder*, and what its Markdown files hold."""
    found: set[str] = set()
    for path in folder.rglob("*.db"):
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as db:
            assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            tables = [
                name
                for (name,) in db.execute(
                    "SELECT name FROM pragma_table_list WHERE type = 'table' AND schema = 'main'"
                )
            ]
            for table in tables:
                for row in db.execute(f'SELECT * FROM "{table}"'):
                    found.update(value for value in row if isinstance(value, str))
    cards = "\n".join(path.read_bytes().decode("utf-8") for path in sorted(folder.rglob("*.md")))
    return found, cards


async def begin(target: Target, fuzzer: Fuzzer, tool: str, arguments: dict[str, Any]) -> None:
    """Make a call that is right, named in English, and let *fuzzer* learn from it."""
    surface = target.workspace.surface
    named = {surface.parameter_name(tool, name): value for name, value in arguments.items()}
    made = FuzzedCall(surface.tool_name(tool), named)
    result = await target.call(made)
    assert not result.is_error, result
    fuzzer.learn(made, str(result.content[0]))


def fill(folder: Path, workspace: Workspace) -> None:
    """Bring in what a mode only reads."""
    if workspace.surface.find_tool("evidence_import") is None:
        return
    texts = [f"user port {number} backup über 连接池 run {number % 7}" for number in range(300)]
    lines = [
        {
            "id": f"k{number}",
            "conversation": "main",
            "sender": f"s{number % 5}",
            "sent_at": DAYS[number % 9],
            "text": text,
        }
        for number, text in enumerate(texts)
    ]
    source = folder / "messages.jsonl"
    source.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    arguments = {"source": str(source), "corpus": "main", "yes": True}
    reply = workspace.call(
        Client(), workspace.surface.tool_name("evidence_import"), arguments, from_shell=True
    )
    assert not reply.is_error, reply.text


async def fuzz(folder: Path, mode: Any, *, calls: int, seed: int, language: str) -> None:
    """Make *calls* calls of *mode* over a fresh file in *folder*."""
    environ = {**isolated(folder), "MEMORY_LANG": language}
    del environ["MEMORY_DB"]
    engine = build_engine(load_settings(Options(), environ))
    owner = Target(engine.open(mode))
    guest = Target(engine.open(mode, is_guest=True))
    choice = random.Random(f"{seed} {mode.name} {language}")
    foreign = [tool.name for other in MODES for tool in other.tools]
    fuzzers = {
        id(target): Fuzzer(target.workspace.definitions(), foreign, choice) for target in (owner, guest)
    }
    fill(folder, owner.workspace)
    for tool, arguments in FIRST.get(mode.name, ()):
        await begin(owner, fuzzers[id(owner)], tool, arguments)
    stored: list[str] = []
    number = accepted = 0
    try:
        for number in range(calls):
            target = guest if choice.random() < 0.1 and stored else owner
            made = fuzzers[id(target)].call()
            result = await target.call(made)
            accepted += not result.is_error
            text = target.stored_text(made, result)
            stored += [] if text is None else [text]
            if not result.is_error:
                fuzzers[id(target)].learn(made, str(result.content[0]))
            if number % PLAIN_EVERY == 0:
                await owner.plain_call_works()
    except BaseException as error:
        error.add_note(f"mode {mode.name}, language {language}, seed {seed}, call {number}")
        raise
    finally:
        owner.workspace.close()
        guest.workspace.close()
    texts, cards = everything_in(folder)
    if os.environ.get("FRUGAL_FUZZED_CALLS"):
        print(f"{mode.name} {language}: {calls} calls, {accepted} accepted, {len(stored)} texts looked for")
    # What equals an earlier text but for its line ends is that one, counted once more.
    first = {identity_text(text): text for text in reversed(stored)}.values()
    # A card has line feeds alone.
    lost = [text for text in first if text not in texts and text.replace("\r\n", "\n") not in cards]
    assert lost == [], f"{len(lost)} of {len(stored)} stored texts are not there as given"


@pytest.mark.timeout(0 if CALLS > 10_000 else 240)
@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
def test_every_fuzzed_call_is_answered_in_words_and_nothing_stored_is_lost(mode, tmp_path, broken):
    share = -(-CALLS // len(MODES))

    for start in range(0, share, ROUND):
        folder = tmp_path / str(start)
        folder.mkdir()
        language = "en" if (start // ROUND + SEED) % 2 else "de"
        work = partial(
            fuzz, folder, mode, calls=min(ROUND, share - start), seed=SEED * 1_000 + start, language=language
        )
        anyio.run(work)

        assert broken == []
