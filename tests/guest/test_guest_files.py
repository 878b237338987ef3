"""What a guest finds: no file, an empty, a foreign, an older or a newer one, no permission, an owner at work."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from file_traces import traces_of

both = pytest.mark.parametrize("language", ["en", "de"])


@both
def test_missing_file_is_refused_and_found_once_it_is_there(open_owner, open_guest, tmp_path, language):
    guest = open_guest(language)
    path = guest.workspace.settings.path

    told = [guest.refused("recall", query="one"), guest.refused("show", ids="1"), guest.refused("topics")]

    assert all(str(path) in text for text in told)
    assert list(tmp_path.iterdir()) == []
    open_owner(language).store("one")
    assert "one" in guest("recall", query="one")


@both
def test_empty_file_is_refused_and_stays_empty(open_owner, open_guest, language):
    guest = open_guest(language)
    path = guest.workspace.settings.path
    path.touch(mode=0o600)
    before = traces_of(path)

    told = guest.refused("topics")

    assert str(path) in told
    assert {"en": "is empty", "de": "ist leer"}[language] in told
    assert traces_of(path) == before
    open_owner(language).store("one")
    assert "one" in guest("show", ids="1")


def make_foreign(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE customers (name TEXT)")
        db.commit()


def make_damaged(path: Path) -> None:
    path.write_bytes(b"SQLite format 3\0" + b"\xff" * 5_000)


def make_text(path: Path) -> None:
    path.write_text("This is a letter, not a database. " * 200, encoding="utf-8")


@both
@pytest.mark.parametrize("make", [make_foreign, make_damaged, make_text])
def test_file_that_is_none_of_ours_is_refused_and_left_alone(open_guest, language, make):
    guest = open_guest(language)
    path = guest.workspace.settings.path
    make(path)
    before = traces_of(path)

    told = [guest.refused("recall", query="one"), guest.refused("show", ids="1"), guest.refused("topics")]

    assert all(str(path) in text for text in told)
    assert traces_of(path) == before


@both
@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("DELETE FROM ledger WHERE set_name = 'entries'", {"en": "older version", "de": "älteren Version"}),
        (
            "INSERT INTO ledger SELECT 'entries', '9999_later', applied_at, version FROM ledger LIMIT 1",
            {"en": "newer version", "de": "neueren Version"},
        ),
    ],
)
def test_older_or_newer_schema_is_refused_never_migrated(open_owner, open_guest, language, change, words):
    owner = open_owner(language)
    owner.store("one")
    owner.workspace.close()
    path = owner.workspace.settings.path
    with closing(sqlite3.connect(path)) as db:
        db.execute(change)
        db.commit()
    before = traces_of(path)

    told = open_guest(language).refused("show", ids="1")

    assert str(path) in told
    assert words[language] in told
    assert traces_of(path) == before


def test_file_of_another_mode_is_refused(open_owner, open_guest):
    owner = open_owner(mode="archive")
    owner.store("one")
    owner.workspace.close()
    before = traces_of(owner.workspace.settings.path)

    told = open_guest().refused("show", ids="1")

    assert "archive" in told
    assert traces_of(owner.workspace.settings.path) == before


AS_NOBODY = """
import os, sys
from frugal.call import Client
from frugal.engine import build_engine
from frugal.settings import Options, load_settings

engine = build_engine(load_settings(Options(db=sys.argv[1]), {"MEMORY_LANG": "en", "HOME": "/", "MEMORY_NAME": "b"}))
guest = engine.open(engine.registry.default(), is_guest=True)
calls = [("recall", {"query": "readers"}), ("show", {"ids": "1"}), ("topics", {})]
for tool, arguments in calls:
    guest.call(Client(), tool, arguments)  # so that every module is loaded
if os.geteuid() == 0:
    os.seteuid(65534)
for tool, arguments in calls:
    print(guest.call(Client(), tool, arguments).text)
"""


@pytest.mark.parametrize("is_owner_at_work", [False, True])
def test_folder_without_write_permission_is_enough(open_owner, is_owner_at_work):
    with TemporaryDirectory() as made:
        folder = Path(made, "memory")
        folder.mkdir()
        Path(made).chmod(0o755)
        owner = open_owner(file=str(folder / "memory.db"))
        owner.store("The wal keeps readers going.")
        path = owner.workspace.settings.path
        if not is_owner_at_work:
            owner.workspace.close()
        for file in folder.iterdir():
            file.chmod(0o644)
        folder.chmod(0o555)
        before = traces_of(path)

        done = subprocess.run(
            [sys.executable, "-c", AS_NOBODY, str(path)],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

        folder.chmod(0o755)
        assert done.stderr == ""
        assert done.stdout.count("The wal keeps readers going.") == 2
        assert "0 tags, 1 entry" in done.stdout
        assert traces_of(path) == before


OWNER = """
import sys
from frugal.call import Client
from frugal.engine import build_engine
from frugal.settings import Options, load_settings

engine = build_engine(load_settings(Options(db=sys.argv[1]), {"MEMORY_LANG": "en", "HOME": "/"}))
print("ready", flush=True)
for number in range(1, 31):
    owner = engine.open(engine.registry.default())
    reply = owner.call(Client(), "remember", {"text": f"Reading {number} of the gauge.", "tags": "gauge"})
    assert not reply.is_error, reply.text
    owner.close()
print("done", flush=True)
"""


def test_guest_reads_while_an_owner_opens_writes_and_closes(open_owner, open_guest):
    owner = open_owner()
    owner.store("Reading 0 of the gauge.", tags="gauge")
    owner.workspace.close()
    path = owner.workspace.settings.path
    guest = open_guest()

    with subprocess.Popen(
        [sys.executable, "-c", OWNER, str(path)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        counts = []
        while process.poll() is None:
            counts.append(int(guest("topics").split()[2]))

    assert process.returncode == 0
    assert counts == sorted(counts)
    assert len(counts) > 1
    assert guest("topics").startswith("1 tag, 31 entries")
    again = open_owner()  # whoever closes last may have been the guest, which takes no log away
    again.store("The last reading.")
    again.workspace.close()
    assert sorted(file.name for file in path.parent.iterdir()) == [path.name]


def test_what_the_owner_writes_is_seen_by_the_next_call(open_owner, open_guest):
    owner, guest = open_owner(), open_guest()
    owner.store("one")
    before = guest("topics")

    owner.store("two")

    assert before.startswith("0 tags, 1 entry")
    assert guest("topics").startswith("0 tags, 2 entries")
    assert "two" in guest("show", ids="2")
