"""HTTP: who is let in, one store for all clients, a memory for each session, and a quiet end."""

import json
import signal
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from http_client import HttpServer
from stdio_client import text_of

TOKEN = "a-token-of-more-than-thirty-two-characters"
CLIENTS, WRITES = 8, 100


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpServer]:
    with HttpServer(tmp_path_factory.mktemp("http")) as server:
        yield server


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpServer]:
    folder = tmp_path_factory.mktemp("guarded")
    (folder / "config").mkdir()
    (folder / "config.toml").write_text(
        '[http]\nhosts = ["box.example", "gate.example:8443"]\norigins = ["https://app.example"]\n', "utf-8"
    )
    environ = {"FRUGAL_MEMORY_HTTP_TOKEN": TOKEN, "FRUGAL_MEMORY_CONFIG": str(folder / "config.toml")}
    with HttpServer(folder, environ=environ) as server:
        yield server


def test_client_speaks_json_and_finds_what_it_stored(server):
    client = server.client()
    greeting = client.initialize()

    told = client.call("remember", text="Port is 49222. ü 连接池", tags="shop", kind="pitfall")

    assert greeting["serverInfo"]["name"] == "frugal-memory"
    assert told.startswith("Stored #")
    assert "连接池" in client.call("recall", query="连接池")
    reply = client.ask("tools/list")
    assert reply.headers["content-type"].startswith("application/json")
    assert "recall" in {tool["name"] for tool in reply.json["result"]["tools"]}


def test_refusal_is_a_result_with_words_and_the_next_call_works(server):
    client = server.client()
    client.initialize()

    result = client.result("show", ids="nonsense")

    assert result["isError"]
    assert "nonsense" in text_of(result)
    assert client.call("topics")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Host": "evil.example:80"}, 421),
        ({"Host": "127.0.0.1:1"}, 421),
        ({"Host": "127.0.0.1.evil.example"}, 421),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "http://localhost.evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://localhost:5173"}, 200),
        ({"Origin": "http://127.0.0.1"}, 200),
        ({"Origin": "http://[::1]:8080"}, 200),
    ],
)
def test_foreign_host_and_origin_are_refused(server, headers, status):
    client = server.client()
    client.initialize()

    reply = client.request(b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}', **headers)

    assert reply.status == status


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"Authorization": ""},
        {"Authorization": "Bearer"},
        {"Authorization": f"Bearer {TOKEN[:-1]}"},
        {"Authorization": f"Bearer {TOKEN}x"},
        {"Authorization": f"Basic {TOKEN}"},
        {"Authorization": TOKEN},
        {"Authorization": "Bearer ä" + "ö" * 40},
    ],
    ids=["none", "empty", "no token", "short", "long", "basic", "bare", "not ascii"],
)
def test_missing_or_wrong_token_is_401_even_on_loopback_and_names_nothing(guarded, given):
    client = guarded.client(
        **{name: value.encode("utf-8").decode("latin-1") for name, value in given.items()}
    )

    reply = client.ask("initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo={"name": "x"})

    assert reply.status == 401
    assert reply.headers["www-authenticate"] == "Bearer"
    assert reply.body.startswith(b"401: the header Authorization")
    assert b"frugal" not in reply.body


def test_right_token_opens_and_listed_hosts_and_origins_do(guarded):
    client = guarded.client(Authorization=f"bearer {TOKEN}")
    client.initialize()

    def status(**headers: str) -> int:
        return client.request(b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}', **headers).status

    assert client.call("topics")
    assert (
        status(Host="box.example") == status(Host="BOX.example:99") == status(Host="gate.example:8443") == 200
    )
    assert status(Host="gate.example") == 421
    assert status(Origin="https://app.example") == 200
    assert status(Origin="https://app.example.evil.example") == 403
    assert TOKEN not in guarded.stderr


def test_body_over_four_mebibytes_is_413_and_stores_nothing(server):
    client = server.client()
    client.initialize()

    reply = client.request(b" " * (4 * 1024 * 1024 + 1))

    assert reply.status == 413
    again = server.client()
    again.initialize()
    assert again.call("topics")


def test_other_paths_and_garbage_are_answered(server):
    client = server.client()
    client.initialize()

    lost = client.request(b"", method="GET", path="/")
    assert (lost.status, b"ends with /mcp" in lost.body) == (404, True)
    assert client.request(b"", path="/mcp/../etc").status == 404
    assert client.request(b"{not json").status == 400
    assert client.request(b'{"jsonrpc":"2.0","id":1,"method":"no/such"}').json["error"]["code"] == -32601
    assert client.request(b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":[]}').status in (200, 400)
    assert client.call("topics")


def test_unknown_session_is_404(server):
    client = server.client()
    client.initialize()
    client.headers["mcp-session-id"] = "0" * 32

    assert client.ask("tools/list").status == 404


def learned(folder: Path) -> int:
    with closing(sqlite3.connect(folder / "memory.db")) as db:
        found: int = db.execute("SELECT count(*) FROM learned_question").fetchone()[0]
    return found


def test_session_learns_from_what_it_asked_itself_and_from_no_other(tmp_path):
    with HttpServer(tmp_path) as server:
        one, two = server.client(), server.client()
        one.initialize()
        two.initialize()
        one.call("remember", text="The backup runs at four.", tags="x", kind="workflow")
        one.call("recall", query="nightly copy hour backup")

        two.call("show", ids="1")
        two.call("topics")
        assert learned(tmp_path) == 0

        one.call("show", ids="1")
        one.call("topics")
        server.stop()

    assert learned(tmp_path) == 1


def test_eight_clients_of_one_store_lose_nothing(tmp_path):
    told: list[list[str]] = [[] for _ in range(CLIENTS)]

    def write(server: HttpServer, number: int) -> None:
        client = server.client()
        client.initialize()
        for index in range(WRITES):
            text = f"client {number} wrote fact {index} ü"
            told[number].append(client.call("remember", text=text, tags=f"c{number}", kind="measurement"))
        client.close()

    with HttpServer(tmp_path) as server:
        assert server.port
        threads = [threading.Thread(target=write, args=(server, number)) for number in range(CLIENTS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert server.stop() == 0

    with closing(sqlite3.connect(tmp_path / "memory.db")) as db:
        texts = {row[0] for row in db.execute("SELECT text FROM entry")}
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert texts == {f"client {n} wrote fact {i} ü" for n in range(CLIENTS) for i in range(WRITES)}
    assert [len(answers) for answers in told] == [WRITES] * CLIENTS


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="POSIX signals")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_signal_ends_it_quietly_although_clients_are_connected(tmp_path, number, code):
    with HttpServer(tmp_path) as server:
        client = server.client()
        client.initialize()
        client.call("remember", text="one fact", tags="x", kind="pitfall")
        waiting = server.client(**client.headers)
        waiting.listen()

        assert server.stop(number) == code

        assert "Traceback" not in server.stderr
        assert not (tmp_path / "memory.db-wal").exists()
        assert server.process.stdout.read() == b""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="POSIX signals")
def test_call_in_work_gets_its_reply_when_a_signal_comes(tmp_path):
    with HttpServer(tmp_path) as server:
        writer, reader = server.client(), server.client()
        writer.initialize()
        reader.initialize()
        writer.call("remember", text="one fact", tags="x", kind="pitfall")
        with closing(sqlite3.connect(tmp_path / "memory.db", isolation_level=None)) as lock:
            lock.execute("BEGIN IMMEDIATE")
            writer.begin("tools/call", name="remember", arguments={"text": "another", "tags": "x"})
            reader.call("topics")
            reader.call("topics")  # by now the write is in work
            server.process.send_signal(signal.SIGTERM)
            lock.execute("ROLLBACK")

        assert not writer.finish().json["result"]["isError"]
        assert server.ended() == 0


def test_guest_reads_and_has_no_tool_that_writes(tmp_path):
    with HttpServer(tmp_path) as server:
        client = server.client()
        client.initialize()
        client.call("remember", text="one fact", tags="x", kind="pitfall")
        server.stop()
    before = (tmp_path / "memory.db").read_bytes()

    with HttpServer(tmp_path, "--guest") as server:
        guest = server.client()
        guest.initialize()
        names = {tool["name"] for tool in guest.ask("tools/list").json["result"]["tools"]}
        assert "remember" not in names
        assert "box#1" in guest.call("recall", query="fact")
        assert guest.result("remember", text="no")["isError"]
        server.stop()

    assert (tmp_path / "memory.db").read_bytes() == before


def test_newer_protocol_without_sessions_is_answered(server):
    client = server.client()
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
    params = {"name": "topics", "arguments": {}, "_meta": meta}
    headers = {"mcp_protocol_version": "2026-07-28", "mcp_method": "tools/call", "mcp_name": "topics"}

    reply = client.request(json.dumps({**message, "params": params}).encode(), **headers)

    assert reply.status == 200, reply
    assert not reply.json["result"]["isError"]


def test_address_is_told_and_stdout_stays_empty(tmp_path: Path):
    with HttpServer(tmp_path) as server:
        assert f"http://127.0.0.1:{server.port}/mcp" in server.stderr
        server.stop()

        assert server.process.stdout.read() == b""
