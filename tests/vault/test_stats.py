"""memory_stats and memory_reindex: what there is, what is hidden, what went wrong; within 4 KiB."""

from frugal.budget import cost
from tests.vault.conftest import Vault

CAP_BYTES = 4 * 1024


def test_stats_count_cards_characters_kinds_agents_and_hidden_ones(vault: Vault) -> None:
    vault.write("a.md", "---\nkind: tool\nsource: claude\n---\n0123456789")
    vault.write("b.md", "---\nkind: tool\nstatus: archived\n---\n0123456789")
    vault.write("02-Projects/c.md", "0123456789")

    answer = vault("memory_stats")

    assert (answer["cards"], answer["characters"]) == (3, 30)
    assert answer["by_kind"] == {"tool": 2, "project": 1}
    assert answer["by_agent"] == {"claude": 1}
    assert answer["hidden"] == {"archived": 1}
    assert "1 archived" in answer["text"]


def test_stats_name_the_newest_and_the_most_read(vault: Vault) -> None:
    for number in range(7):
        vault.write(f"n{number}.md", f"---\ncreated: 2026-01-0{number + 1}\n---\ntext {number}")
    vault("memory_get", id="n2.md")

    answer = vault("memory_stats")

    assert [card["ref"] for card in answer["newest"]] == [f"vault:n{number}.md" for number in (6, 5, 4, 3, 2)]
    assert [(card["ref"], card["reads"]) for card in answer["most_read"]] == [("vault:n2.md", 1)]


def test_stats_tell_the_trash_the_paths_and_the_size_of_the_index(vault: Vault) -> None:
    number = vault.capture("Nginx", "The configuration lies in /etc/nginx there.")
    vault("memory_update", id=number, body="The configuration lies in /opt/nginx there.")
    vault("memory_delete", id=number)

    answer = vault("memory_stats")

    assert (answer["trash"]["cards"], answer["trash"]["versions"]) == (1, 1)
    assert answer["trash"]["bytes"] > 0
    assert answer["paths"]["vault"] == str(vault.folder)
    assert answer["index_bytes"] > 0


def test_a_reindex_lists_ten_problems_and_counts_the_rest(vault: Vault) -> None:
    for number in range(14):
        (vault.folder / f"bad{number:02}.md").write_bytes(b"\xff\xfe")

    answer = vault("memory_reindex")

    assert answer["problem_count"] == 14
    assert answer["text"].count("bad") == 10
    assert "4 more problems" in answer["text"]


def test_stats_and_reindex_keep_their_caps_with_long_names(vault: Vault) -> None:
    for number in range(30):
        name = "連" * 70 + str(number)
        vault.write(
            f"{name}.md", f'---\nkind: "{"k" * 60}{number}"\nsource: "{"ü" * 100}{number}"\n---\ntext'
        )
        vault("memory_get", id=f"{name}.md")
        (vault.folder / f"{'x' * 200}{number}.md").write_bytes(b"\xff\xfe")

    assert cost(vault("memory_stats")["text"]).size_bytes + 192 <= CAP_BYTES
    assert cost(vault("memory_reindex")["text"]).size_bytes + 192 <= CAP_BYTES


def test_an_empty_vault_has_stats(vault: Vault) -> None:
    assert vault("memory_stats")["cards"] == 0


def test_the_definitions_fit_into_eight_kibibytes(vault: Vault) -> None:
    import json

    size = len(
        json.dumps(
            [
                {"name": item.name, "description": item.description, "inputSchema": item.input_schema}
                for item in vault.workspace.definitions()
            ],
            ensure_ascii=False,
        ).encode()
    )

    assert size < 8 * 1024
