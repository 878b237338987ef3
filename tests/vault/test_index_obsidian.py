"""A whole Obsidian vault, hostile front matter among it: every note counts, touched ones are new, nothing is written."""

import os
import random
from hashlib import sha256
from pathlib import Path

from tests.vault.conftest import Vault
from tests.vault.test_index_sources import register

COUNT = int(os.environ.get("VAULT_NOTES", "250"))
HOSTILE = (
    '---\ntitle: "unclosed\ntags: [a, b\n---\n',
    "---\n- just\n- a list\n---\n",
    "---\ntitle: a: b: c\n\t tab: x\n---\n",
    "---\nkey: &anchor [1]\nother: *anchor\n---\n",
    "---\ntitle: !!python/object:os.system x\n---\n",
    "---\ncreated: 31.02.2026\nttl: forever and a day\npriority: high\n---\n",
    "---\n  ---\nnested: {a: {b: {c: [1, 2]}}}\n---\n",
    "---\n" + "x: y\n" * 2_000 + "---\n",
    "\ufeff---\r\ntitle: crlf\r\n---\r\n",
    "---\nno end of this block\n",
    '---\ntitle: "\\u0000"\naliases: {a: b}\n---\n',
    "",
)
WORDS = ("server", "backup", "config", "restore", "network", "router", "kernel", "query", "cache", "queue")


def make(folder: Path) -> None:
    chance = random.Random(7)
    (folder / ".obsidian").mkdir(parents=True)
    (folder / ".obsidian/app.json").write_text("{}")
    for number in range(COUNT):
        front = HOSTILE[number % len(HOSTILE)] if number % 5 == 0 else f"---\ntags: [t{number % 9}]\n---\n"
        body = " ".join(chance.choice(WORDS) for _ in range(60))
        path = folder / f"area{number % 12}" / f"note {number} 笔记.md"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(f"{front}# Heading\n\nnumber{number}x {body}\n[[note {number + 1} 笔记]]\n".encode())
    (folder / "board.canvas").write_text("{}")


def tree(folder: Path) -> str:
    """Return a hash over every path, its bytes and its time of change."""
    found = sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            found.update(f"{path.relative_to(folder)}\0{path.stat().st_mtime_ns}\0".encode())
            found.update(path.read_bytes())
    return found.hexdigest()


def test_a_whole_vault_is_indexed_followed_and_left_alone(vault: Vault, tmp_path: Path) -> None:
    notes = tmp_path / "Notes"
    make(notes)
    register(tmp_path, {"name": "obsidian", "kind": "obsidian", "path": str(notes)})
    before = tree(notes)

    first = vault("memory_reindex")
    second = vault("memory_reindex")

    assert first["inserted"] == COUNT
    assert (second["inserted"], second["updated"], second["unchanged"]) == (0, 0, COUNT)
    assert vault("memory_search", query="number1x")["existing"][0]["title"] == "note 1 笔记"
    assert tree(notes) == before

    paths = sorted(notes.rglob("*.md"))
    for place, path in enumerate(paths[:10]):
        path.write_text(f"# Touched\n\nquokka number{place}")
    gone = paths[10:20]
    for path in gone:
        path.unlink()
    answer = vault("memory_search", query="quokka", limit=20)
    assert answer["total"] == 10
    with vault.workspace.store.read() as db:
        assert db.execute("SELECT count(*) FROM card").fetchone()[0] == COUNT - 10
    after = tree(notes)
    vault("memory_reindex", rebuild=True)
    assert tree(notes) == after
