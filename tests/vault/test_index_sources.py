"""Several sources in one index: order, overlap, one file once, sources that come and go, a reader that fails."""

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from frugal_modes.vault.records import Problem, Reading, Unit
from frugal_modes.vault.sources import readers_of
from tests.vault.conftest import Vault


def register(tmp_path: Path, *sources: dict[str, Any]) -> None:
    """Write the settings file with *sources*."""
    folder = tmp_path / "frugal-memory"
    folder.mkdir(exist_ok=True)
    (folder / "vault.json").write_text(json.dumps({"sources": list(sources)}))


def markdown(tmp_path: Path, name: str, path: str = "") -> dict[str, Any]:
    (tmp_path / (path or name)).mkdir(parents=True, exist_ok=True)
    return {"name": name, "kind": "markdown", "path": str(tmp_path / (path or name))}


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def refs(vault: Vault, query: str, **more: object) -> list[str]:
    return [hit["ref"] for hit in vault("memory_search", query=query, **more)["existing"]]


def test_a_registered_source_is_searched_beside_the_vault(vault: Vault, tmp_path: Path) -> None:
    register(tmp_path, markdown(tmp_path, "notes"))
    write(tmp_path / "notes", "sub/n.md", "# Note\n\nzebra in a note")
    vault.write("a.md", "zebra in the vault, on its own")

    assert sorted(refs(vault, "zebra")) == ["notes:sub/n.md", "vault:a.md"]
    assert refs(vault, "zebra", source="notes") == ["notes:sub/n.md"]
    assert "2 cards in 2 sources" in vault("memory_search", query="zebra")["text"]


def test_one_note_in_two_sources_is_one_hit_of_the_vault(vault: Vault, tmp_path: Path) -> None:
    register(tmp_path, markdown(tmp_path, "notes"))
    write(tmp_path / "notes", "n.md", "the very same zebra text")
    vault.write("a.md", "the very same zebra text")

    (hit,) = vault("memory_search", query="zebra")["existing"]

    assert (hit["ref"], hit["also_in"]) == ("vault:a.md", ["notes:n.md"])
    assert "also in notes:n.md" in vault("memory_search", query="zebra")["text"]


def test_a_file_below_two_roots_belongs_to_the_deepest(vault: Vault, tmp_path: Path) -> None:
    register(tmp_path, markdown(tmp_path, "outer"), markdown(tmp_path, "inner", "outer/inner"))
    write(tmp_path / "outer", "a.md", "zebra outside")
    write(tmp_path / "outer", "inner/b.md", "zebra inside")

    assert sorted(refs(vault, "zebra")) == ["inner:b.md", "outer:a.md"]


def test_one_real_file_gives_one_card_with_all_its_places(vault: Vault, tmp_path: Path) -> None:
    register(tmp_path, markdown(tmp_path, "one"), markdown(tmp_path, "two", "one"))
    path = write(tmp_path / "one", "a.md", "zebra once")
    (path.parent / "link.md").symlink_to(path)

    (hit,) = vault("memory_search", query="zebra")["existing"]

    assert hit["ref"] == "one:a.md"
    assert set(hit["also_in"]) == {"one:link.md", "two:a.md", "two:link.md"}


def test_a_source_taken_out_of_the_settings_is_hidden_and_comes_back_as_it_was(
    vault: Vault, tmp_path: Path
) -> None:
    source = markdown(tmp_path, "notes")
    register(tmp_path, source)
    write(tmp_path / "notes", "n.md", "zebra in a note")
    (ref,) = refs(vault, "zebra")
    number = vault.known(ref).number
    vault("memory_get", id=number)

    register(tmp_path)
    assert refs(vault, "zebra") == []
    assert vault.known(number).state == "removed"

    register(tmp_path, source)
    assert refs(vault, "zebra") == [ref]
    assert vault.known(ref).number == number
    assert vault("memory_get", id=number)["reads"] == 1


def test_only_one_source_is_read_on_demand(vault: Vault, tmp_path: Path) -> None:
    register(tmp_path, markdown(tmp_path, "one"), markdown(tmp_path, "two"))
    write(tmp_path / "one", "a.md", "zebra one")
    write(tmp_path / "two", "b.md", "zebra two")

    reply = vault.workspace.call(vault.client, "memory_reindex", {"source": "two"}, from_shell=True)

    assert reply.answer is not None
    assert reply.answer.counts["inserted"] == 1
    assert (
        "one"
        in vault.workspace.call(vault.client, "memory_reindex", {"source": "bogus"}, from_shell=True).text
    )


class BadReader:
    """A reader that fails for some of its units."""

    name = "bad"

    def defaults(self, environ: Mapping[str, str]) -> tuple[Path, ...]:
        return ()

    def recognise(self, path: Path) -> str | None:
        return None

    def units(self, root: Path, options: Mapping[str, str]) -> Iterable[Unit | Problem]:
        for path in sorted(root.glob("*.md")):
            yield Unit(root, path.name)

    def read(self, unit: Unit, data: bytes, options: Mapping[str, str]) -> Reading:
        from frugal_modes.vault.records import Card

        text = data.decode()
        if "boom" in text:
            raise RuntimeError("a fault of the reader")
        if "weird" in text:
            return Reading((Card(unit.path, unit.path, "\ud800", text),))
        return Reading((Card(unit.path, unit.path, unit.path, text),))


def test_a_reader_that_raises_costs_its_unit_only(
    vault: Vault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    register(tmp_path, {"name": "bad", "kind": "bad", "path": str(tmp_path / "bad")})
    for name, text in (("a", "zebra boom"), ("b", "zebra fine"), ("c", "zebra weird")):
        write(tmp_path / "bad", f"{name}.md", text)
    readers = {**readers_of(vault.workspace.mode), "bad": BadReader()}
    monkeypatch.setattr("frugal_modes.vault.registered.readers_of", lambda _mode: readers)

    assert refs(vault, "zebra") == ["bad:b.md"]
    problems = vault("memory_reindex")["problems"]
    assert len(problems) == 2
    assert "RuntimeError" in problems[0]


def test_a_source_without_a_reader_is_out_of_reach_and_keeps_its_cards(vault: Vault, tmp_path: Path) -> None:
    register(tmp_path, markdown(tmp_path, "notes"))
    write(tmp_path / "notes", "n.md", "zebra in a note")
    assert refs(vault, "zebra") == ["notes:n.md"]

    register(tmp_path, {**markdown(tmp_path, "notes"), "kind": "from-a-plugin"})

    answer = vault("memory_search", query="zebra")
    assert [hit["state"] for hit in answer["existing"]] == ["unreachable"]


def test_a_default_vault_that_is_not_there_yet_is_no_trouble(
    open_vault: Callable[..., Vault], tmp_path: Path
) -> None:
    vault = open_vault(VAULT_DIR="", is_made=False)

    answer = vault("memory_search", query="zebra")

    assert answer["existing"] == []
    assert "out of reach" not in answer["text"]


def test_a_configured_vault_that_is_away_is_said(open_vault: Callable[..., Vault]) -> None:
    vault = open_vault(is_made=False)

    assert "out of reach" in vault("memory_search", query="zebra")["text"]


def test_access_counts_of_memory_agent_are_copied_once_by_path(
    open_vault: Callable[..., Vault], tmp_path: Path
) -> None:
    import sqlite3
    from contextlib import closing

    other = tmp_path / "agent/memory.db"
    other.parent.mkdir()
    with closing(sqlite3.connect(other)) as db:
        db.execute(
            "CREATE TABLE card_stats (rel_path TEXT PRIMARY KEY, access_count INTEGER, last_accessed INTEGER)"
        )
        db.execute("INSERT INTO card_stats VALUES ('a.md', 7, 1767225600), ('gone.md', 2, 0)")
        db.commit()
    before = other.read_bytes()
    vault = open_vault(MEMORY_AGENT_DB=str(other))
    vault.write("a.md", "zebra in the vault")

    vault("memory_search", query="zebra")
    first = vault("memory_get", id="a.md")["reads"]
    vault("memory_search", query="zebra")

    assert first == 7
    assert vault("memory_get", id="a.md")["reads"] == 8
    assert other.read_bytes() == before
    assert [path.name for path in other.parent.iterdir()] == ["memory.db"]
