"""The source commands as a user types them, and what `doctor` says of places that nobody reads yet."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Line

GRAPH = '{"type":"entity","name":"Kim","entityType":"person","observations":["likes tea"]}\n'


@pytest.fixture
def line(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Line:
    return Line(tmp_path, capsys, monkeypatch)


@pytest.fixture
def graph(tmp_path):
    file = tmp_path / "memory.jsonl"
    file.write_text(GRAPH, encoding="utf-8")
    return file


def test_source_is_added_listed_found_and_removed_by_two_words(line, graph):
    added = line("vault", "source", "add", "server-memory", str(graph), "--name", "graph")
    listed = line("vault", "source", "list")
    found = line("vault", "search", "tea")
    removed = line("vault", "source", "remove", "graph", "--forget")

    assert added.code == 0, added
    assert "Added graph: server-memory" in added.out
    assert f"graph | server-memory | {graph}" in listed.out
    assert "graph:entity:Kim" in found.out
    assert "forgot 1 card with its ids" in removed.out


def test_added_source_in_json_has_its_facts_at_the_top(line, graph):
    told = line("vault", "source", "add", "auto", str(graph), "--json").json

    assert told["command"] == "vault source add"
    assert (told["ok"], told["kind"], told["count"], told["items"]) == (
        True,
        "server-memory",
        1,
        [{"title": "Kim"}],
    )


def test_options_may_be_repeated(line, tmp_path):
    file = tmp_path / "x.jsonl"
    file.write_text('{"words":"Likes tea","key":"k"}\n', encoding="utf-8")

    told = line("vault", "source", "add", "jsonl", str(file), "--option", "text=words", "--option", "id=key")

    assert told.code == 0, told
    assert "jsonl:k" in line("vault", "search", "tea").out


@pytest.mark.parametrize(("lang", "words"), [("en", "does not look like"), ("de", "sieht nicht nach")])
def test_another_shape_is_exit_2_in_either_language(line, graph, lang, words):
    told = line("vault", "source", "add", "obsidian", str(graph.parent), lang=lang)

    assert told.code == 2
    assert words in told.err


def test_paths_are_told_before_anything_is_there(line, tmp_path):
    told = line("vault", "paths", "--dir", str(tmp_path / "v"), "--json").json

    assert told["vault"] == str(tmp_path / "v")
    assert {item["what"]: item["layer"] for item in told["items"]}["vault"] == "--dir"


def test_broken_settings_file_is_exit_2_with_its_place(line, tmp_path):
    file = tmp_path / "frugal-memory" / "vault.json"
    file.parent.mkdir()
    file.write_text('{"vault": "x",\n oops}', encoding="utf-8")

    told = line("vault", "paths")

    assert told.code == 2
    assert "line 2, column 2" in told.err
    assert sorted(path.name for path in file.parent.iterdir()) == ["vault.json"]


def test_globs_of_the_settings_hold_for_every_source(line, tmp_path):
    notes = tmp_path / "notes"
    for name in ("a.md", "drafts/b.md", "old/c.md"):
        (notes / name).parent.mkdir(parents=True, exist_ok=True)
        (notes / name).write_text("The zebra crosses.", encoding="utf-8")
    source = {"name": "mine", "kind": "markdown", "path": str(notes), "ignore": ["old"]}
    file = tmp_path / "frugal-memory" / "vault.json"
    file.parent.mkdir()
    file.write_text(json.dumps({"ignore": ["drafts/**"], "sources": [source]}), encoding="utf-8")

    told = line("vault", "search", "zebra").out

    assert "mine:a.md" in told
    assert "b.md" not in told
    assert "c.md" not in told


def test_doctor_names_default_places_that_nobody_reads(line, graph):
    told = line("doctor", MEMORY_FILE_PATH=str(graph)).out
    line("vault", "source", "add", "server-memory", MEMORY_FILE_PATH=str(graph))

    assert f"server-memory keeps memories at {graph}" in told
    assert "source add server-memory" in told
    assert "keeps memories" not in line("doctor", MEMORY_FILE_PATH=str(graph)).out


def test_doctor_goes_on_beside_a_broken_settings_file(line, tmp_path):
    file = tmp_path / "frugal-memory" / "vault.json"
    file.parent.mkdir()
    file.write_text("[", encoding="utf-8")

    told = line("doctor")

    assert told.code == 1
    assert "vault.json" in told.out


def test_help_names_every_option(line):
    told = line("vault", "source", "add", "--help").out

    assert "frugal-memory vault source add" in told
    for word in ("--name", "--option", "--force"):
        assert word in told


@pytest.mark.parametrize(
    ("lang", "words"), [("en", "not made yet; the first card makes it"), ("de", "noch nicht angelegt")]
)
def test_default_vault_that_nobody_wrote_to_is_listed_as_not_made_yet(line, lang, words):
    listed = line("vault", "source", "list", lang=lang)

    assert words in listed.out
    assert line("vault", "source", "list", "--json").json["items"][0]["state"] == "not_made"


@pytest.mark.parametrize("command", ["index", "stats"])
def test_index_and_stats_say_the_same_of_a_default_vault_that_is_not_made(line, command):
    told = line("vault", command)

    assert told.code == 0
    assert "not made yet; the first card makes it" in told.out
    assert "No such file" not in told.out


@pytest.mark.parametrize("argv", [("delete", "1"), ("restore", "1"), ("purge", "--all", "--yes")])
def test_commands_on_a_default_vault_that_is_not_made_do_not_ask_for_a_drive(line, argv):
    told = line("vault", *argv)

    assert told.code == 2
    assert "is made by its first card" in told.err
    assert "drive" not in told.err


def test_a_vault_that_is_set_and_not_there_is_out_of_reach(line, tmp_path):
    listed = line("vault", "source", "list", "--dir", str(tmp_path / "elsewhere"))

    assert "out of reach" in listed.out


def test_default_vault_that_is_gone_with_its_cards_is_out_of_reach(line, tmp_path):
    line("vault", "capture", "--title", "nginx", "--body", "The configuration lies in /etc/nginx.")
    vault = Path(line("vault", "paths", "--json").json["vault"])
    vault.rename(tmp_path / "away")

    assert "out of reach" in line("vault", "source", "list").out


def test_upkeep_of_a_vault_in_order_says_so_without_empty_lists(line):
    line("vault", "capture", "--title", "nginx", "--body", "The configuration lies in /etc/nginx.")

    told = line("--vault", "upkeep")

    assert told.out == "1 card compared\nindex: nothing differs\n"


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (("source", "remove", "x"), "No source is called x; none is registered."),
        (("source", "add", "auto"), "auto has no default place: give the path."),
        (("source", "add", "jsonl"), "jsonl has no default place: give the path."),
        (("source", "add", "auto", "EMPTY"), "looks like none of the known formats (server-memory, "),
        (("source", "add", "obsidian", "EMPTY"), "nor like any other known format. --force registers it"),
        (("source", "add", "markdown", "NOTES", "--option", "x=y"), "markdown has no option x"),
    ],
)
def test_refusal_of_a_source_never_lists_nothing(line, tmp_path, argv, words):
    (tmp_path / "EMPTY").mkdir()
    (tmp_path / "NOTES").mkdir()
    (tmp_path / "NOTES/a.md").write_text("a note about zebras", encoding="utf-8")

    told = line("vault", *(str(tmp_path / word) if word.isupper() else word for word in argv))

    assert told.code != 0
    assert words in told.err
    assert ": -" not in told.err


def test_a_refused_write_is_told_once(line, tmp_path):
    told = line(
        "vault",
        "capture",
        "--title",
        "x",
        "--body",
        "A body that is long enough.",
        "--dir",
        str(tmp_path / "no"),
    )

    assert told.code == 2
    assert told.err.count("Nothing was written") == 1
