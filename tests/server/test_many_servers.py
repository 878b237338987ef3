"""Several servers over one file: every text is stored once under an id of its own, and nobody waits without need."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from stdio_client import StdioClient, text_of, tool_call

SERVERS = 8
WRITES = 40
ANSWER_S = 5.0
BESIDE_A_LOCK_S = 0.3


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[StdioClient]]:
    """Eight servers that have shaken hands; the file is not there yet."""
    folder = tmp_path_factory.mktemp("crowd")
    with ExitStack() as stack:
        clients = [stack.enter_context(StdioClient(folder)) for _ in range(SERVERS)]
        for client in clients:
            client.initialize()
        yield clients


def rows(file: Path) -> list[tuple[int, str]]:
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return connection.execute("SELECT id, text FROM entry ORDER BY id").fetchall()


@pytest.mark.timeout(240)
def test_pain_1_and_pain_10_many_servers_lose_nothing_on_a_fresh_file_and_answer_in_time(
    crowd: list[StdioClient],
) -> None:
    for server, client in enumerate(crowd):
        calls = [
            tool_call(f"w{number}", "remember", text=f"Server {server} wrote {number}.", tags="crowd")
            for number in range(WRITES)
        ]
        client.send(*calls)
    answers = [client.receive(f"w{number}")["result"] for client in crowd for number in range(WRITES)]

    stored = rows(crowd[0].file)

    assert [text_of(answer) for answer in answers if answer["isError"]] == []
    assert len({text_of(answer).split()[1] for answer in answers}) == SERVERS * WRITES
    expected = {f"Server {server} wrote {number}." for server in range(SERVERS) for number in range(WRITES)}
    assert {text for _, text in stored} == expected
    assert len(stored) == SERVERS * WRITES
    _mixed_calls_all_answer(crowd)


def _mixed_calls_all_answer(crowd: list[StdioClient]) -> None:
    for server, client in enumerate(crowd):
        for number in range(5):
            client.send(
                tool_call(f"m{number}", "remember", text=f"Mixed {number} of {server}.", tags="mixed")
            )
            client.send(tool_call(f"r{number}", "recall", query=f"server wrote {number}", tag="crowd"))
    begun = time.monotonic()
    answers = [client.receive(f"{kind}{number}") for client in crowd for kind in "mr" for number in range(5)]

    assert len(answers) == 80
    assert [text_of(answer["result"]) for answer in answers if answer["result"]["isError"]] == []
    assert time.monotonic() - begun < ANSWER_S


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StdioClient]:
    with StdioClient(tmp_path_factory.mktemp("alone")) as client:
        client.initialize()
        client.call("remember", text="The wal keeps readers going.", tags="lock", kind="decision")
        yield client


def test_pain_9_recall_does_not_wait_for_a_foreign_lock_and_a_remember_does(alone: StdioClient) -> None:
    with closing(sqlite3.connect(alone.file, isolation_level=None)) as foreign:
        foreign.execute("BEGIN IMMEDIATE")
        alone.send(tool_call("waits", "remember", text="This waits for the lock.", tags="lock"))
        begun = time.monotonic()
        answer = alone.call("recall", query="wal readers", tag="lock")
        took_s = time.monotonic() - begun
        foreign.execute("ROLLBACK")

    stored = alone.receive("waits")["result"]
    assert "wal keeps readers" in answer
    assert took_s < BESIDE_A_LOCK_S
    assert not stored["isError"], text_of(stored)
    assert "This waits for the lock." in [text for _, text in rows(alone.file)]


def test_a_question_that_was_followed_by_show_is_learned_only_when_the_lock_is_free(
    alone: StdioClient,
) -> None:
    with closing(sqlite3.connect(alone.file, isolation_level=None)) as foreign:
        foreign.execute("BEGIN IMMEDIATE")
        alone.call("recall", query="readers going")
        begun = time.monotonic()
        shown = alone.call("show", ids="1")
        took_s = time.monotonic() - begun
        foreign.execute("ROLLBACK")

    assert "The wal keeps readers going." in shown
    assert took_s < BESIDE_A_LOCK_S
