"""Whatever lies in a source: it is never written, nothing is raised, and one bad unit costs only itself."""

import gzip
import json
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.strategies import texts
from tests.vault.readers.conftest import READERS, gather, tree

NAMES = {
    "server-memory": ("memory.jsonl", "b/memory.json", "c.jsonl"),
    "claude-export": ("memories.json", "memories/a.json", "memories-000.zip"),
    "mem0": ("memories.json", "b/memories.jsonl.gz", "c/history.db", "d.zip"),
    "chatgpt": ("memories.json", "saved.txt", "export.zip"),
    "codex": ("memories/MEMORY.md", "memories/memory_summary.md", "memories/rollout_summaries/a.md"),
    "claude-memory": ("-p/memory/MEMORY.md", "-p/memory/a.md", "-q/memory/b/c.md"),
    "cursor": (".cursor/rules/a.mdc", "b/.cursor/rules/c.mdc", ".cursorrules"),
    "instructions": ("CLAUDE.md", "b/AGENTS.md", ".claude/rules/c.md"),
    "basic-memory": ("a.md", "b/c.md", "d.markdown"),
    "obsidian": ("a.md", "b/c.MD", ".obsidian/templates.json"),
    "markdown": ("a.md", "b/c.MD", "d.markdown"),
    "jsonl": ("a.jsonl", "b/c.json", "d.ndjson"),
    "memory-tool": ("a", "b/c.xml", "d.md"),
}
HOSTILE = texts(longest=3_000)
FRONT = st.builds(lambda head, body: f"---\ntitle: {head}\n---\n# {body}\n{body}", HOSTILE, HOSTILE)
RECORDS = st.builds(
    lambda words, extra: "\n".join(
        json.dumps(
            {
                "type": "entity",
                "name": word[:40],
                "entityType": "x",
                "observations": [word, extra],
                "content": word,
            }
            | {"state": "active", "enabled": True, "id": word[:8], "conversations_memory": word}
        )
        for word in words
    ),
    st.lists(HOSTILE, max_size=3),
    st.one_of(HOSTILE, st.integers(), st.none()),
)
CONTENTS = st.one_of(
    HOSTILE.map(str.encode),
    FRONT.map(str.encode),
    RECORDS.map(str.encode),
    RECORDS.map(lambda text: b"[" + text.replace("\n", ",\n").encode() + b"]"),
    RECORDS.map(lambda text: gzip.compress(text.encode())),
    st.binary(max_size=300),
    st.binary(max_size=200).map(lambda data: b"SQLite format 3\0" + data),
    st.binary(max_size=200).map(lambda data: b"PK\x03\x04" + data),
)


def test_every_reader_is_tried():
    assert set(NAMES) == set(READERS)


@pytest.mark.parametrize("kind", sorted(NAMES))
@settings(max_examples=12)
@given(data=st.data())
def test_source_is_never_written_and_a_unit_made_unreadable_changes_no_other(kind, data):
    root = Path(tempfile.mkdtemp())
    try:
        for name in NAMES[kind]:
            file = root / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data.draw(CONTENTS, label=name))
        before = tree(root)
        READERS[kind].recognise(root)
        whole = gather(kind, root)
        assert tree(root) == before
        assert len({(card.path, card.native_id) for card in whole.cards}) == len(whole.cards)
        assert all(not item.reason.startswith("reader_failed") for item in whole.problems)

        victim = data.draw(st.sampled_from(NAMES[kind]), label="victim")
        (root / victim).write_bytes(b"\xff\xfe\xfd")
        after = gather(kind, root)

        if not victim.startswith(".obsidian/"):  # settings are no unit: they say which folder holds templates
            kept = [card for card in whole.cards if card.path != victim]
            assert [card for card in after.cards if card.path != victim] == kept
            assert all(card.path != victim for card in after.cards)
    finally:
        shutil.rmtree(root)
