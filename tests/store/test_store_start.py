import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from store_worker import add, names_in, texts

from frugal import store as package
from frugal.errors import SqliteTooOld
from frugal.store import Store, peek_language, put_record, read_record

Open = Callable[..., Store]


def test_eight_processes_on_one_fresh_file_lose_nothing(
    open_store: Open, path: Path, start: Callable[..., object]
) -> None:
    code = """
sys.stdin.readline()
store = make_store(sys.argv[1])
for number in range(40):
    add(store, f"{sys.argv[2]}.{number}")
store.close()
"""
    workers = [start(code, path, name) for name in range(8)]

    for worker in workers:
        worker.stdin.write("go\n")
        worker.stdin.flush()
    errors = [worker.communicate(timeout=60)[1] for worker in workers]

    assert errors == [""] * 8
    assert names_in(path.parent) == ["notes.db"]
    assert sorted(texts(open_store())) == sorted(
        f"{name}.{number}" for name in range(8) for number in range(40)
    )


def test_new_file_and_folders_are_private_whatever_the_umask(tmp_path: Path, run: Callable[..., str]) -> None:
    path = tmp_path / "a" / "b" / "notes.db"
    code = """
os.umask(0o022)
store = make_store(sys.argv[1])
add(store, "one")
folder = Path(sys.argv[1]).parent
print([oct(entry.stat().st_mode & 0o777) for entry in (folder.parent, folder, *sorted(folder.iterdir()))])
store.close()
"""

    rights = run(code, path)

    assert rights.strip() == str(["0o700", "0o700", "0o600", "0o600", "0o600"])


def test_permissions_of_an_existing_file_stay(store: Store, path: Path) -> None:
    path.parent.mkdir(mode=0o755)
    path.touch(mode=0o644)
    path.chmod(0o644)

    add(store, "one")

    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o755


def test_file_says_what_it_is(open_store: Open) -> None:
    with open_store(language="de").write() as connection:
        found = {key: read_record(connection, key) for key in ("mode", "created_by", "language", "other")}

        assert found == {"mode": "notes", "created_by": "1.0", "language": "de", "other": None}
        assert connection.execute("PRAGMA application_id").fetchone()[0] == int.from_bytes(b"frug", "big")


def test_opening_a_current_file_writes_nothing(store: Store, open_store: Open, path: Path) -> None:
    add(store, "one")
    store.close()
    before = path.read_bytes(), path.stat().st_mtime_ns

    second = open_store()
    texts(second)
    second.close()

    assert (path.read_bytes(), path.stat().st_mtime_ns) == before


def test_symbolic_link_to_a_file_not_made_yet_is_followed(open_store: Open, tmp_path: Path) -> None:
    link, target = tmp_path / "link.db", tmp_path / "real" / "notes.db"
    link.symlink_to(target)

    add(open_store(link), "one")

    assert texts(open_store(target)) == ["one"]


@pytest.mark.parametrize("name", ["a b%20c.db", "frage?.db", "ümläut#1.db", "memory.db?mode=memory"])
def test_every_file_name_is_taken_literally(open_store: Open, tmp_path: Path, name: str) -> None:
    store = open_store(tmp_path / name)

    add(store, "one")
    store.close()

    assert names_in(tmp_path) == [name]


def test_peek_returns_the_recorded_language_and_touches_nothing(store: Store, path: Path) -> None:
    with store.write() as connection:
        put_record(connection, "language", "de")
    store.close()
    before = path.read_bytes(), path.stat().st_mtime_ns

    assert peek_language(path) == "de"
    assert (path.read_bytes(), path.stat().st_mtime_ns, names_in(path.parent)) == (*before, ["notes.db"])


def test_peek_reads_beside_a_running_owner(store: Store, path: Path) -> None:
    with store.write() as connection:
        put_record(connection, "language", "de")

    assert peek_language(path) == "de"


@pytest.mark.parametrize("content", [None, b"", b"no database at all" * 300])
def test_peek_of_anything_else_is_none_and_makes_nothing(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "x.db"
    if content is not None:
        path.write_bytes(content)
    before = names_in(tmp_path)

    assert peek_language(path) is None
    assert peek_language(tmp_path) is None
    assert names_in(tmp_path) == before


def test_sqlite_without_strict_tables_is_refused_with_both_versions(
    store: Store, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sqlite3.sqlite_version_info", (3, 36, 0))
    monkeypatch.setattr("sqlite3.sqlite_version", "3.36.0")

    with pytest.raises(SqliteTooOld) as caught:
        texts(store)

    assert caught.value.data == {"path": str(path), "found": "3.36.0", "needed": "3.37.0"}
    assert package.LEAST_SQLITE == (3, 37, 0)
    assert not path.parent.exists()


def test_reading_a_path_whose_folder_is_not_there_makes_nothing(open_store: Open, tmp_path: Path) -> None:
    path = tmp_path / "mistyped" / "deep" / "cards.db"
    store = open_store(path)

    with store.read() as db:
        tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}

    assert "ledger" in tables
    assert list(tmp_path.iterdir()) == []
    with store.write():
        pass
    assert path.exists()
    with store.read() as db:
        assert db.execute("SELECT count(*) FROM ledger").fetchone()[0] > 0
