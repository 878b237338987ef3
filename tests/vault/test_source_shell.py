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
    assert "forgot 1 cards" in removed.out


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
