"""What an export looks like, and where it goes."""

import hashlib
import json
import os
import stat
import subprocess
import sys

import pytest

STAMPED = ("at", "created_at", "kind_at", "last_at", "confirmed_at")


@pytest.fixture
def a(machine):
    made = machine("a")
    made.remember("**Port.** 22", "--tags", "shop,sqlite", "--kind", "pitfall")
    made.remember("**Port.** 49222", "--tags", "shop", "--supersedes", "1", "--also", "ssh door")
    made.remember("ünïcode 连接池 🚀\nsecond line", "--tags", "über/ding")
    made.remember("no tag at all")
    made.forget(3, reason='said "no"')
    return made


def test_first_line_says_what_it_is_and_when_says_nothing(a):
    lines = a("export").out.splitlines()

    header = json.loads(lines[0])
    assert header == {
        "format": "frugal-memory export",
        "version": 1,
        "mode": "memory",
        "language": "en",
        "counts": {"entry": 4, "event": 2, "name": 1, "sitting": 4},
    }


def test_records_are_sorted_by_type_and_id_and_their_keys_too(a):
    lines = a("export").out.splitlines()

    rows = [json.loads(line) for line in lines[1:-1]]
    assert [(row["type"], row["id"]) for row in rows] == sorted((row["type"], row["id"]) for row in rows)
    for line in lines:
        assert line == json.dumps(json.loads(line), ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def test_last_line_has_the_count_and_the_sum_of_all_before(a):
    data = a.export().read_bytes()

    body, last = data[: data.rindex(b"\n", 0, -1) + 1], json.loads(data.splitlines()[-1])
    assert last == {"count": 11, "sha256": hashlib.sha256(body).hexdigest()}


def test_records_hold_what_cannot_be_recomputed(a):
    first, second, third, _ = a.rows("entry")

    assert (first["text"], first["kind"], first["tags"], first["live"]) == (
        "**Port.** 22",
        "fallstrick",
        ["shop", "sqlite"],
        False,
    )
    assert second["also"] == "ssh door"
    assert third["text"] == "ünïcode 连接池 🚀\nsecond line"
    by, hidden = a.rows("event")
    assert (by["entry"], by["successor"], hidden["entry"], hidden["reason"]) == (1, 2, 3, 'said "no"')


def test_two_exports_are_the_same_bytes(a):
    assert a.export("one.jsonl").read_bytes() == a.export("two.jsonl").read_bytes()


def test_file_and_stdout_are_the_same(a):
    assert a("export").out.encode() == a.export().read_bytes()


def test_file_is_private_and_nothing_else_is_left(a):
    path = a.export()

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert sorted(file.name for file in path.parent.iterdir()) == ["export.jsonl", "frugal-memory"]


def test_existing_file_is_left_alone_unless_forced(a):
    target = a.folder / "mine"
    target.write_text("mine", "utf-8")

    told = a("export", "--out", str(target), exits=3)
    assert str(target) in told.err
    assert "--force" in told.err
    assert target.read_text("utf-8") == "mine"

    a("export", "--out", str(target), "--force")
    assert target.read_text("utf-8").startswith('{"counts"')


def test_empty_memory_has_an_export(machine):
    a = machine("a")
    a.file.parent.mkdir(parents=True)
    a.file.touch()

    told = a("export")

    assert json.loads(told.out.splitlines()[0])["counts"] == {}
    assert len(told.out.splitlines()) == 2


def test_missing_file_is_said_and_not_made(machine):
    a = machine("a")

    told = a("export", "--json", exits=2)

    assert told.json["error"]["code"] == "no_file_yet"
    assert not a.file.exists()


def test_json_tells_counts_and_target(a):
    told = a("export", "--out", str(a.folder / "x.jsonl"), "--json").json

    assert (told["ok"], told["command"], told["mode"], told["records"]) == (True, "export", "memory", 11)
    assert told["target"] == str(a.folder / "x.jsonl")
    assert told["size_bytes"] == (a.folder / "x.jsonl").stat().st_size


def test_json_without_a_file_carries_the_export(a):
    assert a("export", "--json").json["text"] == a("export").out


def test_guest_may_export(a):
    before = a.file.read_bytes()

    a("export", "--guest", FRUGAL_MEMORY_NO_PLUGINS="")

    assert a.file.read_bytes() == before


@pytest.mark.parametrize(
    ("argv", "code"),
    [
        (["--format", "xml"], "unknown_format"),
        (["--format", "markdown"], "out_needed"),
        (["extra"], "extra_words"),
    ],
)
def test_bad_line_is_a_usage_error(a, argv, code):
    assert a("export", *argv, "--json", exits=2).json["error"]["code"] == code


def test_code_page_of_the_console_does_not_matter(a):
    environ = {**os.environ, **a.environ, "PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0", "LC_ALL": "C"}

    done = subprocess.run(
        [sys.executable, "-m", "frugal", "export"], capture_output=True, env=environ, timeout=60, check=True
    )

    assert done.stdout == a.export().read_bytes()


# Markdown


def test_markdown_has_one_file_a_tag_and_front_matter_an_entry(a):
    folder = a.folder / "notes"

    told = a("export", "--format", "markdown", "--out", str(folder), "--json").json

    names = sorted(file.name for file in folder.iterdir())
    assert names[:3] == ["shop.md", "sqlite.md", "untagged.md"]
    assert names[3].startswith("über-ding-")
    assert told["files"] == 4
    assert {item["file"]: item["count"] for item in told["items"]}["shop.md"] == 2
    stamp = a.show(1)["created_at"]
    hidden = a.rows("event")[0]["at"]
    assert (folder / "sqlite.md").read_text("utf-8") == (
        f'---\nid: 1\ncreated: {stamp}\nkind: pitfall\ntags: ["shop", "sqlite"]\n'
        f"superseded: {hidden}Z\nsuperseded_by: 2\ncharacters: 12\n---\n\n**Port.** 22\n\n"
    )
    assert 'also: "ssh door"\n' in (folder / "shop.md").read_text("utf-8")
    assert 'reason: "said \\"no\\""\n' in (folder / names[3]).read_text("utf-8")


def test_every_text_is_in_the_markdown(a):
    folder = a.folder / "notes"
    a("export", "--format", "markdown", "--out", str(folder))

    written = "".join(file.read_text("utf-8") for file in folder.iterdir())

    assert all(text in written for text in a.texts())


def test_markdown_in_german_names_kinds_and_the_untagged_file(machine):
    a = machine("a", lang="de")
    a("memory", "remember", "etwas", "--art", "fallstrick")
    folder = a.folder / "notizen"

    a("export", "--format", "markdown", "--ziel", str(folder))

    assert "kind: fallstrick\n" in (folder / "ohne-marke.md").read_text("utf-8")


def test_folder_that_is_not_empty_is_left_alone(a):
    folder = a.folder / "notes"
    folder.mkdir()
    (folder / "mine.md").write_text("mine", "utf-8")

    told = a("export", "--format", "markdown", "--out", str(folder), exits=3)

    assert str(folder) in told.err
    assert [file.name for file in folder.iterdir()] == ["mine.md"]


def test_empty_folder_is_filled_and_a_forced_one_keeps_what_is_not_ours(a):
    folder = a.folder / "notes"
    folder.mkdir()
    a("export", "--format", "markdown", "--out", str(folder))
    (folder / "mine.md").write_text("mine", "utf-8")

    a("export", "--format", "markdown", "--out", str(folder), "--force")

    assert (folder / "mine.md").read_text("utf-8") == "mine"
    assert (folder / "shop.md").exists()


def test_tags_with_odd_names_get_files_of_their_own(machine):
    a = machine("a")
    tags = ["..a", "a/b", "a-b", "CON", "untagged", "Ä", "ä" * 64, "🚀", "x."]
    for number, tag in enumerate(tags):
        a.remember(f"fact {number}", "--tags", tag)
    a.remember("fact without")
    folder = a.folder / "notes"

    a("export", "--format", "markdown", "--out", str(folder))

    names = [file.name for file in folder.iterdir()]
    assert len(names) == len({name.casefold() for name in names}) == len(tags) + 1
    assert all(not name.startswith(".") and len(name.encode()) < 160 for name in names)
    assert "con.md" not in {name.casefold() for name in names}
