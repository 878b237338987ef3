"""What restore, merge and import say of a file that is no good: which one, what it is, and what to do that works."""

import os
import re
import shlex
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

NO_DATABASE = b"just text, no database\n" * 300


@pytest.fixture
def full(machine):
    a = machine("a")
    a.remember("port is 22", "--tags", "shop")
    return a


def foreign(a, path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE customers (id, name)")
        db.commit()


def of_other_mode(a, path: Path) -> None:
    a("archive", "remember", "a source with a finding", "--db", str(path), FRUGAL_MEMORY_NO_PLUGINS="")


def newer(a, path: Path) -> None:
    a("backup", str(path))
    with closing(sqlite3.connect(path)) as db:
        db.execute("INSERT INTO ledger VALUES ('entries', '9999_future', '2027-01-01 00:00:00', '9.0.0')")
        db.commit()


def damaged(a, path: Path) -> None:
    a("backup", str(path))
    data = path.read_bytes()
    path.write_bytes(data[:4096] + b"\xff" * 3000 + data[7096:])


def text(a, path: Path) -> None:
    path.write_bytes(NO_DATABASE)


def export(a, path: Path) -> None:
    a("export", "--out", str(path))


def empty(a, path: Path) -> None:
    path.touch()


def folder(a, path: Path) -> None:
    path.mkdir()


BAD = {
    foreign: ("foreign_file", "give another file"),
    of_other_mode: ("other_mode", "give another file"),
    newer: ("newer_file", "Update frugal-memory"),
    damaged: ("damaged_file", "give another file"),
    text: ("damaged_file", "give another file"),
    folder: ("path_is_folder", "give the path of a file"),
}


@pytest.mark.parametrize("make", BAD, ids=lambda make: make.__name__)
@pytest.mark.parametrize("command", ["restore", "merge"])
def test_a_file_that_is_no_good_is_told_with_what_to_do(full, command, make):
    code, advice = BAD[make]
    path = full.folder / "given.db"
    make(full, path)
    before = full.file.read_bytes()

    told = full(command, str(path), "--json", exits=2).json["error"]

    assert told["code"] == code
    assert str(path) in told["message"]
    assert advice in told["message"]
    assert "frugal-memory restore" not in told["message"]
    assert "setting" not in told["message"]
    assert full.file.read_bytes() == before


def test_an_empty_file_is_no_backup(full):
    empty(full, full.folder / "given.db")

    told = full("restore", str(full.folder / "given.db"), exits=2)

    assert "is empty" in told.err
    assert "give another file" in told.err


@pytest.mark.parametrize("command", ["restore", "merge"])
def test_an_export_is_taken_in_by_import_as_the_text_says(full, command):
    path = full.folder / "given.jsonl"
    export(full, path)

    told = full(command, str(path), exits=2)

    assert "frugal-memory import" in told.err
    line = re.search(r"frugal-memory (import \S+)$", told.err, re.MULTILINE)
    if line:
        full(*shlex.split(line[1]))


def test_a_database_is_taken_in_by_merge_as_the_text_says(machine, full):
    other = machine("other")
    other.remember("a fact of the other machine")

    told = full("import", str(other.file), exits=2)
    line = re.search(r"frugal-memory (merge .*)$", told.err, re.MULTILINE)
    assert line, told.err
    full(*shlex.split(line[1]))

    assert "a fact of the other machine" in full.texts()


@pytest.mark.parametrize(("make", "code"), [(foreign, "foreign_file"), (of_other_mode, "other_mode")])
def test_a_file_that_is_not_the_modes_is_not_backed_up(full, make, code):
    path = full.folder / "given.db"
    make(full, path)
    target = full.folder / "copy.db"

    told = full("backup", str(target), "--db", str(path), "--json", exits=2).json["error"]

    assert told["code"] == code
    assert str(path) in told["message"]
    assert "another file" in told["message"]
    assert not target.exists()


def test_a_file_of_a_newer_version_is_backed_up(full):
    path, target = full.folder / "newer.db", full.folder / "copy.db"
    newer(full, path)

    full("backup", str(target), "--db", str(path))

    assert target.exists()


def test_a_foreign_file_keeps_no_other_from_being_backed_up(full):
    foreign(full, full.file.with_name("archive.db"))
    archive = {"FRUGAL_MEMORY_NO_PLUGINS": ""}

    told = full("backup", "--all", "--json", exits=3, **archive).json

    assert [item["mode"] for item in told["items"]] == ["memory"]
    assert told["error"]["code"] == "left_out"
    assert "archive.db" in told["error"]["message"]
    full.file.unlink()
    assert full("backup", "--all", "--json", exits=2, **archive).json["error"]["code"] == "foreign_file"


@pytest.mark.parametrize("name", ["empty.db", "text.txt"])
def test_what_is_neither_notes_nor_export_says_what_can_be_imported(full, name):
    path = full.folder / name
    path.write_bytes(b"" if "empty" in name else NO_DATABASE)

    told = full("import", str(path), exits=2)

    assert str(path) in told.err
    assert "no export" in told.err


@pytest.mark.parametrize("command", [["backup"], ["export"], ["upkeep"]], ids=" ".join)
def test_a_file_that_is_not_there_yet_is_told_as_that(machine, command):
    told = machine("b")(*command, exits=2)

    assert "does not exist yet" in told.err
    assert "--db" in told.err


@pytest.mark.parametrize(
    "command", [["backup"], ["export"], ["upkeep"], ["restore", "good.db"]], ids=" ".join
)
def test_a_folder_in_the_place_of_the_file_is_named(full, command):
    good = full.folder / "good.db"
    full("backup", str(good))
    place = full.folder / "folder.db"
    place.mkdir()
    words = [str(good) if word == "good.db" else word for word in command]

    told = full(*words, "--db", str(place), "--json", exits=2).json["error"]

    assert told["code"] == "path_is_folder"
    assert str(place) in told["message"]


@pytest.mark.parametrize("has_backup", [True, False])
def test_the_line_that_a_damaged_file_advises_brings_it_back(full, has_backup):
    good = full.folder / "good.db"
    full("backup", *([] if has_backup else [str(good)]))
    full.file.write_bytes(NO_DATABASE)

    told = full("memory", "recall", "port", exits=2)

    line = re.search(r"frugal-memory (restore .*)$", told.err, re.MULTILINE)
    assert line, told.err
    full(*[str(good) if word == "FILE" else word for word in shlex.split(line[1])])
    assert full.texts() == {"port is 22"}


def test_the_line_that_a_damaged_file_of_another_mode_advises_names_the_mode(full):
    archive = {"FRUGAL_MEMORY_NO_PLUGINS": ""}
    full("archive", "remember", "a source with a finding", **archive)
    place = full.file.with_name("archive.db")
    full("--archive", "backup", str(full.folder / "good.db"), **archive)
    place.write_bytes(NO_DATABASE)

    told = full("archive", "recall", "source", exits=2, **archive)

    line = re.search(r"frugal-memory (--archive restore .*)$", told.err, re.MULTILINE)
    assert line, told.err
    words = [str(full.folder / "good.db") if word == "FILE" else word for word in shlex.split(line[1])]
    full(*words, **archive)
    assert "finding" in full("archive", "recall", "source", **archive).out


@pytest.mark.parametrize("below", ["x.db", "deep/x.db"])
def test_a_path_that_leads_through_a_file_names_that_file(full, below):
    path = full.folder / "mine.txt"
    path.write_text("mine")
    place = str(path / below)

    for words in (
        ["backup", place],
        ["export", "--out", place],
        ["export", "--out", place, "--format", "markdown"],
        ["export", "--all", "--out", place],
        ["restore", str(full.file), "--db", place],
        ["memory", "remember", "a fact", "--db", place],
    ):
        told = full(*words, exits=2)

        assert f"{path} is a file, no folder" in told.err, words
        assert "SQLite" not in told.err
    assert path.read_text() == "mine"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
@pytest.mark.parametrize("command", ["restore", "merge", "import"])
def test_a_file_that_may_not_be_read_is_named(full, command):
    path = full.folder / "given.db"
    full("backup", str(path))
    path.chmod(0)

    told = full(command, str(path), exits=2)

    assert str(path) in told.err


def test_an_existing_target_says_to_give_another_name(full):
    path = full.folder / "mine.db"
    path.write_bytes(b"mine")

    assert "another name" in full("backup", str(path), exits=3).err
    full("backup", str(path.with_name("other.db")))


def test_a_target_inside_a_file_is_named_as_it_was_given(full):
    path = full.folder / "mine.db"
    shutil.copy(full.file, path)

    for told in (
        full("backup", str(path / "x.db"), exits=2),
        full("export", "--out", str(path / "x"), exits=2),
    ):
        assert str(path) in told.err
        assert ".part" not in told.err
