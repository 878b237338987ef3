"""upkeep: everything derived is recomputed, what changed is reported, twice is the same as once, texts never change."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
import strategies as hostile
from hypothesis import given, settings
from hypothesis import strategies as st

from frugal.call import Client
from frugal.engine import build_engine
from frugal.entries.remember import Draft, store
from frugal.entries.upkeep import upkeep
from frugal.model import NO_KIND
from frugal.settings import Options, load_settings

TEXTS = (
    "Der Käse von Müller, die Bäume und die Straße",
    "数据库连接池的最大值是二十",
    "しりとり 끝말잇기 gen-itgc后50条",
    "src/main.py, grammar::fa, GB/s, C++, U.S.A., don't",
    "running runs universities Universität АБВ привет العربية",
    "The importer retries five times",
)
CHANGED = (
    "titles",
    "identities",
    "tags",
    "index",
    "directories",
    "chains",
    "learned",
    "analysis",
    "language",
)
TEXTS_AND_DATES = "SELECT id, text, also, created_at, origin FROM entry ORDER BY id"


@pytest.fixture
def filled(desk):
    """A memory of many scripts; one entry is hidden."""
    for number, text in enumerate(TEXTS):
        desk.store(text, tags="shop, mcp-memory" if number % 2 else "", also="Schlüssel key", kind="decision")
    desk("forget", ids="4")
    return desk


def changed(desk, *, is_dry_run: bool = False) -> dict[str, int]:
    """Return what changed, without what did not."""
    return {item: count for item, count in desk.upkeep(is_dry_run=is_dry_run).items() if count}


def test_a_file_in_order_has_no_changes(filled):
    assert changed(filled) == {}


def test_every_item_is_reported_also_without_changes(filled):
    answer = upkeep(filled.workspace.new_call(Client()))

    assert [item["item"] for item in answer.items] == list(CHANGED)
    assert len(answer.text.splitlines()) == len(CHANGED) + 1
    assert "6" in answer.text.splitlines()[0]


SPOILS = {
    "titles": ["UPDATE entry SET title = 'wrong' WHERE id IN (1, 2)"],
    "identities": ["UPDATE entry SET identity = x'00' WHERE id = 3"],
    "tags": ["UPDATE entry_tag SET folded = 'wrong' WHERE entry_id = 2 AND position = 0"],
    "a row of the index": ["UPDATE search_forward SET length = length + 1 WHERE document = 1"],
    "words in a row": ["UPDATE search_forward SET codes = codes || char(10) WHERE document = 2"],
    "a missing row": ["DELETE FROM search_forward WHERE document = 3"],
    "postings": ["INSERT INTO search_index (search_index) VALUES ('delete-all')"],
    "frequencies": ["UPDATE search_word SET df = df + 3 WHERE id > 640"],
    "statistics": ["UPDATE search_statistics SET documents = 99"],
    "aliases": ["DELETE FROM search_alias"],
    "written words": ["UPDATE search_word SET written = 0"],
    "words nobody has": [
        "INSERT INTO search_word (id, word, term_id, written) VALUES (99999, 'ghost', 99999, 1)"
    ],
    "tag counts": ["UPDATE tag_directory SET live = live + 5"],
    "missing tags": ["DELETE FROM tag_directory"],
    "all words": ["DELETE FROM search_word"],
    "hidden state": ["UPDATE search_forward SET live = 1 WHERE document = 4"],
}


@pytest.mark.parametrize("statements", SPOILS.values(), ids=SPOILS)
@pytest.mark.parametrize("language", ["en"], indirect=True)
def test_whatever_differs_is_mended_and_the_second_run_reports_nothing(filled, statements):
    texts = filled.rows(TEXTS_AND_DATES)
    filled.workspace.close()
    filled.spoil(*statements)

    assert changed(filled, is_dry_run=True)
    assert changed(filled)
    assert changed(filled) == {}

    assert filled.rows(TEXTS_AND_DATES) == texts
    assert filled.rows("PRAGMA integrity_check") == [("ok",)]
    for query, entry in (
        ("Kase Mueller", 1),
        ("连接池", 2),
        ("itgc", 3),
        ("universitaet", 5),
        ("retries", 6),
    ):
        assert f"\n#{entry} " in filled("recall", query=query)
    assert "#4 " not in filled("recall", query="grammar")


def test_a_dry_run_reports_the_same_ids_and_writes_nothing(filled):
    filled.workspace.close()
    filled.spoil("UPDATE entry SET title = 'wrong' WHERE id IN (1, 3)")
    path = filled.workspace.settings.path
    before = path.read_bytes()

    answer = upkeep(filled.workspace.new_call(Client()), is_dry_run=True)
    filled.workspace.close()

    (titles,) = [item for item in answer.items if item["item"] == "titles"]
    assert titles == {"item": "titles", "count": 2, "ids": [1, 3]}
    assert "#1, #3" in answer.text
    assert path.read_bytes() == before


def test_at_most_twelve_ids_are_named(desk):
    for number in range(15):
        desk.store(f"fact {number}")
    desk.spoil("UPDATE entry SET title = 'wrong'")

    answer = upkeep(desk.workspace.new_call(Client()))

    assert "#1-#12" in answer.text
    assert "3" in answer.text.split("#1-#12")[1].splitlines()[0]
    assert "#13" not in answer.text


# Chains


def test_a_sentence_cut_apart_becomes_a_memo_once(desk):
    desk.store("The migration first copies the whole old table and", tags="notes, x")
    desk.store("something unrelated between them that is a sentence.", tags="other")
    desk.store("then drops the old one, if all of it went well,", tags="Notes")
    desk.store("(as it nearly always does, says the log of that day)", tags="notes")
    desk.store("which ends the story of the table in this old file.", tags="notes")

    assert changed(desk, is_dry_run=True) == {"chains": 2}
    assert changed(desk) == {"chains": 2}
    assert changed(desk) == {}

    assert desk.rows("SELECT entry_id, memo_position FROM entry_state WHERE memo_id = 1 ORDER BY 2") == [
        (1, 1),
        (3, 2),
    ]
    assert ("part 1/2 of #1-#3" if desk.is_english else "Teil 1/2 von #1-#3") in desk("show", ids="1")


@pytest.mark.parametrize(
    ("first", "second", "tags"),
    [
        (
            "The migration first copies the whole old table.",
            "then drops the old one if all went well.",
            ("a", "a"),
        ),
        (
            "The migration first copies the whole old table and",
            "Then it drops the old one when all is well.",
            ("a", "a"),
        ),
        (
            "The migration first copies the whole old table and",
            "then drops the old one if all went well.",
            ("a", "b"),
        ),
        (
            "The migration first copies the whole old table and",
            "then drops the old one if all went well.",
            ("", ""),
        ),
        (
            "the pool size of the shop database is ten now",
            "the retry limit of the importer is five times",
            ("a", "a"),
        ),
    ],
)
def test_what_is_no_cut_sentence_is_no_memo(desk, first, second, tags):
    desk.store(first, tags=tags[0])
    desk.store(second, tags=tags[1])

    assert changed(desk) == {}


def test_neighbours_more_than_three_ids_apart_are_no_memo(desk):
    desk.store("The migration first copies the whole old table and", tags="notes")
    for number in range(3):
        desk.store(f"filler {number}", tags="other")
    desk.store("then drops the old one if all of it went well.", tags="notes")

    assert changed(desk) == {}


def test_pieces_an_older_file_took_over_follow_the_rule_of_the_import(desk):
    desk.store("the pool size of the shop database is ten now", tags="notes")
    desk.store("the retry limit of the importer is five times", tags="notes")
    desk.spoil("UPDATE entry SET sitting_id = NULL", "UPDATE search_forward SET sitting = NULL")

    assert changed(desk) == {"chains": 2}


# Learned questions, records


def test_pairs_unconfirmed_for_a_year_go(filled, clock):
    filled.learn("importer retries", 6)
    clock.advance(days=300)
    filled.learn("Käse Müller", 1)
    clock.advance(days=66)

    assert changed(filled) == {"learned": 1}

    assert filled.rows("SELECT entry_id FROM learned_question") == [(1,)]


def test_another_analysis_is_recorded(filled):
    changed(filled)
    filled.spoil("UPDATE record SET value = '0' WHERE key = 'analysis'")

    assert changed(filled) == {"analysis": 1}
    assert changed(filled) == {}


@pytest.mark.parametrize("spelled", ["de", "de_DE.UTF-8"])
def test_the_recorded_language_changes_only_when_one_is_given(tmp_path, spelled):
    path = tmp_path / "memory.db"

    def run(environ: dict[str, str]) -> str:
        engine = build_engine(
            load_settings(Options(db=str(path)), {"XDG_CONFIG_HOME": str(tmp_path), **environ})
        )
        workspace = engine.open(engine.registry.mode("memory"))
        answer = upkeep(workspace.new_call(Client()))
        workspace.close()
        with closing(sqlite3.connect(path)) as db:
            assert answer.text
            return str(db.execute("SELECT value FROM record WHERE key = 'language'").fetchone()[0])

    assert run({}) == "en"
    assert run({"MEMORY_LANG": spelled}) == "de"
    assert run({}) == "de"
    assert run({"MEMORY_LANG": "xx"}) == "de"


# Any text at all


@settings(max_examples=20)
@given(
    texts=st.lists(hostile.texts(longest=300), min_size=1, max_size=6),
    tags=hostile.tags(most=4),
    also=hostile.lines(longest=100),
)
def test_what_the_tools_wrote_needs_no_upkeep(open_desk, tmp_path_factory, texts, tags, also):
    desk = open_desk("en", file=f"{tmp_path_factory.mktemp('upkeep')}/memory.db")
    for text in texts:
        desk.reply("remember", text=text, tags=tags, also=also)
    desk.reply("forget", ids="1")

    found = changed(desk)

    found.pop("chains", None)
    assert found == {}


# Many entries


def fill(path: Path, count: int) -> None:
    """Store *count* entries, 500 a transaction; the first and the last have a word of their own."""
    engine = build_engine(load_settings(Options(db=str(path), lang="en"), {"MEMORY_NAME": "box"}))
    workspace = engine.open(engine.registry.mode("memory"))
    call = workspace.new_call(Client())
    for start in range(0, count, 500):
        with call.store.write() as db:
            for number in range(start, min(start + 500, count)):
                word = {0: "Oldestquokka", count - 1: "Newestwombat"}.get(number, f"Word{number % 97}")
                store(call, db, Draft(f"{word} entry {number} of the archive.", ("bulk",), NO_KIND, (), ""))
    workspace.close()


def spoiled(path: Path, count: int) -> Path:
    """Fill *path* with *count* entries and spoil it."""
    fill(path, count)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE entry SET title = 'wrong', identity = x'00' WHERE id % 3 = 0")
        db.execute("UPDATE search_forward SET length = length + 1 WHERE document % 5 = 0")
        db.execute("UPDATE search_word SET df = df + 1 WHERE id % 7 = 0")
    return path


def test_pain_6_twelve_thousand_before_and_after_and_both_ends_are_found(open_desk, tmp_path):
    spoiled(tmp_path / "memory.db", 12_000)
    desk = open_desk("en")
    seen: list[tuple[int, int]] = []

    answer = upkeep(
        desk.workspace.new_call(Client()), progress=lambda done, total: seen.append((done, total))
    )

    assert answer.counts["before"] == answer.counts["after"] == 12_000
    assert seen[-1] == (12_000, 12_000)
    assert len(seen) >= 24
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    for word, entry in (("Oldestquokka", 1), ("Newestwombat", 12_000)):
        assert f"\n#{entry} " in desk("recall", query=word)
    assert changed(desk) == {}


RUN = """
import sys
from frugal.call import Client
from frugal.engine import build_engine
from frugal.entries.upkeep import upkeep
from frugal.settings import Options, load_settings
engine = build_engine(load_settings(Options(db=sys.argv[1], lang="en"), {"MEMORY_NAME": "box"}))
workspace = engine.open(engine.registry.mode("memory"))
print("ready", flush=True)
upkeep(workspace.new_call(Client()), progress=lambda done, total: print(done, flush=True))
"""


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL is what is tried")
def test_a_kill_at_any_moment_leaves_a_correct_file(tmp_path, open_desk):
    path = spoiled(tmp_path / "memory.db", 4_000)
    with closing(sqlite3.connect(path)) as db:
        texts = db.execute(TEXTS_AND_DATES).fetchall()
    generator = random.Random(7)
    for _ in range(4):
        process = subprocess.Popen([sys.executable, "-c", RUN, str(path)], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        for _line in range(generator.randint(1, 6)):
            process.stdout.readline()
        process.send_signal(signal.SIGKILL)
        process.communicate()
        with closing(sqlite3.connect(path)) as db:
            assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            assert db.execute("PRAGMA foreign_key_check").fetchall() == []
            assert db.execute(TEXTS_AND_DATES).fetchall() == texts

    desk = open_desk("en")
    desk.upkeep()

    assert changed(desk) == {}
    assert "\n#1 " in desk("recall", query="Oldestquokka")
