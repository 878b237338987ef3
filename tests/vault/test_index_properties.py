"""Whatever happens to the files, the index that grew is the one made anew; grouping loses no card."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frugal.budget import cost
from frugal.search.duplicates import groups_of
from tests.strategies import texts
from tests.vault.conftest import Vault

NAMES = ("a.md", "b.md", "sub/c.md", "sub/d.md")
WORDS = ("zebra", "okapi", "quokka", "阿里云", "wombat 22")
OPERATIONS = st.one_of(
    st.tuples(st.just("write"), st.sampled_from(NAMES), st.sampled_from(WORDS)),
    st.tuples(st.just("tag"), st.sampled_from(NAMES), st.sampled_from(WORDS)),
    st.tuples(st.just("rename"), st.sampled_from(NAMES), st.sampled_from(NAMES)),
    st.tuples(st.just("remove"), st.sampled_from(NAMES), st.just("")),
    st.tuples(st.just("capture"), st.just(""), st.sampled_from(WORDS)),
    st.tuples(st.just("delete"), st.just(""), st.sampled_from(WORDS)),
    st.tuples(st.just("undo"), st.just(""), st.sampled_from(WORDS)),
    st.tuples(st.just("get"), st.sampled_from(NAMES), st.just("")),
    st.tuples(st.just("search"), st.just(""), st.sampled_from(WORDS)),
)


def apply(vault: Vault, operation: tuple[str, str, str]) -> None:
    what, name, word = operation
    path = vault.folder / name
    captured = f"03-Knowledge/card-{word.replace(' ', '-')}.md"
    if what == "write":
        vault.write(name, f"# {word}\n\nA card about {word} as it is.")
    elif what == "tag":
        vault.write(name, f"---\ntags: [{word}]\n---\nA card that only has a tag, {name}.")
    elif what == "rename" and path.exists() and not (vault.folder / word).exists():
        (vault.folder / word).parent.mkdir(exist_ok=True)
        path.rename(vault.folder / word)
    elif what == "remove":
        path.unlink(missing_ok=True)
    elif what == "capture":
        vault.reply("memory_capture", title=f"card {word}", body=f"A captured card about {word} here.")
    elif what in ("delete", "undo"):
        vault.reply("memory_delete", id=captured, undo=what == "undo")
    elif what == "get":
        vault.reply("memory_get", id=name)
    elif what == "search":
        vault("memory_search", query=word)


def state(vault: Vault) -> Any:
    """Return what can be seen of the index: cards with numbers and counts, and what searches find."""
    with vault.workspace.store.read() as db:
        cards = [
            tuple(row)
            for row in db.execute(
                "SELECT number, native_id, title, content_hash, tags FROM card ORDER BY native_id"
            )
        ]
        reads = [tuple(row) for row in db.execute("SELECT native_id, reads FROM access ORDER BY native_id")]
        words = sorted(row[0] for row in db.execute("SELECT word FROM search_word WHERE written = 1"))
        statistics = tuple(db.execute("SELECT documents, length FROM search_statistics").fetchone())
    found = [
        [(item["ref"], item["score"]) for item in vault("memory_search", query=word, limit=20)["existing"]]
        for word in WORDS
    ]
    return cards, reads, words, statistics, found


@settings(max_examples=20)
@given(operations=st.lists(OPERATIONS, max_size=14))
def test_the_index_that_grew_is_the_one_made_anew(
    open_vault: Callable[..., Vault], tmp_path: Path, operations: list[tuple[str, str, str]]
) -> None:
    shutil.rmtree(tmp_path / "vault", ignore_errors=True)
    for file in tmp_path.glob("vault.db*"):
        file.unlink()
    vault = open_vault(MEMORY_LEARN="off")
    vault.write("always.md", "a card that stays where it is")
    for operation in operations:
        apply(vault, operation)
    vault("memory_search", query="zebra")
    grown = state(vault)

    vault("memory_reindex", rebuild=True)

    assert state(vault) == grown
    vault.workspace.close()


@given(
    bodies=st.lists(
        st.sampled_from(["port 22 is open now and later", "port 23 is open now and later", "連接池的最大值"])
        | texts(longest=80),
        max_size=12,
    ),
    limit=st.integers(1, 12) | st.none(),
)
def test_grouping_loses_no_card_and_keeps_the_order(bodies: list[str], limit: int | None) -> None:
    keys = [" ".join(body.split()) for body in bodies]

    groups = groups_of(bodies, keys, limit)
    every = groups_of(bodies, keys)

    assert sorted(place for group in every for place in group) == list(range(len(bodies)))
    assert groups == every[:limit]
    assert [group[0] for group in every] == sorted(group[0] for group in every)


@given(number=st.integers(0, 10_000), other=st.integers(0, 10_000), words=st.integers(5, 60))
def test_texts_that_differ_in_a_number_are_never_one_group(number: int, other: int, words: int) -> None:
    body = (
        " ".join(f"word{chr(97 + place % 26)}" for place in range(words))
        + " on port {} and more words behind"
    )
    bodies = [body.format(number), body.format(other)]

    assert (len(groups_of(bodies, ["", ""])) == 1) == (number == other)


@pytest.mark.parametrize("tool", ["memory_search", "memory_get", "memory_stats", "memory_reindex"])
@settings(max_examples=8)
@given(title=texts(longest=150), body=texts(longest=600), name=st.sampled_from(["a", "連" * 40, "x" * 180]))
def test_no_answer_costs_more_than_its_cap(vault: Vault, tool: str, title: str, body: str, name: str) -> None:
    safe = title.encode("utf-8", "replace").decode().replace("\0", " ")
    for number in range(8):
        vault.write(
            f"{name}{number}.md", f"# {safe}\n\nzebra {body.encode('utf-8', 'replace').decode()} {number}"
        )
    arguments: dict[str, object] = {
        "memory_search": {"query": "zebra", "limit": 20},
        "memory_get": {"id": f"{name}0.md"},
    }.get(tool, {})
    found = next(item for item in vault.workspace.surface.tools if item.name == tool)
    values = vault.workspace.surface.read_arguments(found, arguments)

    reply = vault.reply(tool, **arguments)

    cap = found.cap(values)
    spent = cost(reply.text)
    assert spent.size_bytes + 192 <= cap.size_bytes
    assert spent.characters <= cap.characters
    assert "answer was cut" not in reply.text
