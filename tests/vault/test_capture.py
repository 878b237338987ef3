"""memory_capture: a card becomes a file of its own; nothing is overwritten, nothing is stored twice."""

from collections.abc import Callable
from typing import Any

import pytest

from frugal_modes.vault.kinds import FOLDERS
from tests.vault.conftest import BODY, OTHER_BODY, Vault


def test_card_becomes_a_file_and_gets_a_number(vault: Vault) -> None:
    found = vault("memory_capture", title="Nginx config", body=BODY, tags=["web", "#Prod"])

    assert found["action"] == "created"
    assert (found["id"], found["ref"]) == (1, "vault:03-Knowledge/nginx-config.md")
    card = vault.card("03-Knowledge/nginx-config.md")
    assert (card.title, card.body, card.tags, card.agent) == (
        "Nginx config",
        BODY,
        ("web", "Prod"),
        "claude@1",
    )
    assert card.created == card.updated == "2026-11-02T10:14:00.000Z"
    assert found["text"] == "action=created id=#1 path=03-Knowledge/nginx-config.md"


@pytest.mark.parametrize(("kind", "folder"), FOLDERS.items())
def test_each_kind_has_its_folder(vault: Vault, kind: str, folder: str) -> None:
    found = vault("memory_capture", title="T", body=BODY, kind=kind.upper())

    assert found["path"] == f"{folder}/t.md"


def test_same_content_is_unchanged_and_names_the_card(vault: Vault) -> None:
    vault.capture("Nginx config", tags=["a"])

    found = vault("memory_capture", title=" Nginx config ", body=f"\n{BODY}\n", tags=["b"])

    assert (found["action"], found["id"], found["path"]) == ("unchanged", 1, "03-Knowledge/nginx-config.md")
    assert "not merged" in found["text"]
    assert vault.files() == ["03-Knowledge/nginx-config.md"]
    assert vault.card("03-Knowledge/nginx-config.md").tags == ("a",)


def test_same_content_in_another_kind_is_a_card_of_its_own(vault: Vault) -> None:
    vault.capture("Nginx config")

    found = vault("memory_capture", title="Nginx config", body=BODY, kind="mistake")

    assert found["action"] == "created"
    assert "another kind or source (1): #1 knowledge" in found["text"]


def test_unchanged_card_whose_index_row_is_gone_is_indexed(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr("frugal_modes.vault.shelf.place", lambda call, path: None)
        vault("memory_capture", title="Nginx config", body=BODY)

    found = vault("memory_capture", title="Nginx config", body=BODY)

    assert (found["action"], found["id"]) == ("unchanged", 1)


def test_title_differing_in_a_number_or_sign_is_no_conflict(vault: Vault) -> None:
    vault.capture("C++ notes")

    found = vault("memory_capture", title="C# notes", body=OTHER_BODY)

    assert (found["action"], found["conflict"]) == ("created", False)
    assert found["path"] == "03-Knowledge/c-notes-2.md"


def test_title_that_is_a_beginning_of_another_is_no_conflict(vault: Vault) -> None:
    vault.capture("nginx-config")

    found = vault("memory_capture", title="nginx", body=OTHER_BODY, on_conflict="reject")

    assert (found["action"], found["path"]) == ("created", "03-Knowledge/nginx.md")


def test_equal_title_with_another_body_is_written_beside_it_and_named(vault: Vault) -> None:
    vault.capture("Nginx config")

    found = vault("memory_capture", title="ｎｇｉｎｘ   CONFIG", body=OTHER_BODY)

    assert (found["action"], found["conflict"], found["count"]) == ("created", True, 1)
    assert [(item["id"], item["path"]) for item in found["existing"]] == [(1, "03-Knowledge/nginx-config.md")]
    assert "existing=#1 03-Knowledge/nginx-config.md count=1" in found["text"]
    assert "memory_supersede(1) with the same title and text" in found["text"]
    assert "memory_update(1)" in found["text"]
    assert vault.card("03-Knowledge/nginx-config.md").body == BODY
    assert vault.card(found["path"]).body == OTHER_BODY


def test_the_way_on_after_an_equal_title_hides_the_older_card_and_writes_no_file(vault: Vault) -> None:
    vault.capture("Nginx config")
    vault("memory_capture", title="Nginx config", body=OTHER_BODY)
    files = vault.files()

    found = vault("memory_supersede", old_id="1", title="Nginx config", body=OTHER_BODY)

    assert (found["action"], found["id"]) == ("pointed", 2)
    assert vault.files() == files


def test_reject_writes_nothing_and_has_the_same_fields(vault: Vault) -> None:
    vault.capture("Nginx config")

    reply = vault.reply("memory_capture", title="Nginx config", body=OTHER_BODY, on_conflict="reject")

    assert reply.answer is not None
    assert (reply.answer.counts["action"], reply.answer.counts["conflict"], reply.answer.counts["count"]) == (
        "conflict",
        True,
        1,
    )
    assert reply.is_error
    assert reply.answer.exit_code == 3
    assert reply.text.startswith(
        "action=conflict conflict=true existing=#1 03-Knowledge/nginx-config.md count=1"
    )
    assert vault.files() == ["03-Knowledge/nginx-config.md"]


def test_card_that_is_not_live_is_no_conflict_and_true_again(vault: Vault) -> None:
    vault.capture("Nginx config")
    path = "03-Knowledge/nginx-config.md"
    vault.write(path, vault.text(path).replace("status: approved", "status: archived"))

    found = vault("memory_capture", title="Nginx config", body=BODY, on_conflict="reject")

    assert (found["action"], found["path"]) == ("created", "03-Knowledge/nginx-config-2.md")
    assert "#1 (archived) says the same; it is true again" in found["text"]


def test_equal_hash_alone_does_not_count(vault: Vault) -> None:
    path = "03-Knowledge/nginx-config.md"
    vault.capture("Nginx config")
    vault.write(path, vault.text(path).replace(BODY, OTHER_BODY))

    found = vault("memory_capture", title="Nginx config", body=BODY)

    assert (found["action"], found["conflict"]) == ("created", True)


def test_namesake_that_cannot_be_read_is_a_conflict_and_no_failure(vault: Vault) -> None:
    vault.capture("Nginx config")
    (vault.folder / "03-Knowledge/nginx-config.md").write_bytes(b"---\ntitle: Nginx config\n---\nlatin \xe4")

    assert vault("memory_capture", title="Nginx config", body=BODY)["conflict"]


def test_comment_with_a_hash_is_no_part_of_a_body(vault: Vault) -> None:
    found = vault("memory_capture", title="T", body=f"{BODY}\n\n<!-- contentHash: 0123456789abcdef -->\n")

    assert vault.card(found["path"]).body == BODY
    assert vault("memory_capture", title="T", body=BODY)["action"] == "unchanged"


def test_name_that_is_taken_in_another_case_is_not_used(vault: Vault) -> None:
    vault.write("03-Knowledge/NGINX.MD", "a file of somebody else")

    assert vault("memory_capture", title="nginx", body=BODY)["path"] == "03-Knowledge/nginx-2.md"
    assert vault.text("03-Knowledge/NGINX.MD") == "a file of somebody else"


@pytest.mark.parametrize("language", ["en", "de"])
def test_all_faults_come_in_one_answer(open_vault: Callable[..., Vault], language: str) -> None:
    vault = open_vault(language)

    told = vault.refused(
        "memory_capture",
        title="x" * 201,
        body=" too short ",
        kind="recipe",
        tags=["t" * 65, *map(str, range(20))],
        on_conflict="overwrite",
    )

    for name in ("title", "body", "kind", "tags", "on_conflict"):
        assert name in told
    assert "system, project, knowledge" in told
    assert vault.files() == []


@pytest.mark.parametrize(
    "arguments",
    [
        {"title": "  \n "},
        {"title": None},
        {"body": "x" * 19},
        {"body": " " * 50 + "x" * 19},
        {"body": "x" * 100_001},
        {"body": ["x" * 30]},
        {"body": "with a nul \0 in it, long enough"},
        {"tags": [str(number) for number in range(21)]},
        {"tags": "x" * 65},
        {"title": "x" * 201},
        {"kind": "note"},
        {"unknown": 1},
        {"reject_secrets": "perhaps"},
    ],
)
def test_what_cannot_be_stored_is_refused(vault: Vault, arguments: dict[str, object]) -> None:
    told = vault.refused("memory_capture", **{"title": "T", "body": BODY, **arguments})

    assert next(iter(arguments)) in told
    assert vault.files() == []


@pytest.mark.parametrize(
    "arguments",
    [
        {"title": "x" * 200},
        {"body": "x" * 20},
        {"body": "签" * 100_000},
        {"tags": ["签" * 64] * 1},
        {"tags": ""},
    ],
)
def test_limits_themselves_are_allowed(vault: Vault, arguments: dict[str, object]) -> None:
    assert vault("memory_capture", **{"title": "T", "body": BODY, **arguments})["action"] == "created"


def test_title_with_line_breaks_is_one_line(vault: Vault) -> None:
    found = vault("memory_capture", title='a: "b"\nkind: x', body=BODY, source="x: y")

    card = vault.card(found["path"])
    assert (card.title, card.kind, card.agent) == ('a: "b" kind: x', "knowledge", "x: y")


def test_tags_are_taken_as_list_json_or_text(vault: Vault) -> None:
    for number, tags in enumerate((["a", "b"], '["a", "b"]', "#a, b,,a")):
        path = vault("memory_capture", title=f"T{number}", body=BODY, tags=tags)["path"]

        assert vault.card(path).tags == ("a", "b")


@pytest.mark.parametrize(("agent", "expected"), [("claude@1.2", "claude@1.2"), ("", "mcp")])
def test_agent_is_the_client_unless_a_source_is_given(vault: Vault, agent: str, expected: str) -> None:
    vault.client.agent = agent

    vault.capture("One")
    vault.capture("Two", OTHER_BODY, source="alice")

    assert vault.card("03-Knowledge/one.md").agent == expected
    assert "submittedBy: " + expected in vault.text("03-Knowledge/two.md")
    assert vault.card("03-Knowledge/two.md").agent == "alice"


def test_missing_default_vault_is_made_for_its_owner_alone(
    open_vault: Callable[..., Vault], tmp_path: Any
) -> None:
    vault = open_vault(is_made=False, VAULT_DIR="")
    folder = tmp_path / "frugal-memory" / "vault"

    vault("memory_capture", title="T", body=BODY)

    assert (folder / "03-Knowledge" / "t.md").stat().st_mode & 0o777 == 0o600
    assert folder.stat().st_mode & 0o777 == 0o700


def test_missing_configured_vault_is_not_made(open_vault: Callable[..., Vault]) -> None:
    vault = open_vault(is_made=False)

    reply = vault.reply("memory_capture", title="T", body=BODY)

    assert "does not exist" in reply.text
    assert "VAULT_DIR" in reply.text
    assert reply.error is not None
    assert reply.error.exit_code == 2
    assert not vault.folder.exists()


def test_file_that_could_not_be_indexed_stays_and_is_told(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("frugal_modes.vault.shelf.place", lambda call, path: None)

    found = vault("memory_capture", title="T", body=BODY)

    assert (found["id"], found["indexed"]) == (None, False)
    assert "indexed=false" in found["text"]
    assert vault.files() == ["03-Knowledge/t.md"]


def test_answer_keeps_its_cap_with_many_namesakes(vault: Vault) -> None:
    for number in range(12):
        vault.capture("签" * 60, f"{OTHER_BODY} {number}")

    found = vault("memory_capture", title="签" * 60, body=BODY)

    assert found["count"] == 12
    assert len(found["text"].encode()) <= 2048
    assert "+7" in found["text"]
