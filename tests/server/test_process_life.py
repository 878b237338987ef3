"""How a server process begins and ends: nothing acknowledged is lost, nothing is left behind, nothing is said twice."""

import json
import signal
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from stdio_client import StdioClient, text_of, tool_call

EXIT_S = 2.0
"""The longest that a server may take to go."""

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., StdioClient]]:
    """Start servers over one file; *is_ready* shakes hands and stores one entry."""
    with ExitStack() as stack:

        def begin(*, is_ready: bool = True, **environ: str) -> StdioClient:
            client = stack.enter_context(StdioClient(tmp_path, environ=environ))
            if is_ready:
                client.initialize()
                client.call("remember", text="The first fact is kept.", tags="life", kind="pitfall")
            return client

        yield begin


def stored_texts(file: Path) -> list[str]:
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return [row[0] for row in connection.execute("SELECT text FROM entry ORDER BY id")]


def side_files(file: Path) -> list[str]:
    return [other.name for other in file.parent.glob(f"{file.name}-*")]


def children(client: StdioClient) -> list[str]:
    """Return the processes that the server has started, where the system tells."""
    pid = client.process.pid
    told = Path(f"/proc/{pid}/task/{pid}/children")
    return told.read_text("ascii").split() if told.exists() else []


def end_input(client: StdioClient) -> None:
    assert client.process.stdin is not None
    client.process.stdin.close()


def close_reading_end(client: StdioClient) -> None:
    """Stop reading although the server's input stays open."""
    client.close_stdout()


ENDINGS = {
    "the input ends": (end_input, 0),
    "SIGTERM": (lambda client: client.process.terminate(), 0),
    "SIGINT while the input is open": (lambda client: client.process.send_signal(signal.SIGINT), 130),
    "the client stops reading": (close_reading_end, 0),
}


@pytest.mark.parametrize(("leave", "code"), ENDINGS.values(), ids=ENDINGS.keys())
def test_pain_12_idle_server_ends_in_time_and_leaves_nothing_behind(
    start: Callable[..., StdioClient], leave: Callable[[StdioClient], None], code: int
) -> None:
    client = start()
    assert children(client) == []

    leave(client)

    assert client.process.wait(EXIT_S) == code
    assert stored_texts(client.file) == ["The first fact is kept."]
    assert side_files(client.file) == []
    assert len(client.stderr.splitlines()) == 1, client.stderr


def test_a_signal_before_the_handshake_ends_without_a_word(start: Callable[..., StdioClient]) -> None:
    client = start(is_ready=False)
    client.wait_for_stderr()  # written before the SDK is imported

    client.process.send_signal(signal.SIGINT)

    assert client.process.wait(EXIT_S) == 130
    assert "Traceback" not in client.stderr
    assert not client.file.exists()


def test_the_start_is_one_line_and_the_file_is_opened_by_the_first_call(
    start: Callable[..., StdioClient],
) -> None:
    client = start(is_ready=False)

    client.initialize()

    (line,) = client.stderr.splitlines()
    assert "memory" in line
    assert str(client.file) in line
    assert "read and write" in line
    assert not client.file.exists()
    client.call("remember", text="Now there is a file.", tags="life")
    assert client.file.exists()


WRONG_STARTS = {
    "a mistyped flag": (("--geust",), {}, "--geust"),
    "a name that is none": ((), {"MEMORY_NAME": "#1"}, "MEMORY_NAME"),
    "a config file that is not there": (("--config", "nowhere.toml"), {}, "nowhere.toml"),
    "a path of another system": ((), {"MEMORY_DB": "\\\\host\\share\\memory.db"}, "share"),
}


@pytest.mark.parametrize(("arguments", "environ", "word"), WRONG_STARTS.values(), ids=WRONG_STARTS.keys())
def test_a_wrong_start_is_refused_before_anything_is_served(
    tmp_path: Path, arguments: tuple[str, ...], environ: dict[str, str], word: str
) -> None:
    with StdioClient(tmp_path, *arguments, environ=environ) as client:
        code = client.end()

    assert code == 2
    assert word in client.stderr
    assert "Traceback" not in client.stderr
    assert client.lines == []


def test_a_language_nobody_speaks_here_is_reported_and_ignored(start: Callable[..., StdioClient]) -> None:
    client = start(MEMORY_LANG="fr")

    notice, serving = client.stderr.splitlines()

    assert "fr" in notice
    assert "read and write" in serving


def test_everything_sent_before_the_input_ended_is_done_and_answered(
    start: Callable[..., StdioClient],
) -> None:
    client = start(is_ready=False)
    calls = [tool_call(number, "remember", text=f"Fact {number} of a pipe.") for number in range(1, 21)]

    client.send(INITIALIZE, INITIALIZED, *calls)
    code = client.end()

    answers = [client.receive(number)["result"] for number in range(1, 21)]
    assert code == 0
    assert not any(answer["isError"] for answer in answers)
    assert sorted(stored_texts(client.file)) == sorted(f"Fact {number} of a pipe." for number in range(1, 21))
    assert side_files(client.file) == []


def test_forty_calls_sent_at_once_into_a_fresh_file_are_all_stored(start: Callable[..., StdioClient]) -> None:
    client = start(is_ready=False)
    client.initialize()

    client.send(*(tool_call(f"call-{number}", "remember", text=f"Burst {number}.") for number in range(40)))

    answers = [client.receive(f"call-{number}")["result"] for number in range(40)]
    ids = {text_of(answer).split()[1] for answer in answers}
    assert not any(answer["isError"] for answer in answers)
    assert len(ids) == 40
    client.end()
    assert len(stored_texts(client.file)) == 40


def test_a_server_that_waits_for_a_foreign_lock_still_leaves_in_time(
    start: Callable[..., StdioClient],
) -> None:
    client = start()
    with closing(sqlite3.connect(client.file, isolation_level=None)) as foreign:
        foreign.execute("BEGIN IMMEDIATE")
        client.send(tool_call("stuck", "remember", text="This one waits for the lock."))
        client.call("recall", query="fact")

        end_input(client)

        assert client.process.wait(EXIT_S) == 0
        foreign.execute("ROLLBACK")
    assert stored_texts(client.file) == ["The first fact is kept."]


def test_a_running_write_finishes_and_is_answered_after_sigterm(start: Callable[..., StdioClient]) -> None:
    client = start()
    with closing(sqlite3.connect(client.file, isolation_level=None)) as foreign:
        foreign.execute("BEGIN IMMEDIATE")
        client.send(tool_call("late", "remember", text="This one was running."))
        client.call("recall", query="fact")
        client.process.terminate()
        foreign.execute("ROLLBACK")

    assert not client.receive("late")["result"]["isError"]
    assert client.process.wait(EXIT_S) == 0
    assert stored_texts(client.file) == ["The first fact is kept.", "This one was running."]
    assert side_files(client.file) == []


@pytest.mark.parametrize("acknowledged", [1, 40, 80, 120, 160])
def test_pain_5_killed_server_loses_nothing_it_acknowledged(
    start: Callable[..., StdioClient], acknowledged: int
) -> None:
    client = start(is_ready=False)
    client.initialize()
    client.send(
        *(tool_call(number, "remember", text=f"Write {number} of many.") for number in range(1000, 1200))
    )
    answers = [client.receive(number)["result"] for number in range(1000, 1000 + acknowledged)]

    client.process.kill()
    client.process.wait(EXIT_S)

    texts = stored_texts(client.file)
    assert not any(answer["isError"] for answer in answers)
    assert {f"Write {number} of many." for number in range(1000, 1000 + acknowledged)} <= set(texts)


def test_pain_33_code_page_changes_no_character(start: Callable[..., StdioClient]) -> None:
    text = "连接池, Käse, \U0001f9ea"
    client = start(is_ready=False, PYTHONIOENCODING="cp1252", LC_ALL="C", PYTHONUTF8="0")
    client.initialize()

    client.call("remember", text=text, tags="Käse")
    shown = client.call("show", ids="1")

    assert shown.endswith(text)
    assert "(Käse)" in shown
    for line in client.lines:
        json.loads(line.decode("utf-8"))
    client.process.terminate()
    assert client.process.wait(EXIT_S) == 0
