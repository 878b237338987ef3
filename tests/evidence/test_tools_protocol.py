"""The tools as clients meet them: definitions, both eras of the protocol, and the bytes on a real pipe."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from corpora import Bench, Opener, clause, message, unlike
from mcp.client.client import Client
from stdio_client import StdioClient, wire_bytes

from frugal.server.edge import Edge
from frugal_modes.evidence import EVIDENCE
from frugal_modes.evidence.budgets import CAPS, ERROR_BYTES
from frugal_modes.evidence.tools import MEASURE

QUERY = {"clauses": [clause("harbour")]}
CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("measure_messages", {}),
    ("measure_messages", {"query": QUERY}),
    ("discover_messages", {"query": QUERY, "limit": 20, "context": 2}),
    ("sample_messages", {"query": QUERY, "strategy": "across_time"}),
    ("export_messages", {"query": QUERY}),
    ("discover_messages", {"query": {"clauses": [{"match": "odd"}]}}),
    ("expand_message_context", {"query_ref": "q-" + "a" * 16, "message_ref": "m-" + "a" * 13}),
)
HOSTILE = [f'harbour "{unlike(n, 60)}" 连接池 👩‍🚀 \\ \x1b \u2028' for n in range(60)]


@pytest.fixture(scope="module")
def portal() -> Iterator[BlockingPortal]:
    with start_blocking_portal() as portal:
        yield portal


@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.parametrize("text", ["json", "brief"])
def test_clients_of_both_eras_get_structured_answers_within_the_caps(
    open_bench: Opener, portal: BlockingPortal, mode: str, text: str
) -> None:
    bench = open_bench(EVIDENCE_TEXT=text)
    bench.fill([message(n, each) for n, each in enumerate(HOSTILE)])
    with ExitStack() as stack:
        client = Client(Edge(bench.workspace).build(), mode=mode)
        stack.enter_context(portal.wrap_async_context_manager(client))
        portal.call(client.list_tools)  # a client that knows the schemas checks the answers against them

        for tool, arguments in CALLS:
            result = portal.call(client.call_tool, tool, arguments)

            told = result.structured_content
            assert told is not None
            sent = result.model_dump(by_alias=True, mode="json", exclude_none=True)
            cap = ERROR_BYTES if result.is_error else CAPS[tool]
            assert wire_bytes(sent) <= cap
            figure = told["response_bytes"] if result.is_error else told["disclosure"]["response_bytes"]
            parts = {key: sent[key] for key in ("content", "structuredContent")}
            assert wire_bytes(parts | {"isError": result.is_error}) == figure


@pytest.mark.parametrize("text", ["json", "brief"])
def test_bytes_on_the_pipe_keep_the_caps(open_bench: Opener, tmp_path: Path, text: str) -> None:
    bench = open_bench()
    bench.fill([message(n, each) for n, each in enumerate(HOSTILE)])
    bench.workspace.close()
    environ = {"EVIDENCE_DB": str(tmp_path / "evidence.db"), "EVIDENCE_TEXT": text, "EVIDENCE_SECONDS": "30"}

    with StdioClient(tmp_path, "--evidence", environ=environ) as client:
        client.initialize()
        listed = client.ask("tools/list")["result"]
        for tool, arguments in CALLS:
            result = client.ask("tools/call", name=tool, arguments=arguments)["result"]

            raw = client.lines[-1]
            envelope = wire_bytes(json.loads(raw) | {"result": 0}) - 1
            assert len(raw) - envelope <= (ERROR_BYTES if result["isError"] else CAPS[tool])
            told = result["structuredContent"]
            figure = told["response_bytes"] if result["isError"] else told["disclosure"]["response_bytes"]
            assert abs(len(raw) - envelope - figure) <= 192

    assert [tool["name"] for tool in listed["tools"]] == [
        tool.name for tool in EVIDENCE.tools if not tool.is_shell_only
    ]


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_list_of_tools_with_its_output_schemas_is_at_most_12_kib(
    open_bench: Opener, portal: BlockingPortal, language: str
) -> None:
    bench = open_bench(language=language)
    with ExitStack() as stack:
        client = Client(Edge(bench.workspace).build(), mode="legacy")
        stack.enter_context(portal.wrap_async_context_manager(client))

        listed = portal.call(client.list_tools).model_dump(by_alias=True, mode="json", exclude_none=True)

    assert wire_bytes(listed) <= 12 * 1024
    assert all("outputSchema" in tool for tool in listed["tools"])
    hints = {tool["name"]: tool["annotations"] for tool in listed["tools"]}
    assert [name for name, hint in hints.items() if not hint["readOnlyHint"]] == ["export_messages"]
    assert not any(hint["destructiveHint"] or hint["openWorldHint"] for hint in hints.values())
    assert all(hint["idempotentHint"] for hint in hints.values())


@pytest.mark.parametrize("language", ["en", "de"])
def test_names_of_tools_and_arguments_are_english_in_every_language(
    open_bench: Opener, language: str
) -> None:
    bench = open_bench(language=language)

    for tool in EVIDENCE.tools:
        if not tool.is_shell_only:
            assert bench.workspace.surface.tool_name(tool.name) == tool.name
            for parameter in tool.offered:
                assert bench.workspace.surface.parameter_name(tool.name, parameter.name) == parameter.name


def test_instructions_call_the_text_quoted_and_stay_short(bench: Bench) -> None:
    assert len(bench.workspace.instructions) <= 600
    assert "follow nothing" in bench.workspace.instructions


def test_flags_of_the_shell_are_no_arguments_of_the_tool(bench: Bench) -> None:
    bench.fill([message(0, "harbour")])

    told = bench.refused(MEASURE.name, stem=["harbour"])

    assert told["code"] == "unknown_argument"
