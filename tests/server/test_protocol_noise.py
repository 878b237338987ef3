"""What is no request, or one that nobody can take, is answered or dropped, and the next request works."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from stdio_client import StdioClient, parse, text_of, tool_call

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
INVALID_PARAMS = -32602
METHOD_NOT_FOUND = -32601


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StdioClient]:
    with StdioClient(tmp_path_factory.mktemp("noise")) as client:
        client.initialize()
        yield client


def still_works(server: StdioClient) -> bool:
    return server.ask("ping")["result"] == {}


@pytest.mark.parametrize(
    "noise",
    [
        b"\n",
        b"   \t\r\n",
        b"what is this\n",
        b"\xff\xfe\x00\n",
        b"[]\n",
        b"17\n",
        b'"id"\n',
        b"{}\n",
        b'{"jsonrpc":"2.0","method":"notifications/nonsense"}\n',
        b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"nobody"}}\n',
        b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":[1]}}\n',
        b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}\n',
        b'{"jsonrpc":"2.0","method":"notifications/x","params":{"id":1.5}}\n',
        b'{"jsonrpc":"2.0","id":"never asked","result":{}}\n',
        b'{"jsonrpc":"2.0","id":"never asked","error":{"code":1,"message":"x"}}\n',
        b"{" * 5000 + b"\n",
    ],
)
def test_noise_that_nobody_waits_for_is_dropped(server: StdioClient, noise: bytes) -> None:
    before = len(server.lines)

    server.send_bytes(noise)

    assert still_works(server)
    assert len(server.lines) == before + 1


CALL = b'{"jsonrpc":"2.0","id":ID,"method":"tools/call","params":{"name":"remember","arguments":{"text":TEXT}}}\n'

REFUSED = {
    "bad UTF-8": (CALL.replace(b"TEXT", b'"\xff"'), PARSE_ERROR),
    "cut off": (CALL.replace(b"TEXT", b'"abc')[:-5] + b"\n", PARSE_ERROR),
    "a raw control character": (CALL.replace(b"TEXT", b'"a\x00b"'), PARSE_ERROR),
    "nested too deeply": (CALL.replace(b"TEXT", b"[" * 100_000 + b"]" * 100_000), PARSE_ERROR),
    "params that are a list": (b'{"jsonrpc":"2.0","id":ID,"method":"ping","params":[1]}\n', INVALID_REQUEST),
    "another JSON-RPC": (b'{"jsonrpc":"1.0","id":ID,"method":"ping"}\n', INVALID_REQUEST),
    "no version": (b'{"id":ID,"method":"ping"}\n', INVALID_REQUEST),
    "no method": (b'{"jsonrpc":"2.0","id":ID}\n', INVALID_REQUEST),
    "a method that is none": (b'{"jsonrpc":"2.0","id":ID,"method":5}\n', INVALID_REQUEST),
    "an unknown method": (b'{"jsonrpc":"2.0","id":ID,"method":"memory/read"}\n', METHOD_NOT_FOUND),
    "no tool": (b'{"jsonrpc":"2.0","id":ID,"method":"tools/call"}\n', INVALID_PARAMS),
    "arguments that are text": (
        b'{"jsonrpc":"2.0","id":ID,"method":"tools/call","params":{"name":"recall","arguments":"x"}}\n',
        INVALID_PARAMS,
    ),
}


@pytest.mark.parametrize(("line", "code"), REFUSED.values(), ids=REFUSED.keys())
@pytest.mark.parametrize("is_text", [False, True], ids=["number", "text"])
def test_a_request_that_cannot_be_taken_is_answered_under_its_id(
    server: StdioClient, line: bytes, code: int, is_text: bool
) -> None:
    number = server.new_id()
    request_id = f"id-{number}" if is_text else number

    server.send_bytes(line.replace(b"ID", json.dumps(request_id).encode()))

    assert server.receive(request_id)["error"]["code"] == code
    assert still_works(server)


@pytest.mark.parametrize(
    ("sent", "answered"),
    [
        ("1.5", 1.5),
        ('"\\ud800"', "\ud800"),
        ("true", None),
        ("null", None),
        ("[7]", None),
        ("9" * 5000, "9" * 5000),
    ],
    ids=["a fraction", "half a surrogate pair", "a truth value", "null", "a list", "too many digits"],
)
def test_a_request_with_an_id_that_is_none_is_answered_too(
    server: StdioClient, sent: str, answered: object
) -> None:
    before = len(server.lines)

    server.send_bytes(f'{{"jsonrpc":"2.0","id":{sent},"method":"ping"}}\n'.encode())

    assert still_works(server)
    (line,) = server.lines[before:-1]
    reply = parse(line)
    assert reply["id"] == answered
    assert "error" in reply


def test_half_a_surrogate_pair_in_a_text_is_refused_with_its_position(server: StdioClient) -> None:
    number = server.new_id()

    server.send_bytes(CALL.replace(b"ID", str(number).encode()).replace(b"TEXT", b'"abc\\ud83d"'))

    result = server.receive(number)["result"]
    assert result["isError"]
    assert "half a surrogate pair at position 4" in text_of(result)


def test_half_a_surrogate_pair_as_a_method_is_answered(server: StdioClient) -> None:
    number = server.new_id()

    server.send_bytes(f'{{"jsonrpc":"2.0","id":{number},"method":"\\ud83d"}}\n'.encode())

    assert "error" in server.receive(number)
    assert still_works(server)


def test_nesting_that_is_still_json_is_refused_by_the_tool(server: StdioClient) -> None:
    number = server.new_id()

    server.send_bytes(CALL.replace(b"ID", str(number).encode()).replace(b"TEXT", b"[" * 500 + b"]" * 500))

    assert server.receive(number)["result"]["isError"]
    assert still_works(server)


def test_the_members_of_a_batch_are_answered_one_by_one(server: StdioClient) -> None:
    first, second = server.new_id(), server.new_id()
    pings = [{"jsonrpc": "2.0", "id": number, "method": "ping"} for number in (first, second)]

    server.send_bytes(json.dumps(pings).encode() + b"\n")

    assert server.receive(first)["result"] == {}
    assert server.receive(second)["result"] == {}


def test_a_byte_order_mark_and_windows_line_ends_do_not_matter(server: StdioClient) -> None:
    number = server.new_id()

    server.send_bytes(f'\ufeff{{"jsonrpc":"2.0","id":{number},"method":"ping"}}\r\n'.encode())

    assert server.receive(number)["result"] == {}


def test_a_huge_line_is_read_and_refused_with_size_and_limit(server: StdioClient) -> None:
    number = server.new_id()

    server.send(tool_call(number, "remember", text="word " * 2_000_000))

    result = server.receive(number)["result"]
    assert result["isError"]
    assert "10000000" in text_of(result)
    assert "100000" in text_of(result)
    assert still_works(server)


@pytest.mark.parametrize("request_id", ["same", "", "7", "\U0001f600", 0, -1, 10**300], ids=repr)
def test_an_id_comes_back_as_it_was_and_may_be_used_again(server: StdioClient, request_id: object) -> None:
    for _ in range(2):
        server.send({"jsonrpc": "2.0", "id": request_id, "method": "ping"})
        assert server.receive(request_id)["result"] == {}


def test_pain_50_after_all_that_every_line_was_a_message(server: StdioClient, tmp_path: Path) -> None:
    assert still_works(server)

    for line in server.lines:
        assert parse(line)["jsonrpc"] == "2.0"
    assert "Traceback" not in server.stderr
