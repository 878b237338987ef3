import threading
from collections.abc import Callable
from pathlib import Path
from time import monotonic

import pytest
from store_worker import ADD, TEXTS, add, names_in, texts

from frugal.errors import StoreBusy, StoreFailed
from frugal.store import Store

Open = Callable[..., Store]

LOCK = """
import sqlite3
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN IMMEDIATE")
print("locked", flush=True)
sys.stdin.readline()
connection.execute("COMMIT")
connection.close()
"""


def test_nothing_is_opened_before_the_first_call(open_store: Open, path: Path) -> None:
    open_store()

    assert not path.parent.exists()


def test_write_is_seen_by_the_next_read(store: Store) -> None:
    add(store, "one", "two")

    assert texts(store) == ["one", "two"]


def test_exception_in_the_block_rolls_everything_back(store: Store) -> None:
    add(store, "kept")

    def write_and_fail() -> None:
        with store.write() as connection:
            connection.execute(ADD, {"text": "lost"})
            raise LookupError

    with pytest.raises(LookupError):
        write_and_fail()

    assert texts(store) == ["kept"]


def test_error_of_sqlite_rolls_back_and_carries_only_its_short_text(store: Store, path: Path) -> None:
    def write_and_break_a_rule() -> None:
        with store.write() as connection:
            connection.execute(ADD, {"text": "lost"})
            connection.execute("INSERT INTO note (text) VALUES (NULL)")

    with pytest.raises(StoreFailed) as caught:
        write_and_break_a_rule()

    assert caught.value.data == {"path": str(path), "reason": "NOT NULL constraint failed: note.text"}
    assert texts(store) == []


def test_read_keeps_one_snapshot_while_others_write(store: Store) -> None:
    add(store, "one")

    with store.read() as connection:
        before = connection.execute(TEXTS).fetchall()
        writer = threading.Thread(target=add, args=(store, "two"))
        writer.start()
        writer.join()
        after = connection.execute(TEXTS).fetchall()

    assert before == after
    assert texts(store) == ["one", "two"]


def test_reading_connection_cannot_write(store: Store) -> None:
    add(store, "one")

    with pytest.raises(Exception, match=r"not_writable|store_failed"), store.read() as connection:
        connection.execute(ADD, {"text": "two"})

    assert texts(store) == ["one"]


def test_threads_write_one_after_the_other(store: Store) -> None:
    threads = [threading.Thread(target=add, args=(store, f"text {number}")) for number in range(40)]

    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(texts(store)) == sorted(f"text {number}" for number in range(40))


def test_nested_write_is_an_error_of_the_program_not_a_deadlock(store: Store) -> None:
    with store.write(), pytest.raises(RuntimeError), store.write():
        pass


def test_read_answers_at_once_beside_a_foreign_write_lock(
    open_store: Open, store: Store, path: Path, start: Callable
) -> None:
    add(store, "one")
    holder = start(LOCK, path)
    holder.stdout.readline()
    fresh, guest = open_store(), open_store(read_only=True)

    began = monotonic()
    answers = [texts(store), texts(fresh), texts(guest)]
    took_s = monotonic() - began

    assert answers == [["one"]] * 3
    assert took_s < 0.3  # for all three: what one of them may take beside a lock


def test_read_does_not_wait_for_a_write_that_waits(store: Store, path: Path, start: Callable) -> None:
    add(store, "one")
    holder = start(LOCK, path)
    holder.stdout.readline()
    writer = threading.Thread(target=add, args=(store, "two"))
    writer.start()

    seen = texts(store)
    is_waiting = writer.is_alive()
    holder.communicate("go on\n")
    writer.join()

    assert (seen, is_waiting) == (["one"], True)
    assert texts(store) == ["one", "two"]


def test_lock_held_until_the_timeout_is_busy_and_nothing_is_stored(
    open_store: Open, path: Path, start: Callable
) -> None:
    store = open_store(busy_timeout_s=0.2)
    add(store, "one")
    holder = start(LOCK, path)
    holder.stdout.readline()

    with pytest.raises(StoreBusy) as caught:
        add(store, "two")
    holder.communicate("go on\n")

    assert caught.value.data == {"path": str(path)}
    assert texts(store) == ["one"]
    add(store, "three")
    assert texts(store) == ["one", "three"]


def test_thread_that_does_not_get_its_turn_is_busy(open_store: Open) -> None:
    store = open_store(busy_timeout_s=0.1)
    caught: list[BaseException] = []

    def try_it() -> None:
        try:
            add(store, "two")
        except StoreBusy as error:
            caught.append(error)

    with store.write() as connection:
        connection.execute(ADD, {"text": "one"})
        thread = threading.Thread(target=try_it)
        thread.start()
        thread.join()

    assert [type(error) for error in caught] == [StoreBusy]
    assert texts(store) == ["one"]


def test_interrupt_stops_a_running_read_and_the_next_one_works(store: Store) -> None:
    add(store, "one")
    endless = "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT COUNT(*) FROM n"
    caught: list[str] = []
    has_begun = threading.Event()

    def read_for_ever() -> None:
        try:
            with store.read() as connection:
                has_begun.set()
                connection.execute(endless).fetchone()
        except StoreFailed as error:
            caught.append(str(error.data["reason"]))

    reader = threading.Thread(target=read_for_ever)
    reader.start()
    has_begun.wait()
    while reader.is_alive():
        store.interrupt(reader.ident)
        reader.join(0.01)

    assert caught == ["interrupted"]
    assert texts(store) == ["one"]


def test_interrupt_between_two_statements_stops_the_next_one(store: Store) -> None:
    add(store, "one")
    long = "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 1e8) SELECT COUNT(*) FROM n"

    def read() -> None:
        with store.read() as connection:
            store.interrupt(threading.get_ident())
            connection.execute(long).fetchone()

    with pytest.raises(StoreFailed) as caught:
        read()

    assert caught.value.data["reason"] == "interrupted"
    assert texts(store) == ["one"]


def test_interrupt_of_another_thread_leaves_a_read_alone(store: Store) -> None:
    add(store, "one")

    with store.read() as connection:
        store.interrupt(threading.get_ident() + 1)

        assert connection.execute("SELECT COUNT(*) FROM note").fetchone()[0] == 1


def test_close_leaves_one_file_and_the_next_call_opens_again(store: Store, path: Path) -> None:
    add(store, "one")
    with store.read():
        assert names_in(path.parent) == ["notes.db", "notes.db-shm", "notes.db-wal"]

    store.close()

    assert names_in(path.parent) == ["notes.db"]
    assert texts(store) == ["one"]


def test_close_of_a_store_never_used_makes_nothing(store: Store, path: Path) -> None:
    store.close()

    assert not path.parent.exists()


def test_foreign_keys_are_enforced(store: Store) -> None:
    with store.write() as connection:
        assert connection.execute("PRAGMA foreign_keys").fetchone()[0] == 1
