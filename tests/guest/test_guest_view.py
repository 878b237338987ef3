"""A guest's view of every mode: reading tools only, nothing written, nothing learned, the language of the file."""

import io
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import anyio
import pytest
from file_traces import traces_of
from mcp.client.client import Client

from frugal import discovery
from frugal.cli.root import run
from frugal.engine import Workspace, build_engine
from frugal.model import Access
from frugal.server.edge import Edge
from frugal.settings import Options, load_settings

MODES = [
    mode
    for mode in discovery.discover(discovery.new_manager(), only_built_in=True).modes
    if not mode.is_wrapper
]
by_mode = pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
by_language = pytest.mark.parametrize("language", ["en", "de"])


@pytest.fixture
def view(tmp_path: Path) -> Callable[..., Workspace]:
    """Open a mode's file for a guest, made by its owner before."""

    def open_it(mode, language: str) -> Workspace:
        values = {"XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path), "MEMORY_LANG": language}
        engine = build_engine(load_settings(Options(), values))
        owner = engine.open(engine.registry.mode(mode.name))
        with owner.store.write():
            pass
        owner.close()
        return engine.open(engine.registry.mode(mode.name), is_guest=True)

    return open_it


@by_language
@by_mode
def test_pain_52_guest_has_the_reading_tools_and_any_other_is_refused_when_called(mode, language, view):
    guest = view(mode, language)
    before = traces_of(guest.settings.path)
    allowed = [tool.name for tool in mode.tools if tool.is_for_guests]
    refused = [tool.name for tool in mode.tools if not tool.is_for_guests and not tool.is_shell_only]

    async def talk():
        async with Client(Edge(guest).build()) as client:
            listed = await client.list_tools()
            replies = [await client.call_tool(guest.surface.tool_name(name), {}) for name in refused]
            return client.instructions, listed, replies

    instructions, listed, replies = anyio.run(talk)

    assert not instructions
    assert [tool.name for tool in listed.tools] == [guest.surface.tool_name(name) for name in allowed]
    assert all(tool.annotations.read_only_hint for tool in listed.tools)
    for reply in replies:
        assert reply.is_error
        # A mode that tells its failures itself may keep the path to itself.
        assert str(guest.settings.path) in reply.content[0].text or guest.mode.refuse
    assert any(tool.access is Access.WRITES for tool in mode.tools if tool.name in refused)
    assert guest.store.read_only
    guest.close()
    assert traces_of(guest.settings.path) == before


def test_a_command_of_the_shell_alone_is_no_way_round(open_owner, open_guest):
    open_owner().store("one")
    guest = open_guest()

    reply = guest.workspace.call(guest.shell.client, "erase", {"ids": "1"}, from_shell=True)

    assert reply.is_error


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("recall", {"query": "wal readers"}),
        ("recall", {"query": "wal", "full": True}),
        ("show", {"ids": "1-3"}),
        ("show", {"ids": "1-3", "full": True}),
        ("topics", {}),
        ("topics", {"tag": "lock", "all": True}),
        ("remember", {"text": "two"}),
        ("forget", {"ids": "1"}),
    ],
)
def test_pain_52_no_call_changes_bytes_or_time_of_the_file(open_owner, open_guest, tool, arguments):
    owner = open_owner()
    owner.store("The wal keeps readers going.", tags="lock")
    owner.workspace.close()
    path = owner.workspace.settings.path
    before = traces_of(path)
    guest = open_guest()

    guest.workspace.call(guest.shell.client, tool, arguments)
    guest.workspace.settle()
    guest.workspace.close()

    assert traces_of(path) == before


def test_learned_questions_fire_and_are_never_stored(open_owner, open_guest):
    owner = open_owner()
    owner.store("The wal keeps readers going.", "Nothing about readers here.", "Other readers wait.")
    owner("recall", query="readers going")
    owner("show", ids="1")
    owner.workspace.settle()
    owner("recall", query="other readers")
    with owner.workspace.store.read() as db:
        before = [tuple(row) for row in db.execute("SELECT * FROM learned_question")]
    guest = open_guest()

    fired = guest("recall", query="going readers")
    guest("recall", query="other readers")
    guest("show", ids="3")
    guest.workspace.settle()

    assert "asked before, b#1 first" in fired
    assert len(before) == 1
    with owner.workspace.store.read() as db:
        assert [tuple(row) for row in db.execute("SELECT * FROM learned_question")] == before


@pytest.mark.parametrize(
    ("recorded", "given", "spoken"),
    [
        ("de", "", "de"),
        ("en", "", "en"),
        ("de", "en_GB.UTF-8", "en"),
        ("en", "de", "de"),
        ("", "", "en"),
        ("de", "fr", "de"),
    ],
)
def test_language_is_the_one_given_else_the_files_else_english(tmp_path, recorded, given, spoken):
    def engine_in(language: str):
        values = {"XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
        return build_engine(load_settings(Options(), {**values, "MEMORY_LANG": language}))

    if recorded:
        owner = engine_in(recorded)
        with closing(owner.open(owner.registry.default())) as workspace, workspace.store.write():
            pass
    engine = engine_in(given)

    guest = engine.open(engine.registry.default(), is_guest=True)

    assert guest.surface.language == spoken
    assert [tool.name for tool in guest.definitions()][1] == ("show" if spoken == "en" else "zeige")


# The flags of the command line


@pytest.fixture
def serve(tmp_path, monkeypatch, capsys):
    """Run a command line that serves; return the exit code, what was served, and stderr."""
    served = []
    monkeypatch.setattr("frugal.server.serve", lambda workspace: served.append(workspace) or 0)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    environ = {"XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path), "HOME": str(tmp_path)}

    def serve_it(*argv: str):
        served.clear()
        code = run(argv, environ=environ)
        return code, list(served), capsys.readouterr().err

    return serve_it


@pytest.mark.parametrize("flag", ["--guest", "--gast"])
@by_mode
def test_guest_flag_wraps_any_mode_in_any_order(mode, flag, serve):
    lines = [[flag, *chosen] for chosen in ([name] for name in mode.flags)] or [[flag]]
    lines += [list(reversed(line)) for line in lines]
    lines += [["serve", *line] for line in lines]

    for line in lines:
        code, served, _ = serve(*line)
        assert code == 0, line
        (workspace,) = served
        assert (workspace.mode.name, workspace.is_guest) == (mode.name, True), line
        assert workspace.store.read_only
        assert all(tool.is_for_guests for tool in workspace.surface.tools)


@pytest.mark.parametrize(
    "line",
    [
        ["--geust"],
        ["--guset", "--archive"],
        ["--archive", "--gastt"],
        ["--guest=yes"],
        ["--guest", "--write"],
        ["--guest", "--archive", "--messbuch"],
        ["gast"],
    ],
    ids=" ".join,
)
def test_misspelt_flag_is_a_usage_error_and_never_a_server(line, serve, tmp_path):
    code, served, told = serve(*line)

    assert code == 2
    assert served == []
    assert told.strip()
    assert list(tmp_path.rglob("*.db")) == []
