"""memory_delete, restore and purge: the trash keeps what it gets until somebody says otherwise."""

import json
from typing import Any

import pytest

from tests.vault.conftest import BODY, OTHER_BODY, Vault

PATH = "03-Knowledge/nginx-config.md"
TRASHED = f".trash/{PATH}"


@pytest.fixture
def number(vault: Vault) -> int:
    return vault.capture("Nginx config")


def test_card_goes_to_the_trash_with_a_line_in_the_manifest(vault: Vault, number: int) -> None:
    text = vault.text(PATH)

    found = vault("memory_delete", id=number)

    assert (found["action"], found["id"], found["trash"]) == ("deleted", 1, TRASHED)
    assert vault.files() == []
    assert vault.text(TRASHED) == text
    (entry,) = vault.manifest()
    assert len(entry.pop("hash")) == 16
    assert entry == {
        "trash": TRASHED,
        "original": PATH,
        "time": "2026-11-02T10:14:00.000Z",
        "id": 1,
        "reason": "delete",
    }
    assert vault.known(number).state == "gone"


def test_deleting_again_is_unchanged(vault: Vault, number: int) -> None:
    vault("memory_delete", id=number)

    found = vault("memory_delete", id=number)

    assert (found["action"], found["trash"]) == ("unchanged", TRASHED)
    assert len(vault.manifest()) == 1


def test_undo_brings_the_card_back_under_its_number(vault: Vault, number: int) -> None:
    text = vault.text(PATH)
    vault("memory_delete", id=number)

    found = vault("memory_delete", id=number, undo=True)

    assert (found["action"], found["id"], found["path"]) == ("restored", 1, PATH)
    assert vault.text(PATH) == text
    assert vault.known(number).is_live
    assert vault.trash() == []


def test_undo_of_a_card_that_is_not_in_the_trash_is_refused(vault: Vault, number: int) -> None:
    assert "trash" in vault.refused("memory_delete", id=number, undo=True)
    assert vault.files() == [PATH]


def test_second_copy_gets_a_number_and_the_newest_comes_back(vault: Vault, number: int) -> None:
    vault("memory_delete", id=number)
    vault.clock.advance(hours=1)
    vault("memory_capture", title="Nginx config", body=OTHER_BODY)
    vault.clock.advance(hours=1)
    vault("memory_delete", id=PATH)

    found = vault("restore", which=PATH)

    assert vault.trash() == [TRASHED]
    assert vault.card(PATH).body == OTHER_BODY
    assert f"{TRASHED} (delete 2026-11-02T10:14:00.000Z)" in found["text"]
    assert [entry["time"] for entry in vault.manifest()] == [
        "2026-11-02T10:14:00.000Z",
        "2026-11-02T12:14:00.000Z",
    ]


@pytest.mark.parametrize("which", ["1", "#1", f"vault:{PATH}", PATH, TRASHED])
def test_restore_by_id_ref_path_or_place_in_the_trash(vault: Vault, number: int, which: str) -> None:
    vault("memory_delete", id=number)

    assert vault("restore", which=which)["path"] == PATH


def test_older_copy_is_restored_by_its_place_in_the_trash(vault: Vault, number: int) -> None:
    vault("memory_delete", id=number)
    vault("memory_capture", title="Nginx config", body=OTHER_BODY)
    vault("memory_delete", id=PATH)

    vault("restore", which=TRASHED)

    assert vault.card(PATH).body == BODY


def test_taken_place_is_refused_unless_forced(vault: Vault, number: int) -> None:
    vault("memory_delete", id=number)
    vault("memory_capture", title="Nginx config", body=OTHER_BODY)

    told = vault.refused("restore", which=TRASHED)
    assert PATH in told
    assert vault.card(PATH).body == OTHER_BODY

    found = vault("restore", which=TRASHED, force=True)
    assert vault.card(PATH).body == BODY
    assert vault.card(".trash/03-Knowledge/nginx-config-2.md").body == OTHER_BODY
    assert "nginx-config-2.md" in found["text"]


def test_place_taken_in_another_case_is_taken(vault: Vault, number: int) -> None:
    vault("memory_delete", id=number)
    vault.write("03-Knowledge/NGINX-config.md", "somebody else's note")

    assert PATH in vault.refused("restore", which=number)


def test_version_of_an_update_comes_back_with_force(vault: Vault, number: int) -> None:
    version = vault("memory_update", id=number, body=OTHER_BODY)["version"]

    vault("restore", which=version, force=True)

    assert vault.card(PATH).body == BODY


@pytest.mark.parametrize(
    "which", ["../.trash/x", ".trash/../../x", "/etc/passwd", "nothing", ".trash/none.md", "99"]
)
def test_what_is_not_in_the_trash_is_refused(vault: Vault, number: int, which: str) -> None:
    vault.write("../.trash/x", "outside")
    vault("memory_delete", id=number)

    vault.refused("restore", which=which)

    assert vault.files() == []
    assert vault.trash() == [TRASHED]


@pytest.mark.parametrize(
    "original", ["../outside.md", "/tmp/outside.md", ".trash/x.md", ".TRASH/x.md", "a/../../x.md", "."]
)
def test_manifest_cannot_lead_out_of_the_vault(vault: Vault, number: int, original: str) -> None:
    vault("memory_delete", id=number)
    entry = json.dumps({"trash": TRASHED, "original": original, "time": "2026-11-03T00:00:00Z"})
    vault.write(".trash/.manifest.jsonl", f"{entry}\n")

    vault.refused("restore", which=TRASHED)

    assert vault.trash() == [TRASHED]
    assert not (vault.folder.parent / "outside.md").exists()


def test_link_in_the_trash_is_not_followed_out_of_it(vault: Vault, number: int) -> None:
    secret = vault.write("../secret.md", "not in the vault")
    vault("memory_delete", id=number)
    (vault.folder / ".trash" / "link.md").symlink_to(secret)

    vault.refused("restore", which=".trash/link.md")
    vault.refused("purge", which=".trash/link.md")

    assert secret.read_text() == "not in the vault"


def test_file_without_an_entry_is_restored_to_its_path(vault: Vault) -> None:
    vault.write(".trash/notes/by-hand.md", "moved here by a file manager")

    found = vault("restore", which="notes/by-hand.md")

    assert found["path"] == "notes/by-hand.md"
    assert vault.text("notes/by-hand.md") == "moved here by a file manager"


def test_cut_off_line_of_a_killed_writer_is_passed_over(vault: Vault, number: int) -> None:
    vault.write(".trash/.manifest.jsonl", '{"trash": ".trash/03-Know')

    vault("memory_delete", id=number)

    assert vault("restore", which=number)["path"] == PATH


@pytest.mark.parametrize(
    "manifest",
    [
        [
            {
                "trash_path": "03-Knowledge/old.md",
                "original_path": "05-Prompts/p.md",
                "deleted_at": "2026-10-01T00:00:00Z",
            }
        ],
        {"03-Knowledge/old.md": {"original": "05-Prompts/p.md", "trashed_at": 1790812800}},
        {"entries": {".trash/03-Knowledge/old.md": {"path": "05-Prompts/p.md", "time": "2026-10-01"}}},
        {"03-Knowledge/old.md": "05-Prompts/p.md"},
    ],
)
def test_manifest_of_memory_agent_is_read(vault: Vault, manifest: Any) -> None:
    vault.write(".trash/03-Knowledge/old.md", "# Old\n\ntext of an old card")
    vault.write(".trash/.manifest.json", json.dumps(manifest))

    assert vault("restore", which="05-Prompts/p.md")["path"] == "05-Prompts/p.md"


def test_reminder_comes_from_ten_deleted_cards_on(vault: Vault) -> None:
    told = []
    for count in range(10):
        vault.capture(f"T{count}", f"{BODY} {count}")
        told.append(vault("memory_delete", id=f"03-Knowledge/t{count}.md")["text"])

    assert "purge" not in "".join(told[:9])
    assert "10 deleted cards" in told[9]


def test_purge_of_one_copy_takes_number_and_counts_with_it(vault: Vault, number: int) -> None:
    vault("memory_delete", id=number)

    found = vault("purge", which=number)

    assert (found["action"], found["purged"], found["forgotten"]) == ("purged", 1, 1)
    assert vault.trash() == []
    assert vault.known(number) is None
    assert vault.capture("Nginx config") == 2


def test_number_stays_while_a_copy_is_left(vault: Vault, number: int) -> None:
    vault("memory_update", id=number, body=OTHER_BODY)
    vault("memory_delete", id=number)

    assert vault("purge", which=TRASHED)["forgotten"] == 0
    assert vault.known(number).state == "gone"


def test_purge_of_a_live_card_is_refused(vault: Vault, number: int) -> None:
    vault("memory_update", id=number, body=OTHER_BODY)

    for which in (number, PATH):
        assert f"frugal-memory vault delete {number}" in vault.refused("purge", which=which)
    assert vault.trash() == [TRASHED]
    assert vault("purge", which=TRASHED)["purged"] == 1
    assert vault.known(number).is_live


def test_purge_of_several_copies_asks_which(vault: Vault, number: int) -> None:
    vault("memory_update", id=number, body=OTHER_BODY)
    vault("memory_delete", id=number)

    assert ".trash/03-Knowledge/nginx-config-2.md" in vault.refused("purge", which=number)
    assert len(vault.trash()) == 2


def test_purge_by_age_takes_the_old_copy_only(vault: Vault, number: int) -> None:
    vault("memory_delete", id=number)
    vault.clock.advance(days=40)
    vault("memory_capture", title="Nginx config", body=OTHER_BODY)
    vault("memory_delete", id=PATH)
    vault.write(".trash/unknown.md", "put here by hand")

    found = vault("purge", older_than="30d", yes=True)

    assert found["purged"] == 1
    assert vault.trash() == [".trash/03-Knowledge/nginx-config-2.md", ".trash/unknown.md"]
    assert ".trash/unknown.md" in found["text"]
    assert vault.known(number).state == "gone"


def test_purge_of_everything_needs_yes(vault: Vault, number: int) -> None:
    vault("memory_delete", id=number)

    assert "--yes" in vault.refused("purge", all=True)
    assert vault.trash() == [TRASHED]
    assert vault("purge", all=True, yes=True)["purged"] == 1
    assert vault("purge", all=True)["action"] == "unchanged"


@pytest.mark.parametrize(
    "arguments", [{}, {"which": PATH, "all": True}, {"all": True, "older_than": "1d"}, {"older_than": "old"}]
)
def test_purge_wants_exactly_one_thing(vault: Vault, number: int, arguments: dict[str, object]) -> None:
    vault("memory_delete", id=number)

    vault.refused("purge", **arguments, yes=True)

    assert vault.trash() == [TRASHED]


def test_restore_after_purge_of_the_file_by_hand_is_refused(vault: Vault, number: int) -> None:
    vault("memory_delete", id=number)
    (vault.folder / TRASHED).unlink()

    vault.refused("restore", which=number)


def test_name_in_the_trash_is_one_that_is_free(vault: Vault) -> None:
    for name in ("nginx-config", "nginx-config-2", "NGINX-config-3"):
        vault.write(f".trash/03-Knowledge/{name}.md", "x")
    number = vault.capture("Nginx config")

    assert vault("memory_delete", id=number)["trash"] == ".trash/03-Knowledge/nginx-config-4.md"


@pytest.mark.parametrize("path", [".notes/a.md", "b/C.MD", "d.markdown", "a b/签.md"])
def test_any_card_of_the_vault_comes_back_to_its_path(vault: Vault, path: str) -> None:
    vault.write(path, "# T\n\nText of a note, long enough.\n")

    vault("memory_delete", id=path)

    assert vault("restore", which=path)["path"] == path
    assert vault.text(path) == "# T\n\nText of a note, long enough.\n"


def test_file_that_is_no_text_can_be_deleted_and_pushed_aside(vault: Vault, number: int) -> None:
    vault("memory_delete", id=number)
    (vault.folder / PATH).write_bytes(b"latin \xe4")

    vault("restore", which=TRASHED, force=True)

    assert vault.card(PATH).body == BODY
    assert (vault.folder / ".trash/03-Knowledge/nginx-config-2.md").read_bytes() == b"latin \xe4"
