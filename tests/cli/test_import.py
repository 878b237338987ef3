"""`import`: notes become entries, once; whatever is left out is told."""

import os
import re
import sqlite3
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from frugal.cli.importing import project_name
from frugal.errors import DiskFull
from tests.conftest import DATA

NOTES = DATA / "notes"

PARAGRAPHS = """---
title: Shop
tags: [web, "b c"]
updated: 2026-03-04T10:00:00+02:00
---

# Pool

The connection pool holds 20 connections and queues the rest.

Second paragraph, which is long enough to stand by itself, ends here.
"""
LONG = " ".join(f"Sentence number {number} says something about the long memo." for number in range(60))


def rows(file, query, *values):
    with closing(sqlite3.connect(file)) as db:
        return db.execute(query, values).fetchall()


def texts(file):
    return [row[0] for row in rows(file, "SELECT text FROM entry ORDER BY id")]


def test_paragraphs_become_entries_with_date_and_tags_of_the_note(line, notes):
    folder = notes(**{"My notes": PARAGRAPHS})

    told = line("import", str(folder), "--tag", "extra", "--kind", "decision")

    assert told.code == 0
    assert "2 new" in told.out
    shown = line("memory", "show", "1-2").out
    assert "#1 [decision] 2026-03-04 08:00Z (My-notes, web, b-c, extra)" in shown
    assert "# Pool\n\nThe connection pool holds 20" in shown


def test_kind_is_unsorted_unless_given(line, notes):
    line("import", str(notes(a=PARAGRAPHS)))

    assert "[unsorted]" in line("memory", "show", "1").out


def test_note_without_a_date_gets_the_time_of_its_file(line, notes):
    folder = notes(a="A paragraph that is long enough to stand by itself, without a date.")
    moment = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC).timestamp()
    os.utime(folder / "a.md", (moment, moment))

    line("import", str(folder))

    assert rows(line.file, "SELECT created_at FROM entry") == [("2024-05-06 07:08:09",)]


def test_second_run_imports_nothing(line, notes):
    folder = notes(a=PARAGRAPHS, b=LONG)
    first = line("import", str(folder), "--json").json

    second = line("import", str(folder), "--json").json

    assert first["new"] == first["pieces"] == second["known"]
    assert second["new"] == 0
    assert second["total"] == first["total"]


def test_text_equal_but_for_white_space_is_known_even_if_superseded(line, notes):
    line("memory", "remember", "The connection  pool holds 20 connections and\nqueues the rest of them.")
    line("memory", "forget", "1")

    told = line(
        "import",
        str(notes(a="The connection pool holds 20 connections and queues the rest of them.")),
        "--json",
    )

    assert (told.json["new"], told.json["known"]) == (0, 1)


def test_erased_piece_is_not_imported_again(line, notes):
    folder = notes(a=PARAGRAPHS)
    line("import", str(folder))
    with closing(sqlite3.connect(line.file)) as db, db:
        db.execute("UPDATE entry SET text = 'erased' WHERE id = 2")
        db.execute("INSERT INTO event (entry_id, action, at) VALUES (2, 'erased', '2026-11-02 10:00:00')")

    told = line("import", str(folder), "--json").json

    assert (told["new"], told["erased"]) == (0, 1)


def test_same_paragraph_in_two_files_is_stored_once(line, notes):
    text = "A paragraph that two files share, long enough to stand by itself."

    told = line("import", str(notes(a=text, b=text)), "--json").json

    assert (told["new"], told["known"]) == (1, 1)


def test_pieces_of_a_long_paragraph_are_one_memo(line, notes):
    told = line("import", str(notes(long=LONG)), "--json").json

    pieces = told["new"]
    assert pieces > 1
    assert told["chains"] == 1
    assert rows(line.file, "SELECT pieces, first_id, last_id FROM memo") == [(pieces, 1, pieces)]
    found = line("memory", "recall", "long memo sentence", "--json").json
    assert len(found["items"]) == 1, "one slot a memo"
    assert f"{{part 1/{pieces} of #1-#{pieces}}}" in line("memory", "show", "1").out
    assert re.sub(r"\s", "", "".join(texts(line.file))) == re.sub(r"\s", "", LONG)


def test_dry_run_prints_the_same_and_makes_no_file(line, notes):
    folder = notes(a=PARAGRAPHS, b=LONG)

    dry = line("import", str(folder), "--dry-run", "--json").json
    assert not line.file.exists()
    assert not line.file.parent.exists()
    real = line("import", str(folder), "--json").json

    for key in ("files", "pieces", "new", "known", "chains", "left_out", "total"):
        assert dry[key] == real[key], key


def test_dry_run_leaves_an_existing_file_untouched(line, notes):
    line("memory", "remember", "A fact that is there already, and stays as it is.")
    before = (line.file.read_bytes(), line.file.stat().st_mtime_ns, sorted(line.file.parent.iterdir()))

    told = line("import", str(notes(a=PARAGRAPHS)), "--trocken", lang="de")

    assert "Probelauf" in told.out
    assert (
        line.file.read_bytes(),
        line.file.stat().st_mtime_ns,
        sorted(line.file.parent.iterdir()),
    ) == before


def test_subfolders_only_with_recursive_and_hidden_ones_never(line, notes):
    folder = notes(a="The first note is long enough to stand by itself.")
    for place in ("sub", ".hidden"):
        (folder / place).mkdir()
        (folder / place / "b.md").write_text(
            f"The note in {place} is long enough to stand.", encoding="utf-8"
        )
    (folder / ".c.md").write_text("A hidden note that is long enough to stand by itself.", encoding="utf-8")

    told = line("import", str(folder), "--json").json
    assert told["new"] == 1
    assert "Subfolders left out: 1; --recursive takes them." in told["text"]
    told = line("import", str(folder), "--recursive", "--json").json
    assert told["new"] == 1
    assert "Subfolders" not in told["text"]


def test_index_file_is_taken_only_when_asked_for(line, notes):
    index = "# Index\n\n- [Pool](pool.md): how many connections the pool holds\n- plain line without a link to a file\n"
    folder = notes(MEMORY=index)

    plain = line("import", str(folder))
    taken = line("import", str(folder), "--with-index")

    assert plain.code == 1
    assert "--with-index" in plain.out
    assert taken.code == 0
    assert rows(line.file, "SELECT spelling FROM entry_tag ORDER BY entry_id, position") == [
        ("pool",),
        ("index",),
    ]


@pytest.mark.parametrize("lang", ["en", "de"])
def test_what_cannot_be_read_is_left_out_and_the_rest_is_stored(line, notes, lang):
    folder = notes(good="The good note is long enough to stand by itself, and is stored.")
    (folder / "latin.md").write_bytes("Größe".encode("latin-1"))
    (folder / "nul.md").write_bytes(b"text with a \0 inside")
    (folder / "huge.md").write_bytes(b"x" * (5 * 1024 * 1024 + 1))

    told = line("import", str(folder), lang=lang)
    again = line("import", str(folder), "--json", lang=lang).json

    assert told.code == 3
    assert len(texts(line.file)) == 1
    for name in ("latin.md", "nul.md", "huge.md"):
        assert name in told.out
    assert ("Left out" if lang == "en" else "Ausgelassen") in told.out
    assert again["ok"] is False
    assert again["left_out"] == 3
    assert {item["left_out"] for item in again["items"] if "left_out" in item} == {
        "not_utf8",
        "nul",
        "too_large",
    }


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads everything")
def test_unreadable_note_is_left_out(line, notes):
    folder = notes(a="The note that nobody may read, long enough to stand by itself.")
    (folder / "a.md").chmod(0)

    told = line("import", str(folder))

    assert told.code == 3
    assert "a.md" in told.out


def test_note_with_a_likely_credential_is_left_out_if_such_are_refused(line, notes):
    key = "AKIA" + "IOSFODNN7QWERTYU"
    folder = notes(a=f"The access key of the backup account is {key}, do not lose it.")

    told = line("import", str(folder), MEMORY_SECRETS="refuse")

    assert told.code == 3
    assert key not in told.out + told.err
    assert not line.file.exists() or texts(line.file) == []


def test_single_note_may_be_named(line, notes):
    folder = notes(a=PARAGRAPHS, b=LONG)

    assert line("import", str(folder / "a.md"), "--json").json["files"] == 1


@pytest.mark.parametrize(("name", "code"), [("missing", "nothing_there"), ("picture.png", "no_notes_file")])
def test_path_that_holds_no_notes_is_a_usage_error(line, tmp_path, name, code):
    (tmp_path / "picture.png").write_bytes(b"x")

    told = line("import", str(tmp_path / name), "--json")

    assert told.code == 2
    assert told.json["error"]["code"] == code


def test_empty_folder_is_no_result(line, tmp_path):
    (tmp_path / "empty").mkdir()

    assert line("import", str(tmp_path / "empty")).code == 1


@pytest.mark.parametrize(
    ("option", "value", "code"), [("--kind", "all", "kind_all"), ("--tag", "...", "bad_tag")]
)
def test_bad_kind_or_tag_is_refused_by_name_and_stores_nothing(line, notes, option, value, code):
    told = line("import", str(notes(a=PARAGRAPHS)), option, value, "--json")

    assert told.code == 2
    assert told.json["error"]["code"] == code
    assert option in told.json["error"]["message"]
    assert not line.file.exists()


def test_without_a_path_the_notes_of_the_current_folder_are_taken(line, tmp_path, monkeypatch):
    project = tmp_path / "my project.x"
    project.mkdir()
    monkeypatch.chdir(project)
    memory = tmp_path / ".claude" / "projects" / re.sub("[^A-Za-z0-9]", "-", str(Path.cwd())) / "memory"
    memory.mkdir(parents=True)
    (memory / "a.md").write_text(PARAGRAPHS, encoding="utf-8")

    told = line("import")

    assert told.code == 0
    assert "2 new" in told.out


def test_without_notes_of_the_current_folder_the_others_are_named_with_commands(line, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    other = tmp_path / ".claude" / "projects" / "-other place" / "memory"
    other.mkdir(parents=True)

    told = line("import", lang="de")

    assert told.code == 2
    assert f"frugal-memory import '{other}'" in told.err


def test_project_name_replaces_everything_but_letters_and_digits():
    assert project_name(Path("/home/kim/Käse_shop.v2")) == "-home-kim-K-se-shop-v2"


def test_progress_bar_is_drawn_on_a_terminal_only(line, notes, monkeypatch):
    folder = notes(a=PARAGRAPHS, b=LONG)
    plain = line("import", str(folder), "--dry-run")

    class Terminal:
        written = ""

        def isatty(self):
            return True

        def write(self, text):
            self.written += text

        def flush(self):
            pass

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    line("import", str(folder))

    assert plain.err == ""
    assert "2/2" in terminal.written
    assert terminal.written.endswith("\r"), "the bar goes away at the end"


@pytest.mark.parametrize(
    ("problem", "code"),
    [(KeyboardInterrupt(), 130), (DiskFull(path="memory.db"), 2)],
    ids=["Ctrl-C", "full disk"],
)
def test_stopped_import_leaves_whole_files_says_so_and_a_rerun_completes(
    line, notes, monkeypatch, problem, code
):
    folder = notes(a=PARAGRAPHS, b=LONG, c="The third note is long enough to stand by itself.")
    from frugal.entries import storage

    write_tags = storage.write_tags
    calls = []

    def interrupted(db, entry_id, tags, *, start):
        calls.append(entry_id)
        if len(calls) == 4:
            raise problem
        write_tags(db, entry_id, tags, start=start)

    monkeypatch.setattr(storage, "write_tags", interrupted)
    broken = line("import", str(folder))
    kept = len(texts(line.file))
    monkeypatch.setattr(storage, "write_tags", write_tags)
    rest = line("import", str(folder), "--json").json

    assert broken.code == code
    assert "Stopped after 1 of 3" in broken.err
    assert kept == 2, "the first file, whole"
    assert rest["known"] == 2
    assert rest["new"] == rest["pieces"] - 2


@pytest.mark.skipif(not NOTES.is_dir(), reason="needs the public notes: set FRUGAL_DATA")
def test_given_notes_are_stored_completely_and_once(line):
    first = line("import", str(NOTES), "--json").json
    second = line("import", str(NOTES), "--json").json

    stored = re.sub(r"\s", "", "".join(texts(line.file)))
    for note in sorted(NOTES.glob("*.md")):
        body = note.read_text(encoding="utf-8").split("---\n", 2)[2]
        assert re.sub(r"\s", "", body) in stored
    assert first["new"] == first["pieces"]
    assert second["new"] == 0
