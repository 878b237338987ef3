import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from store_worker import LATER_NOTES, add, make_store, names_in, texts, traces_of

from frugal.errors import (
    DamagedFile,
    EmptyFile,
    ForeignFile,
    MissingFile,
    NewerFile,
    NotAFolder,
    NotWritable,
    OtherMode,
    OutdatedFile,
    PathIsFolder,
    PendingLog,
    PredecessorFile,
    StoreError,
)
from frugal.store import Store

Open = Callable[..., Store]


def build(path: Path, *statements: str, journal: str = "WAL") -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA journal_mode = {journal}")
        for statement in statements:
            connection.execute(statement)


def built_by_us(path: Path, **overrides: object) -> None:
    with closing(make_store(path, **overrides)) as store:
        add(store, "one")


def refusals_of(open_store: Open, path: Path) -> list[StoreError]:
    """Return the refusals of a read, a write and a guest's read; each leaves bytes, time and folder as they are."""
    before = traces_of(path)
    caught = []
    for attempt in (texts, lambda store: add(store, "x"), lambda store: texts(open_store(read_only=True))):
        with pytest.raises(StoreError) as refusal:
            attempt(open_store())
        caught.append(refusal.value)
        assert traces_of(path) == before
    return caught


@pytest.mark.parametrize("journal", ["WAL", "DELETE"])
def test_foreign_database_is_refused_with_what_it_holds(open_store: Open, path: Path, journal: str) -> None:
    build(path, *(f"CREATE TABLE table{number} (a)" for number in range(7)), journal=journal)

    for refusal in refusals_of(open_store, path):
        assert isinstance(refusal, ForeignFile)
        assert refusal.data == {"path": str(path), "found": "table0, table1, table2, table3, table4"}


def test_foreign_ledger_is_not_taken_for_ours(open_store: Open, path: Path) -> None:
    build(path, "CREATE TABLE ledger (account, amount)", "CREATE TABLE record (id, label)")

    assert {type(refusal) for refusal in refusals_of(open_store, path)} == {ForeignFile}


@pytest.mark.parametrize(
    ("statements", "found"),
    [
        (('CREATE TABLE "schema" (schluessel, wert)', "CREATE TABLE eintrag (id)"), "eintrag"),
        (
            (
                'CREATE TABLE "schema" (schluessel, wert)',
                "INSERT INTO \"schema\" VALUES ('stand', '6')",
                "CREATE TABLE eintrag (id)",
            ),
            "eintrag 6",
        ),
        (
            (
                'CREATE TABLE "schema" (schluessel, wert)',
                "INSERT INTO \"schema\" VALUES ('stand', '4')",
                "CREATE VIRTUAL TABLE mem USING fts5 (content)",
            ),
            "mem 4",
        ),
        (("CREATE TABLE reihe (kennung, frage)", "CREATE TABLE rezept (id)"), "reihe"),
    ],
)
def test_published_layout_is_refused_by_name(
    open_store: Open, path: Path, statements: tuple[str, ...], found: str
) -> None:
    build(path, *statements)

    for refusal in refusals_of(open_store, path):
        assert isinstance(refusal, PredecessorFile)
        assert refusal.data == {"path": str(path), "found": found, "setting": "NOTES_DB"}


def test_file_of_another_mode_is_refused_with_the_setting_that_points_there(
    open_store: Open, path: Path
) -> None:
    built_by_us(path, mode="cards")

    for refusal in refusals_of(open_store, path):
        assert isinstance(refusal, OtherMode)
        assert refusal.data == {"path": str(path), "found": "cards", "mode": "notes", "setting": "NOTES_DB"}


def test_newer_file_is_refused_with_what_is_unknown(open_store: Open, path: Path) -> None:
    built_by_us(path, migrations=(LATER_NOTES,))

    for refusal in refusals_of(open_store, path):
        assert isinstance(refusal, NewerFile)
        assert refusal.data == {"path": str(path), "found": "notes/0002_tag", "version": "1.0"}


def test_file_that_is_no_database_is_damaged_and_names_the_newest_backup(
    open_store: Open, path: Path
) -> None:
    path.parent.mkdir()
    path.write_bytes(b"not a database" * 1000)
    older = path.with_name("notes.db.20250101-000000.bak")
    newer = path.parent / "backups" / "notes-20250202-000000.db"
    newer.parent.mkdir()
    for file in (
        older,
        newer,
        path.with_name("notes.db.bak"),
        path.with_name("other.db.20260101-000000.bak"),
    ):
        file.touch()

    for refusal in refusals_of(open_store, path):
        assert isinstance(refusal, DamagedFile)
        assert refusal.data == {"path": str(path), "reason": "file is not a database", "backup": str(newer)}


def test_torn_pages_are_damage_and_stay(open_store: Open, path: Path) -> None:
    built_by_us(path)
    content = bytearray(path.read_bytes())
    content[100:4096] = b"\xff" * 3996
    path.write_bytes(content)

    for refusal in refusals_of(open_store, path):
        assert isinstance(refusal, DamagedFile)
        assert refusal.data["backup"] == ""


def test_damage_met_while_running_is_named(open_store: Open, path: Path) -> None:
    store = open_store()
    add(store, *("word " * 200 for _ in range(200)))
    store.close()
    content = path.read_bytes()
    path.write_bytes(content[:40_960] + b"\xff" * (len(content) - 40_960))

    with pytest.raises(DamagedFile), open_store().read() as connection:
        connection.execute("SELECT SUM(LENGTH(text)) FROM note").fetchone()


def test_folder_is_refused(open_store: Open, tmp_path: Path) -> None:
    for read_only in (False, True):
        with pytest.raises(PathIsFolder):
            texts(open_store(tmp_path, read_only=read_only))


def test_file_in_the_place_of_a_folder_is_refused(open_store: Open, tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    for attempt in (texts, lambda store: add(store, "x")):
        with pytest.raises(NotAFolder) as refusal:
            attempt(open_store(tmp_path / "file" / "notes.db"))

        assert refusal.value.data["part"] == str(tmp_path / "file")


def test_empty_file_beside_a_filled_log_is_refused_and_the_log_stays(open_store: Open, path: Path) -> None:
    path.parent.mkdir()
    path.touch()
    log = path.with_name("notes.db-wal")
    log.write_bytes(b"something of value")

    for refusal in refusals_of(open_store, path):
        assert isinstance(refusal, PendingLog)
    assert log.read_bytes() == b"something of value"


def test_missing_file_beside_a_filled_log_is_refused(open_store: Open, path: Path) -> None:
    path.parent.mkdir()
    path.with_name("notes.db-wal").write_bytes(b"something of value")

    with pytest.raises(PendingLog):
        texts(open_store())

    assert names_in(path.parent) == ["notes.db-wal"]


def test_guest_finds_a_missing_file_later(open_store: Open, path: Path) -> None:
    guest = open_store(read_only=True)

    with pytest.raises(MissingFile) as caught:
        texts(guest)

    assert set(caught.value.data) == {"path", "host"}
    assert not path.parent.exists()
    built_by_us(path)
    assert texts(guest) == ["one"]


@pytest.mark.parametrize("is_empty", [True, False])
def test_guest_refuses_a_file_its_owner_has_not_upgraded(
    open_store: Open, path: Path, is_empty: bool
) -> None:
    if is_empty:
        path.parent.mkdir()
        path.touch()
    else:
        built_by_us(path)
    before = traces_of(path)
    guest = open_store(read_only=True, migrations=(LATER_NOTES,))

    with pytest.raises(EmptyFile if is_empty else OutdatedFile):
        texts(guest)

    assert traces_of(path) == before
    with open_store(migrations=(LATER_NOTES,)).write():
        pass
    assert texts(guest) == ([] if is_empty else ["one"])


def test_guest_cannot_write(open_store: Open, path: Path) -> None:
    built_by_us(path)

    with pytest.raises(NotWritable):
        add(open_store(read_only=True), "two")


def test_guest_leaves_bytes_time_and_folder_as_they_are(open_store: Open, path: Path) -> None:
    built_by_us(path)
    before = traces_of(path)
    guest = open_store(read_only=True)

    seen = texts(guest)
    guest.close()

    assert seen == ["one"]
    assert traces_of(path) == before


def test_guest_sees_what_the_owner_writes(open_store: Open) -> None:
    owner, guest = open_store(), open_store(read_only=True)
    add(owner, "one")
    before = texts(guest)

    add(owner, "two")

    assert (before, texts(guest)) == (["one"], ["one", "two"])


def test_guest_leaves_the_log_of_a_killed_owner_alone(
    open_store: Open, path: Path, start: Callable[..., object]
) -> None:
    worker = start(
        'add(make_store(sys.argv[1]), "one"); print("stored", flush=True); sys.stdin.readline()', path
    )
    worker.stdout.readline()
    worker.kill()
    worker.wait()
    log = path.with_name("notes.db-wal")
    before = path.read_bytes(), path.stat().st_mtime_ns, log.read_bytes()

    seen = texts(open_store(read_only=True))

    assert seen == ["one"]
    assert (path.read_bytes(), path.stat().st_mtime_ns, log.read_bytes()) == before
