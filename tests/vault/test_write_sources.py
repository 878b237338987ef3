"""Cards of other sources are never written: a newer card in the vault hides them, as long as it is there."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.vault.conftest import BODY, OTHER_BODY, Vault

NOTE = "---\ntitle: Nginx config\nkind: knowledge\n---\nThe configuration lies in /etc/nginx, says a note.\n"
NOTE_BODY = "The configuration lies in /etc/nginx, says a note."
REF = "notes:deep/nginx.md"


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """Make a folder of notes that the settings register as a source."""
    folder = tmp_path / "my notes"
    (folder / "deep").mkdir(parents=True)
    (folder / "deep" / "nginx.md").write_text(NOTE, "utf-8")
    source = {"name": "notes", "kind": "markdown", "path": str(folder)}
    config = tmp_path / "frugal-memory" / "vault.json"
    config.parent.mkdir()
    config.write_text(json.dumps({"sources": [source]}), "utf-8")
    return folder


@pytest.fixture
def vault(notes: Path, open_vault: Callable[..., Vault]) -> Vault:
    opened = open_vault()
    opened.capture("Anything", BODY)
    return opened


def state_of(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {
        path.as_posix(): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_update_and_delete_refuse_and_name_supersede(vault: Vault, notes: Path) -> None:
    before = state_of(notes)

    for tool, arguments in (
        ("memory_update", {"title": "x"}),
        ("memory_delete", {}),
        ("memory_update", {"revive": True}),
    ):
        told = vault.refused(tool, id=REF, **arguments)
        assert "notes" in told
        assert "memory_supersede" in told

    assert state_of(notes) == before


def test_superseding_writes_the_new_card_only_and_hides_the_old_while_it_lives(
    vault: Vault, notes: Path
) -> None:
    before = state_of(notes)
    old = vault.known(REF)

    found = vault("memory_supersede", old_id=old.number, title="Nginx config", body=OTHER_BODY)

    assert vault.card(found["path"]).supersedes == (REF,)
    assert "notes" in found["text"]
    assert state_of(notes) == before
    assert vault.known(REF).state == "superseded"

    read = vault("memory_get", id=old.number)
    assert read["invalid_at"] == vault.card(found["path"]).created

    told = vault("memory_delete", id=found["id"])["text"]
    assert vault.known(REF).is_live
    assert f"seen again: #{old.number}" in told
    assert "revive" not in told
    assert state_of(notes) == before


def test_same_content_as_the_note_is_refused(vault: Vault) -> None:
    told = vault.refused("memory_supersede", old_id=REF, title="Nginx config", body=NOTE_BODY)

    assert "says what" in told


def test_superseded_note_names_the_live_end(vault: Vault) -> None:
    found = vault("memory_supersede", old_id=REF, title="Nginx config", body=OTHER_BODY)

    told = vault.refused("memory_supersede", old_id=REF, title="Other", body="A third text, different again.")

    assert f"#{found['id']}" in told


def test_equal_title_in_another_source_is_a_note_and_no_conflict(vault: Vault) -> None:
    found: dict[str, Any] = vault(
        "memory_capture", title="nginx CONFIG", body=OTHER_BODY, on_conflict="reject"
    )

    assert (found["action"], found["conflict"]) == ("created", False)
    assert REF in found["text"]


def test_same_text_in_another_source_is_stored_all_the_same(vault: Vault) -> None:
    assert vault("memory_capture", title="Nginx config", body=NOTE_BODY)["action"] == "created"
