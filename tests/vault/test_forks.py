"""Two cards that both supersede a third: both stay live, and whoever reads one of them is told of the other."""

from tests.vault.conftest import Vault

OLD_PATH, LEFT, RIGHT = (f"03-Knowledge/{name}.md" for name in ("old", "left", "right"))
OLD = "---\ncreated: 2026-01-01\n---\nThe port of the gateway is 8080."
END = "---\ncreated: {created}\nsupersedes: 03-Knowledge/old.md\n---\nThe port of the gateway is {port}."


def fork(vault: Vault) -> None:
    vault.write(OLD_PATH, OLD)
    vault.write(LEFT, END.format(created="2026-02-01", port=9090))
    vault.write(RIGHT, END.format(created="2026-03-01", port=7070))


def test_both_ends_of_a_fork_stay_and_the_old_card_is_hidden(vault: Vault) -> None:
    fork(vault)

    found = vault("memory_search", query="gateway")

    assert {item["path"] for item in found["existing"]} == {LEFT, RIGHT}


def test_each_end_of_a_fork_names_the_other_one(vault: Vault) -> None:
    fork(vault)

    left, right = (vault.reply("memory_get", id=path).text.splitlines()[0] for path in (LEFT, RIGHT))

    assert left.startswith("NOT ALONE: ")
    assert RIGHT in left
    assert LEFT in right
    assert "memory_supersede" in right


def test_the_card_at_which_a_fork_begins_names_both_ends(vault: Vault) -> None:
    fork(vault)

    warned = vault("memory_get", id=OLD_PATH)["warnings"]

    assert "SUPERSEDED by" in warned[0]
    assert LEFT in warned[1]
    assert RIGHT in warned[1]


def test_stats_count_forks_and_name_them(vault: Vault) -> None:
    fork(vault)

    told = vault("memory_stats")

    old, left, right = (vault.known(path).number for path in (OLD_PATH, LEFT, RIGHT))
    assert told["forks"] == [{"superseded": old, "by": sorted([left, right])}]
    assert "1 card is superseded by more than one live card:" in told["text"]


def test_a_fork_is_none_any_more_once_one_end_supersedes_the_other(vault: Vault) -> None:
    fork(vault)
    shown = vault("memory_get", id=RIGHT)
    vault("memory_supersede", old_id=LEFT, title=shown["title"], body="The port of the gateway is 7070.")

    told = vault("memory_stats")

    assert told["forks"] == []
    assert "more than one" not in told["text"]
    assert vault("memory_get", id=RIGHT)["warnings"] == []


def test_a_chain_without_a_fork_is_told_as_before(vault: Vault) -> None:
    vault.write(OLD_PATH, OLD)
    vault.write(LEFT, END.format(created="2026-02-01", port=9090))

    assert vault("memory_stats")["forks"] == []
    assert vault("memory_get", id=LEFT)["warnings"] == []
