"""What an import derives in one go is what storing its entries one by one derives."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from frugal.call import Client
from frugal.entries import derived, importing, storage
from frugal.entries.importing import Choice, Known, find_notes, import_notes
from frugal.entries.storage import NewEntry
from frugal.store import Connection

NOTES = {
    "a note.md": "---\ntags: [Shop, café]\naliases: [Ladenkasse]\n---\n"
    "**The pool of the Käserei** holds 20 connections and `getUserById` waits for one.\n\n"
    "Die Schlüssel liegen in /etc/app/v1.2.3/config.yaml, und zwar seit Februar.\n\n"
    "数据库连接池最多二十个连接, und der Rest wartet in einer Schlange auf den nächsten.\n",
    "b.md": "The runners run while one runner is running, e.g. at U.S. speed of 1,234.5 km/h.\n\n"
    "THE POOL of the Kaserei is not the pool of the Käserei, don't mix them up, please.\n",
    "c.md": "---\ntags: SHOP\n---\n" + "a sentence that goes on and on, " * 60 + "\n",
}
TABLES = {
    "entry": "id, text, title, also, identity",
    "entry_tag": "entry_id, position, spelling, folded",
    "tag_directory": "folded, spelling, live",
    "search_statistics": "id, documents, length",
    "search_word": "id, word, term_id, written, df",
    "search_alias": "bare, term_id",
    "search_forward": "document, live, length, title, codes",
}
STORED = """
    SELECT entry.id, text, also, created_at, kind, sitting_id
    FROM entry JOIN entry_state ON entry_id = entry.id ORDER BY entry.id
"""


def write_notes(folder: Path) -> list[Path]:
    folder.mkdir()
    for name, text in NOTES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return list(find_notes(folder, is_recursive=False, with_index=False).files)


def give_words(db: Connection, entry_id: int, also: str) -> None:
    storage.set_also(db, entry_id, also, at="2026-11-02 10:14:00")
    storage.reindex(db, storage.fetch(db, [entry_id])[entry_id])


def tables(path: Path) -> dict[str, list[tuple[object, ...]]]:
    with closing(sqlite3.connect(path)) as db:
        return {
            name: db.execute(f"SELECT {columns} FROM {name} ORDER BY 1, 2").fetchall()
            for name, columns in TABLES.items()
        }


@pytest.mark.parametrize("mode", ["memory", "archive"])
def test_an_import_derives_what_storing_its_entries_one_by_one_derives(open_shell, tmp_path, mode):
    imported = open_shell(file="imported.db", mode=mode).workspace
    files = write_notes(tmp_path / "notes")
    import_notes(imported.new_call(Client()), files, Choice())
    imported.close()
    with closing(sqlite3.connect(tmp_path / "imported.db")) as db:
        rows = db.execute(STORED).fetchall()
        tags = {row[0]: tuple(tag for (tag,) in db.execute(TAGS_AS_STORED, row[:1])) for row in rows}

    single = open_shell(file="single.db", mode=mode).workspace
    for entry_id, text, also, created_at, kind, _ in rows:
        with single.store.write() as db:
            new = NewEntry(text, kind, tags[entry_id], created_at, also)
            assert storage.insert(db, new) == entry_id
    single.close()

    assert len(rows) > len(NOTES)
    assert tables(tmp_path / "imported.db") == tables(tmp_path / "single.db")


TAGS_AS_STORED = "SELECT spelling FROM entry_tag WHERE entry_id = ? ORDER BY position"


def test_a_tag_keeps_the_spelling_of_the_first_piece_in_one_import(open_shell, tmp_path):
    workspace = open_shell().workspace
    import_notes(workspace.new_call(Client()), write_notes(tmp_path / "notes"), Choice(tags=("CAFÉ",)))

    with workspace.store.read() as db:
        spelled = db.execute("SELECT DISTINCT spelling FROM entry_tag WHERE folded IN ('shop', 'café')")

        assert sorted(row[0] for row in spelled) == ["Shop", "café"]


def test_a_hook_that_writes_to_the_index_while_importing_does_no_harm(open_shell, tmp_path, monkeypatch):
    workspace = open_shell(mode="archive").workspace
    files = write_notes(tmp_path / "notes")

    def meddle(_call: object, db: Connection, entry_id: int, _text: str) -> None:
        give_words(db, entry_id, f"Quokka{entry_id} lighthouse")

    monkeypatch.setattr("frugal_modes.archive.notices.note_sources", meddle)
    import_notes(workspace.new_call(Client()), files, Choice())

    with workspace.store.read() as db:
        batch = derived.look(db, 0)
        assert all("Quokka" in document.also for document in batch.documents)
        assert batch.is_right
        assert derived.compare_directories(db).count == 0


def test_an_import_beside_another_writer_leaves_a_right_index(open_shell, tmp_path):
    ours, theirs = open_shell().workspace, open_shell().workspace
    files = write_notes(tmp_path / "notes")

    def write(done: int, _total: int) -> None:
        assert not theirs.call(Client(), "remember", {"text": f"Wombat{done} of the Käserei"}).is_error
        with theirs.store.write() as db:
            give_words(db, 1, f"quokka{done}")  # the words before go

    import_notes(ours.new_call(Client()), files, Choice(), progress=write)

    with ours.store.read() as db:
        assert derived.look(db, 0).is_right
        assert derived.compare_directories(db).count == 0


def test_an_import_that_fails_in_a_file_forgets_the_words_of_that_file(open_shell, tmp_path, monkeypatch):
    workspace = open_shell().workspace
    call = workspace.new_call(Client())
    files = write_notes(tmp_path / "notes")
    known = Known.of(call, Choice())

    def fail(*_: object) -> None:
        raise KeyError

    first, second = (importing.read_note(path, Choice()) for path in files[:2])
    importing.store_notes(call, files[0], [first], Choice(), known)
    with monkeypatch.context() as patched:
        patched.setattr(importing, "note_name", fail)
        with pytest.raises(KeyError):
            importing.store_notes(call, files[1], [second], Choice(), known)

    importing.store_notes(call, files[1], [second], Choice(), known)

    with workspace.store.read() as db:
        assert derived.look(db, 0).is_right
        assert derived.compare_directories(db).count == 0
