"""Over a real sshd: a guest's view, a key that gives nothing else, and two machines writing one archive."""

import hashlib
import subprocess
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from ssh_server import GUEST_COMMAND, SshServer, ssh_server
from stdio_client import StdioClient, tool_call

from frugal.call import Client as Caller
from frugal.engine import Workspace, build_engine
from frugal.settings import Options, load_settings

WRITES = 100


@pytest.fixture(scope="module")
def remote(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SshServer]:
    with ssh_server(tmp_path_factory.mktemp("ssh")) as server:
        yield server


@pytest.fixture(scope="module")
def owner(remote: SshServer) -> Iterator[Workspace]:
    """The memory on the machine with the file, with two entries in it."""
    environ = {
        "XDG_DATA_HOME": str(remote.folder),
        "XDG_CONFIG_HOME": str(remote.folder),
        "MEMORY_LANG": "en",
    }
    engine = build_engine(load_settings(Options(), environ))
    workspace = engine.open(engine.registry.default())
    store(workspace, "The wal keeps readers going.", "See #1 about readers.")
    yield workspace
    workspace.close()


def store(workspace: Workspace, *texts: str) -> None:
    for text in texts:
        reply = workspace.call(Caller(), "remember", {"text": text, "tags": "lock", "kind": "decision"})
        assert not reply.is_error, reply.text


def state_of(path: Path) -> tuple[str, int]:
    return hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_mtime_ns


def text_of(result) -> str:
    return result.content[0].text


def test_guest_over_ssh_reads_and_sees_what_the_owner_writes_meanwhile(
    remote: SshServer, owner: Workspace
) -> None:
    owner.close()
    path = owner.settings.path
    before = state_of(path)
    command, *arguments = remote.command("frugal-memory", "--guest")

    async def talk() -> None:
        server = StdioServerParameters(command=command, args=arguments)
        async with Client(stdio_client(server)) as client:
            listed = [tool.name for tool in (await client.list_tools()).tools]
            found = text_of(await client.call_tool("recall", {"query": "readers"}))
            shown = text_of(await client.call_tool("show", {"ids": "b#1,2"}))
            topics = text_of(await client.call_tool("topics", {}))
            refused = await client.call_tool("remember", {"text": "from far away"})
            foreign = await client.call_tool("show", {"ids": "other#1"})
            unchanged = state_of(path)
            store(owner, "A third entry, written meanwhile.")
            later = text_of(await client.call_tool("recall", {"query": "meanwhile"}))
            instructions = client.instructions

        assert listed == ["recall", "show", "topics"]
        assert instructions is None
        assert "b#1 [decision]" in found
        assert "See b#1 about readers." in shown
        assert "lock 2" in topics
        assert refused.is_error
        assert str(path) in text_of(refused)
        assert foreign.is_error
        assert unchanged == before
        assert "b#3 [decision]" in later

    anyio.run(talk)


def test_key_bound_to_the_guest_cannot_start_a_writable_server(
    remote: SshServer, owner: Workspace, tmp_path: Path
) -> None:
    owner.close()
    before = state_of(owner.settings.path)
    command = remote.command("frugal-memory", key="guest_key")

    with StdioClient(tmp_path, command=command) as client:
        greeting = client.initialize()
        tools = [tool["name"] for tool in client.ask("tools/list")["result"]["tools"]]
        reply = client.ask("tools/call", name="remember", arguments={"text": "from far away"})["result"]
        code = client.end()
    line = remote.command("frugal-memory", "memory", "remember", "sneaked", key="guest_key")
    sneaked = subprocess.run(line, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False)

    assert "instructions" not in greeting
    assert tools == ["recall", "show", "topics"]
    assert reply["isError"]
    assert code == 0
    assert sneaked.stdout == b""
    assert state_of(owner.settings.path) == before


@pytest.mark.timeout(240)
def test_two_machines_writing_one_archive_lose_nothing(remote: SshServer, tmp_path: Path) -> None:
    command = remote.command("frugal-memory", "--archive")
    with StdioClient(tmp_path, command=command) as here, StdioClient(tmp_path, command=command) as there:
        for name, client in (("here", here), ("there", there)):
            client.initialize()
            client.send(
                *(
                    tool_call(
                        f"w{number}",
                        "remember",
                        text=f"Finding {number} from {name}.",
                        tags="shared",
                        kind="lead",
                    )
                    for number in range(WRITES)
                )
            )
        answers = [
            client.receive(f"w{number}")["result"] for client in (here, there) for number in range(WRITES)
        ]
        board = here.call("topics")
        codes = here.end(), there.end()

    ids = {answer["content"][0]["text"].split()[1] for answer in answers}
    assert [answer for answer in answers if answer["isError"]] == []
    assert ids == {f"archive#{number}" for number in range(1, 2 * WRITES + 1)}
    assert f"shared {2 * WRITES} " in board
    assert codes == (0, 0)
    assert sorted(file.name for file in remote.data.iterdir() if file.name.startswith("archive")) == [
        "archive.db"
    ]


def test_page_about_guests_shows_the_line_that_was_tried() -> None:
    page = (Path(__file__).parents[2] / "docs" / "guest.md").read_text("utf-8")

    assert f'\nrestrict,command="{GUEST_COMMAND}" ssh-ed25519 ' in page
