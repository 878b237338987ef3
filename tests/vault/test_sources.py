"""The registry of sources: added, listed, removed; what is refused, and what the settings file keeps."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from frugal_modes.vault.source_forms import Settings


def settings_file(tmp_path):
    return tmp_path / "frugal-memory" / "vault.json"


def stored(tmp_path):
    return json.loads(settings_file(tmp_path).read_text(encoding="utf-8"))


@pytest.fixture
def notes(tmp_path):
    """Write notes into a folder of the test and return it."""

    def write(folder="notes", **texts):
        root = tmp_path / folder
        root.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            (root / f"{name}.md").write_text(text, encoding="utf-8")
        return root

    return write


def test_added_source_tells_shape_count_and_three_titles(vault, notes, tmp_path):
    root = notes(a="# One\ntext", b="# Two\ntext", c="# Three\ntext", d="# Four\ntext")

    told = vault("source add", kind="markdown", path=str(root))

    assert (told["action"], told["name"], told["count"], told["units"]) == ("added", "markdown", 4, 4)
    assert told["shape"] == "Markdown files"
    assert "  One\n  Two\n  Three" in told["text"]
    assert "Four" not in told["text"]
    assert stored(tmp_path)["sources"] == [{"name": "markdown", "kind": "markdown", "path": str(root)}]


def test_added_source_is_searched_and_never_written(vault, notes):
    root = notes(a="# One\nThe zebra crosses.")
    before = [(file.read_bytes(), file.stat().st_mtime_ns) for file in root.iterdir()]
    vault("source add", kind="auto", path=str(root), name="mine")

    told = vault("memory_search", query="zebra")

    assert "mine:a.md" in told["text"]
    assert [(file.read_bytes(), file.stat().st_mtime_ns) for file in root.iterdir()] == before


def test_problems_are_told_with_their_place(vault, notes):
    root = notes(a="fine")
    (root / "b.md").write_bytes(b"\xff")

    told = vault("source add", kind="markdown", path=str(root))

    assert told["problems"] == 1
    assert "b.md: not UTF-8 at byte 1" in told["text"]


def test_auto_takes_the_first_format_that_fits(vault, notes, tmp_path):
    root = notes(a="- [fact] Water is wet")
    (root / ".obsidian").mkdir()

    assert vault("source add", kind="auto", path=str(root))["kind"] == "basic-memory"


@pytest.mark.parametrize(
    ("kind", "key"),
    [
        ("mem0", "does not look like mem0; it looks like: markdown"),
        ("nothing", "There is no reader for nothing"),
    ],
)
def test_another_shape_or_kind_is_a_usage_error(vault, notes, kind, key, tmp_path):
    root = notes(a="text")

    reply = vault.reply("source add", kind=kind, path=str(root))

    assert reply.error.exit_code == 2
    assert key in reply.text
    assert not settings_file(tmp_path).exists()


def test_force_registers_another_shape(vault, notes):
    assert vault("source add", kind="obsidian", path=str(notes(a="text")), force=True)["count"] == 1


@pytest.mark.parametrize("inside", ["", "03-Knowledge"])
def test_vault_itself_is_no_source(vault, inside):
    vault.write("03-Knowledge/a.md", "text")

    reply = vault.reply("source add", kind="markdown", path=str(vault.folder / inside))

    assert reply.error.exit_code == 2
    assert "is the vault itself" in reply.text


def test_path_that_is_not_there_is_a_usage_error(vault, tmp_path):
    assert vault.reply("source add", kind="markdown", path=str(tmp_path / "x")).error.exit_code == 2


def test_default_place_stands_for_a_path(open_vault, tmp_path):
    file = tmp_path / "graph.jsonl"
    file.write_text(
        '{"type":"entity","name":"Kim","entityType":"x","observations":["tea"]}\n', encoding="utf-8"
    )
    vault = open_vault(MEMORY_FILE_PATH=str(file))

    assert "source add server-memory" in vault("source list", available=True)["text"]
    assert vault("source add", kind="server-memory")["path"] == str(file)
    assert "source add server-memory" not in vault("source list", available=True)["text"]


def test_without_a_default_place_the_path_is_asked_for(vault):
    reply = vault.reply("source add", kind="codex")

    assert reply.error.exit_code == 2
    assert ".codex/memories" in reply.text


def test_same_source_again_is_unchanged_and_names_stay_apart(vault, notes):
    first = notes(a="text")
    vault("source add", kind="markdown", path=str(first))

    again = vault("source add", kind="markdown", path=str(first))
    other = vault("source add", kind="markdown", path=str(notes("more", b="text")))
    taken = vault.reply("source add", kind="markdown", path=str(notes("third", c="x")), name="Markdown")

    assert again["action"] == "unchanged"
    assert other["name"] == "markdown-2"
    assert taken.error.exit_code == 2


@pytest.mark.parametrize("name", ["a:b", "two words", "x" * 33, "vault"])
def test_name_that_cannot_stand_in_a_ref_is_refused(vault, notes, name):
    assert vault.reply("source add", kind="markdown", path=str(notes(a="x")), name=name).is_error


def test_options_reach_the_reader_and_unknown_ones_are_refused(vault, tmp_path):
    file = tmp_path / "x.jsonl"
    file.write_text('{"words":"Likes tea"}\n', encoding="utf-8")

    told = vault("source add", kind="jsonl", path=str(file), option=["text=words"])
    wrong = vault.reply("source add", kind="jsonl", path=str(file), option=["txt=words"])

    assert told["count"] == 1
    assert stored(tmp_path)["sources"][0]["options"] == {"text": "words"}
    assert wrong.error.exit_code == 2
    assert "it has: text" in wrong.text
    assert vault.reply("source add", kind="jsonl", path=str(file), option=["words"]).is_error


def test_unknown_keys_of_the_settings_survive(vault, notes, tmp_path):
    file = settings_file(tmp_path)
    file.parent.mkdir(exist_ok=True)
    other = {"name": "old", "kind": "markdown", "path": "x", "enabled": False, "colour": "red"}
    file.write_text(json.dumps({"theme": {"dark": True}, "sources": [other]}), encoding="utf-8")

    vault("source add", kind="markdown", path=str(notes(a="x")))
    vault("source remove", name="markdown")

    assert stored(tmp_path) == {"theme": {"dark": True}, "sources": [other]}
    assert "disabled" in vault("source list")["text"]


def test_broken_settings_file_is_left_alone(vault, notes, tmp_path):
    file = settings_file(tmp_path)
    file.parent.mkdir(exist_ok=True)
    file.write_text('{"sources": [', encoding="utf-8")

    reply = vault.reply("source add", kind="markdown", path=str(notes(a="x")))

    assert reply.error.exit_code == 2
    assert file.read_text(encoding="utf-8") == '{"sources": ['


@pytest.mark.parametrize(
    "sources",
    [
        3,
        [3],
        [{"name": "a"}],
        [{"name": "a", "kind": "markdown", "path": "x", "options": 1}],
        [{"name": "vault", "kind": "markdown", "path": "x"}],
        [{"name": "a", "kind": "markdown", "path": "x"}, {"name": "A", "kind": "markdown", "path": "y"}],
    ],
)
def test_settings_of_another_shape_are_an_error(vault, tmp_path, sources):
    file = settings_file(tmp_path)
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps({"sources": sources}), encoding="utf-8")

    assert vault.reply("source list").error.exit_code == 2


def test_removed_source_is_hidden_and_comes_back_with_its_ids(vault, notes):
    root = notes(a="The zebra crosses.")
    vault("source add", kind="markdown", path=str(root))
    first = vault("memory_search", query="zebra")["existing"][0]["id"]
    vault("source remove", name="markdown")

    hidden = vault.reply("memory_search", query="zebra")
    vault("source add", kind="markdown", path=str(root))
    again = vault("memory_search", query="zebra")["existing"][0]["id"]

    assert "markdown:a.md" not in hidden.text
    assert again == first


def test_forgotten_source_loses_its_ids(vault, notes):
    root = notes(a="The zebra crosses.", b="The lion waits.")
    vault("source add", kind="markdown", path=str(root))
    first = vault("memory_search", query="zebra")["existing"][0]["id"]

    told = vault("source remove", name="markdown", forget=True)
    vault("source add", kind="markdown", path=str(root))

    assert told["cards"] == 2
    assert vault("memory_search", query="zebra")["existing"][0]["id"] > first
    assert Path(root / "a.md").read_text(encoding="utf-8") == "The zebra crosses."


def test_source_removed_earlier_can_still_be_forgotten(vault, notes):
    vault("source add", kind="markdown", path=str(notes(a="text")))
    vault("memory_stats")
    vault("source remove", name="markdown")

    assert vault("source remove", name="markdown", forget=True)["cards"] == 1
    assert vault.reply("source remove", name="markdown", forget=True).error.exit_code == 1


def test_paths_tell_each_place_and_its_layer(vault, tmp_path):
    told = vault("paths")

    assert told["vault"] == str(vault.folder)
    assert f"vault: {vault.folder} (VAULT_DIR)" in told["text"]
    assert f"index: {tmp_path / 'vault.db'} (--db)" in told["text"]
    assert "(default)" in told["text"]


def test_file_in_two_sources_belongs_to_the_deepest(vault, notes):
    outer = notes(a="outer zebra")
    inner = notes("notes/deep", b="inner zebra")
    vault("source add", kind="markdown", path=str(outer), name="outer")
    vault("source add", kind="markdown", path=str(inner), name="inner")

    text = vault("memory_search", query="zebra")["text"]

    assert "inner:b.md" in text
    assert "outer:a.md" in text
    assert "outer:deep/b.md" not in text.replace("also in outer:deep/b.md", "")


def test_kind_whose_plugin_is_gone_keeps_its_cards(vault, notes, tmp_path):
    vault("source add", kind="markdown", path=str(notes(a="The zebra crosses.")))
    vault("memory_search", query="zebra")
    values = stored(tmp_path)
    values["sources"][0]["kind"] = "tablets"
    settings_file(tmp_path).write_text(json.dumps(values), encoding="utf-8")

    assert "markdown:a.md" in vault("memory_search", query="zebra")["text"]


def test_list_tells_state_and_counts_of_each_source(vault, notes):
    root = notes(a="text", b="more")
    (root / "c.md").write_bytes(b"\xff")
    vault("source add", kind="markdown", path=str(root))
    fresh = vault("source list")["existing"]
    vault("memory_stats")

    told = vault("source list")

    assert [item["cards"] for item in fresh] == [None, None]
    mine = next(item for item in told["existing"] if item["name"] == "markdown")
    assert (mine["state"], mine["cards"], mine["problems"]) == ("there", 2, 1)
    assert "2 cards, 1 problem" in told["text"]
    (root / "a.md").unlink()
    for file in root.iterdir():
        file.unlink()
    root.rmdir()
    assert "out of reach" in vault("source list")["text"]


def test_likely_credential_in_a_title_is_not_shown(vault, notes):
    key = "AKIA" + "IOSFODNN7QWERTYU"

    told = vault("source add", kind="markdown", path=str(notes(a=f"# Key {key}\ntext")))

    assert key not in told["text"]
    assert "[secret: aws-key-id]" in told["text"]


def test_sources_added_at_once_are_all_kept(open_vault, notes, tmp_path):
    vaults = [open_vault() for _ in range(4)]
    roots = [notes(f"notes{number}", a="text") for number in range(4)]

    with ThreadPoolExecutor(4) as pool:
        told = list(
            pool.map(
                lambda pair: pair[0]("source add", kind="markdown", path=str(pair[1])),
                zip(vaults, roots, strict=True),
            )
        )

    assert sorted(item["name"] for item in told) == ["markdown", "markdown-2", "markdown-3", "markdown-4"]
    assert {item["path"] for item in stored(tmp_path)["sources"]} == {str(root) for root in roots}


def test_every_option_of_a_source_is_read(vault):
    given = [f"field{number}=value" for number in range(60)]

    options = Settings().read(given, vault.workspace.surface)

    assert len(options) == 60
