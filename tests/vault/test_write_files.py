"""Writing into the vault: one lock, whole files or none, names that are taken stay."""

import errno
import os
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from frugal_modes.vault import writing
from frugal_modes.vault.writing import (
    LOCK_NAME,
    VaultTrouble,
    append_line,
    create,
    locked,
    move,
    remove_stale,
    replace,
)
from tests.vault.conftest import BODY, Vault


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_new_file_is_whole_private_and_alone(tmp_path: Path) -> None:
    create(tmp_path / "a" / "b" / "x.md", b"text")

    assert (tmp_path / "a" / "b" / "x.md").read_bytes() == b"text"
    assert (tmp_path / "a" / "b" / "x.md").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o700
    assert names(tmp_path / "a" / "b") == ["x.md"]


def test_file_that_exists_is_never_overwritten(tmp_path: Path) -> None:
    (tmp_path / "x.md").write_bytes(b"old")

    with pytest.raises(FileExistsError):
        create(tmp_path / "x.md", b"new")
    with pytest.raises(FileExistsError):
        create(tmp_path / "y.md", b"y") or move(tmp_path / "y.md", tmp_path / "x.md")

    assert (tmp_path / "x.md").read_bytes() == b"old"
    assert names(tmp_path) == ["x.md", "y.md"]


def test_link_that_leads_nowhere_counts_as_taken(tmp_path: Path) -> None:
    (tmp_path / "x.md").symlink_to(tmp_path / "nowhere")

    with pytest.raises(FileExistsError):
        create(tmp_path / "x.md", b"new")


def test_replaced_file_keeps_its_permissions(tmp_path: Path) -> None:
    target = tmp_path / "x.md"
    target.write_bytes(b"old")
    target.chmod(0o644)

    replace(target, b"new")

    assert (target.read_bytes(), target.stat().st_mode & 0o777) == (b"new", 0o644)
    assert names(tmp_path) == ["x.md"]


def test_file_system_without_hard_links_still_refuses_taken_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_args: Any) -> None:
        raise OSError(errno.EPERM, "no hard links here")

    monkeypatch.setattr(os, "link", refuse)

    create(tmp_path / "x.md", b"text")
    with pytest.raises(FileExistsError):
        create(tmp_path / "x.md", b"other")
    move(tmp_path / "x.md", tmp_path / "sub" / "y.md")

    assert (tmp_path / "sub" / "y.md").read_bytes() == b"text"
    assert names(tmp_path) == ["sub"]


def test_failed_write_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)

    with pytest.raises(OSError, match="No space"):
        create(tmp_path / "x.md", b"text")

    assert names(tmp_path) == []


def test_full_disk_is_told_in_words(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(target: Path, _data: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", str(target))

    monkeypatch.setattr("frugal_modes.vault.capture.create", full)

    reply = vault.reply("memory_capture", title="T", body=BODY)

    assert "No space left on device" in reply.text
    assert reply.error is not None
    assert reply.error.exit_code == 2
    assert vault.files() == []


def test_temporary_files_go_after_an_hour(tmp_path: Path) -> None:
    stale, fresh, other = (
        tmp_path / name for name in (".frugal-memory-1.tmp", ".frugal-memory-2.tmp", "own.tmp")
    )
    for path in (stale, fresh, other):
        path.write_bytes(b"half")
        os.utime(path, (1_000, 1_000))
    os.utime(fresh, (1_001, 1_001))

    remove_stale(tmp_path, now_s=1_000 + 3_600.5)

    assert names(tmp_path) == [".frugal-memory-2.tmp", "own.tmp"]


def test_writing_a_card_removes_what_a_killed_writer_left(vault: Vault) -> None:
    left = vault.write("03-Knowledge/.frugal-memory-dead.tmp", "half a ca")
    os.utime(left, (1_000, 1_000))

    vault.capture("T")

    assert not left.exists()
    assert vault.files() == ["03-Knowledge/t.md"]


def test_line_after_one_that_was_cut_off_stands_alone(tmp_path: Path) -> None:
    target = tmp_path / "lines"
    append_line(target, "one")
    with target.open("ab") as stream:
        stream.write(b"cut o")

    append_line(target, "two")

    assert target.read_text() == "one\ncut o\ntwo\n"


@pytest.fixture
def held(vault: Vault) -> Iterator[ExitStack]:
    """Hold the lock of the vault until the stack is closed."""
    with ExitStack() as stack:
        stack.enter_context(locked(vault.folder, "somebody@2"))
        yield stack


def test_lock_in_use_names_its_holder(vault: Vault, held: ExitStack) -> None:
    with pytest.raises(VaultTrouble) as caught, locked(vault.folder, "me", timeout_s=0):
        pass

    assert caught.value.key == "vault_locked"
    assert str(caught.value.data["holder"]).startswith(f"somebody@2, process {os.getpid()} on ")


def test_capture_that_waits_in_vain_writes_nothing(
    vault: Vault, held: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing.locked.__wrapped__, "__kwdefaults__", {"timeout_s": 0.0})  # type: ignore[attr-defined]  # a wrapper of contextlib

    reply = vault.reply("memory_capture", title="T", body=BODY)

    assert "somebody@2" in reply.text
    assert reply.error is not None
    assert reply.error.exit_code == 2
    assert vault.files() == []


def test_capture_waits_for_the_lock_and_then_writes(vault: Vault, held: ExitStack) -> None:
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.append(vault("memory_capture", title="T", body=BODY)))

    thread.start()
    held.close()
    thread.join(timeout=30)

    assert [item["action"] for item in found] == ["created"]


def test_lock_file_that_was_replaced_meanwhile_is_not_the_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[str] = []

    def wait(_stream: object, path: Path, _timeout_s: float) -> None:
        waited.append(path.name)
        if len(waited) == 1:
            path.unlink()

    monkeypatch.setattr(writing, "_wait", wait)

    with locked(tmp_path, "me"):
        assert len(waited) == 2


def test_lock_is_free_again_after_an_error(vault: Vault) -> None:
    vault.refused("memory_update", id=99, title="x")

    with locked(vault.folder, "me", timeout_s=0):
        assert (vault.folder / LOCK_NAME).stat().st_mode & 0o777 == 0o600
