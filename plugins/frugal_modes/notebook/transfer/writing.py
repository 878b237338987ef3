"""Rows of the tables of a notebook, written as they are given. Everything runs inside the caller's transaction."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict

from frugal.api import Connection
from frugal_modes.notebook.keys import fold
from frugal_modes.notebook.measurements import columns_of
from frugal_modes.notebook.reading import read_value
from frugal_modes.notebook.rowids import MEASUREMENT, RECIPE, RESULT
from frugal_modes.notebook.transfer.rows import (
    TEXTS,
    CriterionRow,
    EventRow,
    LinkRow,
    PlanRow,
    Row,
    SeriesRow,
)

INSERT_SERIES = """
    INSERT INTO series (number, key, folded, project, short, question, backfill, started_on, status, successor,
                        created_at, created_event, moved_at, moved_event)
    VALUES (:number, :key, :folded, :project, :short, :question, :backfill, :started_on, :status, NULL,
            :created_at, :created_event, :moved_at, :moved_event)
"""


def insert_series(db: Connection, rows: Iterable[SeriesRow]) -> None:
    """Write series, their successors left out: those have to be there first."""
    db.executemany(INSERT_SERIES, [asdict(row) for row in rows])


SET_SUCCESSOR = "UPDATE series SET successor = :successor WHERE number = :number"


def set_successor(db: Connection, series: int, successor: int) -> None:
    """Name the series that replaced *series*, whose status is superseded."""
    db.execute(SET_SUCCESSOR, {"number": series, "successor": successor})


INSERT_EVENT = """
    INSERT INTO event (number, series, at, type, details, text, reason)
    VALUES (:number, :series, :at, :type, :details, :text, :reason)
"""


def insert_events(db: Connection, rows: Iterable[EventRow]) -> None:
    """Write events."""
    db.executemany(INSERT_EVENT, [{**asdict(row), "details": as_json(row.details)} for row in rows])


def as_json(details: Mapping[str, object]) -> str:
    """Return *details* as they stand in the file."""
    return json.dumps(details, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


INSERT_CRITERION = """
    INSERT INTO criterion (event, series, version, text, timing) VALUES (:number, :series, :version, :text, :timing)
"""
INSERT_PLAN = "INSERT INTO plan (event, series, text) VALUES (:number, :series, :text)"


def insert_versions(db: Connection, criteria: Iterable[CriterionRow], plans: Iterable[PlanRow]) -> None:
    """Write versions of criteria and plans, whose events are there."""
    db.executemany(INSERT_CRITERION, [asdict(row) for row in criteria])
    db.executemany(INSERT_PLAN, [asdict(row) for row in plans])


INSERT_LINK = """
    INSERT INTO link (number, series, key, folded, target, added_event, removed_event)
    VALUES (:number, :series, :key, :folded, (SELECT s.number FROM series AS s WHERE s.folded = :folded),
            :added_event, :removed_event)
"""


def insert_links(db: Connection, rows: Iterable[LinkRow]) -> None:
    """Write links; each leads to the series of its key, if there is one."""
    db.executemany(INSERT_LINK, [asdict(row) for row in rows])


INSERT_ROW = {
    RECIPE: """
        INSERT INTO recipe (number, series, event, superseded_event, arm, command, code, parameters, seed, machine,
                            logs, note)
        VALUES (:number, :series, :event, :superseded_event, :arm, :command, :code, :parameters, :seed, :machine,
                :logs, :note)
    """,
    MEASUREMENT: """
        INSERT INTO measurement (number, series, event, superseded_event, quantity, value, arm, seed, n, source,
                                 quantity_folded, value_number, unit, qualifier, spread, k, out_of, reading)
        VALUES (:number, :series, :event, :superseded_event, :quantity, :value, :arm, :seed, :n, :source,
                :quantity_folded, :value_number, :unit, :qualifier, :spread, :k, :out_of, :reading)
    """,
    RESULT: """
        INSERT INTO result (number, series, event, superseded_event, verdict, conclusion, open_questions, file)
        VALUES (:number, :series, :event, :superseded_event, :verdict, :conclusion, :open_questions, :file)
    """,
}


def insert_rows(db: Connection, rows: Sequence[Row]) -> None:
    """Write recipes, measurements and results, whose events are there; values are read anew."""
    for letter, statement in INSERT_ROW.items():
        db.executemany(statement, [_columns(row) for row in rows if row.letter == letter])


def _columns(row: Row) -> dict[str, object]:
    texts = dict(zip(TEXTS[row.letter], row.texts, strict=True))
    own = {"number": row.number, "series": row.series, "event": row.event}
    columns: dict[str, object] = {**own, "superseded_event": row.superseded_event, **texts}
    if row.letter == MEASUREMENT:
        columns |= {"quantity_folded": fold(texts["quantity"]), **columns_of(read_value(texts["value"]))}
    return columns
