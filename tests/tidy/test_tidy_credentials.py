"""Likely credentials in what is remembered: class and place are named, never a character of it."""

from collections.abc import Iterator

import pytest

from frugal.settings import Options, load_settings

AWS = "AKIAIOSFODNN7ABCDEFG"
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P"
PEM = "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA1c7\n-----END RSA PRIVATE KEY-----"
FOUND = {
    "openai-style-key": "sk-proj-a1B2c3D4e5F6g7H8i9J0k1L2",
    "github-token": "ghp_abcdefghij0123456789ABCDEFGHIJ012345",
    "aws-key-id": AWS,
    "jwt": JWT,
    "private-key": PEM,
    "url-password": "postgres://user:p4ssw0rdLong@host/db",
}
CLEAN = (
    "commit 3e54ff0a1b2c3d4e5f60718293a4b5c6d7e8f901",
    "id 123e4567-e89b-42d3-a456-426614174000",
    "ISBN 978-3-16-148410-0",
    "doi 10.1000/182",
)


def secret_parts(value: str) -> Iterator[str]:
    """Yield every stretch of 6 characters of the random part."""
    random = value.replace("-----BEGIN RSA PRIVATE KEY-----\n", "").replace(
        "\n-----END RSA PRIVATE KEY-----", ""
    )
    random = random.removeprefix("postgres://user:").removesuffix("@host/db")
    random = random.removeprefix("sk-proj-").removeprefix("ghp_")
    yield from (random[start : start + 6] for start in range(len(random) - 5))


@pytest.mark.parametrize("kind", FOUND)
def test_each_class_is_named_with_its_place_and_never_shown(desk, kind):
    answer = desk("remember", text=f"The key is {FOUND[kind]} for now", kind="interface")

    assert kind in answer
    assert ("line 1, columns" if desk.is_english else "Zeile 1, Spalten") in answer
    assert not any(part in answer for part in secret_parts(FOUND[kind]))


@pytest.mark.parametrize("text", CLEAN)
def test_what_only_looks_like_one_is_not_named(desk, text):
    answer = desk("remember", text=text, kind="interface")

    assert answer.splitlines() == [answer.splitlines()[0]]


def test_the_notice_says_what_removes_it(desk):
    answer = desk("remember", text=f"key {AWS}", kind="interface")

    assert f"frugal-memory memory {desk.name('erase')} 1" in answer
    assert desk.name("forget") in answer


def test_it_is_stored_exactly_as_given(desk):
    desk.store(f"key {AWS}")

    assert desk.rows("SELECT text FROM entry") == [(f"key {AWS}",)]


@pytest.mark.parametrize("repeat", ["", "supersede", "similar"])
def test_no_later_answer_of_remember_shows_it_either(desk, repeat):
    text = f"The access key of the shop bucket is {AWS} since spring"
    desk.store(text, tags=f"shop {AWS}-tag")

    if repeat == "similar":
        answer = desk("remember", text=text.replace(AWS, "unknown"))
        assert "#1" in answer
    elif repeat == "supersede":
        desk("forget", ids="1")
        answer = desk("remember", text=text)
    else:
        answer = desk("remember", text=text, tags=f"{AWS}-new")

    assert not any(part in answer for part in secret_parts(AWS))


def test_a_key_cut_by_the_title_is_not_shown_in_part(desk):
    text = "x" * 10 + " " + "y" * 80 + f" {AWS}"
    desk.store(text)

    answer = desk("remember", text=text)

    assert "AKIA" not in answer


@pytest.mark.parametrize("place", ["tags", "also"])
def test_tags_and_search_words_are_looked_at_too(desk, place):
    answer = desk("remember", text="a fact", kind="interface", **{place: AWS})

    assert f"{desk.name(place)}: aws-key-id" in answer
    assert AWS not in answer


# The policy


@pytest.mark.parametrize("policy", ["refuse", "REFUSE", "strict", "on"])
def test_refuse_and_anything_not_understood_store_nothing(language, open_desk, policy):
    desk = open_desk(language, MEMORY_SECRETS=policy)

    refusal = desk.refused("remember", text=f"line one\nkey {AWS}")

    assert "aws-key-id" in refusal
    assert ("line 2" if desk.is_english else "Zeile 2") in refusal
    assert AWS not in refusal
    assert (
        desk.rows("SELECT count(*) FROM entry") == [(0,)] if desk.workspace.settings.path.exists() else True
    )


def test_refuse_stores_what_is_clean(language, open_desk):
    desk = open_desk(language, MEMORY_SECRETS="refuse")

    assert desk.store("The key lies in the vault") == 1


def test_off_says_nothing(language, open_desk):
    desk = open_desk(language, MEMORY_SECRETS="off")

    answer = desk("remember", text=f"key {AWS}", kind="interface")

    assert "aws-key-id" not in answer


@pytest.mark.parametrize("policy", ["", "warn", "Refuse", "off"])
def test_a_known_policy_is_no_notice(policy):
    assert load_settings(Options(), {"MEMORY_SECRETS": policy}).notices == ()


def test_an_unknown_policy_is_reported_at_start(desk, language):
    (notice,) = load_settings(Options(lang=language), {"MEMORY_SECRETS": "strict"}).notices

    line = desk.workspace.surface.text(f"notices.{notice.key}", **notice.data)
    assert "strict" in line
    assert "refuse" in line
