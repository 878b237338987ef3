"""A guest of a vault: search, get and stats alone, ids with the vault's name, no absolute path, nothing written."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from frugal.engine import build_engine
from frugal.settings import Options, load_settings
from frugal_modes.vault import VAULT
from tests.vault.conftest import Vault


@pytest.fixture
def guest(vault: Vault, tmp_path: Path, clock: Any) -> Iterator[Vault]:
    vault.write("a.md", "the zebra lives here")
    vault.write("b.md", "the zebra lives there")
    vault("memory_search", query="zebra")
    vault.workspace.close()
    values = {
        "XDG_DATA_HOME": str(tmp_path),
        "XDG_CONFIG_HOME": str(tmp_path),
        "VAULT_DIR": str(vault.folder),
    }
    values["VAULT_NAME"] = "shelf"
    engine = build_engine(
        load_settings(Options(db=str(tmp_path / "vault.db")), values), modes=[VAULT], clock=clock
    )
    workspace = engine.open(VAULT, is_guest=True)
    yield Vault(workspace, vault.folder, clock)
    workspace.close()


def state_of(folder: Path) -> dict[str, tuple[int, int]]:
    return {path.name: (path.stat().st_mtime_ns, path.stat().st_size) for path in folder.iterdir()}


def test_a_guest_is_offered_the_reading_tools_alone(guest: Vault) -> None:
    names = [item.name for item in guest.workspace.definitions()]

    assert names == ["memory_search", "memory_get", "memory_stats"]
    assert "memory_capture" in guest.refused("memory_capture", title="x", body="y" * 30)


def test_ids_carry_the_name_of_the_vault_and_are_taken_back(guest: Vault) -> None:
    text = guest("memory_search", query="zebra")["text"]

    assert "shelf#1 " in text
    assert guest("memory_get", id="shelf#1")["id"] == 1
    assert "other" in guest.refused("memory_get", id="other#1")


def test_no_absolute_path_leaves(guest: Vault, tmp_path: Path) -> None:
    for tool, arguments in (
        ("memory_search", {"query": "zebra"}),
        ("memory_get", {"id": 1}),
        ("memory_stats", {}),
    ):
        answer = guest(tool, **arguments)
        assert str(tmp_path) not in str(answer), tool


def test_a_guest_reads_without_a_trace(guest: Vault, tmp_path: Path) -> None:
    before = state_of(tmp_path)

    guest("memory_search", query="zebra")
    guest("memory_get", id=1)
    guest("memory_stats")

    assert state_of(tmp_path) == before
    assert guest("memory_get", id=1)["reads"] == 0


def test_a_vanished_hit_is_dropped_and_a_changed_one_said_to_be_stale(guest: Vault) -> None:
    guest.write("a.md", "the okapi lives here now")
    (guest.folder / "b.md").unlink()

    answer = guest("memory_search", query="zebra")

    assert [hit["path"] for hit in answer["existing"]] == ["a.md"]
    assert "changed since they were indexed: shelf#1" in answer["text"]
    assert "1 hit left out" in answer["text"]
    assert "CHANGED" in guest("memory_get", id=1)["text"]


def test_a_guest_of_a_vault_without_an_index_is_told(
    open_vault: Callable[..., Vault], tmp_path: Path, clock: Any
) -> None:
    values = {"XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    engine = build_engine(
        load_settings(Options(db=str(tmp_path / "no.db")), values), modes=[VAULT], clock=clock
    )
    workspace = engine.open(VAULT, is_guest=True)

    reply = Vault(workspace, tmp_path, clock).reply("memory_search", query="zebra")

    assert reply.is_error
    assert "Internal" not in reply.text
    workspace.close()
