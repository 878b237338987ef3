"""memory_update: what was wrong is put right, every other byte stays, the old version is kept."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vault.conftest import BODY, OTHER_BODY, Vault

PATH = "03-Knowledge/nginx-config.md"


def lines_without(text: str, *keys: str) -> list[str]:
    return [line for line in text.split("\n") if not line.startswith(keys)]


def test_given_fields_change_and_the_old_version_goes_to_the_trash(vault: Vault) -> None:
    number = vault.capture("Nginx config", tags=["a"])
    before = vault.text(PATH)
    vault.clock.advance(hours=1)

    found = vault("memory_update", id=number, body=OTHER_BODY, tags=["b", "c"])

    assert (found["action"], found["id"], found["changed"]) == ("updated", 1, ["body", "tags"])
    card = vault.card(PATH)
    assert (card.title, card.body, card.tags) == ("Nginx config", OTHER_BODY, ("b", "c"))
    assert (card.created, card.updated) == ("2026-11-02T10:14:00.000Z", "2026-11-02T11:14:00.000Z")
    assert vault.text(found["version"]) == before
    assert vault.manifest()[0] | {"hash": ""} == {
        "trash": f".trash/{PATH}",
        "original": PATH,
        "time": "2026-11-02T11:14:00.000Z",
        "id": 1,
        "hash": "",
        "reason": "update",
    }


def test_title_changes_and_the_file_keeps_its_name(vault: Vault) -> None:
    number = vault.capture("Nginx config")

    found = vault("memory_update", id=f"#{number}", title="Caddy config")

    assert found["path"] == PATH
    assert vault.card(PATH).title == "Caddy config"
    assert vault.known(number).title == "Caddy config"


def test_nothing_different_writes_nothing(vault: Vault) -> None:
    number = vault.capture("Nginx config", tags=["a"])
    before = (vault.folder / PATH).stat()
    vault.clock.advance(hours=1)

    found = vault(
        "memory_update",
        id=number,
        title="Nginx config",
        body=f" {BODY}\n",
        tags=["a"],
        ttl="none",
        priority=0,
    )

    assert (found["action"], found["changed"]) == ("unchanged", [])
    assert "changed=[]" in found["text"]
    assert (vault.folder / PATH).stat().st_mtime_ns == before.st_mtime_ns
    assert vault.trash() == []


def test_absent_is_not_empty(vault: Vault) -> None:
    number = vault.capture("Nginx config", tags=["a"], source="alice")

    vault("memory_update", id=number, body=OTHER_BODY)
    assert vault.card(PATH).tags == ("a",)

    vault("memory_update", id=number, tags=[])
    assert vault.card(PATH).tags == ()

    vault("memory_update", id=number, source="")
    assert vault.card(PATH).agent == "claude@1"


def test_foreign_bytes_stay(vault: Vault) -> None:
    front = "\ufeff---\r\n# note\r\nown: {a: 1}\r\ntitle: 'T' # why\r\ntags:\r\n  - x\r\n---\r\n"
    text = front + "\r\nThe body of a note here.\r\n\r\n"
    vault.write("03-Knowledge/n.md", text)

    vault("memory_update", id="03-Knowledge/n.md", title="New", body="The new body of the\nnote here.")

    new = vault.text("03-Knowledge/n.md")
    kept = [line for line in new.split("\r\n") if not line.startswith(("updated:", "contentHash:"))]
    expected = text.replace("'T'", "'New'").replace(
        "The body of a note here.", "The new body of the\r\nnote here."
    )
    assert "\r\n".join(kept) == expected


def test_file_without_front_matter_gets_one(vault: Vault) -> None:
    vault.write("notes/plain.md", "# Plain\n\nJust text, long enough.\n")

    vault("memory_update", id="notes/plain.md", tags=["a"])

    text = vault.text("notes/plain.md")
    assert text.startswith("---\ntags: [a]\nupdated: 2026-11-02T10:14:00.000Z\ncontentHash: ")
    assert text.endswith("---\n# Plain\n\nJust text, long enough.\n")
    assert vault.card("notes/plain.md").title == "Plain"


def test_singular_tag_key_is_the_one_that_changes(vault: Vault) -> None:
    vault.write("n.md", "---\ntag: old\n---\nText of the note, long enough.\n")

    vault("memory_update", id="n.md", tags=["new"])

    assert vault.card("n.md").tags == ("new",)


def test_old_hash_comment_moves_to_the_front_matter(vault: Vault) -> None:
    vault.write("n.md", "---\ntitle: T\n---\nText of the note, long enough.\n\n<!-- contentHash: ab12 -->\n")

    vault("memory_update", id="n.md", tags=["a"])

    text = vault.text("n.md")
    assert "<!--" not in text
    assert "\ncontentHash: " in text


def test_broken_yaml_is_refused_with_the_line(vault: Vault) -> None:
    text = "---\ntitle: T\nx: *y\n---\nText of the note, long enough.\n"
    vault.write("n.md", text)

    told = vault.refused("memory_update", id="n.md", title="New")

    assert "line 3" in told
    assert vault.text("n.md") == text
    assert vault.trash() == []


def test_file_edited_since_indexing_is_taken_as_it_is(vault: Vault) -> None:
    number = vault.capture("Nginx config")
    vault.write(PATH, vault.text(PATH).replace(BODY, "Edited by hand a moment ago."))

    vault("memory_update", id=number, title="New")

    assert vault.card(PATH).body == "Edited by hand a moment ago."


def test_kind_is_refused_and_supersede_named(vault: Vault) -> None:
    number = vault.capture("Nginx config")

    assert "memory_supersede" in vault.refused("memory_update", id=number, kind="mistake")
    reply = vault.workspace.call(
        vault.client, "memory_update", {"id": number, "kind": "mistake"}, from_shell=True
    )
    assert "frugal-memory vault supersede" in reply.text


@pytest.mark.parametrize(
    "arguments",
    [
        {"title": ""},
        {"body": "short"},
        {"priority": 101},
        {"priority": "high"},
        {"ttl": "soon"},
        {"tags": ["x" * 65]},
        {"revive": "maybe"},
        {"offset": 1},
    ],
)
def test_limits_of_capture_hold(vault: Vault, arguments: dict[str, object]) -> None:
    number = vault.capture("Nginx config")
    before = vault.text(PATH)

    told = vault.refused("memory_update", id=number, **arguments)

    assert next(iter(arguments)) in told
    assert vault.text(PATH) == before


def test_priority_and_ttl_are_written_and_taken_away(vault: Vault) -> None:
    number = vault.capture("Nginx config")
    before = vault.text(PATH)

    vault("memory_update", id=number, priority="7", ttl="30d")
    assert "\npriority: 7\nttl: 2026-12-02T10:14:00.000Z\n" in vault.text(PATH)
    assert vault.card(PATH).priority == 7

    vault("memory_update", id=number, priority=0, ttl="none")
    assert lines_without(vault.text(PATH), "updated") == lines_without(before, "updated")


def test_duration_counts_from_the_update_not_from_created(vault: Vault) -> None:
    number = vault.capture("Nginx config")
    vault.clock.advance(days=400)

    vault("memory_update", id=number, ttl="30d")

    assert vault.known(number).is_live
    vault.clock.advance(days=31)
    assert vault.known(number).state == "expired"


def test_ttl_of_an_hour_on_an_old_card_hides_it(vault: Vault) -> None:
    vault.write("n.md", "---\ntitle: T\nttl: 1h\ncreated: 2026-11-01T10:00:00Z\n---\nText of the note.\n")
    vault.capture("Other")

    assert vault.known("n.md").state == "expired"


@pytest.mark.parametrize(
    "reference", ["99", "#99", "vault:03-Knowledge/none.md", "03-Knowledge/none.md", "../x.md"]
)
def test_unknown_card_is_named(vault: Vault, reference: str) -> None:
    assert reference in vault.refused("memory_update", id=reference, title="x")


@pytest.mark.parametrize("reference", [1, "1", "#1", f"vault:{PATH}", PATH, f" {PATH} "])
def test_card_is_found_by_number_ref_or_path(vault: Vault, reference: object) -> None:
    vault.capture("Nginx config")

    assert vault("memory_update", id=reference, tags=["a"])["id"] == 1


def test_deleted_card_is_refused_and_undo_named(vault: Vault) -> None:
    number = vault.capture("Nginx config")
    vault("memory_delete", id=number)

    assert "memory_delete(1, undo=true)" in vault.refused("memory_update", id=number, title="x")


def test_file_that_is_no_text_is_refused(vault: Vault) -> None:
    number = vault.capture("Nginx config")
    (vault.folder / PATH).write_bytes(b"---\ntitle: T\n---\nlatin \xe4\n")

    assert "byte 24" in vault.refused("memory_update", id=number, title="x")


values = st.fixed_dictionaries(
    {},
    optional={
        "title": st.sampled_from(("Other", 'a: "b"', "[[x]]", "签 🎉", "12")),
        "body": st.sampled_from(
            (OTHER_BODY, "---\nnot: front matter\n---\nlong enough", "line\r\n\r\n  indented line")
        ),
        "tags": st.lists(st.sampled_from(("a", "b c", "x,y", "签")), max_size=3, unique=True),
        "source": st.sampled_from(("bob", "x: y", "'q'")),
        "priority": st.integers(-100, 100),
    },
)


@settings(max_examples=25)
@given(values)
def test_update_and_reverse_update_leave_the_bytes_but_updated_and_hash(
    open_vault_of: object, arguments: dict[str, object]
) -> None:
    vault: Vault = open_vault_of()  # type: ignore[operator]  # the fixture below
    found = vault("memory_capture", title="Nginx config", body=BODY, tags=["a"], source="alice")
    path = found["path"]
    before = vault.text(path)
    old = {"title": "Nginx config", "body": BODY, "tags": ["a"], "source": "alice", "priority": 0}

    vault("memory_update", id=found["id"], **arguments)
    vault("memory_update", id=found["id"], **{name: old[name] for name in arguments})

    assert lines_without(vault.text(path), "updated", "contentHash") == lines_without(
        before, "updated", "contentHash"
    )


@pytest.fixture
def open_vault_of(vault: Vault) -> object:
    """Return the one vault of the test, the cards of an earlier example taken away."""

    def clean() -> Vault:
        for path in vault.files():
            (vault.folder / path).unlink()
        return vault

    return clean
