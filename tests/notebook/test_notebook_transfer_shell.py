"""Export, import and merge of notebooks by the shell: what is told, what is left out, what is refused whole."""

import json
import sqlite3
from contextlib import closing

import pytest
from notebook_lives import KEYS

from frugal.cli.root import run

KEY = KEYS[0]


@pytest.fixture
def desk(tmp_path, capsys):
    """Run a line over one of several notebooks: `desk("a", "export")`; English unless told otherwise."""

    def line(name, *argv, exits=0, **environ):
        folder = str(tmp_path / "home")
        base = {"HOME": folder, "XDG_DATA_HOME": folder, "XDG_CONFIG_HOME": folder}
        path = str(tmp_path / f"{name}.db")
        capsys.readouterr()
        words = argv[1:] if argv[0] == "notebook" else argv
        flags = ["notebook"] if argv[0] == "notebook" else ["--messbuch"]
        code = run(
            [*flags, *words, "--db", path], environ={**base, "FRUGAL_MEMORY_NO_PLUGINS": "1", **environ}
        )
        out, err = capsys.readouterr()
        assert code == exits, (code, out, err)
        return out + err

    return line


def begin(desk, name, criterion="B beats A", question="Which wins?"):
    desk(name, "notebook", "new_series", KEY, question, criterion)


def test_export_comes_back_byte_for_byte(desk, tmp_path):
    begin(desk, "a")
    desk("a", "notebook", "measurements", KEY, "acc | 81.2 % | A\nacc | ü \\| b | B")
    desk("a", "notebook", "result", KEY, "met", "B it is")
    first, second = tmp_path / "1.jsonl", tmp_path / "2.jsonl"

    desk("a", "export", "--out", str(first))
    told = desk("b", "import", str(first))
    desk("b", "export", "--out", str(second))

    assert second.read_bytes() == first.read_bytes()
    assert "1 series" in told
    assert 'mode":"notebook' in first.read_text("utf-8")


def test_series_with_another_criterion_is_left_out_named_and_the_rest_comes(desk, tmp_path):
    begin(desk, "a", "B beats A")
    begin(desk, "b", "A beats B")
    desk("b", "notebook", "new_series", "text/other", "?", "x")

    told = desk("a", "merge", str(tmp_path / "b.db"), exits=3)

    assert f"{KEY} is another series there (criterion): left out." in told
    assert "text/other" in desk("a", "notebook", "series")
    assert "A beats B" not in desk("a", "notebook", "series", KEY)
    told = json.loads(desk("a", "merge", str(tmp_path / "b.db"), "--json", exits=3).splitlines()[0])
    assert told["items"] == [{"key": KEY, "differs": ["criterion"]}]
    assert (told["new"], told["known"], told["left_out"]) == (0, 1, 1)


def test_series_that_asks_something_else_is_left_out(desk, tmp_path):
    begin(desk, "a", question="Which wins?")
    begin(desk, "b", question="Which is cheaper?")

    assert "(question)" in desk("a", "merge", str(tmp_path / "b.db"), exits=3)


def test_row_superseded_in_the_other_notebook_is_superseded_here(desk, tmp_path):
    begin(desk, "a")
    desk("a", "notebook", "measurements", KEY, "acc | 1")
    desk("a", "backup", str(tmp_path / "b.db"))
    desk("b", "notebook", "measurements", KEY, "acc | 2", "--supersedes", "m1")

    desk("a", "merge", str(tmp_path / "b.db"))

    sheet = desk("a", "notebook", "series", KEY)
    assert "acc | 2" in sheet
    assert "acc | 1" not in sheet


def test_merged_rows_get_new_numbers_and_their_history_says_so(desk, tmp_path):
    begin(desk, "a")
    desk("a", "notebook", "measurements", KEY, "acc | 1")
    desk("b", "notebook", "new_series", "text/b", "?", "x")
    desk("b", "notebook", "measurements", "text/b", "loss | 7\nloss | 8")
    desk("b", "notebook", "measurements", "text/b", "loss | 9", "--supersedes", "m1")

    desk("a", "merge", str(tmp_path / "b.db"))

    sheet = desk("a", "notebook", "series", "text/b", "--full")
    assert "m2 loss | 7 {superseded by m4" in sheet
    assert "m2-m3" in sheet or "m2, m3" in sheet
    assert "m4 loss | 9" in sheet


def test_erased_text_does_not_come_back_by_a_merge(desk, tmp_path):
    begin(desk, "a")
    desk("a", "notebook", "measurements", KEY, "acc | hush-hush-1")
    desk("a", "backup", str(tmp_path / "b.db"))
    desk("a", "notebook", "erase", "m1", "--field", "value")

    desk("a", "merge", str(tmp_path / "b.db"))

    with closing(sqlite3.connect(tmp_path / "a.db")) as db:
        assert db.execute("SELECT count(*) FROM measurement").fetchone() == (1,)
        assert "hush" not in str(db.execute("SELECT * FROM measurement, event").fetchall())


def test_dry_run_tells_the_same_and_writes_nothing(desk, tmp_path):
    begin(desk, "a")
    desk("b", "notebook", "new_series", "text/b", "?", "x")
    before = desk("a", "export")

    told = desk("a", "merge", str(tmp_path / "b.db"), "--dry-run")

    assert "1 new" in told
    assert desk("a", "export") == before


def test_markdown_has_one_file_a_series_with_everything_in_it(desk, tmp_path):
    begin(desk, "a")
    desk("a", "notebook", "measurements", KEY, "acc | 1")
    desk("a", "notebook", "measurements", KEY, "acc | 2", "--supersedes", "m1")
    desk("a", "notebook", "new_series", "text/b", "?", "x", "--builds-on", KEY)

    desk("a", "export", "--format", "markdown", "--out", str(tmp_path / "out"))

    files = sorted((tmp_path / "out").iterdir())
    assert len(files) == 2
    texts = {file.name.split("-")[0]: file.read_text("utf-8") for file in files}
    assert texts["vision"].startswith(f'---\nseries: "{KEY}"\nstatus: running\n')
    assert "acc | 1 {superseded by m2" in texts["vision"]
    assert f'builds_on: ["{KEY}"]' in texts["text"]
    desk("a", "export", "--format", "markdown", "--out", str(tmp_path / "out"), exits=3)


def test_credential_is_refused_by_import_and_merge_where_the_policy_says_so(desk, tmp_path):
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    begin(desk, "a")
    desk("a", "notebook", "recipe", KEY, f"curl -H {secret}")
    desk("a", "export", "--out", str(tmp_path / "a.jsonl"))

    told = [
        desk("b", "import", str(tmp_path / "a.jsonl"), exits=1, MEMORY_SECRETS="refuse"),
        desk("b", "merge", str(tmp_path / "a.db"), exits=1, MEMORY_SECRETS="refuse"),
    ]

    assert all("r1 command" in text and secret not in text for text in told)
    assert KEY not in desk("b", "notebook", "series", "--all", exits=1)
    desk("b", "import", str(tmp_path / "a.jsonl"))
    assert "0 rows" in desk("b", "merge", str(tmp_path / "a.db"), MEMORY_SECRETS="refuse")


def test_export_of_a_memory_is_no_notebook(desk, tmp_path):
    path = tmp_path / "m.jsonl"
    environ = {"XDG_DATA_HOME": str(tmp_path / "m"), "FRUGAL_MEMORY_NO_PLUGINS": "1"}
    assert run(["memory", "remember", "one fact"], environ=environ) == 0
    assert run(["export", "--out", str(path)], environ=environ) == 0

    assert "notebook" in desk("a", "import", str(path), exits=2)
