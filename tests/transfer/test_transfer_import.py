"""An export comes in whole or not at all."""

import hashlib
import json

import pytest


@pytest.fixture
def a(machine):
    made = machine("a")
    made.remember("port is 22", "--tags", "shop")
    made.remember("port is 49222", "--tags", "shop", "--supersedes", "1")
    return made


def signed(*rows: dict) -> bytes:
    """Return an export of *rows*, the header first, with a last line that is right."""
    body = "".join(json.dumps(row, sort_keys=True) + "\n" for row in rows).encode()
    last = {"count": len(rows) - 1, "sha256": hashlib.sha256(body).hexdigest()}
    return body + json.dumps(last).encode() + b"\n"


def rows_of(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()[:-1]]


def test_second_import_changes_nothing(a, machine):
    b = machine("b")
    path = a.export()
    b("import", str(path))
    before = b.export().read_bytes()

    told = b("import", str(path), "--json").json

    assert (told["new"], told["known"], told["events"]) == (0, 2, 0)
    assert b.export().read_bytes() == before


def test_filled_memory_takes_in_what_it_lacks(a, machine):
    b = machine("b")
    own = b.remember("port is 49222", "--tags", "ssh")

    told = b("import", "--from", "jsonl", str(a.export()), "--json").json

    assert (told["new"], told["known"]) == (1, 1)
    assert b.show(own)["tags"] == ["ssh", "shop"]
    assert b.show(2)["superseded_by"] == own
    assert b.rows("entry")[1]["origin"] == "a#1"


def test_dry_run_tells_the_same_and_makes_no_file(a, machine):
    b = machine("b")
    path = str(a.export())

    dry = b("import", path, "--dry-run", "--json").json

    assert not b.file.exists()
    assert dry["dry_run"]
    wet = b("import", path, "--json").json
    assert [wet[key] for key in ("new", "known", "events")] == [
        dry[key] for key in ("new", "known", "events")
    ]


def test_dry_run_leaves_a_filled_file_as_it_is(a, machine):
    b = machine("b")
    b.remember("something else")
    before = b.file.read_bytes(), b.file.stat().st_mtime_ns

    told = b("import", str(a.export()), "--dry-run")

    assert told.out.startswith("Dry run: nothing was written.\n")
    assert (b.file.read_bytes(), b.file.stat().st_mtime_ns) == before


def test_line_ends_of_another_system_are_no_damage(a, machine):
    path = a.export()
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    b = machine("b")

    b("import", str(path))

    assert b.texts() == a.texts()


@pytest.mark.parametrize(
    ("damage", "code"),
    [
        (lambda data: data[:-10], "export_short"),
        (lambda data: data[:-1], "export_short"),
        (lambda data: data[: data.rindex(b"\n", 0, -1) + 1], "export_short"),
        (lambda data: data[: len(data) // 2], "export_short"),
        (lambda data: b"\n".join([*data.split(b"\n")[:2], *data.split(b"\n")[3:]]), "export_changed"),
        (lambda data: data.replace(b"22", b"23", 1), "export_changed"),
        (lambda data: data + b"\n", "export_short"),
        (lambda data: b"", "export_unknown"),
        (lambda data: b"\xff\xfe", "export_unknown"),
        (lambda data: b'{"format": "something else"}\n', "export_unknown"),
        (lambda data: b"[" * 100_000, "export_unknown"),
    ],
    ids=[
        "cut",
        "no-line-end",
        "no-last-line",
        "half",
        "record-missing",
        "changed",
        "longer",
        "empty",
        "no-text",
        "other",
        "deep",
    ],
)
def test_damaged_export_is_refused_whole(a, machine, damage, code):
    path = a.export()
    path.write_bytes(damage(path.read_bytes()))
    b = machine("b")

    told = b("import", "--from", "jsonl", str(path), "--json", exits=2).json

    assert told["error"]["code"] == code
    assert str(path) in told["error"]["message"]
    assert not told["ok"]
    assert not b.file.exists()


def changed(rows, wanted, **fields):
    """Return *rows* with the first record of a type changed."""
    index = next(index for index, row in enumerate(rows) if row.get("type") == wanted)
    return [*rows[:index], {**rows[index], **fields}, *rows[index + 1 :]]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda rows: [{**rows[0], "version": 2}, *rows[1:]], "export_version"),
        (lambda rows: [{**rows[0], "mode": "archive"}, *rows[1:]], "export_mode"),
        (lambda rows: [{**rows[0], "counts": {}}, *rows[1:]], "export_changed"),
        (lambda rows: [*rows[:2], [], *rows[3:]], "export_line"),
        (lambda rows: [*rows, rows[-1]], "export_changed"),
        (lambda rows: changed(rows, "entry", live=1), "export_record"),
        (lambda rows: changed(rows, "entry", text=""), "export_record"),
        (lambda rows: changed(rows, "entry", text="half \ud800"), "export_record"),
        (lambda rows: changed(rows, "entry", tags=["x", 5]), "export_record"),
        (lambda rows: changed(rows, "entry", tags=["x" * 65]), "export_record"),
        (lambda rows: changed(rows, "entry", kind="unheard"), "export_record"),
        (lambda rows: changed(rows, "entry", created_at="yesterday"), "export_record"),
        (lambda rows: changed(rows, "entry", id=2**63), "export_record"),
        (lambda rows: changed(rows, "entry", id="1"), "export_record"),
        (lambda rows: changed(rows, "entry", sitting=77), "export_record"),
        (lambda rows: changed(rows, "entry", extra=1), "export_record"),
        (lambda rows: changed(rows, "event", successor=99), "export_record"),
        (lambda rows: changed(rows, "event", action="deleted"), "export_record"),
        (lambda rows: changed(rows, "sitting", id=2), "export_record"),
    ],
)
def test_export_with_a_right_sum_and_a_wrong_record_is_refused_whole(a, machine, change, code):
    path = a.export()
    path.write_bytes(signed(*change(rows_of(path))))
    b = machine("b")

    told = b("import", "--from", "jsonl", str(path), "--json", exits=2).json

    assert told["error"]["code"] == code
    assert not b.file.exists() or b.texts() == set()


def test_refusal_leaves_a_filled_memory_as_it_was(a, machine):
    path = a.export()
    path.write_bytes(signed(*changed(rows_of(path), "event", successor=99)))
    b = machine("b")
    b.remember("something else")
    before = b.export().read_bytes()

    b("import", str(path), exits=2)

    assert b.export().read_bytes() == before


@pytest.mark.parametrize("option", ["--with-index", "--recursive", "--tag=x", "--kind=pitfall"])
def test_options_for_notes_do_not_go_with_an_export(a, machine, option):
    told = machine("b")("import", str(a.export()), option, "--json", exits=2).json

    assert told["error"]["code"] == "not_for_export"


def test_export_is_known_by_its_shape_whatever_its_name(a, machine):
    path = a.export("memories.txt")
    b = machine("b")

    b("import", str(path))

    assert b.texts() == a.texts()


def test_missing_export_is_said(machine):
    told = machine("b")("import", "--from", "jsonl", "/nowhere/x.jsonl", "--json", exits=2).json

    assert told["error"]["code"] == "nothing_there"


def test_report_is_in_the_language_of_the_user(a, machine):
    b = machine("b", lang="de")
    path = str(a.export())

    assert b("import", path).out.startswith("2 Einträge, 1 Protokollzeile,")
    assert b("import", path).out.startswith("2 Einträge dort: 0 neu, 2 schon hier")
    told = b("import", path, "--trocken")
    assert told.out.startswith("Probelauf: nichts wurde geschrieben.\n")


def test_guest_imports_nothing(a, machine):
    told = machine("b")("import", str(a.export()), "--guest", "--json", exits=2).json

    assert told["error"]["code"] == "guest_writes"
