"""Notebooks of the published version: every row and line is there, and the order of record is the old one."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from old_files import backups_of, is_sound, leave_tables, rows_of, tables_of
from old_notebooks import DEFAULTS, STAMP, write_notebook

SERIES = "SELECT number, key, question, status, backfill, started_on, created_at, moved_at FROM series ORDER BY number"
RECIPES = """
    SELECT number, arm, command, code, parameters, seed, machine, logs, note, superseded_event IS NOT NULL
    FROM recipe WHERE series = :series ORDER BY number
"""
MEASUREMENTS = """
    SELECT number, quantity, value, arm, seed, n, source, superseded_event IS NOT NULL
    FROM measurement WHERE series = :series ORDER BY number
"""
RESULTS = """
    SELECT number, verdict, conclusion, open_questions, file, superseded_event IS NOT NULL
    FROM result WHERE series = :series ORDER BY number
"""
LINES = "SELECT text FROM event WHERE series = :series AND text <> '' ORDER BY number"
EVENTS = "SELECT type, text, details FROM event ORDER BY number"
TIMING = "SELECT text, timing FROM criterion"
STATUSES = {
    "geplant": "planned",
    "laeuft": "running",
    "ruht": "paused",
    "ausgewertet": "evaluated",
    "abgebrochen": "aborted",
    "abgeloest": "superseded",
}
VERDICTS = {"erfuellt": "met", "keine_aussage": "inconclusive", "beobachtung": "observation"}

Open = Callable[..., Any]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "files" / "messbuch.db"


@pytest.fixture
def in_zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Put this machine into another zone."""

    def switch(name: str) -> None:
        monkeypatch.setenv("TZ", name)
        time.tzset()

    yield switch
    monkeypatch.undo()
    time.tzset()


def take(path: Path, open_file: Open) -> str:
    """Open a notebook as its owner and close it; return the line on stderr."""
    owner = open_file(path, "notebook")
    owner("series")
    owner.workspace.close()
    assert is_sound(path)
    (line,) = owner.noticed()
    return str(line)


def test_every_fact_of_the_published_notebook_holds(
    legacy: Callable[[str], Path], expected: dict[str, Any], open_file: Open, in_zone: Callable[[str], None]
) -> None:
    in_zone("UTC")
    path = legacy("messbuch.db")

    line = take(path, open_file)

    assert "3 series, 16 rows, 22 lines of history" in line
    facts = expected["messbuch.db"]["series"]
    assert rows_of(path, SERIES) == [
        (
            one["series"]["id"],
            one["key"],
            one["series"]["frage"],
            STATUSES[one["series"]["status"]],
            one["series"]["nachtrag"],
            one["series"]["begonnen"],
            one["series"]["angelegt"],
            one["series"]["bewegt"],
        )
        for one in facts
    ]
    for one in facts:
        series = one["series"]["id"]
        assert rows_of(path, RECIPES, series=series) == [recipe_of(row) for row in one["recipes"]]
        assert rows_of(path, MEASUREMENTS, series=series) == [
            measurement_of(row) for row in one["measurements"]
        ]
        assert rows_of(path, RESULTS, series=series) == [result_of(row) for row in one["results"]]
        lines = [text for (text,) in rows_of(path, LINES, series=series)]
        assert lines == [*(row["was"] for row in one["history"]), "TZ: UTC"]


def recipe_of(row: dict[str, Any]) -> tuple[object, ...]:
    names = ("id", "arm", "befehl", "quelltext", "parameter", "seed", "rechner", "logs", "notiz")
    return (*(row[name] for name in names), bool(row["veraltet"]))


def measurement_of(row: dict[str, Any]) -> tuple[object, ...]:
    names = ("id", "groesse", "wert", "arm", "start", "n", "quelle")
    return (*(row[name] for name in names), bool(row["veraltet"]))


def result_of(row: dict[str, Any]) -> tuple[object, ...]:
    verdict = VERDICTS[row["urteil"]]
    return (row["id"], verdict, row["fazit"], row["offen"], row["datei"], bool(row["veraltet"]))


def test_published_notebook_reads_like_one_of_ours(legacy: Callable[[str], Path], open_file: Open) -> None:
    owner = open_file(legacy("messbuch.db"), "notebook")

    sheet = owner("series", key="mistline/poll-sweep", full=True)

    for fact in (
        "superseded by r3",
        "superseded by m5",
        "superseded by e2",
        "late",
        "noise floor",
        "lower wins, gap above 15 %",
        "bench-one:/plans/poll.md",
        "Built on by: mistline/poll-repeat",
        "Criterion changed, before: lost frames per million, lower wins, gap above 10 %",
    ):
        assert fact in sheet
    assert "poll-sweep" in owner("series", search="interval loses fewest frames")


def test_second_start_of_a_notebook_changes_nothing(path: Path, open_file: Open) -> None:
    write_notebook(path, rezept=[{}], messwert=[{}], ergebnis=[{}], chronik=[{}])
    take(path, open_file)
    before = path.read_bytes(), path.stat().st_mtime_ns

    owner = open_file(path, "notebook")
    owner("series")
    owner.workspace.close()

    assert (path.read_bytes(), path.stat().st_mtime_ns) == before
    assert owner.noticed() == []
    assert len(backups_of(path)) == 1


def test_numbers_go_on_and_an_old_program_is_kept_out(path: Path, open_file: Open) -> None:
    write_notebook(path, messwert=[{"id": 1}, {"id": 41}])

    owner = open_file(path, "notebook")
    answer = owner("measurements", key="lab/alpha", rows="width | 3")

    assert answer.startswith("m42 ")
    assert rows_of(path, "SELECT type FROM sqlite_schema WHERE name = 'reihe'") == [("view",)]
    assert not tables_of(path) & {"rezept", "messwert", "ergebnis", "chronik"}


def test_notebook_without_start_dates_begins_when_it_was_created(path: Path, open_file: Open) -> None:
    write_notebook(path, has_begun=False)

    take(path, open_file)

    assert rows_of(path, "SELECT started_on FROM series") == [("2026-03-01",)]


@pytest.mark.parametrize(
    ("local", "stored"),
    [("2026-03-01 10:30", "2026-03-01 09:30"), ("2026-10-25 02:30", "2026-10-25 00:30")],
    ids=["winter", "repeated hour"],
)
def test_local_stamps_become_utc_and_the_zone_is_named(
    path: Path, open_file: Open, in_zone: Callable[[str], None], local: str, stored: str
) -> None:
    write_notebook(path, messwert=[{"ts": local}], chronik=[{"ts": local}])
    in_zone("Europe/Berlin")

    line = take(path, open_file)

    stamps = rows_of(path, "SELECT at FROM event WHERE text = 'created' OR type = 'measurements'")
    assert stamps == [(stored,), (stored,)]
    assert "CET, UTC+01:00" in line
    assert rows_of(path, "SELECT text FROM event WHERE text LIKE 'TZ%'") == [("TZ: CET, UTC+01:00",)]


@pytest.mark.parametrize(
    ("series", "measured", "timing"),
    [
        ({"kriterium_ts": "2026-03-01 10:31"}, ["2026-03-01 10:30"], "late"),
        ({"kriterium_ts": STAMP}, [STAMP], "unknown"),
        ({"kriterium_ts": STAMP}, ["2026-03-01 10:31"], "before"),
        ({"kriterium_ts": STAMP}, [], "before"),
        ({"kriterium_ts": STAMP, "kriterium_nachtraeglich": "after values"}, ["2026-03-02 10:31"], "late"),
    ],
)
def test_place_of_the_criterion_in_time(
    path: Path, open_file: Open, series: dict[str, str], measured: list[str], timing: str
) -> None:
    write_notebook(
        path,
        reihe=[{"kriterium": "more than 5", **series}],
        messwert=[{"ts": stamp} for stamp in measured],
        chronik=[{}],
    )

    take(path, open_file)

    assert rows_of(path, TIMING) == [("more than 5", timing)]


def test_rows_without_a_line_get_events_in_the_order_of_their_stamps(path: Path, open_file: Open) -> None:
    write_notebook(
        path,
        rezept=[{"ts": "2026-03-01 10:32"}],
        messwert=[{"ts": "2026-03-01 10:34"}, {"ts": "2026-03-01 10:31"}],
        chronik=[{}, {"ts": "2026-03-01 10:33", "was": "probe replaced"}],
    )

    take(path, open_file)

    kinds = [(kind, text) for kind, text, _ in rows_of(path, EVENTS)]
    assert kinds[:-1] == [
        ("text", "created"),
        ("measurements", ""),
        ("recipe", ""),
        ("text", "probe replaced"),
        ("measurements", ""),
    ]


@pytest.mark.parametrize(
    ("line", "rows"),
    [
        ("Measurements m1-m3", '{"first":1,"last":3}'),
        ("Messwerte m1, m2", '{"first":1,"last":2}'),
        ("Messwerte m3, loesen m1 ab", '{"first":3,"last":3}'),
    ],
)
def test_line_that_tells_of_rows_is_their_event(path: Path, open_file: Open, line: str, rows: str) -> None:
    write_notebook(path, messwert=[{}, {}, {}], chronik=[{}, {"was": line}])

    take(path, open_file)

    assert ("measurements", line, rows) in rows_of(path, EVENTS)


def test_supersession_in_words_that_name_no_row_becomes_an_event(path: Path, open_file: Open) -> None:
    write_notebook(path, messwert=[{"veraltet": "wrong probe, see the log"}], chronik=[{}])

    take(path, open_file)

    found = rows_of(path, "SELECT event.text FROM measurement JOIN event ON event.number = superseded_event")
    assert found == [("m1: wrong probe, see the log",)]


def test_of_two_live_results_the_newer_supersedes(path: Path, open_file: Open) -> None:
    write_notebook(path, ergebnis=[{"fazit": "old"}, {"fazit": "new"}])

    take(path, open_file)

    assert rows_of(path, "SELECT conclusion FROM result WHERE superseded_event IS NULL") == [("new",)]


def test_successors_and_links_point_to_series_or_stay_as_text(path: Path, open_file: Open) -> None:
    write_notebook(
        path,
        reihe=[
            {"kennung": "lab/one", "status": "abgeloest", "abgeloest_durch": "LAB/Two"},
            {
                "kennung": "lab/two",
                "status": "abgeloest",
                "abgeloest_durch": "lab/gone",
                "baut_auf": "lab/one, x/y",
            },
        ],
    )

    take(path, open_file)

    assert rows_of(path, "SELECT key, status, successor FROM series") == [
        ("lab/one", "superseded", 2),
        ("lab/two", "superseded", None),
    ]
    assert ("-> lab/gone",) in rows_of(path, LINES, series=2)
    assert rows_of(path, "SELECT key, target FROM link ORDER BY number") == [("lab/one", 1), ("x/y", None)]


def test_rows_of_no_series_are_counted_apart(path: Path, open_file: Open) -> None:
    write_notebook(path, messwert=[{"reihe": 9}], chronik=[{}, {"reihe": 9, "was": "lost"}])

    line = take(path, open_file)

    assert "2 (m1, h2)" in line
    assert rows_of(path, "SELECT count(*) FROM measurement") == [(0,)]


def test_tables_that_lack_a_column_are_refused_untouched(path: Path, open_file: Open) -> None:
    write_notebook(path)
    leave_tables(path, "ALTER TABLE messwert DROP COLUMN quelle")
    before = path.read_bytes(), path.stat().st_mtime_ns

    reply = open_file(path, "notebook").reply("series")

    assert reply.is_error
    assert "0.2.0" in reply.text
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before


def test_guest_of_an_old_notebook_is_told_the_command(path: Path, open_file: Open) -> None:
    write_notebook(path)
    before = path.read_bytes(), path.stat().st_mtime_ns

    reply = open_file(path, "notebook", is_guest=True).reply("series")

    assert reply.is_error
    assert "frugal-memory upkeep --messbuch" in reply.text
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before


def test_empty_tables_that_an_old_program_left_are_removed(path: Path, open_file: Open) -> None:
    write_notebook(path)
    take(path, open_file)
    leave_tables(path, "CREATE TABLE rezept (id INTEGER)", "CREATE TABLE chronik (id INTEGER)")

    owner = open_file(path, "notebook")
    owner("series")
    owner.workspace.close()

    assert not tables_of(path) & {"rezept", "chronik"}
    assert len(backups_of(path)) == 1


def test_late_series_get_new_numbers(path: Path, tmp_path: Path, open_file: Open) -> None:
    write_notebook(path, messwert=[{}], chronik=[{}])
    take(path, open_file)
    other = write_notebook(
        tmp_path / "other" / "old.db",
        reihe=[{"kennung": "lab/late"}],
        messwert=[{"wert": "77"}],
        chronik=[{"was": "created"}, {"was": "Measurements m1"}],
    )
    copy_tables(other, path)

    line = take(path, open_file)

    assert "new ids" in line
    assert rows_of(path, "SELECT number, key FROM series ORDER BY number") == [
        (1, "lab/alpha"),
        (2, "lab/late"),
    ]
    assert rows_of(path, "SELECT number, series, value FROM measurement ORDER BY number") == [
        (1, 1, "12"),
        (2, 2, "77"),
    ]
    assert ("measurements", "Measurements m1", '{"first":2,"last":2}') in rows_of(path, EVENTS)


def copy_tables(source: Path, target: Path) -> None:
    """Put the old tables of *source* into a file of ours, in place of the view."""
    copies = [f"CREATE TABLE {table} AS SELECT * FROM other.{table}" for table in DEFAULTS]
    leave_tables(target, f"ATTACH '{source}' AS other", "DROP VIEW reihe", *copies)
