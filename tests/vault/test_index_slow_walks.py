"""A source whose files cannot all be listed in the time of a search: every search goes on where the last one stopped."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frugal_modes.vault import listing, sync
from frugal_modes.vault.readers.walking import AFTER_OPTION, walk, walk_order
from frugal_modes.vault.records import Unit
from frugal_modes.vault.sweep import Limits
from tests.vault.conftest import Vault

WORDS = ("quokka", "wombat", "okapi", "tapir", "lemur", "dugong")
PATHS = ("a.md", "m.md", "b/a.md", "b/c/z.md", "b/c-d/a.md", "z/a.md")


def fill(vault: Vault) -> None:
    for path, word in zip(PATHS, WORDS, strict=True):
        vault.write(path, f"# {word}\n\nThis card is about {word} and nothing else.\n")


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every search list one file of each source it comes to, and no more."""
    monkeypatch.setattr(listing, "GRACE_S", 0.0)
    monkeypatch.setattr(sync, "SEARCH", Limits(look_s=-1.0, read_s=600.0, wait_s=60.0))


def found(vault: Vault) -> list[str]:
    """Return the words of which a card is in the index, without a look at the files."""
    with vault.workspace.store.read() as db:
        return [title for (title,) in db.execute("SELECT title FROM card ORDER BY title")]


@pytest.mark.usefixtures("slow")
def test_searching_alone_comes_to_every_file_in_the_end(vault: Vault) -> None:
    fill(vault)

    for _ in WORDS:
        vault("memory_search", query="card")

    assert found(vault) == sorted(WORDS)


@pytest.mark.usefixtures("slow")
def test_no_source_waits_for_ever_behind_a_large_one(vault: Vault, tmp_path: Path) -> None:
    fill(vault)
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        for number in range(2):
            note = f"# {name} {number}\n\nAnother note of {name}, number {number}.\n"
            (tmp_path / name / f"{number}.md").write_text(note, encoding="utf-8")
        vault("source add", kind="markdown", path=str(tmp_path / name), name=name)

    for _ in range(10):
        vault("memory_search", query="card")

    others = ["first 0", "first 1", "second 0", "second 1"]
    assert found(vault) == sorted([*WORDS, *others])


@pytest.mark.usefixtures("slow")
def test_a_file_that_a_cut_walk_did_not_come_to_keeps_its_card(vault: Vault) -> None:
    fill(vault)
    for _ in range(2 * len(WORDS)):
        vault("memory_search", query="card")

    assert found(vault) == sorted(WORDS)


@pytest.mark.usefixtures("slow")
def test_an_answer_from_a_cut_list_says_so(vault: Vault) -> None:
    fill(vault)

    answer = vault("memory_search", query="card")

    assert answer["unlisted"] is True
    assert "no time to list every file" in answer["text"]
    assert "no time to list every file" in vault("memory_stats")["text"]


def test_an_answer_from_a_whole_list_says_nothing_of_it(vault: Vault) -> None:
    fill(vault)

    answer = vault("memory_search", query="card")

    assert answer["unlisted"] is False
    assert "every file" not in answer["text"]


@pytest.fixture
def indexed(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> Vault:
    """A vault that is in the index whole; from now on there is no time to list all of it."""
    fill(vault)
    vault("memory_reindex")
    monkeypatch.setattr(listing, "GRACE_S", 0.0)
    monkeypatch.setattr(sync, "SEARCH", Limits(look_s=-1.0, read_s=600.0, wait_s=60.0))
    return vault


def test_a_hit_on_a_file_deleted_behind_the_cut_is_dropped_and_not_counted(indexed: Vault) -> None:
    for path in PATHS[2:4]:
        (indexed.folder / path).unlink()

    answer = indexed("memory_search", query="card", limit=20)

    titles = [hit["title"] for hit in answer["existing"]]
    assert sorted(titles) == sorted({*WORDS} - {*WORDS[2:4]})
    assert (answer["count"], answer["total"]) == (4, 4)
    assert "4 of 4 cards" in answer["text"]
    assert "4 cards in 1 source" in answer["text"]
    assert "2 hits left out" in answer["text"]


def test_hits_that_are_there_fill_the_places_of_those_that_are_gone(indexed: Vault) -> None:
    first = indexed("memory_search", query="card", limit=2)["existing"]
    for hit in first:
        (indexed.folder / hit["path"]).unlink()

    answer = indexed("memory_search", query="card", limit=2)

    assert answer["count"] == 2
    assert not {hit["id"] for hit in answer["existing"]} & {hit["id"] for hit in first}


def test_a_duplicate_that_is_there_stands_in_for_the_one_that_is_gone(indexed: Vault, tmp_path: Path) -> None:
    copy = tmp_path / "copies"
    copy.mkdir()
    (copy / "note.md").write_bytes((indexed.folder / "z/a.md").read_bytes())
    indexed("source add", kind="markdown", path=str(copy), name="copies")
    indexed("memory_reindex")
    (indexed.folder / "z/a.md").unlink()

    hits = indexed("memory_search", query=WORDS[-1])["existing"]

    assert [(hit["source"], hit["also_in"]) for hit in hits] == [("copies", [])]


NAMES = st.text(alphabet="ab-.0\u00e9", min_size=1, max_size=3).filter(lambda name: name.strip("."))
FILES = st.sets(st.lists(NAMES, min_size=1, max_size=3).map("/".join), min_size=1, max_size=8)


@given(files=FILES, after=st.one_of(NAMES, st.lists(NAMES, min_size=2, max_size=3).map("/".join)))
def test_a_walk_from_any_place_lists_the_same_files_each_once_in_a_circle(
    tmp_path_factory: pytest.TempPathFactory, files: set[str], after: str
) -> None:
    root = tmp_path_factory.mktemp("walk")
    for path in files:
        target = root / f"{path}.md"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.touch()

    def walked(options: dict[str, str]) -> list[str]:
        return [
            unit.path for unit in walk(root, options, lambda p: p.endswith(".md")) if isinstance(unit, Unit)
        ]

    whole = walked({})
    turned = walked({AFTER_OPTION: after})

    behind = [path for path in whole if walk_order(path) > walk_order(after)]
    assert whole == sorted(whole, key=walk_order)
    assert turned == behind + [path for path in whole if path not in behind]
