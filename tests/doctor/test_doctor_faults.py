"""Each planted fault is named: failures end with 1, warnings with 0."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from clinic import TEXTS, Clinic, Diagnosis, fill

from frugal.doctor.places import network_type, sync_service

MANY = 1_200
ADD_EVENT = "INSERT INTO event (entry_id, action, at) VALUES (99, 'superseded', '2026-01-01 00:00:00')"


def failures(told: Diagnosis) -> list[str]:
    return [item.id for item in told.items if item.state == "fail"]


OUT_OF_STEP = {
    "changed text": "UPDATE entry SET text = 'Another text altogether.' WHERE id = 2",
    "changed title": "UPDATE entry SET title = 'Another' WHERE id = 2",
    "row missing": "DELETE FROM search_forward WHERE document = 2",
    "postings missing": "INSERT INTO search_index (search_index) VALUES ('delete-all')",
    "wrong frequency": "UPDATE search_word SET df = df + 1 WHERE word = 'lamp'",
    "wrong statistics": "UPDATE search_statistics SET documents = documents + 1",
    "word missing": "DELETE FROM search_word WHERE word = 'lamp'",
    "wrong tag": "UPDATE entry_tag SET folded = 'other' WHERE entry_id = 2",
    "live in one place only": "UPDATE search_forward SET live = 0 WHERE document = 2",
    "orphan": "INSERT INTO search_forward VALUES (99, 0, NULL, 0, 0, '')",
}


OUTDATED = {"another analysis": "UPDATE record SET value = '1' WHERE key = 'analysis'"}


@pytest.mark.parametrize(
    "statement", [*OUT_OF_STEP.values(), *OUTDATED.values()], ids=[*OUT_OF_STEP, *OUTDATED]
)
def test_index_out_of_step_is_a_failure_that_upkeep_mends(clinic: Clinic, statement: str) -> None:
    clinic.harm(statement)
    before = clinic.traces()

    told = clinic()

    assert (told.code, told.is_ok, failures(told)) == (1, False, ["index"])
    assert told.one("index").hint == "frugal-memory upkeep"
    assert clinic.traces() == before
    assert clinic.line("upkeep")[0] == 0
    assert clinic().code == 0


@pytest.mark.parametrize("name", ["changed text", "row missing", "postings missing", "wrong statistics"])
def test_index_out_of_step_is_noticed_in_a_store_too_large_to_compare_whole(
    clinic: Clinic, name: str
) -> None:
    grow(clinic)
    clinic.harm(OUT_OF_STEP[name].replace("= 2", "= 1"))

    assert failures(clinic()) == ["index"]


def grow(clinic: Clinic) -> None:
    """Make the store so large that only a part of it is recomputed."""
    from frugal.call import Client
    from frugal.engine import build_engine
    from frugal.entries.storage import NewEntry, insert
    from frugal.settings import Options, load_settings

    engine = build_engine(load_settings(Options(), clinic.environ()))
    workspace = engine.open(engine.registry.mode("memory"))
    call = workspace.new_call(Client())
    with call.store.write() as db:
        for number in range(MANY):
            insert(db, NewEntry(f"Fact number {number}.", "gemischt", ("shop",), call.stamp()))
    workspace.close()


def test_broken_foreign_key_is_a_failure_that_names_the_row(clinic: Clinic) -> None:
    clinic.harm("PRAGMA foreign_keys = OFF", ADD_EVENT)

    told = clinic()

    assert (told.code, failures(told)) == (1, ["foreign_keys"])
    assert "event 1 -> entry" in told.one("foreign_keys").text


def page_of(file: Path, table: str) -> tuple[int, int]:
    """Return the first page of a table and the size of a page."""
    with closing(sqlite3.connect(file)) as db:
        page = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (table,)).fetchone()[0]
        return page, db.execute("PRAGMA page_size").fetchone()[0]


@pytest.mark.parametrize("table", ["entry", "search_forward", "entry_by_identity", "event"])
def test_damaged_page_is_a_failure_with_the_newest_backup(clinic: Clinic, table: str) -> None:
    assert clinic.line("backup")[0] == 0
    page, size = page_of(clinic.file, table)
    content = bytearray(clinic.file.read_bytes())
    content[(page - 1) * size : page * size] = os.urandom(1) * size
    clinic.file.write_bytes(content)
    before = clinic.traces()

    told = clinic()

    assert told.code == 1
    assert "integrity" in failures(told)
    assert told.one("integrity").hint.startswith("frugal-memory restore ")
    assert clinic.traces() == before


@pytest.mark.parametrize("content", [b"no database at all " * 500, b"SQLite format 3\0" + b"\xff" * 8000])
def test_file_that_is_no_database_is_a_failure_told_once(clinic: Clinic, content: bytes) -> None:
    clinic.file.write_bytes(content)

    told = clinic()

    assert told.code == 1
    assert failures(told) == ["integrity"]
    assert clinic.file.read_bytes() == content


@pytest.mark.parametrize(
    ("statements", "word"),
    [
        (("INSERT INTO ledger VALUES ('entries', '0099_later', '2027-01-01 00:00:00', '9.0')",), "newer"),
        (("UPDATE record SET value = 'archive' WHERE key = 'mode'",), "MEMORY_DB"),
        (("DROP TABLE ledger",), "another program"),
    ],
    ids=["newer", "other mode", "foreign"],
)
def test_newer_or_foreign_layout_is_a_failure(clinic: Clinic, statements: tuple[str, ...], word: str) -> None:
    clinic.harm(*statements)

    told = clinic()

    assert (told.code, failures(told)) == (1, ["layout"])
    assert word in told.one("layout").text
    assert told.of("index") == []


def test_folder_in_place_of_the_file_is_a_failure(clinic: Clinic) -> None:
    clinic.file.unlink()
    clinic.file.mkdir()

    told = clinic()

    assert (told.code, failures(told)) == (1, ["file"])


@pytest.mark.parametrize(
    "folder",
    [
        "Dropbox",
        "OneDrive",
        "OneDrive - Firm",
        "Google Drive",
        "GoogleDrive-me@example.org",
        "Nextcloud",
        "Syncthing",
    ],
)
def test_folder_in_a_cloud_sync_is_a_warning(clinic: Clinic, folder: str) -> None:
    place = clinic.folder / folder / "notes" / "memory.db"
    fill(clinic.environ(), TEXTS, db=str(place))

    told = clinic("--db", str(place))

    assert (told.code, [item.id for item in told.worst()]) == (0, ["sync"])
    assert (
        folder.split("-", maxsplit=1)[0].strip().replace("GoogleDrive", "Google Drive")
        in told.one("sync").text
    )
    assert "MEMORY_DB" in told.one("sync").hint


@pytest.mark.parametrize("mark", [".stfolder", ".dropbox", ".nextcloudsync.log"])
def test_folder_with_the_mark_of_a_sync_program_is_a_warning(clinic: Clinic, mark: str) -> None:
    (clinic.folder / mark).touch()

    told = clinic()

    assert (told.code, [item.id for item in told.worst()]) == (0, ["sync"])


def test_file_that_is_a_link_into_a_cloud_sync_is_a_warning(clinic: Clinic) -> None:
    target = clinic.folder / "Dropbox" / "memory.db"
    target.parent.mkdir()
    clinic.file.rename(target)
    clinic.file.symlink_to(target)

    assert [item.id for item in clinic().worst()] == ["sync"]


@pytest.mark.parametrize(
    ("path", "service"),
    [
        ("/home/kim/Dropbox/x/memory.db", "Dropbox"),
        ("/Users/kim/Library/CloudStorage/OneDrive-Firm/memory.db", "OneDrive"),
        ("/Users/kim/Library/Mobile Documents/com~apple~CloudDocs/memory.db", "iCloud"),
        ("/home/kim/dropboxes/memory.db", None),
        ("/home/kim/.local/share/frugal-memory/memory.db", None),
        ("/home/kim/Dropbox.db", None),
    ],
)
def test_services_are_known_by_their_folders(path: str, service: str | None) -> None:
    assert sync_service(Path(path), lambda _: False) == service


MOUNTS = """\
/dev/sda1 / ext4 rw 0 0
server:/export /home/kim/shared\\040files nfs4 rw 0 0
//server/share /mnt/share cifs rw 0 0
kim@host: /mnt/remote fuse.sshfs rw 0 0
/dev/sdb1 /mnt/share/local xfs rw 0 0
"""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/home/kim/memory.db", None),
        ("/home/kim/shared files/memory.db", "nfs4"),
        ("/mnt/share/x/memory.db", "cifs"),
        ("/mnt/share/local/memory.db", None),
        ("/mnt/remote/memory.db", "fuse.sshfs"),
        ("/mnt/shareholder/memory.db", None),
    ],
)
def test_network_file_systems_are_known_by_the_mount_table(path: str, kind: str | None) -> None:
    assert network_type(Path(path), MOUNTS) == kind


def test_file_on_a_network_file_system_is_a_warning(clinic: Clinic, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("frugal.doctor.places.read_mounts", lambda: f"server:/x {clinic.data} nfs rw 0 0\n")

    told = clinic()

    assert (told.code, [item.id for item in told.worst()]) == (0, ["network"])


@pytest.mark.parametrize("mode", [0o644, 0o660, 0o604])
def test_wide_permissions_are_a_warning_with_the_command(clinic: Clinic, mode: int) -> None:
    clinic.file.chmod(mode)

    told = clinic()

    assert (told.code, [item.id for item in told.worst()]) == (0, ["permissions"])
    assert told.one("permissions").hint == f"chmod 600 {clinic.file}"
    assert f"{mode:04o}" in told.one("permissions").text


def test_folder_that_others_may_write_to_is_a_warning(clinic: Clinic) -> None:
    clinic.data.chmod(0o777)

    told = clinic()

    assert (told.code, told.one("permissions").hint) == (0, f"chmod 700 {clinic.data}")


def test_wide_backup_is_a_warning(clinic: Clinic) -> None:
    assert clinic.line("backup")[0] == 0
    (backup,) = (clinic.data / "backups").iterdir()
    backup.chmod(0o644)

    assert str(backup) in clinic().one("permissions").text


@pytest.fixture
def failing_plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = tmp_path / "site"
    metadata = site / "frugal_broken-1.5.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: frugal-broken\nVersion: 1.5\n", encoding="utf-8"
    )
    (metadata / "entry_points.txt").write_text("[frugal]\nbroken = frugal_broken\n", encoding="utf-8")
    (site / "frugal_broken.py").write_text("raise RuntimeError('no luck today')\n", encoding="utf-8")
    monkeypatch.syspath_prepend(site)


@pytest.mark.usefixtures("failing_plugin")
def test_plugin_that_fails_is_a_warning_with_its_reason(clinic: Clinic) -> None:
    told = clinic()

    assert told.code == 0
    (plugin,) = [item for item in told.of("plugin") if item.state == "warn"]
    assert "frugal-broken 1.5" in plugin.text
    assert "no luck today" in plugin.text
    assert plugin.hint == "Until it is mended: FRUGAL_MEMORY_BLOCK=broken"


@pytest.mark.usefixtures("failing_plugin")
def test_plugin_that_is_left_out_is_a_note(clinic: Clinic) -> None:
    told = clinic(FRUGAL_MEMORY_BLOCK="broken")

    assert (told.code, told.worst()) == (0, [])
    assert [item.state for item in told.of("plugin") if "broken" in item.text] == ["note"]


def test_tables_that_an_old_program_left_are_a_warning(clinic: Clinic) -> None:
    clinic.harm(
        'CREATE TABLE "schema" (schluessel TEXT, wert TEXT)',
        "CREATE TABLE veraltet (id INTEGER)",
        "CREATE TABLE nachfrage (id INTEGER REFERENCES eintrag (id))",
    )

    told = clinic()

    assert (told.code, [item.id for item in told.worst()]) == (0, ["leftovers"])
    assert "nachfrage, schema, veraltet" in told.one("leftovers").text


def test_pain_41_doctor_warns_of_a_folder_that_is_synced(clinic: Clinic) -> None:
    place = clinic.folder / "Dropbox" / "memory.db"
    fill(clinic.environ(), TEXTS, db=str(place))

    told = clinic("--db", str(place))

    assert (told.one("sync").state, told.code) == ("warn", 0)
