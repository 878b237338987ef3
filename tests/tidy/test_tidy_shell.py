"""The same in the shell: upkeep, learned questions, erase."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from stdio_client import isolated
from told import Told

from frugal.cli.root import run


@pytest.fixture
def line(tmp_path, capsys) -> Callable[..., Told]:
    """Run a line of the shell in this process."""

    def run_it(*words: str, lang: str = "en", script: str = "frugal-memory") -> Told:
        environ = {**isolated(tmp_path), "MEMORY_LANG": lang}
        code = run(words, script=script, environ=environ)
        return Told(code, *capsys.readouterr())

    return run_it


@pytest.fixture
def stored(line, language):
    """A memory of three facts, made in *language*."""
    for text in ("The pool size is 10", "The retry limit is 5", "Backups run at night"):
        line("memory", "remember", text, "--kind", "decision", lang=language)
    return line


def spoil(folder: Path) -> None:
    import sqlite3

    with sqlite3.connect(folder / "memory.db") as db:
        db.execute("UPDATE entry SET title = 'wrong' WHERE id = 2")
    db.close()


@pytest.mark.parametrize("option", ["--dry-run", "--probe"])
@pytest.mark.parametrize(
    ("script", "words"), [("frugal-memory", ("upkeep",)), ("frugal-memory-nachziehen", ())]
)
def test_a_dry_run_tells_and_writes_nothing(stored, tmp_path, language, option, script, words):
    spoil(tmp_path)
    before = (tmp_path / "memory.db").read_bytes()

    told = stored(*words, option, lang=language, script=script)

    assert told.code == 0
    assert "1: #2" in told.out
    assert (tmp_path / "memory.db").read_bytes() == before


def test_a_run_mends_and_the_second_reports_nothing(stored, tmp_path, language):
    spoil(tmp_path)

    first, second = (stored("upkeep", "--json", lang=language) for _ in range(2))

    assert json.loads(first.out)["changes"] == 1
    assert json.loads(second.out)["changes"] == 0
    assert json.loads(second.out)["before"] == json.loads(second.out)["after"] == 3
    assert second.code == 0
    assert second.err == ""


def test_the_language_is_recorded(stored, language):
    other = {"en": "de", "de": "en"}[language]

    told = stored("upkeep", lang=other)

    assert ("recorded language: 1" if other == "en" else "vermerkte Sprache: 1") in told.out


@pytest.mark.parametrize("words", [("upkeep",), ("upkeep", "--dry-run")])
def test_without_a_file_nothing_is_made(line, tmp_path, words):
    told = line(*words)

    assert told.code == 2
    assert "memory.db" in told.err
    assert not (tmp_path / "memory.db").exists()


def test_every_mode_that_has_a_file(stored, language):
    told = stored("upkeep", "--all", "--json", lang=language)

    assert {item["mode"] for item in json.loads(told.out)["items"]} == {"memory"}


def test_the_archive_has_its_own_file(line, language):
    line("archive", "remember", "**A study** doi:10.1000/182", "--kind", "finding", lang=language)

    told = line("--archive", lang=language, script="frugal-memory-nachziehen")

    assert told.code == 0
    assert told.out.startswith("1 ")


def test_a_guest_may_not(stored):
    assert stored("upkeep", "--guest").code == 2


def test_progress_is_drawn_on_a_terminal_only(stored, tmp_path):
    pty = pytest.importorskip("pty")
    reader, writer = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "frugal", "upkeep"],
        env=isolated(tmp_path),
        stdout=subprocess.PIPE,
        stderr=writer,
    ) as process:
        out, _ = process.communicate(timeout=60)
    os.close(writer)
    drawn = os.read(reader, 4_096).decode()
    os.close(reader)

    assert "[" in drawn
    assert "3/3" in drawn
    assert b"[" not in out


# Learned questions and erase


@pytest.mark.parametrize(
    ("words", "lang"),
    [(("learned",), "en"), (("learned",), "de"), (("gelernt",), "de"), (("gelernt",), "en")],
)
def test_learned_is_a_command_in_both_languages(line, words, lang):
    line("memory", "remember", "one")

    told = line("memory", *words, "--json", lang=lang)

    assert told.code == 1
    assert json.loads(told.out)["items"] == []


@pytest.mark.parametrize(("words", "lang"), [(("learned", "forget"), "en"), (("gelernt", "vergessen"), "de")])
def test_learned_has_sub_commands(line, words, lang):
    line("memory", "remember", "one")

    told = line("memory", *words, "never asked", lang=lang)

    assert told.code == 1
    assert told.err == ""


def test_clear_without_yes_is_refused_where_nobody_can_be_asked(line):
    line("memory", "remember", "one")

    told = line("memory", "learned", "clear")

    assert told.code == 1
    assert "--yes" in told.err


@pytest.mark.parametrize("words", [("learned", "clear", "--yes"), ("gelernt", "leeren", "--ja")])
def test_clear_with_yes(line, words):
    line("memory", "remember", "one")

    told = line("memory", *words, lang="en" if words[0] == "learned" else "de")

    assert told.err == ""


@pytest.mark.parametrize(("word", "lang"), [("erase", "en"), ("tilgen", "de"), ("erase", "de")])
def test_erase_is_a_command_of_the_shell(line, tmp_path, word, lang):
    line("memory", "remember", "The quokka key")

    told = line("memory", word, "1", lang=lang)

    assert told.code == 0
    assert not any(b"quokka" in file.read_bytes() for file in tmp_path.glob("memory.db*"))
