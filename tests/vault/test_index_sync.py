"""The index follows the files: what changed is found at once, what is gone is gone, what cannot be seen is kept."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.vault.conftest import Vault

NOTE = "# {title}\n\nThis card is about {word} and nothing else.\n"


def note(vault: Vault, path: str, word: str, title: str = "") -> Path:
    return vault.write(path, NOTE.format(title=title or word, word=word))


def found(vault: Vault, query: str, **more: object) -> list[str]:
    """Return the paths of the hits."""
    return [item["path"] for item in vault("memory_search", query=query, **more)["existing"]]


def in_shell(vault: Vault, tool: str, /, **arguments: object) -> dict[str, Any]:
    """Return the fields of an answer to the command of the shell."""
    reply = vault.workspace.call(vault.client, tool, arguments, from_shell=True)
    assert not reply.is_error, reply.text
    assert reply.answer is not None
    return dict(reply.answer.counts)


def rows(vault: Vault, sql: str) -> list[tuple[Any, ...]]:
    with vault.workspace.store.read() as db:
        return [tuple(row) for row in db.execute(sql).fetchall()]


def test_a_new_file_is_found_by_the_next_search(vault: Vault) -> None:
    note(vault, "a.md", "quokka")

    assert found(vault, "quokka") == ["a.md"]


def test_an_edited_file_is_found_by_its_new_words_and_tags_alone(vault: Vault) -> None:
    note(vault, "a.md", "quokka")
    found(vault, "quokka")

    vault.write("a.md", "---\ntags: [marsupial]\n---\nNow it is about wombats only.\n")

    assert found(vault, "wombats") == ["a.md"]
    assert found(vault, "marsupial") == ["a.md"]
    assert found(vault, "quokka") == []
    assert rows(vault, "SELECT count(*) FROM card") == [(1,)]


def test_an_edit_to_the_same_size_within_a_moment_is_seen(vault: Vault) -> None:
    path = note(vault, "a.md", "quokka")
    found(vault, "quokka")
    stamp = path.stat()

    note(vault, "a.md", "wombat")
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))

    assert found(vault, "wombat") == ["a.md"]
    assert found(vault, "quokka") == []


def test_a_deleted_file_is_gone_at_once_and_keeps_its_number(vault: Vault) -> None:
    note(vault, "a.md", "quokka")
    path = note(vault, "b.md", "wombat")
    found(vault, "quokka")
    number = vault.known("b.md").number

    path.unlink()

    assert found(vault, "wombat") == []
    assert vault.known("b.md").state == "gone"
    note(vault, "b.md", "wombat")
    assert found(vault, "wombat") == ["b.md"]
    assert vault.known("b.md").number == number


def test_a_renamed_file_keeps_its_number_and_its_reads(vault: Vault) -> None:
    note(vault, "a.md", "quokka")
    note(vault, "other.md", "wombat")
    found(vault, "quokka")
    number = vault.known("a.md").number
    for _ in range(3):
        vault("memory_get", id=number)

    (vault.folder / "sub").mkdir()
    (vault.folder / "a.md").rename(vault.folder / "sub/renamed.md")

    assert found(vault, "quokka") == ["sub/renamed.md"]
    assert vault.known("sub/renamed.md").number == number
    assert vault("memory_get", id=number)["reads"] == 3
    assert vault.known("a.md").number == number


def test_a_file_renamed_long_after_it_went_is_known_again_by_its_text(vault: Vault) -> None:
    note(vault, "a.md", "quokka", title="Same title")
    note(vault, "other.md", "wombat")
    found(vault, "quokka")
    number = vault.known("a.md").number
    text = vault.text("a.md")
    (vault.folder / "a.md").unlink()
    assert found(vault, "quokka") == []

    vault.write("b.md", "---\ntags: [x]\n---\n" + text)

    assert found(vault, "quokka") == ["b.md"]
    assert vault.known("b.md").number == number


def test_of_several_vanished_twins_the_one_with_the_file_name_moves(vault: Vault) -> None:
    for folder in ("one", "two"):
        for name in ("a.md", "b.md"):
            note(vault, f"{folder}/{name}", "quokka", title="Twin")
    note(vault, "other.md", "wombat")
    found(vault, "quokka")
    numbers = {path: vault.known(path).number for path in ("one/a.md", "two/b.md")}
    shutil.rmtree(vault.folder / "one")
    (vault.folder / "two/b.md").unlink()

    note(vault, "three/b.md", "quokka", title="Twin")
    found(vault, "quokka")

    assert vault.known("three/b.md").number not in numbers.values()  # one/b.md and two/b.md both fit


def test_an_unreadable_file_keeps_its_card_and_is_told(vault: Vault) -> None:
    path = note(vault, "a.md", "quokka")
    note(vault, "b.md", "wombat")
    found(vault, "quokka")

    path.write_bytes(b"\xff\xfe broken")

    assert found(vault, "quokka") == ["a.md"]
    told = vault("memory_reindex")
    assert any("a.md" in problem for problem in told["problems"])
    assert found(vault, "wombat") == ["b.md"]


def test_a_file_that_is_too_large_is_a_problem_and_costs_nothing_else(vault: Vault) -> None:
    vault.write("big.md", "x" * (5 * 1024 * 1024 + 1))
    note(vault, "a.md", "quokka")

    told = vault("memory_reindex")

    assert told["inserted"] == 1
    assert len(told["problems"]) == 1
    assert "big.md" in told["problems"][0]


def test_the_counts_of_an_index_run_say_what_happened(vault: Vault) -> None:
    for name in ("a", "b", "c", "d"):
        note(vault, f"{name}.md", f"word{name}")
    first = vault("memory_reindex")
    note(vault, "a.md", "changed")
    (vault.folder / "b.md").rename(vault.folder / "e.md")
    (vault.folder / "c.md").unlink()

    second = vault("memory_reindex")
    third = vault("memory_reindex")

    assert {name: first[name] for name in ("inserted", "updated", "moved", "removed")} == {
        "inserted": 4,
        "updated": 0,
        "moved": 0,
        "removed": 0,
    }
    assert (second["updated"], second["moved"], second["removed"], second["unchanged"]) == (1, 1, 1, 1)
    assert (third["unchanged"], third["updated"], third["removed"]) == (3, 0, 0)


def test_an_unmounted_vault_loses_nothing_and_says_so(vault: Vault, tmp_path: Path) -> None:
    note(vault, "a.md", "quokka")
    found(vault, "quokka")
    number = vault.known("a.md").number
    vault("memory_get", id=number)

    vault.folder.rename(tmp_path / "away")
    answer = vault("memory_search", query="quokka")

    assert [item["state"] for item in answer["existing"]] == ["unreachable"]
    assert "vault" in answer["text"]
    (tmp_path / "away").rename(vault.folder)
    assert found(vault, "quokka") == ["a.md"]
    assert vault("memory_get", id=number)["reads"] == 1


def test_an_emptied_vault_hides_its_cards_counts_them_and_takes_them_back(
    vault: Vault, tmp_path: Path
) -> None:
    for name in ("a", "b"):
        note(vault, f"{name}.md", "quokka", title=name)
    found(vault, "quokka")
    numbers = [vault.known(f"{name}.md").number for name in ("a", "b")]
    shutil.copytree(vault.folder, tmp_path / "copy")
    for name in ("a", "b"):
        (vault.folder / f"{name}.md").unlink()

    answer = vault("memory_search", query="quokka")
    again = vault("memory_reindex")

    assert answer["existing"] == []
    assert answer["hidden"] == {"missing": 2}
    assert again["missing"] == 2
    for name in ("a", "b"):
        shutil.copy2(tmp_path / f"copy/{name}.md", vault.folder)
    assert sorted(found(vault, "quokka")) == ["a.md", "b.md"]
    assert [vault.known(f"{name}.md").number for name in ("a", "b")] == numbers


def test_missing_cards_go_for_good_when_they_are_pruned(vault: Vault) -> None:
    for name in ("a", "b"):
        note(vault, f"{name}.md", "quokka", title=name)
    found(vault, "quokka")
    for name in ("a", "b"):
        (vault.folder / f"{name}.md").unlink()
    found(vault, "quokka")

    pruned = in_shell(vault, "memory_reindex", prune="vault")

    assert (pruned["removed"], pruned["missing"]) == (2, 0)
    assert vault("memory_search", query="quokka")["hidden"] == {}
    assert rows(vault, "SELECT count(*) FROM card") == [(0,)]


def test_a_file_in_the_place_of_the_vault_takes_nothing_away(vault: Vault) -> None:
    note(vault, "a.md", "quokka")
    found(vault, "quokka")
    shutil.move(vault.folder, vault.folder.with_name("away"))
    vault.folder.write_text("no folder", encoding="utf-8")

    told = vault("memory_search", query="quokka")

    assert told["count"] == 1
    assert "out of reach" in told["text"]


def test_another_vault_folder_hides_the_first_one_and_back_again_its_counts_are_there(
    open_vault: Callable[..., Vault],
) -> None:
    first = open_vault(folder="one")
    note(first, "a.md", "quokka")
    found(first, "quokka")
    number = first.known("a.md").number
    first("memory_get", id=number)
    first.workspace.close()

    second = open_vault(folder="two")
    note(second, "b.md", "wombat")
    assert found(second, "quokka") == []
    assert found(second, "wombat") == ["b.md"]
    assert second.known(number).state == "detached"
    second.workspace.close()

    back = open_vault(folder="one")
    assert found(back, "quokka") == ["a.md"]
    assert back.known("a.md").number == number
    assert back("memory_get", id=number)["reads"] == 1


@pytest.mark.parametrize("is_made", [True, False])
def test_a_vault_without_cards_between_does_not_take_the_place_of_the_first(
    open_vault: Callable[..., Vault], is_made: bool
) -> None:
    first = open_vault(folder="one")
    note(first, "a.md", "quokka")
    number = found(first, "quokka") and first.known("a.md").number
    first("memory_get", id=number)
    first.workspace.close()

    for other in ("two", "three", "two"):
        empty = open_vault(folder=other, is_made=is_made)
        assert found(empty, "quokka") == []
        empty.workspace.close()

    back = open_vault(folder="one")
    assert found(back, "quokka") == ["a.md"]
    assert back.known("a.md").number == number
    assert back("memory_get", id=number)["reads"] == 1


def test_a_vault_folder_that_moved_keeps_its_numbers(
    open_vault: Callable[..., Vault], tmp_path: Path
) -> None:
    first = open_vault(folder="one")
    for name in ("a", "b", "c"):
        note(first, f"{name}.md", f"word{name}")
    found(first, "worda")
    numbers = [first.known(f"{name}.md").number for name in ("a", "b", "c")]
    first.workspace.close()

    shutil.move(tmp_path / "one", tmp_path / "two")
    (tmp_path / "two/c.md").write_text("entirely new text here")
    second = open_vault(folder="two")

    assert found(second, "worda") == ["a.md"]
    assert [second.known(f"{name}.md").number for name in ("a", "b", "c")] == numbers


def test_ignored_folders_count_below_the_root_only(open_vault: Callable[..., Vault], tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    vault = open_vault(folder=".git/vault")
    note(vault, ".obsidian/x.md", "hidden")
    note(vault, ".trash-old/y.md", "visible")
    note(vault, "NOTE.MD", "upper")

    assert found(vault, "hidden") == []
    assert found(vault, "visible") == [".trash-old/y.md"]
    assert found(vault, "upper") == ["NOTE.MD"]


def test_unchanged_files_are_not_opened_again(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a", "b"):
        os.utime(note(vault, f"{name}.md", "quokka", title=name), (1_000_000_000, 1_000_000_000))
    found(vault, "quokka")
    opened: list[Path] = []
    read = Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda self: (opened.append(self), read(self))[1])

    found(vault, "quokka")
    vault("memory_reindex")

    assert [path for path in opened if path.suffix == ".md"] == []


def test_sources_are_never_written(vault: Vault) -> None:
    for name in ("a", "b"):
        note(vault, f"{name}.md", "quokka", title=name)
    before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in vault.folder.rglob("*")}

    found(vault, "quokka")
    vault("memory_reindex", rebuild=True)
    vault("memory_get", id=1)

    assert {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in vault.folder.rglob("*")} == before


def test_rewriting_one_file_does_not_make_the_index_grow(vault: Vault) -> None:
    for number in range(50):
        note(vault, "a.md", f"quokka{number}")
        vault("memory_reindex")

    assert rows(vault, "SELECT count(*) FROM card") == [(1,)]
    assert rows(vault, "SELECT count(*) FROM search_forward") == [(1,)]
    pages = rows(vault, "PRAGMA page_count")[0][0]
    vault("memory_reindex", rebuild=True)
    assert pages < 2 * rows(vault, "PRAGMA page_count")[0][0]
