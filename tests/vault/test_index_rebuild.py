"""The rebuild: readers always see a full index, ids and counts stay, a crash leaves the old one; and what may wait."""

import os
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from frugal_modes.vault import rebuild as rebuilding
from tests.vault.conftest import Vault

COUNT = 120
WORKER = Path(__file__).with_name("rebuild_worker.py")


def fill(vault: Vault, count: int = COUNT) -> None:
    for number in range(count):
        vault.write(f"n{number}.md", f"# Card {number}\n\nzebra card number{number} about word{number % 7}")


@pytest.fixture
def full(vault: Vault) -> Vault:
    fill(vault)
    vault("memory_reindex")
    return vault


def total(vault: Vault) -> int:
    return int(vault("memory_search", query="zebra")["total"])


def test_a_rebuild_keeps_numbers_counts_and_questions(full: Vault) -> None:
    full.write("n5.md", "# Card 5\n\nzebra meets okapi")
    full("memory_search", query="okapi zebra")
    full("memory_get", id="n5.md")
    full.workspace.settle()
    before = {name: full.known(f"n{name}.md").number for name in range(0, COUNT, 17)}

    told = full("memory_reindex", rebuild=True)

    assert f"{COUNT} cards" in told["text"]
    assert told["unchanged"] == COUNT
    assert {name: full.known(f"n{name}.md").number for name in before} == before
    assert full("memory_get", id="n5.md")["reads"] == 1
    assert "asked before" in full("memory_search", query="zebra okapi")["text"]
    assert total(full) == COUNT


def test_a_rebuilt_index_is_the_one_that_grew(full: Vault) -> None:
    full.write("n1.md", "# Changed\n\nentirely other words: okapi")
    (full.folder / "n2.md").unlink()
    full("memory_search", query="okapi")
    grown = dump(full)

    full("memory_reindex", rebuild=True)

    assert dump(full) == grown


def dump(vault: Vault) -> list[Any]:
    """Return what the index holds, whatever the numbers of its words are."""
    queries = ("zebra", "okapi", "word3", "number7", "card number12 word5")
    found = [vault("memory_search", query=query, limit=20) for query in queries]
    with vault.workspace.store.read() as db:
        words = sorted(row[0] for row in db.execute("SELECT word FROM search_word WHERE written = 1"))
        statistics = tuple(db.execute("SELECT documents, length FROM search_statistics").fetchone())
    return [[(item["ref"], item["score"]) for item in answer["existing"]] for answer in found] + [
        words,
        statistics,
    ]


def test_readers_see_a_full_index_all_the_time(full: Vault) -> None:
    seen: list[int] = []
    done = threading.Event()

    def read() -> None:
        while not done.is_set():
            seen.append(total(full))

    reader = threading.Thread(target=read)
    reader.start()
    try:
        full("memory_reindex", rebuild=True)
    finally:
        done.set()
        reader.join()

    assert set(seen) == {COUNT}


def test_another_process_sees_a_full_index_all_the_time(full: Vault) -> None:
    with run_worker(full, "read") as worker:
        for _ in range(2):
            full("memory_reindex", rebuild=True)
        out, _ = worker.communicate("stop\n", timeout=60)

    counts = {int(line) for line in out.split()}
    assert counts == {COUNT}


class run_worker:  # noqa: N801  # reads like a function where it is used
    """Run the worker beside the test; it stops when a line comes in."""

    def __init__(self, vault: Vault, what: str) -> None:
        environ = {**os.environ, "VAULT_DIR": str(vault.folder), "XDG_CONFIG_HOME": str(vault.folder.parent)}
        arguments = [sys.executable, str(WORKER), what, str(vault.workspace.settings.path)]
        self._process = subprocess.Popen(
            arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environ, text=True
        )

    def __enter__(self) -> Any:
        assert self._process.stdout is not None
        assert self._process.stdout.readline().strip() == str(COUNT)
        return self._process

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()


def test_a_killed_rebuild_leaves_the_old_index(full: Vault) -> None:
    with run_worker(full, "rebuild") as worker:
        worker.send_signal(signal.SIGKILL)
        worker.wait()

    assert total(full) == COUNT
    with closing(sqlite3.connect(full.workspace.settings.path)) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_card_written_while_the_index_is_made_is_in_it(
    full: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = rebuilding._fill

    def fill_and_write(*arguments: Any) -> dict[int, bytes]:
        found = made(*arguments)
        full.write("n1.md", "# Changed\n\nokapi instead")
        full.write("late.md", "# Late\n\nokapi too")
        (full.folder / "n2.md").unlink()
        full("memory_search", query="okapi")
        return found

    monkeypatch.setattr(rebuilding, "_fill", fill_and_write)
    full("memory_reindex", rebuild=True)

    answer = full("memory_search", query="okapi")
    assert {item["path"] for item in answer["existing"]} == {"n1.md", "late.md"}
    assert total(full) == COUNT - 2


def test_a_search_beside_a_foreign_write_lock_answers(full: Vault) -> None:
    full.write("new.md", "okapi in a new file")
    with closing(sqlite3.connect(full.workspace.settings.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")

        answer = full("memory_search", query="zebra")
        other.execute("ROLLBACK")

    assert answer["total"] == COUNT
    assert "another process" in answer["text"]
    assert full("memory_search", query="okapi")["total"] == 1


def test_what_there_was_no_time_for_is_said_and_comes_later(
    open_vault: Callable[..., Vault], monkeypatch: pytest.MonkeyPatch
) -> None:
    from frugal_modes.vault import sync
    from frugal_modes.vault.sweep import Limits

    vault = open_vault()
    fill(vault, 200)
    enough = sync.SEARCH
    monkeypatch.setattr(sync, "SEARCH", Limits(look_s=600.0, read_s=-1.0, wait_s=1.0))
    hurried = vault("memory_search", query="zebra")
    monkeypatch.setattr(sync, "SEARCH", enough)

    assert hurried["unchecked"] == 200
    assert "not looked at yet" in hurried["text"]
    assert total(vault) == 200


def test_a_sweep_goes_on_where_the_last_one_stopped(full: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    from frugal_modes.vault import listing, sync
    from frugal_modes.vault.sweep import Limits

    looked: list[str] = []
    real = listing.stamp_of
    monkeypatch.setattr(listing, "stamp_of", lambda unit: (looked.append(unit.path), real(unit))[1])
    monkeypatch.setattr(listing, "GRACE_S", 600.0)
    monkeypatch.setattr(listing, "LOOKED_AT_LEAST_S", -1.0)
    monkeypatch.setattr(sync, "SEARCH", Limits(look_s=-1.0, read_s=600.0, wait_s=60.0))

    hurried = full("memory_search", query="zebra")
    first = list(looked)
    looked.clear()
    full("memory_search", query="zebra")

    assert hurried["unchecked"] == COUNT - len(first) > 0
    assert looked
    assert looked[0] not in first
    assert len({*first, *looked}) == COUNT


def test_upkeep_makes_a_differing_index_anew_and_a_dry_run_only_tells(full: Vault) -> None:
    from frugal_modes.vault.upkeep import examine, upkeep

    with full.workspace.store.write() as db:
        db.execute("UPDATE search_forward SET codes = '' WHERE document = 3")
    call = full.workspace.new_call(full.client)
    with full.workspace.store.read() as db:
        before = examine(db, 50)

    dry = upkeep(call, is_dry_run=True)
    done = upkeep(call)

    assert before.differing == ("#3",)
    assert dry.counts["changes"] == done.counts["changes"] == 1
    with full.workspace.store.read() as db:
        assert examine(db, 50).is_right
