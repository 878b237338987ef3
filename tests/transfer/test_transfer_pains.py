"""Rows of the list of what users of this field suffer, by number."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

from stdio_client import StdioClient


def test_pain_41_backup_during_200_writes_opens_clean_and_complete(machine):
    a = machine("a")
    a.remember("fact number 0", "--tags", "shop")
    with StdioClient(a.folder, environ={"MEMORY_DB": str(a.file)}) as server:
        server.initialize()

        def write() -> None:
            for number in range(1, 201):
                server.call("remember", text=f"fact number {number}", tags="shop", kind="pitfall")

        with ThreadPoolExecutor() as pool:
            writing = pool.submit(write)
            targets = []
            while not writing.done():
                targets.append(a.folder / f"backup{len(targets)}.db")
                a("backup", str(targets[-1]))
            writing.result()
        server.end()

    assert len(targets) >= 2
    for target in targets:
        with closing(sqlite3.connect(target)) as db:
            assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            texts = [row[0] for row in db.execute("SELECT text FROM entry ORDER BY id")]
        assert texts == [f"fact number {number}" for number in range(len(texts))]
    assert "fact number 0" in a("memory", "show", "1", "--db", str(targets[-1])).out
    last = a.folder / "last.db"
    a("backup", str(last))
    copied = a("memory", "topics", "--db", str(last)).out
    assert copied.replace(f" --db {last}", "") == a("memory", "topics").out


def test_pain_42_two_machines_become_one_by_content(machine):
    a, b = machine("a"), machine("b")
    a.remember("port is 22", "--tags", "shop", "--kind", "pitfall")
    a.remember("only on a")
    b.remember("port is 22", "--tags", "ssh")
    b.remember("only on b")
    path = str(a.export())

    first = b("import", path, "--json").json
    second = b("import", path, "--json").json

    assert b.texts() == {"port is 22", "only on a", "only on b"}
    assert (first["new"], second["new"]) == (1, 0)
    assert b.show(1)["tags"] == ["ssh", "shop"]


def test_pain_46_export_import_export_is_the_same_bytes(machine):
    a, b = machine("a"), machine("b")
    a.remember("port is 22", "--tags", "shop,ssh", "--kind", "pitfall", "--also", "door")
    a.remember("port is 49222", "--tags", "shop", "--supersedes", "1")
    a.remember("连接池 is 20\n\n```\ncode\n```\n")
    a.forget(3, reason="no more")

    b("import", str(a.export()))

    assert b.export().read_bytes() == a.export().read_bytes()
    assert b("memory", "show", "1-3").out == a("memory", "show", "1-3").out
