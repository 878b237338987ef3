"""--all: every mode whose file exists, told in one language."""

import json
from pathlib import Path

import pytest

EVERY = {"FRUGAL_MEMORY_NO_PLUGINS": "1"}


@pytest.fixture
def a(machine):
    found = machine("a", lang="")
    found("memory", "remember", "ein Fakt", "--lang", "de")
    found("notebook", "new_series", "vision/a", "?", "x", "--lang", "en")
    return found


def test_every_mode_is_exported_into_one_folder(a, tmp_path):
    out = tmp_path / "all"

    told = a("export", "--all", "--out", str(out), "--json").json

    assert [item["mode"] for item in told["items"]] == ["memory", "notebook"]
    heads = [json.loads(path.read_text("utf-8").splitlines()[0]) for path in sorted(out.iterdir())]
    assert [head["mode"] for head in heads] == ["memory", "notebook"]
    a("export", "--all", "--out", str(out), exits=3)
    a("export", "--all", "--out", str(out), "--force")


def test_every_mode_becomes_a_folder_of_markdown(a, tmp_path):
    out = tmp_path / "all"

    a("export", "--all", "--format", "markdown", "--out", str(out))

    assert sorted(path.name for path in out.iterdir()) == ["memory", "notebook"]
    assert all(any(folder.iterdir()) for folder in out.iterdir())


def test_export_of_all_needs_a_folder_and_a_file(machine, a, tmp_path):
    assert a("export", "--all", "--json", exits=2).json["error"]["code"] == "out_needed_for_all"
    assert not (a.folder / "frugal-memory" / "archive.db").exists()

    told = machine("b")("export", "--all", "--out", str(tmp_path / "none"), "--json", exits=1).json

    assert told["error"]["code"] == "no_file"


def test_backup_of_all_speaks_the_language_of_the_memory(a):
    told = a("backup", "--all").out

    assert told.count("gesichert") == 2
    assert "backed up" not in told


@pytest.fixture
def with_vault(a):
    a(
        "vault",
        "capture",
        "--title",
        "Gate",
        "--body",
        "The gate is closed on Mondays in winter, says the board.",
    )
    return a


def test_export_of_all_names_what_has_no_export(with_vault, tmp_path):
    told = with_vault("export", "--all", "--out", str(tmp_path / "all"), "--json", exits=3).json

    assert [item["mode"] for item in told["items"]] == ["memory", "notebook"]
    assert told["left_out"] == ["vault"]
    assert told["error"]["code"] == "left_out"
    assert "vault" in told["error"]["message"]


@pytest.mark.parametrize("words", [("backup", "--all"), ("--vault", "backup")], ids=" ".join)
def test_backup_says_where_the_cards_lie_that_are_not_in_it(with_vault, words):
    told = with_vault(*words, "--json").json

    item = next(item for item in told["items"] if item["file"].endswith("vault.db"))
    folder = item["kept_in"].replace("~", str(with_vault.folder))
    assert list(Path(folder).rglob("*.md"))
    assert item["kept_in"] in told["text"]
