"""What an old notebook may hold and ours cannot: it is kept as text, and named in the report with its number."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from old_files import is_sound, rows_of
from old_notebooks import write_notebook

Open = Callable[..., Any]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "files" / "messbuch.db"


def take(path: Path, open_file: Open) -> tuple[str, Any]:
    """Open a notebook as its owner; return the line on stderr and the owner."""
    owner = open_file(path, "notebook")
    owner("series")
    assert is_sound(path)
    return " ".join(owner.noticed()), owner


def lines_of(path: Path, series: int) -> list[str]:
    query = "SELECT text FROM event WHERE series = :series AND text <> '' ORDER BY number"
    return [text for (text,) in rows_of(path, query, series=series)]


def test_series_that_succeeds_itself_is_named_and_keeps_the_words(path: Path, open_file: Open) -> None:
    write_notebook(path, reihe=[{"status": "abgeloest", "abgeloest_durch": "lab/alpha"}])

    line, _ = take(path, open_file)

    assert "lab/alpha -> lab/alpha" in line
    assert "-> lab/alpha" in lines_of(path, 1)
    assert rows_of(path, "SELECT status, successor FROM series") == [("superseded", None)]


def test_circle_of_successors_is_opened_at_its_last_link_and_named(path: Path, open_file: Open) -> None:
    ring = {"a": "b", "b": "c", "c": "a"}
    write_notebook(
        path,
        reihe=[
            {"kennung": f"lab/{key}", "status": "abgeloest", "abgeloest_durch": f"lab/{successor}"}
            for key, successor in ring.items()
        ],
    )

    line, owner = take(path, open_file)

    assert "lab/c -> lab/a" in line
    assert rows_of(path, "SELECT key, successor FROM series ORDER BY number") == [
        ("lab/a", 2),
        ("lab/b", 3),
        ("lab/c", None),
    ]
    assert "-> lab/a" in lines_of(path, 3)
    assert "lab/b" in owner("series", key="lab/a")


def test_successor_of_a_series_that_is_not_superseded_stays_as_text(path: Path, open_file: Open) -> None:
    write_notebook(path, reihe=[{"abgeloest_durch": "lab/beta"}, {"kennung": "lab/beta"}])

    line, _ = take(path, open_file)

    assert "lab/alpha -> lab/beta" in line
    assert "-> lab/beta" in lines_of(path, 1)


@pytest.mark.parametrize("start", ["spring", "2026-02-30", "01.03.2026"])
def test_start_that_is_no_date_is_named_and_kept(path: Path, open_file: Open, start: str) -> None:
    write_notebook(path, reihe=[{"begonnen": start}])

    line, _ = take(path, open_file)

    assert f"lab/alpha ({start})" in line
    assert f"begonnen: {start}" in lines_of(path, 1)
    assert rows_of(path, "SELECT started_on FROM series") == [("2026-03-01",)]


@pytest.mark.parametrize("has_begun", [True, False])
def test_start_that_is_missing_is_nothing_to_report(path: Path, open_file: Open, has_begun: bool) -> None:
    write_notebook(path, has_begun=has_begun)

    line, _ = take(path, open_file)

    assert "begonnen" not in "".join(lines_of(path, 1))
    assert "no date" not in line


def test_key_that_equals_another_is_named_with_the_form_that_finds_it(path: Path, open_file: Open) -> None:
    write_notebook(path, reihe=[{"kennung": "lab/straße"}, {"kennung": "lab/STRASSE", "frage": "The other?"}])

    line, owner = take(path, open_file)

    assert "lab/STRASSE: lab/strasse~2" in line
    assert "The other?" in owner("series", key="lab/strasse~2")


def test_old_notebook_merged_twice_is_merged_once(path: Path, open_file: Open, clock: Any) -> None:
    from frugal.cli.contents import read_contents, store_contents
    from frugal.cli.merge import read_other

    old = write_notebook(
        path.with_name("old.db"), messwert=[{}], chronik=[{"was": "created"}, {"was": "Measurements m1"}]
    )
    owner = open_file(path, "notebook")
    owner("new_series", key="lab/mine", question="?", criterion="x")
    first = store_contents(owner.workspace, read_other(owner.workspace, old), may_load=False)
    before = read_contents(owner.workspace)

    clock.advance(hours=3)
    second = store_contents(owner.workspace, read_other(owner.workspace, old), may_load=False)

    assert (first.counts["new"], first.counts["rows"]) == (1, 1)
    assert (second.counts["new"], second.counts["rows"], second.counts["events"]) == (0, 0, 0)
    assert read_contents(owner.workspace) == before


def test_odd_notebook_still_goes_out_and_comes_back(path: Path, open_file: Open) -> None:
    from frugal.cli.contents import read_contents, store_contents
    from frugal.transfer import from_jsonl, to_jsonl

    write_notebook(
        path,
        reihe=[
            {
                "kennung": "lab/straße",
                "status": "abgeloest",
                "abgeloest_durch": "lab/straße",
                "begonnen": "spring",
            },
            {"kennung": "lab/STRASSE"},
        ],
        messwert=[{}, {"veraltet": "m1"}],
        ergebnis=[{}, {"reihe": 2}],
        chronik=[{"was": "created"}, {"was": "Measurements m1-m2"}, {"was": "Measurements m1"}],
    )
    _, owner = take(path, open_file)
    data = to_jsonl(read_contents(owner.workspace))

    other = open_file(path.with_name("other.db"), "notebook")
    store_contents(other.workspace, from_jsonl(data), may_load=True)

    assert to_jsonl(read_contents(other.workspace)) == data
    assert json.loads(data.splitlines()[0])["counts"]["series"] == 2
