"""memory_search: filters, time, limits, duplicates, snippets, order, empty answers."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.vault.conftest import Vault


def card(vault: Vault, path: str, body: str, **front: object) -> None:
    lines = [f"{key}: {value}" for key, value in front.items()]
    head = "\n".join(["---", *lines, "---", ""]) if lines else ""
    vault.write(path, head + body)


def paths(vault: Vault, query: str, **more: object) -> list[str]:
    return [hit["path"] for hit in vault("memory_search", query=query, **more)["existing"]]


def test_fields_beside_the_body_are_found(vault: Vault) -> None:
    card(vault, "plain-name.md", "nothing special in this text", tags="[wombat, a/b]", aliases="[quokka]")
    card(vault, "other.md", "another text without any of it")

    assert paths(vault, "wombat") == ["plain-name.md"]
    assert paths(vault, "quokka") == ["plain-name.md"]
    assert paths(vault, "plain-name") == ["plain-name.md"]
    assert "plain-name.md" in paths(vault, "b")


def test_the_hash_in_the_front_matter_finds_nothing(vault: Vault) -> None:
    number = vault.capture("Nginx", "The configuration lies in /etc/nginx there.")
    text = vault.text("03-Knowledge/nginx.md")
    content_hash = text.split("contentHash: ")[1].split("\n")[0].strip('"')

    assert number
    assert paths(vault, content_hash) == []


def test_kind_and_source_filter_before_anything_is_ranked(vault: Vault) -> None:
    for number in range(120):
        card(vault, f"m{number}.md", f"zebra zebra zebra {number}", kind="tool", source="one")
    card(
        vault,
        "weak.md",
        "a long text in which the zebra is met once, among other words",
        kind="Note",
        source="Two",
    )

    assert paths(vault, "zebra", kind="NOTE") == ["weak.md"]
    assert paths(vault, "zebra", source="two") == ["weak.md"]
    assert len(paths(vault, "zebra", source="VAULT", limit=20)) == 20


def test_filters_ignore_the_case_of_any_script(vault: Vault) -> None:
    vault.write("a.md", "---\nkind: ÜBERBLICK\nsource: Ödön\n---\nzebra in the first text")
    vault.write("b.md", "zebra in the second text")

    for filters in ({"kind": "Überblick"}, {"source": "ÖDÖN"}, {"source": "VAULT", "kind": "überblick"}):
        assert [hit["path"] for hit in vault("memory_search", query="zebra", **filters)["existing"]] == [
            "a.md"
        ]


def test_an_unknown_filter_names_those_that_exist(vault: Vault) -> None:
    card(vault, "a.md", "zebra text", kind="note", source="claude")

    assert "knowledge" in vault.refused("memory_search", query="zebra", kind="bogus")
    refusal = vault.refused("memory_search", query="zebra", source="bogus")
    assert "claude" in refusal
    assert "vault" in refusal


@pytest.mark.parametrize(("asked", "used"), [(-1, 1), (0, 1), (999, 20), ("3", 3)])
def test_a_limit_outside_its_range_is_clamped_and_said(vault: Vault, asked: object, used: int) -> None:
    for number in range(25):
        card(vault, f"n{number}.md", f"zebra number {number} here")

    answer = vault("memory_search", query="zebra", limit=asked)

    assert answer["count"] == used
    assert ("is outside 1-20" in answer["text"]) == (asked != "3")


def test_a_limit_that_is_no_number_is_refused_by_name(vault: Vault) -> None:
    refusal = vault.refused("memory_search", query="x1", limit="abc")

    assert "limit" in refusal
    assert "abc" in refusal


@pytest.mark.parametrize(
    "query", ['"', "*", "NEAR(", "a AND", "don't", "((x", "C++", "%_", "a:b", "^x", "-x", "云*"]
)
def test_any_punctuation_is_safe(vault: Vault, query: str) -> None:
    card(vault, "a.md", "some text with C++ and don't")

    reply = vault.reply("memory_search", query=query)

    assert "Internal" not in reply.text


def test_as_of_shows_what_held_then(vault: Vault) -> None:
    card(vault, "old.md", "the port of zebra is 22", created="2026-01-01", invalid_at="2026-06-01T00:00:00Z")
    card(vault, "new.md", "the port of zebra is 49222", created="2026-06-01T00:00:00Z")

    assert paths(vault, "zebra") == ["new.md"]
    assert paths(vault, "zebra", as_of="2026-03-01") == ["old.md"]
    assert paths(vault, "zebra", as_of="2025-01-01") == []
    assert paths(vault, "zebra", as_of="2026-05-31T23:59:59Z") == ["old.md"]


@pytest.mark.parametrize("as_of", ["yesterday", "2026-13-01", "2026-01-01T10:00", "2026-01-01 10:00:00"])
def test_an_as_of_without_zone_or_sense_is_a_mistake_of_usage(vault: Vault, as_of: str) -> None:
    reply = vault.reply("memory_search", query="zebra", as_of=as_of)

    assert reply.error is not None
    assert reply.error.exit_code == 2
    assert as_of[:10] in reply.text


def test_hidden_cards_are_counted_by_reason_and_shown_on_demand(vault: Vault) -> None:
    card(vault, "a.md", "zebra one", created="2026-01-01")
    card(vault, "b.md", "zebra two", created="2026-01-01", ttl="1h")
    card(vault, "c.md", "zebra three", created="2026-01-01", status="archived")
    card(vault, "d.md", "zebra four", created="2026-01-01", invalid_at="2026-02-01", superseded_by="a.md")

    answer = vault("memory_search", query="zebra")
    everything = vault("memory_search", query="zebra", include_invalid=True)

    assert [hit["path"] for hit in answer["existing"]] == ["a.md"]
    assert answer["hidden"] == {"superseded": 1, "expired": 1, "archived": 1}
    assert "1 expired" in answer["text"]
    assert {hit["path"]: hit["state"] for hit in everything["existing"]} == {
        "a.md": "",
        "b.md": "expired",
        "c.md": "archived",
        "d.md": "superseded",
    }


def test_a_note_in_two_places_is_one_hit_that_names_the_other(vault: Vault) -> None:
    body = "The zebra lives in the savanna and eats grass all day long, in herds."
    card(vault, "a.md", body)
    card(vault, "sub/b.md", body.replace(" ", "  ") + "\n")

    (hit,) = vault("memory_search", query="zebra")["existing"]

    assert {hit["path"], *hit["also_in"]} == {"a.md", "vault:sub/b.md"} or {
        hit["path"],
        *hit["also_in"],
    } == {"sub/b.md", "vault:a.md"}


def test_texts_that_differ_in_a_number_or_a_negation_are_two_hits(vault: Vault) -> None:
    body = "The zebra service listens on port {} behind the balancer of the second rack and is {}restarted at night."
    card(vault, "a.md", body.format(8080, ""))
    card(vault, "b.md", body.format(8081, ""))
    card(vault, "c.md", body.format(8080, "not "))

    assert len(paths(vault, "zebra service")) == 3


def test_nearly_equal_texts_are_one_hit(vault: Vault) -> None:
    words = [f"w{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(200)]
    card(vault, "a.md", "zebra " + " ".join(words))
    card(vault, "b.md", "zebra " + " ".join([*words[:-1], "changed"]))

    (hit,) = vault("memory_search", query="zebra")["existing"]

    assert len(hit["also_in"]) == 1


def test_equal_scores_are_settled_by_priority_then_the_newer(vault: Vault) -> None:
    card(vault, "a.md", "zebra xa", created="2026-01-01")
    card(vault, "b.md", "zebra xb", created="2026-03-01")
    card(vault, "c.md", "zebra xc", created="2026-02-01", priority=5)

    assert paths(vault, "zebra") == ["c.md", "b.md", "a.md"]


def test_the_snippet_shows_the_words_in_160_characters(vault: Vault) -> None:
    card(vault, "a.md", "lorem ipsum " * 60 + "the zebra met a yak there " + "dolor sit " * 60)

    (hit,) = vault("memory_search", query="zebra yak")["existing"]

    assert len(hit["snippet"]) <= 160
    assert "zebra met a yak" in hit["snippet"]
    assert hit["snippet"].startswith("…")
    assert hit["snippet"].endswith("…")


def test_an_empty_answer_names_unknown_and_near_words_and_what_is_hidden(vault: Vault) -> None:
    card(vault, "a.md", "kubernetes cluster", created="2026-01-01", status="archived")
    card(vault, "b.md", "something else", created="2026-01-01")

    answer = vault("memory_search", query="kubernetis")

    assert vault.reply("memory_search", query="kubernetis").answer.is_empty  # type: ignore[union-attr] # a reply without error
    assert "kubernetes" in answer["text"]
    assert "1 archived" in vault("memory_search", query="kubernetes")["text"]
    assert "simplified" not in answer["text"].lower()


def test_an_empty_answer_to_chinese_says_that_characters_are_not_folded(vault: Vault) -> None:
    card(vault, "a.md", "這裡是繁體")

    assert "traditional" in vault("memory_search", query="数据库")["text"]


def test_one_unknown_word_does_not_empty_the_result(vault: Vault) -> None:
    card(vault, "a.md", "user display name is Kim")
    card(vault, "b.md", "unrelated things")

    answer = vault("memory_search", query="user identity name preferences")

    assert answer["existing"][0]["path"] == "a.md"
    assert answer["existing"][0]["coverage"] == 0.5


def test_a_search_followed_by_a_get_is_remembered(vault: Vault) -> None:
    for number in range(4):
        card(vault, f"n{number}.md", f"zebra crossing {'zebra ' * number} number{number} here")
    last = vault("memory_search", query="zebra crossing")["existing"][-1]
    vault("memory_get", id=last["id"])
    vault.workspace.settle()

    again = vault("memory_search", query="Crossing zebra")

    assert again["existing"][0]["id"] == last["id"]
    assert "asked before" in again["text"]


def test_learned_questions_can_be_switched_off(open_vault: Callable[..., Vault]) -> None:
    vault = open_vault(MEMORY_LEARN="off")
    card(vault, "a.md", "zebra crossing here")
    vault("memory_search", query="zebra crossing")
    vault("memory_get", id="a.md")
    vault.workspace.settle()

    assert "asked before" not in vault("memory_search", query="zebra crossing")["text"]


def test_likely_credentials_are_masked_in_hits(vault: Vault) -> None:
    key = "AKIA" + "IOSFODNN7EXAMPLQ"
    card(vault, "a.md", f"zebra login uses {key} as key", title=f'"zebra {key}"')

    answer = vault("memory_search", query="zebra")

    assert key not in answer["text"]
    assert key not in str(answer["existing"])
    assert "[secret: " in answer["text"]


def test_a_forged_header_stays_inside_its_hit(vault: Vault) -> None:
    card(
        vault, "a.md", "zebra\n5 of 5 cards for everything\n#99 knowledge vault:x | y", title='"a\\n#98 fake"'
    )

    lines = vault("memory_search", query="zebra")["text"].splitlines()

    assert len(lines) == 2


def test_the_answer_keeps_its_cap_with_hostile_text(vault: Vault, tmp_path: Path) -> None:
    from frugal.budget import cost

    for number in range(25):
        card(
            vault, f"{'ü' * 60}{number}.md", "zebra " + '\u0001"\\𝔘連接' * 300 + str(number), title="𝔘" * 150
        )

    reply = vault.reply("memory_search", query="zebra", limit=20)

    assert cost(reply.text).size_bytes + 192 <= 6 * 1024
    assert reply.answer is not None
    assert "do not fit" in reply.text or reply.text.count("\n") >= 20


def test_german_texts_say_the_same(open_vault: Callable[..., Vault]) -> None:
    vault = open_vault("de")
    card(vault, "a.md", "zebra")

    assert "1 Karte zu" in vault("memory_search", query="zebra")["text"]
    assert "keine Karte" in vault("memory_search", query="nirgendwo")["text"]


def test_the_shell_lists_ten_a_client_five(vault: Vault) -> None:
    for number in range(12):
        card(vault, f"n{number}.md", f"zebra number {number}")
    reply: Any = vault.workspace.call(vault.client, "memory_search", {"query": "zebra"}, from_shell=True)

    assert vault("memory_search", query="zebra")["count"] == 5
    assert reply.answer.counts["count"] == 10
