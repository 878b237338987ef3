"""check from the shell and from an MCP client, as processes of their own, beside a real server that does its worst."""

import gzip
import json
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from checking import NOTES, pair_line
from model_server import MODEL, Behave, ModelServer, completion, hangs_up, redirects, says, stalls
from stdio_client import StdioClient, isolated, tool_call

from frugal.cli.root import run

MIB = 1 << 20


def settings(model: ModelServer, **more: str) -> dict[str, str]:
    """Return the variables that set the fact check up."""
    return {"MEMORY_FC_URL": model.url, "MEMORY_FC_MODEL": MODEL, **more}


@pytest.fixture
def check(tmp_path: Path, model: ModelServer, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Run `memory check 1 2` over two notes in this process and return its text."""
    environ = isolated(tmp_path)
    for note in NOTES:
        run(["memory", "remember", note], environ=environ)

    def run_it(**more: str) -> str:
        capsys.readouterr()
        code = run(["memory", "check", "1", "2"], environ={**environ, **settings(model, **more)})
        told = capsys.readouterr()
        assert code == 0, told
        assert "Traceback" not in told.err
        return told.out

    return run_it


def status(code: int, headers: dict[str, str] | None = None) -> Behave:
    def behave(handler: Any, _prompt: str) -> None:
        body = json.dumps({"error": {"message": "no", "code": code}}).encode()
        handler.send_response(code)
        for name, value in {"Content-Length": str(len(body)), **(headers or {})}.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(body)

    return behave


def raw(body: bytes, **headers: str) -> Behave:
    def behave(handler: Any, _prompt: str) -> None:
        handler.send_response(200)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(body)
        handler.close_connection = True

    return behave


def in_pieces(body: bytes, *, pieces: int) -> Behave:
    """Send *body* in chunks, slowly."""

    def behave(handler: Any, _prompt: str) -> None:
        handler.send_response(200)
        handler.send_header("Transfer-Encoding", "chunked")
        handler.end_headers()
        size = -(-len(body) // pieces)
        for start in range(0, len(body), size):
            part = body[start : start + size]
            handler.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))
            handler.server.released.wait(0.02)
        handler.wfile.write(b"0\r\n\r\n")

    return behave


def endless(handler: Any, _prompt: str) -> None:
    """Send a body that never ends, as fast as it goes."""
    handler.send_response(200)
    handler.end_headers()
    while not handler.server.released.is_set():
        handler.wfile.write(b" " * 65_536)


def no_http(handler: Any, _prompt: str) -> None:
    """Answer as another service would."""
    handler.wfile.write(b"220 mail ready\r\n")
    handler.close_connection = True


VERDICT = json.dumps(completion("WIDERSPRUCH")).encode()

TROUBLES = {
    "401": (status(401), "MEMORY_FC_KEY"),
    "403": (status(403), "MEMORY_FC_KEY"),
    "404": (status(404), "MEMORY_FC_URL"),
    "429": (status(429, {"Retry-After": "3600"}), "too often"),
    "500": (status(500), "answers with an error"),
    "503": (status(503), "answers with an error"),
    "redirect": (status(302, {"Location": "https://example.org/"}), "points elsewhere"),
    "redirect to itself": (redirects("/v1/chat/completions"), "points elsewhere"),
    "broken JSON": (raw(VERDICT[:-3]), "not understood"),
    "not UTF-8": (raw(b'{"choices": "\xff"}'), "not understood"),
    "no body": (raw(b""), "not understood"),
    "body cut short": (raw(VERDICT, Content_Length="9000"), "connection broke"),
    "two lengths": (raw(VERDICT, content_length="3"), "connection broke"),
    "huge": (raw(VERDICT + b" " * (2 * MIB)), "not understood"),
    "huge, packed": (raw(gzip.compress(VERDICT + b" " * (20 * MIB), 1), Content_Encoding="gzip"), "not"),
    "endless": (endless, "not understood"),
    "no HTTP": (no_http, "connection broke"),
    "hangs up": (hangs_up, "connection broke"),
}


@pytest.mark.parametrize(("behave", "reason"), TROUBLES.values(), ids=TROUBLES)
@pytest.mark.parametrize("place", ["probe", "answer"])
def test_a_server_in_trouble_gives_no_verdict_and_the_reason_is_told(check, model, place, behave, reason):
    if place == "probe":
        model.on_probe = behave
    else:
        model.behave = behave

    answer = check()

    assert pair_line(answer) == "no verdict"
    (line,) = [line for line in answer.splitlines() if line.startswith("The model could not be asked: ")]
    assert reason in line
    assert line.endswith("asked again in 300 s.")
    assert len(model.asked) == (place == "answer")


def test_a_packed_reply_is_not_asked_for(check, model):
    check()

    assert {seen.headers["Accept-Encoding"] for seen in model.seen} == {"identity"}


def test_a_slow_answer_in_pieces_is_waited_for(check, model):
    model.behave = in_pieces(VERDICT, pieces=20)

    assert pair_line(check()) == "contradiction"


def test_an_answer_slower_than_the_limit_is_no_verdict(check, model):
    model.behave = in_pieces(VERDICT + b" " * 3_000, pieces=3_000)

    answer = check(MEMORY_FC_TIMEOUT="0.3")

    assert pair_line(answer) == "no verdict"
    assert "no answer in time" in answer


def test_the_key_is_in_no_message_of_a_server_that_refuses_it(check, model):
    model.behave = status(401)

    answer = check(MEMORY_FC_KEY="sk-k3yk3yk3yk3y")

    assert "k3y" not in answer
    assert model.asked[0].headers["Authorization"] == "Bearer sk-k3yk3yk3yk3y"


@pytest.mark.parametrize(
    ("content", "verdict"), [("", "no verdict"), (None, "no verdict"), ([1], "no verdict")]
)
def test_a_reply_without_words_is_no_verdict_and_no_trouble(check, model, content, verdict):
    model.behave = says(content)

    answer = check()

    assert pair_line(answer) == verdict
    assert "could not be asked" not in answer
    assert len(model.asked) == 2


def test_a_shell_command_ends_although_the_server_never_answers(tmp_path, model):
    model.behave = stalls
    environ = {**isolated(tmp_path), **settings(model, MEMORY_FC_TIMEOUT="0.3")}
    for note in NOTES:
        run(["memory", "remember", note], environ=isolated(tmp_path))

    done = subprocess.run(
        [sys.executable, "-m", "frugal", "memory", "check", "1", "2", "--json"],
        env=environ, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip

    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["items"] == [{"pair": [1, 2], "verdicts": [None, None]}]


def begin_check(client: StdioClient) -> None:
    """Store the notes and ask for their check, without waiting for it."""
    client.initialize()
    for note in NOTES:
        client.call("remember", text=note)
    client.send(tool_call("check", "check", ids="1,2"))


def test_a_client_gets_verdicts_and_other_calls_go_on_meanwhile(tmp_path, model):
    is_asked, may_answer = threading.Event(), threading.Event()

    def wait(handler: Any, _prompt: str) -> None:
        is_asked.set()
        may_answer.wait(30)
        handler.give(completion("FORTSCHRITT"))

    model.behave = wait
    with StdioClient(tmp_path, environ=settings(model)) as client:
        begin_check(client)
        assert is_asked.wait(30)

        meanwhile = client.call("remember", text="Backups run at night")
        may_answer.set()
        answer = client.receive("check")["result"]["content"][0]["text"]

        assert meanwhile.startswith("Stored #3")
        assert pair_line(answer) == "progress"
        assert client.end() == 0


def test_a_server_whose_client_leaves_ends_although_the_model_never_answers(tmp_path, model):
    is_asked = threading.Event()

    def never(handler: Any, prompt: str) -> None:
        is_asked.set()
        stalls(handler, prompt)

    model.behave = never
    with StdioClient(tmp_path, environ=settings(model)) as client:
        begin_check(client)
        assert is_asked.wait(30)

        assert client.end() == 0
