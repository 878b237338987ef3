"""What users of this field suffer with folders of notes: lines of the public complaints."""

import os
import sqlite3
from contextlib import closing

NOTE = "# {title}\n\n{body}\n"


def found(vault, query):
    """Return the paths that a search finds, best first, after everything that changed was seen."""
    return [item["path"] for item in vault("memory_search", query=query)["existing"]]


def test_pain_4_known_title_does_not_overwrite_the_older_note(vault):
    first = vault("memory_capture", title="Proxy", body="The proxy listens on port 3128 of the gate.")
    second = vault("memory_capture", title="Proxy", body="Since the move the proxy asks for a certificate.")

    assert len(vault.files()) == 2
    assert first["path"] in str(second)
    assert second["path"] in second["text"]
    assert found(vault, "3128 gate") == [first["path"]]
    assert found(vault, "certificate move") == [second["path"]]


def test_pain_13_deleted_and_edited_files_are_not_served_any_more(vault):
    vault.write("notes/gone.md", NOTE.format(title="Gone", body="The zeppelin lands at noon."))
    vault.write("notes/kept.md", NOTE.format(title="Kept", body="The marmot sleeps under the stone."))
    assert found(vault, "zeppelin") == ["notes/gone.md"]
    assert found(vault, "marmot") == ["notes/kept.md"]

    (vault.folder / "notes/gone.md").unlink()
    vault.write("notes/kept.md", NOTE.format(title="Kept", body="The heron stands in the brook."))

    assert found(vault, "zeppelin") == []
    assert found(vault, "heron") == ["notes/kept.md"]
    assert found(vault, "marmot") == []


def test_pain_14_edited_note_is_found_by_its_new_word_and_tag_and_has_one_row(vault):
    number = vault.capture("Backup", "The backup runs at four in the night.", tags="shop")
    (path,) = vault.files()
    text = vault.text(path)

    vault.write(path, text.replace("tags: [shop]", "tags: [harbour]").replace("at four", "at seven"))

    assert found(vault, "seven night") == [path]
    assert path in found(vault, "harbour")
    with closing(sqlite3.connect(vault.workspace.settings.path)) as db:
        tables = [
            name
            for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'unit'")
        ]
        assert tables == ["unit"]
        assert db.execute("SELECT count(*) FROM unit WHERE path = ?", (path,)).fetchone() == (1,)
    assert vault.known(number).path == path


def test_pain_15_index_does_not_grow_with_every_rewrite(vault, open_vault):
    words = [f"word{number} of the long note" for number in range(400)]
    for turn in range(50):
        vault.write("notes/long.md", NOTE.format(title="Long", body=f"turn{turn} " + " ".join(words)))
        assert found(vault, f"turn{turn}") == ["notes/long.md"]
    vault.workspace.close()
    rewritten = vault.workspace.settings.path.stat().st_size

    vault.workspace.settings.path.unlink()
    fresh = open_vault()
    assert found(fresh, "turn49") == ["notes/long.md"]
    fresh.workspace.close()

    assert rewritten < 2 * fresh.workspace.settings.path.stat().st_size


def test_pain_43_renamed_file_is_found_once_at_its_new_path(vault):
    vault.write(
        "notes/old name.md", NOTE.format(title="Lamp", body="The lamp driver resets after nine seconds.")
    )
    assert found(vault, "lamp driver") == ["notes/old name.md"]

    (vault.folder / "notes/old name.md").rename(vault.folder / "notes/new name.md")

    assert found(vault, "lamp driver") == ["notes/new name.md"]


def test_pain_51_files_of_the_vault_are_never_rewritten_by_reading(vault):
    vault.write("a.md", "---\ntags: x # note\n---\r\nThe marmot sleeps.\r\n")
    vault.write("b/c.md", "\ufeff# Heron\n\nStands in the brook.")
    for number, path in enumerate(sorted(vault.folder.rglob("*.md"))):
        os.utime(path, ns=(10**18 + number, 10**18 + number))
    before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in vault.folder.rglob("*.md")}

    for _ in range(2):
        vault("memory_reindex")
    assert found(vault, "marmot") == ["a.md"]
    assert found(vault, "heron brook") == ["b/c.md"]

    assert {
        path: (path.read_bytes(), path.stat().st_mtime_ns) for path in vault.folder.rglob("*.md")
    } == before
