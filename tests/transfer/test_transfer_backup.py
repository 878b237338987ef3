"""backup and restore as commands; what happens to the file itself is tested with the store."""

import re
import sqlite3
import stat
from contextlib import closing

import pytest
from stdio_client import StdioClient


@pytest.fixture
def a(machine):
    made = machine("a")
    made.remember("one fact")
    return made


def integrity(path):
    with closing(sqlite3.connect(path)) as db:
        return db.execute("PRAGMA integrity_check").fetchall()


def test_backup_goes_to_the_folder_of_backups(a):
    told = a("backup", "--json").json

    (target,) = (a.file.parent / "backups").iterdir()
    assert re.fullmatch(r"memory-\d{8}-\d{6}\.db", target.name)
    assert told["target"] == str(target)
    assert told["items"] == [
        {"file": str(a.file), "target": str(target), "size_bytes": target.stat().st_size}
    ]
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert stat.S_IMODE(target.parent.stat().st_mode) == 0o700
    assert integrity(target) == [("ok",)]


def test_backups_of_one_second_do_not_meet(a):
    for _ in range(3):
        a("backup")

    assert len(list((a.file.parent / "backups").iterdir())) == 3


def test_backup_under_a_given_name(a):
    target = a.folder / "deep" / "mine.db"

    told = a("backup", str(target))

    assert str(target) in told.out
    copied = a("memory", "topics", "--db", str(target)).out
    assert copied.replace(f" --db {target}", "") == a("memory", "topics").out


def test_existing_target_is_never_touched(a):
    target = a.folder / "mine.db"
    target.write_bytes(b"mine")

    told = a("backup", str(target), "--json", exits=3).json

    assert told["error"]["code"] == "target_exists"
    assert "--force" not in told["error"]["message"]
    assert target.read_bytes() == b"mine"
    a("backup", str(target), "--force", exits=2)


def test_missing_file_is_said(machine):
    told = machine("b")("backup", "--json", exits=2).json

    assert told["error"]["code"] == "no_file_yet"


def test_every_mode_that_has_a_file_is_backed_up(a):
    a("archive", "remember", "a source", "--kind", "finding", FRUGAL_MEMORY_NO_PLUGINS="")

    told = a("backup", "--all", "--json", FRUGAL_MEMORY_NO_PLUGINS="").json

    assert [item["mode"] for item in told["items"]] == ["archive", "memory"]
    names = sorted(file.name.split("-")[0] for file in (a.file.parent / "backups").iterdir())
    assert names == ["archive", "memory"]


def test_all_without_any_file_is_no_result(machine):
    assert machine("b")("backup", "--all", "--json", exits=1).json["error"]["code"] == "no_file"


def test_target_and_all_exclude_each_other(a):
    assert a("backup", "--all", "x.db", "--json", exits=2).json["error"]["code"] == "target_and_all"


def test_backup_and_restore_speak_the_language_of_the_user(machine):
    a = machine("a", lang="de")
    a.remember("etwas")
    target = a.folder / "sicherung.db"

    assert f"gesichert als {target}" in a("backup", str(target)).out
    told = a("restore", str(target)).out.splitlines()
    assert told[0] == f"{a.file} ist wieder wie in {target}."
    assert told[1].startswith("Was vorher darin war: ")


def test_restore_brings_back_and_keeps_what_was_there(a):
    target = a.folder / "backup.db"
    a("backup", str(target))
    a.remember("a later fact")

    told = a("restore", str(target), "--json").json

    assert a.texts() == {"one fact"}
    assert (told["ok"], told["backup"], told["damaged"]) == (True, str(target), None)
    a("restore", told["kept"])
    assert a.texts() == {"one fact", "a later fact"}


def test_dry_run_of_restore_tells_what_would_happen_and_writes_nothing(a):
    target = a.folder / "backup.db"
    a("backup", str(target))
    a.remember("a later fact")
    before = sorted(a.folder.rglob("*")), a.file.read_bytes()

    told = a("restore", str(target), "--dry-run", "--json").json
    lines = a("restore", str(target), "--dry-run").out.splitlines()

    assert (sorted(a.folder.rglob("*")), a.file.read_bytes()) == before
    assert (told["dry_run"], told["backup"], told["damaged"]) == (True, str(target), None)
    assert "backups" in told["kept"]
    assert lines[0] == a("merge", str(target), "--dry-run").out.splitlines()[0]
    assert lines[1] == f"{a.file} would be as in {target}."
    assert lines[2].startswith("What it holds now would be kept: ")
    assert a("restore", str(target), "--json").json["dry_run"] is False


def test_dry_run_of_restore_leaves_a_damaged_file_where_it_is(a):
    target = a.folder / "backup.db"
    a("backup", str(target))
    a.file.write_bytes(b"no database" * 500)

    told = a("restore", str(target), "--dry-run", "--json").json

    assert re.search(r"memory\.db\.damaged-\d{8}-\d{6}$", told["damaged"])
    assert told["kept"] is None
    assert sorted(file.name for file in a.file.parent.iterdir()) == ["memory.db"]


def test_dry_run_of_restore_makes_no_file(machine, a):
    target = a.folder / "backup.db"
    a("backup", str(target))
    b = machine("b", lang="de")

    lines = b("restore", str(target), "--trocken").out.splitlines()

    assert lines == ["Probelauf: nichts wurde geschrieben.", f"{b.file} wäre danach wie in {target}."]
    assert not b.file.parent.exists()


def test_dry_run_of_restore_refuses_what_restore_refuses(a):
    path = a.folder / "backup.db"
    foreign(path)

    assert a("restore", str(path), "--dry-run", "--json", exits=2).json["error"]["code"] == "foreign_file"


def test_running_server_sees_the_restored_state_at_its_next_call(a):
    target = a.folder / "backup.db"
    a("backup", str(target))

    with StdioClient(a.folder, environ={"MEMORY_DB": str(a.file)}) as server:
        server.initialize()
        server.call("remember", text="a fact of the server", tags="shop", kind="pitfall")
        assert "a fact of the server" in server.call("recall", query="server")
        a("restore", str(target))

        assert "0 match" in server.call("recall", query="server")
        assert "one fact" in server.call("show", ids="1")
        assert "Stored #2" in server.call("remember", text="another", tags="shop", kind="pitfall")
        assert server.end() == 0

    assert a.texts() == {"one fact", "another"}
    assert sorted(file.name for file in a.file.parent.iterdir()) == ["backups", "memory.db"]


def test_damaged_file_is_put_aside(a):
    target = a.folder / "backup.db"
    a("backup", str(target))
    content = a.file.read_bytes()
    a.file.write_bytes(content[:8192] + b"\xff" * (len(content) - 8192))
    a("memory", "recall", "fact", exits=2)

    told = a("restore", str(target), "--json").json

    assert re.search(r"memory\.db\.damaged-\d{8}-\d{6}$", told["damaged"])
    assert told["kept"] is None
    assert a.texts() == {"one fact"}


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (lambda a, path: None, "nothing_there"),
        (lambda a, path: path.mkdir(), "path_is_folder"),
        (lambda a, path: path.touch(), "empty_file"),
        (lambda a, path: path.write_bytes(b"no database" * 500), "damaged_file"),
        (lambda a, path: path.hardlink_to(a.file), "same_file"),
        (lambda a, path: foreign(path), "foreign_file"),
    ],
    ids=["missing", "folder", "empty", "garbage", "own", "foreign"],
)
def test_backup_that_is_not_right_changes_nothing(a, make, code):
    path = a.folder / "backup.db"
    make(a, path)

    told = a("restore", str(path), "--json", exits=2).json

    assert told["error"]["code"] == code
    assert str(path) in told["error"]["message"]
    assert a.texts() == {"one fact"}


def foreign(path):
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE strange (x)")


def test_export_is_no_backup_and_the_way_to_take_it_in_is_named(a):
    before = a.file.read_bytes()

    told = a("restore", str(a.export()), "--json", exits=2).json

    assert told["error"]["code"] == "export_is_no_backup"
    assert "frugal-memory import" in told["error"]["message"]
    assert a.file.read_bytes() == before


def test_backup_of_another_mode_is_refused(a):
    environ = {"FRUGAL_MEMORY_NO_PLUGINS": ""}
    target = a.folder / "backup.db"
    a("backup", str(target), **environ)
    a("archive", "remember", "a source", "--kind", "finding", **environ)

    told = a("restore", "--archive", str(target), "--json", exits=2, **environ).json

    assert told["error"]["code"] == "other_mode"


def test_guest_restores_nothing(a):
    assert a("restore", str(a.file), "--guest", "--json", exits=2).json["error"]["code"] == "guest_writes"
