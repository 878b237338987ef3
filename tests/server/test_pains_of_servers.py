"""What users of this field suffer from servers: lines of the public complaints, with real processes.

1, 9 and 10: test_many_servers; 5, 12 and 33: test_process_life; 11: test_troubled_files; 37 and 50: the protocol.
"""

import hashlib
import json
import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest
from stdio_client import StdioClient, text_of, tool_call

LOCKED_S = 3.0
AT_ONCE_S = 0.3


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A file with one entry."""
    with StdioClient(tmp_path) as owner:
        owner.initialize()
        owner.call("remember", text="The wal keeps readers going.", tags="lock", kind="decision")
        assert owner.end() == 0
    return tmp_path


def test_pain_8_short_lock_does_not_make_the_write_vanish(kept: Path) -> None:
    with (
        StdioClient(kept) as client,
        closing(
            sqlite3.connect(kept / "memory.db", isolation_level=None, check_same_thread=False)
        ) as foreign,
    ):
        client.initialize()
        foreign.execute("BEGIN IMMEDIATE")
        begun = time.monotonic()
        client.send(tool_call("w", "remember", text="This waits.", tags="lock", kind="decision"))
        timer = threading.Timer(LOCKED_S, foreign.execute, ("ROLLBACK",))
        timer.start()
        stored = client.receive("w")["result"]
        took_s = time.monotonic() - begun
        timer.join()

        assert not stored["isError"], text_of(stored)
        assert "#2" in text_of(stored)
        assert took_s >= LOCKED_S - AT_ONCE_S
        assert client.call("show", ids="2").endswith("This waits.")


def test_pain_9_guest_reads_beside_a_lock_and_writes_nothing(kept: Path) -> None:
    with (
        StdioClient(kept, "--guest") as guest,
        closing(sqlite3.connect(kept / "memory.db", isolation_level=None)) as foreign,
    ):
        guest.initialize()
        guest.call("topics")
        foreign.execute("BEGIN IMMEDIATE")
        begun = time.monotonic()
        answer = guest.call("recall", query="wal readers")
        took_s = time.monotonic() - begun
        changes = foreign.execute("PRAGMA data_version").fetchone()
        foreign.execute("ROLLBACK")

        assert "wal keeps readers" in answer
        assert took_s < AT_ONCE_S
        guest.call("show", ids="1")
        assert foreign.execute("PRAGMA data_version").fetchone() == changes


def test_pain_50_every_line_on_stdout_is_json_also_around_a_failing_call(tmp_path: Path) -> None:
    with StdioClient(tmp_path) as client:
        client.initialize()
        for number in range(19):
            client.call("remember", text=f"fact {number}", tags="x", kind="pitfall")
        failed = client.ask("tools/call", name="show", arguments={"ids": "nothing"})["result"]
        assert client.end() == 0

        assert failed["isError"]
        assert all(isinstance(json.loads(line), dict) for line in client.lines)


def test_pain_52_read_only_is_read_only_on_the_wire(kept: Path) -> None:
    file = kept / "memory.db"
    before = hashlib.sha256(file.read_bytes()).digest()

    with StdioClient(kept, "--guest") as guest:
        guest.initialize()
        names = {tool["name"] for tool in guest.ask("tools/list")["result"]["tools"]}
        refused = [
            guest.ask("tools/call", name=tool, arguments=arguments)["result"]
            for tool, arguments in (
                ("remember", {"text": "x"}),
                ("forget", {"ids": "1"}),
                ("classify", {"ids": "1", "kind": "pitfall"}),
            )
        ]
        assert guest.end() == 0

    assert names.isdisjoint({"remember", "forget", "classify", "erase"})
    assert all(result["isError"] for result in refused)
    assert hashlib.sha256(file.read_bytes()).digest() == before
    assert sorted(path.name for path in kept.glob("memory.db*")) == ["memory.db"]
