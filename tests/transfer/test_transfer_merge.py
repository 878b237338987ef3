"""Another file is taken in: equal texts are one, ours stays, twice is once."""

import pytest
from old_files import rows_of, write_file


@pytest.fixture
def a(machine):
    return machine("a")


@pytest.fixture
def b(machine):
    return machine("b")


def merge(machine, other, *more, exits=0):
    return machine("merge", str(other.file), "--json", *more, exits=exits).json


def test_new_entries_get_new_numbers_and_keep_their_origin(a, b):
    a.remember("own")
    b.remember("x")
    b.remember("see #1 for it", "--tags", "shop", "--kind", "pitfall", "--also", "other words")

    told = merge(a, b)

    assert told["new"] == 2
    shown = a("memory", "show", "3").out
    assert shown.splitlines()[0].endswith("{from b#2}")
    assert shown.splitlines()[2] == "see #1 for it"
    assert {"tags": ["shop"], "kind": "pitfall", "also": "other words"}.items() <= a.show(3).items()


def test_origin_is_told_in_german(machine, b):
    a = machine("a", lang="de")
    b.remember("fact of b")
    merge(a, b)

    assert "{aus b#1}" in a("memory", "zeige", "1").out


def test_number_of_there_is_refused_and_the_one_here_named(a, b):
    a.remember("own")
    b.remember("x")
    b.remember("y")
    merge(a, b)

    told = a("memory", "show", "b#2", exits=2)
    assert "b#2 = #3" in told.err
    told = a("memory", "forget", "B#1-B#2", exits=2)
    assert "b#1 = #2, b#2 = #3" in told.err
    told = a("memory", "show", "c#2", exits=2)
    assert "which is a. Ask that memory" in told.err


def test_number_of_there_is_named_in_german_and_to_guests(machine, b):
    a = machine("a", lang="de", FRUGAL_MEMORY_NO_PLUGINS="")
    b.remember("x")
    merge(a, b)

    told = a("memory", "zeige", "b#1", "--gast", exits=2)

    assert "ist hier: b#1 = a#1" in told.err


def test_other_file_is_only_read(a, b):
    b.remember("x")
    before = b.file.read_bytes(), b.file.stat().st_mtime_ns, sorted(b.file.parent.iterdir())

    merge(a, b)

    assert (b.file.read_bytes(), b.file.stat().st_mtime_ns, sorted(b.file.parent.iterdir())) == before


def test_dry_run_tells_the_same_and_writes_nothing(a, b):
    a.remember("same", "--kind", "pitfall")
    b.remember("same", "--kind", "decision", "--tags", "shop")
    b.remember("new")
    before = a.file.read_bytes(), a.file.stat().st_mtime_ns

    dry = merge(a, b, "--dry-run")

    assert (a.file.read_bytes(), a.file.stat().st_mtime_ns) == before
    wet = merge(a, b)
    assert {**dry, "dry_run": False, "text": wet["text"]} == wet


def test_kind_of_ours_stays_and_the_other_is_told(a, b):
    a.remember("same", "--kind", "pitfall")
    b.remember("same", "--kind", "decision")

    told = merge(a, b)

    assert told["kinds_differ"] == 1
    assert told["items"] == [{"id": 1, "kind": "pitfall", "kind_there": "decision"}]
    assert "#1 is pitfall here and decision there; it stays pitfall." in told["text"]
    assert a.show(1)["kind"] == "pitfall"


def test_entry_without_a_kind_takes_it(a, b):
    a.remember("same")
    b.remember("same", "--kind", "decision")

    told = merge(a, b)

    assert told["classified"] == 1
    assert a.show(1)["kind"] == "decision"


def test_tags_and_search_words_are_united(a, b):
    a.remember("same", "--tags", "shop", "--also", "one")
    b.remember("same", "--tags", "SHOP,web", "--also", "two")

    told = merge(a, b)

    assert told["tagged"] == 1
    assert a.show(1)["tags"] == ["shop", "web"]
    assert a.show(1)["also"] == "one | two"
    assert "1 of 1" in a("memory", "recall", "two").out


def test_superseding_of_there_counts_here(a, b):
    old = a.remember("port is 22")
    b.remember("x")
    b.remember("port is 22")
    b.remember("port is 49222", "--supersedes", "2")

    told = merge(a, b)

    assert told["superseded"] == 1
    assert a.show(old)["superseded_by"] == 3
    assert a.show(3)["text"] == "port is 49222"
    assert "port is 22" not in a("memory", "recall", "port").out


def test_superseding_of_here_is_not_undone(a, b):
    b.remember("port is 22")
    a.remember("port is 22")
    a.forget(1, reason="moved")

    told = merge(a, b)

    assert (told["new"], told["restored"]) == (0, 0)
    assert not a.show(1)["is_live"]


def test_entry_brought_back_there_comes_back_here(a, b):
    b.remember("port is 22")
    b.forget(1)
    merge(a, b)
    b("memory", "forget", "1", "--undo")
    rewrite_stamps(b, "restored", "2099-01-01 00:00:00")

    told = merge(a, b)

    assert told["restored"] == 1
    assert a.show(1)["is_live"]


def rewrite_stamps(machine, action, at):
    import sqlite3
    from contextlib import closing

    with closing(sqlite3.connect(machine.file)) as db:
        db.execute("UPDATE event SET at = ? WHERE action = ?", (at, action))
        db.commit()


def test_older_word_of_there_does_not_hide_the_present_successor(a, b):
    a.remember("port is 22")
    a.remember("port is 49222", "--supersedes", "1")
    b.remember("port is 22")
    b.remember("port is 2222", "--supersedes", "1")
    rewrite_stamps(b, "superseded", "2020-01-01 00:00:00")

    merge(a, b)

    assert a.show(1)["superseded_by"] == 2
    assert [row["successor"] for row in a.rows("event")] == [3, 2]


def test_chain_of_a_memo_goes_along(a, b):
    folder = b.folder / "notes"
    folder.mkdir()
    (folder / "plan.md").write_text("word " * 400 + "end.\n", "utf-8")
    b("import", str(folder))
    a.remember("own")

    told = merge(a, b)

    pieces = len(b.rows("entry"))
    assert told["memos"] == 1
    assert f"{{part 2/{pieces} of #2-#{pieces + 1}}}" in a("memory", "show", "3").out
    assert a.rows("entry")[1]["origin"].startswith("b#1 file:")


def test_notes_whose_merged_entry_was_erased_are_not_imported_again(a, b):
    folder = b.folder / "notes"
    folder.mkdir()
    (folder / "plan.md").write_text("A plan that is long enough to be a piece of its own.\n", "utf-8")
    b("import", str(folder))
    merge(a, b)
    a("memory", "erase", "1")

    told = a("import", str(folder), "--json").json

    assert (told["new"], told["erased"]) == (0, 1)


def test_text_erased_here_does_not_come_back(a, b):
    b.remember("a secret of b")
    b.remember("a fact of b")
    merge(a, b)
    a("memory", "erase", "1")

    told = merge(a, b)

    assert (told["new"], told["erased"]) == (0, 1)
    assert "a secret of b" not in a.texts()
    assert b"a secret of b" not in a.file.read_bytes()


def test_text_erased_here_does_not_come_back_from_a_copy_of_this_file(a, machine):
    a.remember("a secret")
    a("backup", str(a.folder / "copy.db"))
    a("memory", "erase", "1")

    told = a("merge", str(a.folder / "copy.db"), "--json").json

    assert (told["new"], told["erased"]) == (0, 1)
    assert "a secret" not in a.texts()


def test_name_of_a_file_stands_for_one_that_records_none_of_its_own(machine, a):
    same = machine("other", MEMORY_NAME="a")
    same.remember("fact")
    target = same.folder / "laptop.db"
    same("backup", str(target))

    a("merge", str(target))

    assert a.rows("entry")[0]["origin"] == "laptop#1"


def test_origin_of_a_third_memory_stays(machine, a, b):
    c = machine("c")
    c.remember("fact of c")
    merge(b, c)
    merge(a, b)

    assert a.rows("entry")[0]["origin"] == "c#1"


def test_archive_is_merged_with_its_sources(machine):
    a, b = machine("a", FRUGAL_MEMORY_NO_PLUGINS=""), machine("b", FRUGAL_MEMORY_NO_PLUGINS="")
    b("archive", "remember", "Smith 2020, doi:10.1000/123\nEvidence: abstract", "--kind", "finding")

    told = a("merge", "--archive", str(b.folder / "frugal-memory" / "archive.db"), "--json").json
    again = a("archive", "remember", "Another on doi:10.1000/123, abstract", "--kind", "finding").out

    assert (told["mode"], told["new"]) == ("archive", 1)
    assert "archive#1" in again
    shown = a("archive", "show", "1").out.splitlines()[0]
    assert "[finding, abstract]" in shown
    assert shown.endswith("{from other#1}")


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (lambda a, path: None, "nothing_there"),
        (lambda a, path: path.write_bytes(b"no database" * 500), "damaged_file"),
        (lambda a, path: path.mkdir(), "path_is_folder"),
        (lambda a, path: foreign(path), "foreign_file"),
        (lambda a, path: path.hardlink_to(a.file), "same_file"),
    ],
    ids=["missing", "garbage", "folder", "foreign", "own"],
)
def test_file_that_cannot_be_merged_is_named(a, make, code):
    a.remember("own")
    path = a.folder / "other.db"
    make(a, path)
    before = a.export().read_bytes()

    told = a("merge", str(path), "--json", exits=2).json

    assert told["error"]["code"] == code
    assert str(path) in told["error"]["message"]
    assert a.export().read_bytes() == before


def foreign(path):
    import sqlite3
    from contextlib import closing

    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE strange (x)")


def test_guest_merges_nothing(a, b):
    b.remember("x")

    told = merge(a, b, "--guest", exits=2)

    assert told["error"]["code"] == "guest_writes"


def test_report_is_in_the_language_of_the_user(machine, b):
    a = machine("a", lang="de")
    a("memory", "remember", "same", "--art", "fallstrick")
    b.remember("same", "--kind", "decision", "--tags", "shop")

    told = a("merge", str(b.file))

    assert told.out.splitlines() == [
        "1 Eintrag dort: 0 neu, 1 schon hier; 0 Protokollzeilen, 0 Memos und 0 gelernte Fragen ergänzt.",
        "Marken ergänzt: #1.",
        "#1 ist hier fallstrick, dort entscheidung; es bleibt fallstrick.",
    ]


def test_numbers_in_a_merged_text_are_never_given_the_name_of_this_memory(machine, b):
    a = machine("a", FRUGAL_MEMORY_NO_PLUGINS="")
    a.remember("own, see #1")
    b.remember("of b, see #1")
    merge(a, b)

    told = a("memory", "show", "1-2", "--guest").out

    assert "own, see a#1" in told
    assert "of b, see #1" in told
    assert "of b, see #1" in a("memory", "topics", "--tag=-", "--guest").out


@pytest.mark.parametrize("layout", ["5", "6"])
def test_file_of_the_published_version_is_merged_and_only_read(a, layout):
    old = write_file(a.folder / "laptop.db", layout=layout)
    before = old.read_bytes(), old.stat().st_mtime_ns

    told = a("merge", str(old), "--json").json

    stored = rows_of(old, "SELECT id, content, ts FROM eintrag ORDER BY id")
    assert (old.read_bytes(), old.stat().st_mtime_ns) == before
    assert told["new"] == len(stored)
    merged = [(row["origin"], row["text"], row["created_at"]) for row in a.rows("entry")]
    assert merged == [(f"laptop#{number}", text, at) for number, text, at in stored]
    assert (told["learned"], told["superseded"]) == (1, 0)
