"""Every fact of the files that the published version wrote holds after the takeover."""

import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from old_files import backups_of, is_sound, rows_of, tables_of

FILES = ("memory_en.db", "memory_de.db", "archive_en.db")
WITHOUT_REASON = ("ersetzt", "veraltet")

TEXTS = "SELECT id, text, created_at FROM entry ORDER BY id"
TAGS = "SELECT entry_id, spelling FROM entry_tag ORDER BY entry_id, position"
KINDS = "SELECT entry_id, kind FROM entry_state ORDER BY entry_id"
LIVE = "SELECT entry_id FROM entry_state WHERE live = 1 ORDER BY entry_id"
LOG = "SELECT entry_id, successor_id, reason, at FROM event WHERE action = 'superseded' ORDER BY seq"
CHAINS = """
    SELECT entry_state.entry_id, memo.first_id, memo_position, memo.pieces, memo.last_id
    FROM entry_state JOIN memo ON memo.id = entry_state.memo_id ORDER BY entry_state.entry_id
"""
SOURCES = "SELECT entry_id, key FROM source"
LEARNED = "SELECT question, entry_id FROM learned_question"

Legacy = Callable[[str], Path]
Facts = dict[str, Any]


@pytest.fixture(params=FILES)
def taken(request: pytest.FixtureRequest, legacy: Legacy, open_file: Callable, expected: Facts) -> tuple:
    """Return the file after its takeover, its facts and its owner."""
    path = legacy(request.param)
    facts = expected[request.param]
    owner = open_file(path, facts["mode"])
    owner("topics" if facts["language"] == "en" else "themen")
    return path, facts, owner


def test_texts_ids_and_dates_are_what_they_were(taken: tuple) -> None:
    path, facts, _ = taken

    found = rows_of(path, TEXTS)

    assert found == [(entry["id"], entry["text"], entry["time"]) for entry in facts["entries"]]


def test_tags_and_kinds_are_what_they_were(taken: tuple) -> None:
    path, facts, _ = taken

    tags: dict[object, list[object]] = {entry["id"]: [] for entry in facts["entries"]}
    for entry_id, tag in rows_of(path, TAGS):
        tags[entry_id].append(tag)

    assert tags == {entry["id"]: entry["tags"] for entry in facts["entries"]}
    assert rows_of(path, KINDS) == [(entry["id"], entry["kind_stored"]) for entry in facts["entries"]]


def test_every_row_of_the_log_is_there_and_hides_its_entry(taken: tuple) -> None:
    path, facts, _ = taken

    found: dict[object, list[object]] = {}
    for entry_id, by, reason, at in rows_of(path, LOG):
        found.setdefault(entry_id, []).append((by, reason, at))

    assert found == {
        entry["id"]: [(row["by"], reason_of(row), row["at"]) for row in entry["superseded"]]
        for entry in facts["entries"]
        if entry["superseded"]
    }
    live = [entry["id"] for entry in facts["entries"] if not entry["superseded"]]
    assert rows_of(path, LIVE) == [(entry_id,) for entry_id in live]


def reason_of(row: dict[str, Any]) -> str | None:
    return None if row["stored_reason"] in WITHOUT_REASON else row["reason"]


def test_memos_are_whole(taken: tuple) -> None:
    path, facts, _ = taken

    chains = [(entry["id"], entry["chain"]) for entry in facts["entries"] if entry.get("chain")]

    assert rows_of(path, CHAINS) == [
        (entry_id, chain["head"], chain["part"], chain["parts"], chain["last"]) for entry_id, chain in chains
    ]


def test_sources_of_an_archive_are_recognised(taken: tuple) -> None:
    path, facts, _ = taken
    # What was searched for and not found is no source: the text of a gap does not name it.
    named = [entry for entry in facts["entries"] if entry.get("source", "\0") in entry["text"]]

    keys: dict[object, set[object]] = {}
    for entry_id, key in rows_of(path, SOURCES) if named else ():
        keys.setdefault(entry_id, set()).add(key)

    assert len(named) == (27 if facts["mode"] == "archive" else 0)
    for entry in named:
        assert entry["source"].lower() in keys[entry["id"]]


def test_needles_are_found_first(taken: tuple) -> None:
    _, facts, owner = taken
    is_german = facts["language"] == "de"
    every = (
        {"mit_veraltet": True, "art": "alle"} if is_german else {"include_superseded": True, "kind": "all"}
    )

    for entry in facts["entries"]:
        if entry["needle"]:
            answer = owner.reply("recall", query=entry["needle"], **every).answer
            assert [item["id"] for item in answer.items] == [entry["id"]], entry["needle"]


def test_tags_count_the_live_entries_that_they_counted(taken: tuple) -> None:
    _, facts, owner = taken

    reply = owner.reply("themen" if facts["language"] == "de" else "topics")

    counted = {item["tag"]: item["count"] for item in reply.answer.items if item["tag"] not in ("", "-")}
    assert counted == facts["live_tags"]


def test_learned_questions_bring_their_entry_first(taken: tuple) -> None:
    path, facts, owner = taken

    assert sorted(rows_of(path, LEARNED)) == sorted((pair["question"], pair["id"]) for pair in facts["pairs"])
    for pair in facts["pairs"]:
        answer = owner.reply("recall", query=pair["question"]).answer
        assert answer.items[0]["id"] == pair["id"]


def test_language_is_that_of_the_file(taken: tuple) -> None:
    path, facts, _ = taken

    assert rows_of(path, "SELECT value FROM record WHERE key = 'language'") == [(facts["language"],)]


def test_new_entry_gets_the_next_id(taken: tuple) -> None:
    path, facts, owner = taken
    largest = max(entry["id"] for entry in facts["entries"])

    owner("remember", text="A new fact.", tags="x")

    assert rows_of(path, "SELECT max(id) FROM entry") == [(largest + 1,)]


def test_file_is_sound_and_holds_nothing_old_but_the_view(taken: tuple) -> None:
    path, _, owner = taken
    owner.workspace.close()

    assert is_sound(path)
    assert rows_of(path, "SELECT type, name FROM sqlite_schema WHERE name = 'eintrag'") == [
        ("view", "eintrag")
    ]
    assert not tables_of(path) & {
        "schema",
        "veraltet",
        "nachfrage",
        "vokabel",
        "marken",
        "suche",
        "suche_data",
    }


def test_backup_beside_it_is_the_old_file_and_private(
    legacy: Legacy, open_file: Callable, expected: Facts
) -> None:
    path = legacy("memory_en.db")

    owner = open_file(path)
    owner("topics")

    backup = backups_of(path)
    assert [file.name for file in backup] == ["memory_en.db.20261102-101400.bak"]
    assert stat.S_IMODE(backup[0].stat().st_mode) == 0o600
    texts = rows_of(backup[0], "SELECT id, content FROM eintrag ORDER BY id")
    assert texts == [(entry["id"], entry["text"]) for entry in expected["memory_en.db"]["entries"]]
    (line,) = owner.noticed()
    for fact in (str(path), "layout 6", "59 entries", "10 log rows", "5 learned questions", str(backup[0])):
        assert fact in line


@pytest.mark.parametrize("name", FILES)
def test_second_start_changes_nothing(
    legacy: Legacy, open_file: Callable, expected: Facts, name: str
) -> None:
    path, mode = legacy(name), expected[name]["mode"]
    recall = {"query": "roof motor"}
    first = open_file(path, mode)
    first("recall", **recall)
    first.workspace.close()
    first.noticed()
    before = path.read_bytes(), path.stat().st_mtime_ns, sorted(file.name for file in path.parent.iterdir())

    second = open_file(path, mode)
    second("recall", **recall)
    second.workspace.close()

    after = path.read_bytes(), path.stat().st_mtime_ns, sorted(file.name for file in path.parent.iterdir())
    assert after == before
    assert second.noticed() == []
