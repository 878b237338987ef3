"""erase: no byte of the text is left in the file, its index or its log; a dated stub, the id and the log stay."""

import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from frugal.store import copy_to

SECRET = "Zanzibarkey AKIAIOSFODNN7ABCDEFG quokkaword"
ALSO = "wombatword"
PARTS = (b"Zanzibar", b"zanzibar", b"AKIAIOSF", b"akiaiosf", b"quokka", b"wombat", b"quo", b"wom", b"zan")


@pytest.fixture
def filled(desk):
    """A memory with the secret among others, searched, shown and learned, its pages split and its log filled."""
    for number in range(40):
        desk.store(f"Filler {number} about ships and harbours " * 20, tags="sea")
    desk.store(SECRET, tags="shop", also=ALSO, kind="interface")
    for number in range(40):
        desk.store(f"More {number} about ships and harbours " * 20, tags="sea")
    desk.learn("quokkaword", 41)
    return desk


def files_with_traces(desk) -> dict[str, list[bytes]]:
    """Return the files beside the memory that hold a part of the secret."""
    path = desk.workspace.settings.path
    found = {}
    for file in sorted(path.parent.rglob(f"{path.stem}*")):
        content = file.read_bytes() if file.is_file() else b""
        if traces := [part for part in PARTS if part in content]:
            found[file.name] = traces
    return found


def test_no_byte_of_the_text_is_left(filled):
    assert files_with_traces(filled) != {}

    filled.shell("erase", ids="41")

    assert files_with_traces(filled) == {}


def test_nor_after_closing(filled):
    filled.shell("erase", ids="41")
    filled.workspace.close()

    assert files_with_traces(filled) == {}


def test_a_dated_stub_the_id_and_the_log_stay(filled):
    filled.shell("erase", ids="41")

    shown = filled("show", ids="41")
    assert shown.startswith("#41 ")
    assert "2026-11-02" in shown.splitlines()[-1]
    assert ("erased" if filled.is_english else "getilgt") in shown
    assert "(shop)" in shown
    assert ("erased",) in filled.rows("SELECT action FROM event WHERE entry_id = 41")


def test_it_is_found_no_more(filled):
    filled.shell("erase", ids="41")

    for query in ("quokkaword", "wombatword", "AKIAIOSFODNN7ABCDEFG"):
        assert "#41" not in filled("recall", query=query, include_superseded=True)


def test_other_entries_stay_as_they_were(filled):
    before = filled.rows("SELECT id, text, title, created_at FROM entry WHERE id <> 41 ORDER BY id")

    filled.shell("erase", ids="41")

    assert filled.rows("SELECT id, text, title, created_at FROM entry WHERE id <> 41 ORDER BY id") == before
    assert "#81" in filled("recall", query="39")


def test_the_file_agrees_with_itself_afterwards(filled):
    filled.shell("erase", ids="41")

    assert filled.rows("PRAGMA integrity_check") == [("ok",)]
    assert filled.rows("PRAGMA foreign_key_check") == []
    assert sum(filled.upkeep(is_dry_run=True).values()) == 0


def test_a_successor_stays_named(filled):
    new = filled.store("The key lies in the vault", supersedes="41")

    filled.shell("erase", ids="41")

    assert f"#{new}" in filled("show", ids="41")


def test_it_cannot_be_brought_back(filled):
    filled.shell("erase", ids="41")

    for undo in (True, False):
        answer = filled("forget", ids="41", undo=undo)
        assert ("Erased before: #41." if filled.is_english else "Schon getilgt: #41.") in answer
    assert filled.rows("SELECT live FROM entry_state WHERE entry_id = 41") == [(0,)]


def test_learned_questions_of_it_go(filled):
    assert filled.rows("SELECT count(*) FROM learned_question") == [(1,)]

    filled.shell("erase", ids="41")

    assert filled.rows("SELECT count(*) FROM learned_question") == [(0,)]


def test_a_tag_that_is_a_key_goes_too(desk):
    desk.store("a fact", tags="shop AKIAIOSFODNN7ABCDEFG")
    desk.store("a fact", tags="AKIAIOSFODNN7ABCDEFH")

    desk.shell("erase", ids="1")

    assert files_with_traces(desk) == {}
    assert "(shop)" in desk("show", ids="1")


def test_the_subject_of_a_memo_goes_too(filled):
    filled.spoil(
        "INSERT INTO memo (id, subject, pieces, first_id, last_id) VALUES (1, 'Zanzibarkey', 2, 41, 42)",
        "UPDATE entry_state SET memo_id = 1, memo_position = entry_id - 40 WHERE entry_id IN (41, 42)",
    )

    filled.shell("erase", ids="41")

    assert files_with_traces(filled) == {}


def test_unknown_ids_are_named(filled):
    reply = filled.shell("erase", ids="41,999")

    assert "#999" in reply.text
    assert "#41" in reply.text


def test_only_unknown_ids_are_no_result(filled):
    reply = filled.shell("erase", ids="999")

    assert reply.answer is not None
    assert reply.answer.is_empty


def test_a_second_time_is_named_and_cleans_what_a_killed_run_left(filled):
    filled.shell("erase", ids="41")
    filled.spoil("CREATE TABLE scratch (x)", f"INSERT INTO scratch VALUES ('{SECRET}')")
    filled.spoil("PRAGMA secure_delete = OFF", "DROP TABLE scratch")
    assert files_with_traces(filled) != {}

    reply = filled.shell("erase", ids="41")

    assert "#41" in reply.text
    assert files_with_traces(filled) == {}


# Backups


def test_backups_that_still_hold_the_text_are_listed(filled):
    path = filled.workspace.settings.path
    beside = path.with_name(f"{path.name}.20261102-101010.bak")
    folder = path.parent / "backups"
    folder.mkdir()
    inside = folder / f"{path.stem}-20261103-101010.db"
    clean = folder / f"{path.stem}-20261101-101010.db"
    for target in (beside, inside):
        copy_to(path, target)
    with closing(sqlite3.connect(clean)) as db:
        db.execute("CREATE TABLE entry (text)")

    text = filled.shell("erase", ids="41").text

    assert str(beside) in text
    assert str(inside) in text
    assert str(clean) not in text
    assert "Zanzibar" not in text


def test_a_backup_of_the_published_layout_is_recognised(filled):
    path = filled.workspace.settings.path
    old = path.with_name(f"{path.name}.20261102-101010.bak")
    with closing(sqlite3.connect(old)) as db, db:
        db.execute("CREATE TABLE eintrag (id INTEGER PRIMARY KEY, content TEXT)")
        db.execute("INSERT INTO eintrag (content) VALUES (?)", (SECRET,))

    assert str(old) in filled.shell("erase", ids="41").text


def test_what_cannot_be_read_is_listed_too(filled):
    path = filled.workspace.settings.path
    broken = path.with_name(f"{path.name}.20261102-101010.bak")
    broken.write_bytes(b"no database at all" * 100)
    damaged = path.with_name(f"{path.name}.damaged-20261102-101010")
    shutil.copy(broken, damaged)

    text = filled.shell("erase", ids="41").text

    assert str(broken) in text
    assert str(damaged) in text


def test_no_backup_is_said(filled):
    text = filled.shell("erase", ids="41").text

    assert ("No backup" if filled.is_english else "Keine Sicherung") in text


# Beside others


HOLD = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("BEGIN")
db.execute("SELECT count(*) FROM entry").fetchone()
print("holding", flush=True)
sys.stdin.readline()
"""


def test_a_reader_elsewhere_that_keeps_the_log_is_said(filled, monkeypatch):
    monkeypatch.setattr("frugal.store.store.DRAIN_S", 0.2)
    path: Path = filled.workspace.settings.path
    reader = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert reader.stdout is not None
    reader.stdout.readline()

    first = filled.shell("erase", ids="41").text
    reader.communicate("\n")
    second = filled.shell("erase", ids="41").text

    sentence = "could not be emptied" if filled.is_english else "ließ sich noch nicht leeren"
    assert sentence in first
    assert sentence not in second
    assert files_with_traces(filled) == {}
