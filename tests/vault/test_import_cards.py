"""`frugal-memory import --from KIND`: what other systems remember becomes entries of the memory."""

import gzip
import json
import sqlite3
from pathlib import Path

import pytest

from tests.cli.conftest import Line


@pytest.fixture
def line(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Line:
    return Line(tmp_path, capsys, monkeypatch)


@pytest.fixture
def write(tmp_path):
    def write_it(path, content):
        file = tmp_path / "src" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return file

    return write_it


def entries(line):
    """Return text, date and tags of every entry in order."""
    with sqlite3.connect(line.file) as db:
        rows = db.execute("SELECT id, text, created_at FROM entry ORDER BY id").fetchall()
        tags = db.execute("SELECT entry_id, spelling FROM entry_tag ORDER BY entry_id, position").fetchall()
    db.close()
    return [(text, at, tuple(tag for entry, tag in tags if entry == number)) for number, text, at in rows]


GRAPH = "\n".join(
    [
        '{"type":"entity","name":"Kim","entityType":"person","observations":["likes tea","speaks Dutch"]}',
        '{"type":"entity","name":"broken',
        '{"type":"relation","from":"Kim","to":"Shop","relationType":"works_at"}',
    ]
)
MEM0 = """[
{"id":"1","content":"Likes tea in the morning.","state":"active","created_at":"2026-01-02T03:04:05Z"},
{"id":"2","state":"active"},
{"id":"3","content":"Was deleted long ago.","state":"deleted"}
]"""
CHATGPT = """[
{"id":"1","content":"Has a dog called Rex.","enabled":true,"created_at":1767323045},
{"id":"2","enabled":true},
{"id":"3","content":"Is switched off.","enabled":false}
]"""
CLAUDE = """[
{"conversations_memory":"# Work\\nBuilds shops in Python, alone.","project_memories":{}},
{"account_uuid":"nothing remembered"}
]"""
JSONL = '{"text":"Prefers short answers.","created_at":"2026-01-02"}\n{broken\n{"text":"Lives in Bonn."}\n'
NOTE = """---
permalink: coffee
tags: [drinks]
---
# Coffee

- [method] Pour over keeps more flavour #brewing
- pairs_with [[Chocolate]]

A paragraph about coffee that is long enough to stand by itself.
"""


def mem0_lines():
    good = json.dumps({"id": "1", "content": "Likes tea in the morning.", "state": "active"})
    return gzip.compress(f"{good}\nno record\n".encode(), mtime=0)


@pytest.mark.parametrize(
    ("kind", "name", "content", "new", "place"),
    [
        ("server-memory", "memory.jsonl", GRAPH, 3, "line 2"),
        ("mem0", "memories.json", MEM0, 1, "line 3"),
        ("mem0", "memories.jsonl.gz", mem0_lines(), 1, "line 2"),
        ("chatgpt", "memories.json", CHATGPT, 1, "line 3"),
        ("claude-export", "memories.json", CLAUDE, 1, "line 3"),
        ("jsonl", "notes.jsonl", JSONL, 2, "line 2"),
    ],
    ids=["server-memory", "mem0", "mem0-gz", "chatgpt", "claude-export", "jsonl"],
)
def test_pain_47_records_of_known_formats_come_and_the_broken_one_is_named_by_line(
    line, write, kind, name, content, new, place
):
    file = write(name, content)

    told = line("import", str(file), "--from", kind)
    again = line("import", str(file), "--json").json

    assert told.code == 3
    assert f"{new} new" in told.out
    assert f"{file}: {place}: no record" in told.out
    assert len(entries(line)) == new
    assert (again["new"], again["known"], again["left_out"], again["kind"]) == (0, new, 1, kind)


@pytest.mark.parametrize(
    ("kind", "files", "new"),
    [
        (
            "claude-code",
            {"memory/proxy.md": "---\nname: Proxy\n---\nThe proxy listens on port 8080 here.\n"},
            1,
        ),
        ("basic-memory", {"coffee.md": NOTE}, 3),
        (
            "codex",
            {"memories/memory_summary.md": "v1\n\n# Overview\nAll about the shop and its payroll.\n"},
            1,
        ),
        ("cursor", {".cursor/rules/a.mdc": "---\nglobs: *.tsx, *.ts\n---\nUse functions, not classes.\n"}, 1),
        ("instructions", {"CLAUDE.md": "# Style\nUse tabs and nouns.\n# Tests\nRun them all.\n"}, 2),
        (
            "obsidian",
            {".obsidian/app.json": "{}", "a.md": "A note that is long enough to stand by itself."},
            1,
        ),
        ("memory-tool", {"preferences": "Likes tea in the morning and coffee at night.", "x": "\0"}, 1),
    ],
)
def test_pain_47_folders_of_known_formats_come_and_the_broken_file_is_named(
    line, write, tmp_path, kind, files, new
):
    for name, text in files.items():
        write(name, text)
    broken = next(iter(files))
    bad = write(
        str(Path(broken).with_name("AGENTS.md" if kind == "instructions" else f"z-{Path(broken).name}")),
        b"\xff",
    )
    if kind == "codex":
        bad.rename(bad := bad.with_name("MEMORY.md"))
    root = {"claude-code": "src/memory", "codex": "src/memories"}.get(kind, "src")

    told = line("import", str(tmp_path / root), "--from", kind)

    assert f"{new} new" in told.out, told
    assert (told.code, str(bad.name) in told.out) == ((0, False) if kind == "obsidian" else (3, True))
    assert len(entries(line)) == new


def test_observations_and_relations_are_entries_of_their_own(line, write):
    line("import", str(write("memory.jsonl", GRAPH)), "--tag", "extra")

    assert [(text, tags) for text, _, tags in entries(line)] == [
        ("Kim: likes tea", ("Kim", "person", "extra")),
        ("Kim: speaks Dutch", ("Kim", "person", "extra")),
        ("Kim: works_at Shop", ("Kim", "person", "extra")),
    ]


def test_observations_of_basic_memory_keep_category_and_tags_and_the_rest_is_cut(line, write):
    line("import", str(write("coffee.md", NOTE).parent), "--from", "basic-memory")

    found = entries(line)
    assert [(text, tags) for text, _, tags in found[:2]] == [
        ("Pour over keeps more flavour #brewing", ("method", "brewing", "drinks")),
        ("Coffee: pairs_with Chocolate", ("pairs_with", "drinks")),
    ]
    assert found[2][0] == "# Coffee\n\nA paragraph about coffee that is long enough to stand by itself."
    assert found[2][2][:2] == ("coffee", "drinks")


ALIASED = "---\naliases: [reverse proxy, nginx]\ndescription: Where requests come in\n---\n"


def also(line):
    """Return the search words of every entry in order."""
    with sqlite3.connect(line.file) as db:
        found = [row[0] for row in db.execute("SELECT also FROM entry ORDER BY id")]
    db.close()
    return found


@pytest.mark.parametrize("kind", ["obsidian", "markdown", "notes"])
def test_aliases_of_a_note_are_search_words_of_its_first_entry_whoever_reads_it(line, write, kind):
    write(".obsidian/app.json", "{}")
    long = "It listens on port 8080 of the box in the cellar, behind the other one.\n"
    note = write("proxy.md", f"{ALIASED}{long}\n{long.replace('8080', '9090')}")

    line("import", str(note.parent), "--from", kind)

    assert also(line) == ["reverse proxy | nginx | Where requests come in", ""]
    assert "#1 " in line("memory", "recall", "nginx").out


def test_description_that_a_reader_makes_an_alias_is_told_once(line, write):
    note = (
        "---\nname: Proxy\ndescription: Where requests come in\n---\nThe proxy listens on port 8080 here.\n"
    )

    line("import", str(write("memory/proxy.md", note).parent), "--from", "claude-memory")

    assert also(line) == ["Where requests come in"]


def test_dates_are_kept_and_cards_that_do_not_count_are_counted(line, write):
    told = line("import", str(write("memories.json", CHATGPT)), "--json").json

    assert told["not_live"] == 1
    assert [(text, at) for text, at, _ in entries(line)] == [("Has a dog called Rex.", "2026-01-02 03:04:05")]


def test_heading_of_a_section_comes_with_its_text(line, write):
    line("import", str(write("CLAUDE.md", "# Style\nUse tabs.\n").parent), "--from", "instructions")

    assert entries(line)[0][0] == "# Style\n\nUse tabs."


def test_auto_leaves_folders_of_notes_to_the_import_of_notes(line, write):
    file = write("memory/MEMORY.md", "# Index\n- [a](a.md): a\n")
    write("memory/a.md", "A paragraph that is long enough to stand by itself, in one file.")

    told = line("import", str(file.parent), "--json").json

    assert "kind" not in told
    assert told["new"] == 1


def test_dry_run_reads_everything_and_makes_no_file(line, write):
    told = line("import", str(write("memory.jsonl", GRAPH)), "--dry-run", "--json").json

    assert (told["new"], told["left_out"], told["dry_run"]) == (3, 1, True)
    assert not line.file.exists()


def test_erased_observation_is_not_imported_again(line, write):
    file = write("memory.jsonl", GRAPH)
    line("import", str(file))
    assert line("memory", "erase", "1").code == 0

    told = line("import", str(file), "--json").json

    assert (told["new"], told["erased"]) == (0, 1)


@pytest.mark.parametrize(("lang", "words"), [("en", "does not look like"), ("de", "sieht nicht nach")])
def test_another_shape_is_a_usage_error(line, write, lang, words):
    told = line("import", str(write("a.md", "text").parent), "--from", "mem0", lang=lang)

    assert told.code == 2
    assert words in told.err


def test_kind_without_a_default_place_asks_for_the_path(line):
    told = line("import", "--from", "codex")

    assert told.code == 2
    assert ".codex/memories" in told.err


def test_unknown_kind_is_refused_with_the_known_ones(line, write):
    told = line("import", str(write("a.md", "text")), "--from", "tablets")

    assert told.code == 2
    assert "server-memory" in told.err


def test_without_the_vault_notes_and_exports_remain(line, write):
    file = write("memory.jsonl", GRAPH)

    told = line("import", str(file), "--from", "server-memory", FRUGAL_MEMORY_BLOCK="vault")
    auto = line("import", str(file), FRUGAL_MEMORY_BLOCK="vault")

    assert (told.code, auto.code) == (2, 2)
    assert "auto, notes, jsonl" in told.err
    assert "server-memory" not in told.err.split(":")[-1]


def test_conversations_in_an_export_are_only_mentioned(line, write):
    import io
    import zipfile

    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("memories.json", json.dumps([{"content": "Has a dog called Rex.", "enabled": True}]))
        archive.writestr("conversations.json", "[]")

    told = line("import", str(write("export.zip", stream.getvalue())))

    assert told.code == 0, told
    assert "1 new" in told.out


def test_observation_too_long_for_an_entry_is_cut_into_one_memo(line, write):
    long = " ".join(f"Sentence number {number} says something about tea." for number in range(60))
    records = [
        {
            "type": "entity",
            "name": "Kim",
            "entityType": "x",
            "observations": [long, "short", long.replace("tea", "coffee")],
        }
    ]

    told = line("import", str(write("memory.jsonl", json.dumps(records[0]))), "--json").json

    assert told["chains"] == 2
    stored = [text for text, _, _ in entries(line)]
    assert "Kim: short" in stored
    assert all(len(text) <= 1_200 for text in stored)
