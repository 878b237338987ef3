"""The plan of a series: every version stays, the newest counts."""

from frugal.api import Connection
from frugal_modes.notebook.journal import Journal

ADD = "INSERT INTO plan (event, series, text) VALUES (:event, :series, :text)"
CURRENT = """
    SELECT p.text FROM plan AS p JOIN event AS e ON e.number = p.event
    WHERE p.series = :series ORDER BY e.at DESC, p.event DESC LIMIT 1
"""


def add_plan(journal: Journal, series: int, text: str) -> int:
    """Record *text* as the plan of *series*; return the event."""
    event = journal.record(series, "plan")
    journal.db.execute(ADD, {"event": event, "series": series, "text": text})
    return event


def current_plan(db: Connection, series: int) -> str:
    """Return the newest plan, "" if there is none."""
    row = db.execute(CURRENT, {"series": series}).fetchone()
    return str(row[0]) if row else ""
