"""Likely credentials in cards: what is found of each class, what is left alone, and what a write says of them."""

from collections.abc import Callable

import pytest

from frugal.text.credentials import scan
from tests.vault.conftest import BODY, OTHER_BODY, Vault
from tests.vault.secret_samples import CLASSES, CLEAN, R16, R40, SECRETS

AWS = "AK" + "IA" + R16
GITHUB = "gh" + "p_" + R40[:36]


@pytest.mark.parametrize(("kind", "text"), SECRETS)
def test_credential_is_found_once_under_its_class(kind: str, text: str) -> None:
    assert [found.kind for found in scan(text)] == [kind]


@pytest.mark.parametrize("text", CLEAN)
def test_look_alike_is_left_alone(text: str) -> None:
    assert scan(text) == ()


def test_samples_cover_every_class_and_suffice() -> None:
    assert {kind for kind, _ in SECRETS} == set(CLASSES)
    assert len(CLASSES) == 14
    assert len(SECRETS) >= 60
    assert len(CLEAN) >= 60


def test_write_warns_with_class_count_and_place_and_never_the_value(vault: Vault) -> None:
    body = f"{BODY}\n密码：abcd1234x，Key是{AWS} and again {AWS}"

    found = vault("memory_capture", title="Keys", body=body, source=f"bot {GITHUB}")

    assert found["action"] == "created"
    assert found["secrets"] == [
        {"class": "assignment", "field": "body", "count": 1, "spans": ["2:4-12"]},
        {"class": "aws-key-id", "field": "body", "count": 2, "spans": ["2:18-37", "2:49-68"]},
        {"class": "github-token", "field": "source", "count": 1, "spans": ["1:5-44"]},
    ]
    assert "body: assignment x1 (2:4-12); aws-key-id x2 (2:18-37, 2:49-68)" in found["text"]
    assert not any(secret in found["text"] for secret in (AWS, GITHUB, "abcd1234x"))
    assert vault.card(found["path"]).body == body


@pytest.mark.parametrize("policy", ["warn", "off"])
def test_reject_secrets_stores_nothing_and_names_classes_and_places(
    open_vault: Callable[..., Vault], policy: str
) -> None:
    vault = open_vault(MEMORY_SECRETS=policy)

    reply = vault.reply("memory_capture", title="Keys", body=f"{BODY} {AWS}", reject_secrets=True)

    assert reply.is_error
    assert reply.answer is not None
    assert (reply.answer.counts["action"], reply.answer.exit_code) == ("rejected", 1)
    assert reply.answer.counts["secrets"] == [
        {"class": "aws-key-id", "field": "body", "count": 1, "spans": ["1:51-70"]}
    ]
    assert "aws-key-id x1 (1:51-70)" in reply.text
    assert AWS not in reply.text
    assert vault.files() == []


def test_policy_refuse_rejects_every_write(open_vault: Callable[..., Vault]) -> None:
    vault = open_vault(MEMORY_SECRETS="refuse")
    number = vault.capture("Plain")

    vault.refused("memory_capture", title="Keys", body=f"{BODY} {AWS}")
    vault.refused("memory_update", id=number, tags=[AWS])
    vault.refused("memory_supersede", old_id=number, title=f"T {AWS}", body=OTHER_BODY)

    assert vault.files() == ["03-Knowledge/plain.md"]


def test_policy_off_is_silent(open_vault: Callable[..., Vault]) -> None:
    vault = open_vault(MEMORY_SECRETS="off")

    found = vault("memory_capture", title="Keys", body=f"{BODY} {AWS}")

    assert "secrets" not in found
    assert "aws-key-id" not in found["text"]


def test_update_and_supersede_warn_too(vault: Vault) -> None:
    number = vault.capture("Plain")

    updated = vault("memory_update", id=number, body=f"{BODY} {AWS}")
    superseded = vault("memory_supersede", old_id=number, title="Other", body=f"{OTHER_BODY} {GITHUB}")

    assert [item["class"] for item in updated["secrets"]] == ["aws-key-id"]
    assert [item["class"] for item in superseded["secrets"]] == ["github-token"]
    assert AWS not in updated["text"]
    assert GITHUB not in superseded["text"]


def test_secret_in_a_title_is_neither_in_the_file_name_nor_in_an_answer(vault: Vault) -> None:
    found = vault("memory_capture", title=f"Key {AWS} of ecs", body=BODY)

    assert found["path"] == "03-Knowledge/key-secret-of-ecs.md"
    again = vault("memory_capture", title=f"Key {AWS} of ecs", body=OTHER_BODY)
    assert "Key [secret: aws-key-id] of ecs" in again["text"]
    assert AWS not in found["text"] + again["text"]
    assert vault.card(found["path"]).title == f"Key {AWS} of ecs"


def test_secret_in_a_path_or_a_refused_value_is_masked(vault: Vault) -> None:
    vault.write(f"notes {AWS}.md", "---\nkind: x\nbad: *y\n---\nText of a note, long enough.\n")

    told = [
        vault.refused("memory_update", id=f"notes {AWS}.md", title="x"),
        vault.refused("memory_update", id=f"none {AWS}.md", title="x"),
        vault.refused("memory_capture", title=f"{AWS} " + "x" * 200, body=BODY),
        vault.refused("restore", which=f"{AWS}.md"),
        vault("memory_delete", id=f"notes {AWS}.md")["text"],
    ]

    assert not any(AWS in text for text in told)
    assert all("[secret: aws-key-id]" in text for text in told)


def test_no_planted_secret_leaves_in_any_answer_or_file_name(vault: Vault) -> None:
    short = {kind: text for kind, text in SECRETS if "\n" not in text and len(text) <= 150}
    assert len(short) >= 12

    for number, text in enumerate(short.values()):
        card = {"title": text, "tags": [text[:64]], "source": text}
        told = vault.reply("memory_capture", **card, body=f"{BODY} {number}").text
        told += vault.reply("memory_update", id=number + 1, title=f"{text} new").text
        told += vault.reply("memory_update", id=number + 1, title=text).text
        told += vault.reply(
            "memory_capture", **card, body=f"{OTHER_BODY} {number}", on_conflict="reject"
        ).text

        values = [text[item.start : item.end] for item in scan(text)]
        assert not any(value in told for value in values)
        assert not any(value.lower() in path.lower() for value in values for path in vault.files())


def test_secret_in_a_query_is_not_echoed(vault: Vault) -> None:
    key = "AKIA" + "ABCDEFGH12345678"
    vault.capture("Nginx")

    missed = vault("memory_search", query=f"nothing {key}")
    hit = vault("memory_search", query=f"nginx {key}")

    assert "[secret: aws-key-id]" in hit["query"]
    assert all(key.lower() not in told["text"].lower() for told in (missed, hit))
