"""mem0: OpenMemory's export, what `get_all` returns, and the history database."""

import gzip
import io
import json
import sqlite3
import zipfile

from tests.vault.readers.conftest import gather, recognise, tree


def memory(name, content, state="active", **more):
    return {
        "id": f"id-{name}",
        "content": content,
        "state": state,
        "created_at": "2026-01-02T03:04:05",
        **more,
    }


MEMORIES = [
    memory("a", "Likes tea. Every day.", category_ids=["c1"], app_id="p1"),
    memory("b", "Was paused", "paused"),
    memory("c", "Was archived", "archived"),
    memory("d", "Was deleted", "deleted"),
    memory("e", "Speaks Dutch", updated_at=1767323045),
]
TABLE = {
    "user": {"user_id": "kim"},
    "memories": MEMORIES,
    "categories": [{"id": "c1", "name": "drinks"}],
    "apps": [{"id": "p1", "name": "cursor"}],
}


def lines():
    records = [{**item, "categories": ["drinks"], "app": "cursor"} for item in MEMORIES]
    return gzip.compress("".join(json.dumps(record) + "\n" for record in records).encode())


def packed(**members):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return stream.getvalue()


def test_zip_gives_active_memories_once_though_it_holds_them_twice(write):
    file = write(
        "export.zip", packed(**{"out/memories.json": json.dumps(TABLE), "out/memories.jsonl.gz": lines()})
    )

    found = gather("mem0", file)

    assert found.ids == ["id-a", "id-e"]
    first = found.card("id-a")
    assert (first.title, first.body, first.tags) == ("Likes tea", "Likes tea. Every day.", ("drinks",))
    assert first.agent == "cursor"
    assert (first.member, first.created) == ("out/memories.json", "2026-01-02T03:04:05.000Z")
    assert found.card("id-e").updated == "2026-01-02T03:04:05.000Z"
    assert found.left_out == 3


def test_option_states_brings_paused_ones_and_never_deleted_ones(write):
    file = write("memories.json", json.dumps(TABLE))

    found = gather("mem0", file, states="active, paused, deleted")

    assert found.ids == ["id-a", "id-b", "id-e"]
    assert found.card("id-b").status == "paused"


def test_lines_are_read_where_there_is_no_table(write):
    file = write("deep/er/memories.jsonl.gz", lines())

    found = gather("mem0", file.parents[2])

    assert found.ids == ["id-a", "id-e"]
    assert (found.cards[0].agent, found.cards[0].tags) == ("cursor", ("drinks",))


def test_unpacked_export_is_read_once(write, src):
    write("memories.json", json.dumps(TABLE))
    write("memories.jsonl.gz", lines())

    assert gather("mem0", src).ids == ["id-a", "id-e"]


def test_results_of_get_all_are_read(write):
    results = {"results": [{"id": "1", "memory": "Likes tea", "hash": "x", "user_id": "kim"}]}
    file = write("all.json", json.dumps(results))

    assert gather("mem0", file).card("1").body == "Likes tea"
    assert recognise(file)[0] == "mem0"


def test_broken_record_is_named_by_its_line(write):
    good = json.dumps(memory("a", "Likes tea"))
    text = '{"memories": [\n' + good + ',\n{"id": "x", "content" },\n' + '{"id":"y","state":"active"},\n'
    file = write("memories.json", text + json.dumps(memory("b", "Speaks Dutch")) + "\n]}")

    found = gather("mem0", file)

    assert found.ids == ["id-a", "id-b"]
    assert found.reasons == [("", "line 3", "broken_record"), ("", "line 4", "broken_record")]


HISTORY = """
CREATE TABLE history (id TEXT PRIMARY KEY, memory_id TEXT, old_memory TEXT, new_memory TEXT, event TEXT,
    created_at DATETIME, updated_at DATETIME, is_deleted INTEGER, actor_id TEXT, role TEXT)
"""


def history(file, *rows):
    file.parent.mkdir(parents=True, exist_ok=True)
    db = sqlite3.connect(file, isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute(HISTORY)
    for number, (memory_id, new, event, deleted) in enumerate(rows):
        at = f"2026-01-0{number + 1}T10:00:00-08:00"
        db.execute(
            "INSERT INTO history VALUES (?, ?, NULL, ?, ?, ?, ?, ?, NULL, NULL)",
            (f"h{number}", memory_id, new, event, at, at, deleted),
        )
    return db


def test_history_gives_the_last_row_of_each_memory_unless_it_deletes(src):
    file = src / "history.db"
    history(
        file,
        ("m1", "Likes tea", "ADD", 0),
        ("m2", "Lives in Bonn", "ADD", 0),
        ("m1", "Likes coffee", "UPDATE", 0),
        ("m2", None, "DELETE", 1),
    ).close()

    found = gather("mem0", file)

    assert found.ids == ["m1"]
    card = found.cards[0]
    assert (card.body, card.created, card.updated) == (
        "Likes coffee",
        "2026-01-01T18:00:00.000Z",
        "2026-01-03T18:00:00.000Z",
    )
    assert found.left_out == 1


OLD_HISTORY = """
CREATE TABLE history (id TEXT PRIMARY KEY, memory_id TEXT, prev_value TEXT, new_value TEXT, event TEXT,
    timestamp DATETIME, is_deleted INTEGER)
"""


def test_history_of_the_first_releases_is_read_too(src):
    file = src / "history.db"
    with sqlite3.connect(file) as db:
        db.execute(OLD_HISTORY)
        rows = [
            ("h1", "m1", None, "Likes tea", "add", "2024-07-01T10:00:00", 0),
            ("h2", "m2", None, "Lives in Bonn", "add", "2024-07-02T10:00:00", 0),
            ("h3", "m1", "Likes tea", "Likes coffee", "update", "2024-07-03T10:00:00", 0),
            ("h4", "m2", "Lives in Bonn", None, "delete", "2024-07-04T10:00:00", 1),
        ]
        db.executemany("INSERT INTO history VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
    db.close()

    found = gather("mem0", file)

    assert found.ids == ["m1"]
    card = found.cards[0]
    assert (card.body, card.created, card.updated) == (
        "Likes coffee",
        "2024-07-01T10:00:00.000Z",
        "2024-07-03T10:00:00.000Z",
    )
    assert (found.left_out, found.reasons) == (1, [])


def test_open_history_is_read_with_its_log_and_nothing_appears_beside_it(src):
    file = src / "history.db"
    db = history(file, ("m1", "Likes tea", "ADD", 0))
    assert (src / "history.db-wal").stat().st_size > 0
    before = tree(src)
    names = sorted(src.iterdir())

    found = gather("mem0", src)

    assert found.ids == ["m1"]
    assert (tree(src), sorted(src.iterdir())) == (before, names)
    db.close()


def test_database_of_something_else_is_no_history(src):
    with sqlite3.connect(src / "history.db") as db:
        db.execute("CREATE TABLE other (x)")
    db.close()

    assert recognise(src) == []
    assert gather("mem0", src / "history.db").reasons == [("", "", "bad_database")]


def test_damaged_database_is_a_problem(write):
    file = write("history.db", b"SQLite format 3\0" + b"\xff" * 5000)

    found = gather("mem0", file)

    assert found.reasons == [("", "", "bad_database")]
    assert not found.is_whole
