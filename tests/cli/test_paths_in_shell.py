"""Paths on the command line: `~`, relative ones, variables, and `-`, alike in every mode and operation."""

from pathlib import Path

import pytest

from frugal import discovery
from frugal.registry import Registry

FACT = "The harbour gate is closed on Mondays in winter."
MESSAGE = '{"conversation_id":"c","sender_id":"ann","text":"the harbour is closed","sent_at":"2026-01-01T10:00:00Z"}\n'
NO_PATHS = {
    ("vault_purge", "which"),  # name a card, by its path within the vault
    ("vault_restore", "which"),
    ("series_export", "format"),
    ("source_add", "kind"),
}


@pytest.fixture
def at_home(line, monkeypatch):
    """A home that is the folder of the line, and a current folder in it."""
    here = line.folder / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    monkeypatch.setenv("HOME", str(line.folder))
    line("memory", "remember", FACT)
    line("notebook", "new_series", "a/b", "Is it faster?", "mean above 3")
    line("notebook", "measurements", "a/b", "acc | 4\nacc | 5")
    (line.folder / "m.jsonl").write_text(MESSAGE, encoding="utf-8")
    (here / "m.jsonl").write_text(MESSAGE, encoding="utf-8")
    return line


def registry() -> Registry:
    return discovery.discover(discovery.new_manager())


WRITING = [
    ("notebook", "export", "a/b", "--out", "{place}/x.md"),
    ("notebook", "plot", "a/b", "--out", "{place}/x.svg"),
    ("export", "--out", "{place}/x.jsonl"),
    ("backup", "{place}/x.db"),
    ("evidence", "generate", "--profile", "week", "--out", "{place}/x.db"),
]


@pytest.mark.parametrize(("typed", "real"), [("~", ""), (".", "here"), ("$SOMEWHERE", "elsewhere")])
@pytest.mark.parametrize("words", WRITING, ids=lambda words: " ".join(words[:2]))
def test_what_is_written_lies_where_the_path_means(at_home, words, typed, real):
    if "plot" in words:
        pytest.importorskip("matplotlib")
    (at_home.folder / "elsewhere").mkdir()
    argv = [word.replace("{place}", typed) for word in words]

    told = at_home(*argv, SOMEWHERE=str(at_home.folder / "elsewhere"))

    assert told.code == 0, told.err
    assert (at_home.folder / real / Path(words[-1]).name).is_file()


READING = [
    ("evidence", "import", "{place}/m.jsonl", "--timezone", "UTC"),
    ("vault", "source", "add", "jsonl", "{place}/m.jsonl", "--force"),
    ("vault", "bench", "--queries", "{place}/m.jsonl"),
    ("import", "{place}/m.jsonl", "--from", "jsonl", "--dry-run"),
]


@pytest.mark.parametrize("typed", ["~", "."])
@pytest.mark.parametrize("words", READING, ids=lambda words: " ".join(words[:2]))
def test_what_is_read_is_found_where_the_path_means(at_home, words, typed):
    told = at_home(*[word.replace("{place}", typed) for word in words])

    assert "nothing at" not in told.err.lower(), told.err
    assert "no queries at" not in told.err, told.err


@pytest.mark.parametrize(
    "words",
    [
        ("notebook", "export", "a/b", "--out", "-"),
        ("export", "--out", "-"),
        ("notebook", "plot", "a/b", "--out", "-"),
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_a_dash_for_what_is_written_is_standard_output(at_home, words):
    told = at_home(*words, stdin=b"not read")

    assert told.code == 0, told.err
    assert told.out.strip()
    assert not (at_home.folder / "here" / "-").exists()


def test_a_dash_is_no_name_for_a_backup(at_home):
    told = at_home("backup", "-")

    assert told.code == 2
    assert "standard output" in told.err
    assert not (at_home.folder / "here" / "-").exists()


@pytest.mark.parametrize(
    "words",
    [
        ("restore", "-"),
        ("merge", "-"),
        ("import", "-"),
        ("vault", "source", "add", "markdown", "-"),
        ("vault", "bench", "--queries", "-"),
        ("evidence", "budget", "--session", "-"),
    ],
    ids=" ".join,
)
def test_a_dash_that_cannot_be_read_is_refused_and_makes_nothing(at_home, words):
    told = at_home(*words, stdin=b"some text")

    assert told.code == 2, told
    assert not (at_home.folder / "here" / "-").exists()


def test_every_parameter_that_is_described_as_a_file_is_declared_as_a_path(line):
    """A new parameter with a file or a folder in its description has to be one, or to be named above."""
    from frugal.strings import load_catalogue

    missed = []
    for mode in registry().modes:
        texts = load_catalogue("en", ["frugal", *mode.includes, mode.package])
        for tool in mode.tools:
            for item in tool.parameters:
                described = texts.text(f"tools.{tool.name}.parameters.{item.name}.description").lower()
                words = described.replace(",", " ").replace(";", " ").replace(":", " ").split()
                is_switch = item.form.schema(_surface(texts)).get("type") == "boolean"
                is_meant = (
                    bool({"file", "folder", "path"} & set(words)) and not is_switch and tool.is_shell_only
                )
                if is_meant and not item.is_path and (tool.name, item.name) not in NO_PATHS:
                    missed.append((tool.name, item.name, described))

    assert missed == []


def _surface(texts):
    from frugal.model import KindVocabulary
    from frugal.surface import Surface

    return Surface(catalogue=texts, kinds=KindVocabulary(), tools=())
