"""`modes`: every mode with its cost, every plugin with its fate."""

import json

import pytest

from frugal.engine import build_engine
from frugal.settings import Options, load_settings


def test_mode_is_listed_with_file_tools_and_cost(line):
    told = line("modes", "--json")

    found = {item["name"]: item for item in told.json["items"]}["memory"]
    assert told.code == 0
    assert found["file"] == str(line.file)
    assert found["exists"] is False
    assert found["tools"][:3] == ["remember", "recall", "show"]
    assert found["guest_tools"] == ["recall", "show", "topics"]
    assert "erase" not in found["tools"]
    assert found["plugin"] == "memory"
    assert found["distribution"] == "frugal-memory"


@pytest.mark.parametrize("lang", ["en", "de"])
def test_size_of_the_tool_list_is_that_of_the_wire(line, lang):
    from mcp_types import ListToolsResult

    from frugal.server.edge import as_tool

    told = line("modes", "--json", lang=lang).json
    settings = load_settings(Options(), line.environ(lang))
    engine = build_engine(settings)
    definitions = engine.open(engine.registry.mode("memory")).definitions()

    result = ListToolsResult(tools=[as_tool(item) for item in definitions])

    wire = json.dumps(
        result.model_dump(mode="json", by_alias=True, exclude_none=True),
        ensure_ascii=False,
        separators=(",", ":"),
    )
    sizes = {item["name"]: item["tool_list_bytes"] for item in told["items"]}
    assert sizes["memory"] == len(wire.encode())


def test_existing_file_is_told(line):
    line("memory", "remember", "a fact")

    told = line("modes", lang="de")

    assert "vorhanden" in told.out
    assert str(line.file) in told.out


def test_blocked_plugin_is_listed_with_the_reason(line):
    told = line("modes", "--json", FRUGAL_MEMORY_BLOCK="memory").json

    fates = {plugin["name"]: (plugin["is_used"], plugin["reason"]) for plugin in told["plugins"]}
    assert fates["memory"] == (False, "blocked")
    assert "memory" not in [item["name"] for item in told["items"]]
