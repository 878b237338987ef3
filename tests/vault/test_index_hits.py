"""What is shown is looked at once more: no ghost and no old text, whatever the sweep saw; and starts beside a lock."""

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from frugal_modes.vault import shelf
from frugal_modes.vault.sync import Sync
from tests.vault.conftest import Vault


@pytest.fixture
def blind(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> Vault:
    """Return a vault whose sweeps see nothing any more."""
    vault.write("a.md", "the zebra lives here")
    vault.write("b.md", "the zebra lives there")
    vault("memory_search", query="zebra")
    monkeypatch.setattr(shelf, "refresh", lambda _call: Sync())
    return vault


def test_a_hit_whose_file_is_gone_is_not_shown(blind: Vault) -> None:
    (blind.folder / "a.md").unlink()

    assert [hit["path"] for hit in blind("memory_search", query="zebra")["existing"]] == ["b.md"]
    assert "gone" in blind.refused("memory_get", id="a.md")


def test_a_vault_emptied_after_the_sweep_loses_no_row(blind: Vault) -> None:
    for name in ("a.md", "b.md"):
        (blind.folder / name).unlink()

    assert blind("memory_search", query="zebra")["existing"] == []
    assert [blind.known(name).state for name in ("a.md", "b.md")] == ["missing", "missing"]


def test_a_hit_whose_file_changed_is_shown_as_it_is_now(blind: Vault) -> None:
    blind.write("a.md", "the zebra moved to another place entirely")
    blind.write("b.md", "only okapis are left in this one")

    (hit,) = blind("memory_search", query="zebra")["existing"]

    assert "another place" in hit["snippet"]
    assert "okapis" in blind("memory_get", id="b.md")["text"]


def test_a_server_that_starts_beside_a_writer_answers(open_vault: Callable[..., Vault]) -> None:
    first = open_vault()
    first.write("a.md", "the zebra lives here")
    first("memory_search", query="zebra")
    path = first.workspace.settings.path
    first.workspace.close()
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")

        answer = open_vault()("memory_search", query="zebra")

        other.execute("ROLLBACK")
    assert answer["count"] == 1


def test_a_killed_index_run_leaves_a_sound_index_and_the_next_search_is_right(
    vault: Vault, tmp_path: Path
) -> None:
    for number in range(400):
        vault.write(f"n{number}.md", f"# Card {number}\n\nzebra card {number} of many")
    environ = {
        **os.environ,
        "VAULT_DIR": str(vault.folder),
        "VAULT_DB": str(tmp_path / "vault.db"),
        "HOME": str(tmp_path),
        "XDG_CONFIG_HOME": str(tmp_path),
    }
    worker = subprocess.Popen(
        [sys.executable, "-m", "frugal", "vault", "index"], env=environ, stdout=subprocess.DEVNULL
    )
    while worker.poll() is None and not has_cards(tmp_path / "vault.db"):
        pass
    worker.send_signal(signal.SIGKILL)
    worker.wait()

    told = vault("memory_reindex")

    assert told["missing"] == told["removed"] == 0
    assert vault("memory_search", query="zebra")["total"] == 400
    with closing(sqlite3.connect(tmp_path / "vault.db")) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert db.execute("SELECT count(*) FROM search_forward").fetchone() == (400,)


def has_cards(path: Path) -> bool:
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as db:
            return bool(db.execute("SELECT 1 FROM card LIMIT 1").fetchone())
    except sqlite3.Error:
        return False


def test_a_second_client_that_asks_while_one_reads_the_changes_answers(vault: Vault) -> None:
    from concurrent.futures import ThreadPoolExecutor

    for number in range(60):
        vault.write(f"n{number}.md", f"zebra number {number}")

    with ThreadPoolExecutor(4) as pool:
        totals = list(pool.map(lambda _: vault("memory_search", query="zebra")["total"], range(8)))

    assert set(totals) == {60}
