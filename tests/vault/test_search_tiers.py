"""How hits are described: tiers, coverage, low confidence, strict; and that nothing of it orders them."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frugal.search.tiers import Grader, terms_of
from tests.vault.conftest import Vault

CARDS = {
    "aliyun.md": "# 阿里云\n\n主机 ecs-prod 用 ~/.ssh/id_ed25519 私钥登录，配置在 /etc/nginx。",
    "lock.md": "# Two writers\n\nSQLite says database is locked when two writers meet.",
    "ecs.md": "# The old host\n\necs-prod moved; its address is written elsewhere.",
}


@pytest.fixture
def cards(vault: Vault) -> Vault:
    for path, text in CARDS.items():
        vault.write(path, text)
    return vault


def items(vault: Vault, query: str, **more: object) -> list[dict[str, Any]]:
    return list(vault("memory_search", query=query, **more)["existing"])


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("阿里云", "aliyun.md"),
        ("私钥", "aliyun.md"),
        ("id_ed25519", "aliyun.md"),
        ("ecs-prod", "ecs.md"),
        ("/etc/nginx", "aliyun.md"),
        ("database is locked", "lock.md"),
    ],
)
def test_the_documented_queries_find_their_card_in_the_strictest_tier(
    cards: Vault, query: str, path: str
) -> None:
    hits = items(cards, query)

    assert path in [hit["path"] for hit in hits]
    assert hits[0]["matched"] == "all"
    assert hits[0]["coverage"] == 1.0


def test_a_whole_question_gets_a_low_confidence_note(cards: Vault) -> None:
    answer = cards("memory_search", query="What is the address of the production machine with nginx?")

    assert answer["existing"]
    assert answer["tier"] in ("any", "any-prefix")
    assert "low confidence" in answer["confidence_note"]
    assert answer["confidence_note"] in answer["text"]


@pytest.mark.parametrize(
    ("query", "text", "tier", "coverage"),
    [
        ("userById", "calls getUserById twice", "all-prefix", 1.0),
        ("sqlite", "the sqlite3 module", "all-prefix", 1.0),
        ("阿里云", "阿里 在 里云 之前", "any", 1.0),
        ("阿里云", "我的阿里云服务器", "all", 1.0),
        ("云", "阿里云", "all", 1.0),
        ("alpha beta gamma", "alpha then beta", "any", 0.6667),
        ("running databases", "the database runs", "all", 1.0),
        ("/etc/nginx", "in nginx there is etc", "any-prefix", 0.0),
        ("etc/ngin", "see /etc/nginx", "all-prefix", 1.0),
        ("ｎｇｉｎｘ", "nginx", "all", 1.0),
        ("しりとり", "今日はしりとりをした", "all", 1.0),
        ("끝말잇기", "끝말잇기 놀이", "all", 1.0),
        ("Mueller", "Herr Müller", "all", 1.0),
        ("u\u0308ber", "über den Wolken", "all", 1.0),
        ("the", "the end", "all", 1.0),
        ("C++", "written in C++", "all", 1.0),
    ],
)
def test_the_tier_of_a_text(query: str, text: str, tier: str, coverage: float) -> None:
    grade = Grader(query).grade([text])

    assert (grade.tier, grade.coverage) == (tier, coverage)


def test_stop_words_count_only_where_nothing_else_is_left() -> None:
    assert [term.parts for term in terms_of("where is the database")] == [("database",)]
    assert [term.parts for term in terms_of("what is this")] == [("what",), ("is",), ("this",)]


def test_pieces_that_are_not_together_are_said_to_be_apart(vault: Vault) -> None:
    vault.write("a.md", "# 标题\n\n阿里 在 里云 之前，写在这里作为例子。")

    answer = vault("memory_search", query="阿里云")

    assert [(hit["matched"], hit["coverage"]) for hit in answer["existing"]] == [("any", 1.0)]
    assert "not together" in answer["text"]


def test_the_header_counts_the_hits_of_the_strictest_tier(vault: Vault) -> None:
    vault.write("a.md", "# One\n\nzebra and yak and more")
    vault.write("b.md", "# Two\n\nzebra alone in here")

    answer = vault("memory_search", query="zebra yak")

    assert "tier all (1 of 2)" in answer["text"]
    assert [hit["matched"] for hit in answer["existing"]] == ["all", "any"]


def test_strict_keeps_only_the_strictest_tier_that_is_there(vault: Vault) -> None:
    vault.write("a.md", "# One\n\nzebra and yak and more")
    vault.write("b.md", "# Two\n\nzebra alone in here")

    strict = vault("memory_search", query="zebra yak", strict=True)
    relaxed = vault("memory_search", query="zebra unicorn", strict=True)

    assert [hit["path"] for hit in strict["existing"]] == ["a.md"]
    assert strict["total"] == 1
    assert len(relaxed["existing"]) == 2
    assert relaxed["tier"] == "any"


def test_strict_finds_parts_of_words_where_no_text_has_the_word(vault: Vault) -> None:
    vault.write("a.md", "# One\n\ncalls getUserById and returns")
    vault.write("b.md", "# Two\n\nthe user is known by an id here")

    strict = vault("memory_search", query="userById", strict=True)

    assert [(hit["path"], hit["matched"]) for hit in strict["existing"]] == [("a.md", "all-prefix")]


@given(st.lists(st.sampled_from(["zebra", "yak", "云", "id_x9", "nginx3"]), min_size=1, max_size=4))
def test_coverage_is_a_share_and_whole_in_the_strict_tiers(words: list[str]) -> None:
    grade = Grader(" ".join(words)).grade(["a zebra with id_x9 in 阿里云"])

    assert 0.0 <= grade.coverage <= 1.0
    if grade.tier.startswith("all"):
        assert grade.coverage == 1.0
