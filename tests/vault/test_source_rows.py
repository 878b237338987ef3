"""One bad unit of any kind of source: its own cards stay as they were, and no other row changes."""

import json

import pytest

from tests.vault.readers.conftest import READERS, tree


def graph(name, text):
    return json.dumps({"type": "entity", "name": name, "entityType": "x", "observations": [text]}) + "\n"


def mem0(number, text):
    return json.dumps([{"id": number, "content": text, "state": "active"}])


def claude(text):
    return json.dumps([{"conversations_memory": text, "project_memories": {}}])


def chatgpt(number, text):
    return json.dumps([{"id": number, "content": text, "enabled": True}])


ZEBRA, LION = "The zebra crosses the road.", "The lion waits in the grass."
SOURCES = {
    "server-memory": {"memory.jsonl": graph("A", ZEBRA), "b/memory.jsonl": graph("B", LION)},
    "mem0": {"memories.json": mem0("1", ZEBRA), "b/memories.json": mem0("2", LION)},
    "chatgpt": {"memory.json": chatgpt("1", ZEBRA), "b/memories.json": chatgpt("2", LION)},
    "claude-export": {"memories.json": claude(f"# A\n{ZEBRA}"), "memories/b.json": claude(f"# B\n{LION}")},
    "codex": {"memory_summary.md": f"# A\n{ZEBRA}", "rollout_summaries/b.md": LION},
    "claude-memory": {"-p/memory/a.md": ZEBRA, "-q/memory/MEMORY.md": f"# B\n{LION}"},
    "cursor": {".cursor/rules/a.mdc": ZEBRA, ".cursorrules": LION},
    "instructions": {"CLAUDE.md": f"# A\n{ZEBRA}", "b/AGENTS.md": f"# B\n{LION}"},
    "basic-memory": {"a.md": f"- [fact] {ZEBRA}", "b.md": f"---\npermalink: b\n---\n{LION}"},
    "obsidian": {"a.md": ZEBRA, "b/c.md": LION},
    "markdown": {"a.md": ZEBRA, "b/c.md": LION},
    "jsonl": {"a.jsonl": json.dumps({"text": ZEBRA}), "b.json": json.dumps([{"text": LION}])},
    "memory-tool": {"a": ZEBRA, "b/c.xml": LION},
}

ROWS = "SELECT card.*, card_text.body FROM card JOIN card_text USING (number) ORDER BY card.number"


def rows(vault):
    with vault.workspace.store.read() as db:
        return [tuple(row) for row in db.execute(ROWS)]


def test_every_kind_is_tried():
    assert set(SOURCES) == set(READERS)


@pytest.mark.parametrize("kind", sorted(SOURCES))
def test_unit_that_cannot_be_read_any_more_changes_no_row(vault, tmp_path, kind):
    root = tmp_path / ("memories" if kind == "codex" else "src")
    for name, text in SOURCES[kind].items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    if kind == "obsidian":
        (root / ".obsidian").mkdir()
    before = tree(root)
    told = vault("source add", kind=kind, path=str(root), name="src")
    vault("memory_stats")
    kept = rows(vault)

    assert told["count"] == len(kept) == 2
    assert tree(root) == before
    for name in SOURCES[kind]:
        (root / name).write_bytes(b"\xff\xfe not to be read")
        vault("memory_stats")
        assert rows(vault) == kept
    assert vault("memory_search", query="zebra")["existing"][0]["ref"].startswith("src:")
    assert vault("source list")["existing"][-1]["problems"] == 2
