"""A distribution of somebody else adds a mode: kinds, tools, migrations and texts, through its entry point alone."""

import ast
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from foreign import DISTRIBUTION, Shell, with_plugins
from stdio_client import StdioClient, text_of, wire_bytes


def test_it_imports_the_public_module_only() -> None:
    imported = {
        node.module
        for file in DISTRIBUTION.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("frugal")
    }

    assert imported == {"frugal.api"}


@pytest.mark.parametrize(
    ("language", "flag", "tools", "kinds"),
    [
        ("en", "--herbarium", ["press", "leaf_through"], ["tree", "herb", "moss"]),
        ("de", "--pflanzen", ["pressen", "blaettern"], ["baum", "kraut", "moos"]),
    ],
)
def test_its_mode_serves_over_stdio(
    herbarium: Path, tmp_path: Path, language: str, flag: str, tools: list[str], kinds: list[str]
) -> None:
    environ = {**with_plugins(herbarium), "MEMORY_LANG": language}
    with StdioClient(tmp_path, flag, environ=environ) as client:
        greeting = client.initialize()
        declared = client.ask("tools/list")["result"]["tools"]
        names = list(declared[0]["inputSchema"]["properties"])

        pressed = client.call(tools[0], **{names[0]: "Linde", names[1]: kinds[0], names[2]: "Park"})
        listed = client.call(tools[1])
        refused = client.ask("tools/call", name=tools[0], arguments={names[0]: "x", names[1]: "stone"})[
            "result"
        ]
        code = client.end()

    assert "erbarium" in greeting["instructions"]
    assert [tool["name"] for tool in declared] == tools
    assert declared[0]["inputSchema"]["properties"][names[1]]["enum"] == kinds
    assert "#1" in pressed
    assert listed == "#1 Linde (Park)"
    assert refused["isError"]
    assert ", ".join(kinds) in text_of(refused)
    assert code == 0


def test_its_migrations_are_in_the_ledger_of_its_own_file(
    herbarium: Path, tmp_path: Path, shell: Shell
) -> None:
    file = tmp_path / "plants.db"

    done = shell(herbarium, "herbarium", "press", "Linde", HERBARIUM_DB=str(file))

    assert done.returncode == 0, done.stderr
    with closing(sqlite3.connect(file)) as connection:
        dump = "\n".join(connection.iterdump())
    assert "0001_specimens" in dump
    assert "0002_places" in dump
    assert "CREATE TABLE entry" not in dump


def test_its_tools_are_shell_commands(herbarium: Path, shell: Shell) -> None:
    pressed = shell(herbarium, "herbarium", "press", "Linde", "--kind", "tree", "--place", "Park")
    listed = shell(herbarium, "herbarium", "leaf_through", "--json")
    german = shell(herbarium, "herbarium", "blaettern", MEMORY_LANG="de")

    assert pressed.stdout == "Pressed Linde as #1.\n"
    assert json.loads(listed.stdout)["items"] == [{"id": 1, "plant": "Linde", "kind": "baum"}]
    assert german.stdout == "#1 Linde (Park)\n"


def test_it_is_listed_with_its_distribution(herbarium: Path, shell: Shell) -> None:
    listed = shell(herbarium, "modes")
    told = shell(herbarium, "--help")

    assert "--herbarium" in listed.stdout
    assert "2.1" in listed.stdout
    assert "pressed plants and where they were found" in told.stdout


@pytest.mark.parametrize("variable", ["FRUGAL_MEMORY_BLOCK", "FRUGAL_MEMORY_NO_PLUGINS"])
def test_a_plugin_that_was_left_out_is_not_there(herbarium: Path, shell: Shell, variable: str) -> None:
    value = {"FRUGAL_MEMORY_BLOCK": "other, herbarium", "FRUGAL_MEMORY_NO_PLUGINS": "1"}[variable]

    flag = shell(herbarium, "--herbarium", **{variable: value})
    command = shell(herbarium, "herbarium", "leaf_through", **{variable: value})
    listed = shell(herbarium, "modes", **{variable: value})

    assert flag.returncode == 2
    assert "--herbarium" in flag.stderr
    assert command.returncode == 2
    assert "pressed plants" not in listed.stdout


def test_memory_does_not_change_by_a_byte(
    herbarium: Path, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    def tool_list(**environ: str) -> object:
        with StdioClient(tmp_path_factory.mktemp("memory"), environ=environ) as client:
            greeting = client.initialize()
            return greeting, client.ask("tools/list")["result"]

    alone = tool_list()
    beside = tool_list(**with_plugins(herbarium))

    assert json.dumps(alone) == json.dumps(beside)
    assert wire_bytes(alone) == wire_bytes(beside)
