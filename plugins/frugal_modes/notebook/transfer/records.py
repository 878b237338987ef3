"""Everything a notebook holds that cannot be recomputed, as records."""

import json
from collections.abc import Iterator

from frugal.api import Connection, Record

ROWS = {
    "series": """
        SELECT number AS id, key, folded, project, short, question, backfill, started_on, status, successor,
               created_at, created_event, moved_at, moved_event
        FROM series ORDER BY number
    """,
    "event": "SELECT number AS id, series, at, type AS action, details, text, reason FROM event ORDER BY number",
    "criterion": "SELECT event AS id, series, version, text, timing FROM criterion ORDER BY event",
    "plan": "SELECT event AS id, series, text FROM plan ORDER BY event",
    "link": "SELECT number AS id, series, key, folded, added_event, removed_event FROM link ORDER BY number",
    "recipe": """
        SELECT number AS id, series, event, superseded_event, arm, command, code, parameters, seed, machine, logs, note
        FROM recipe ORDER BY number
    """,
    "measurement": """
        SELECT number AS id, series, event, superseded_event, quantity, value, arm, seed, n, source
        FROM measurement ORDER BY number
    """,
    "result": """
        SELECT number AS id, series, event, superseded_event, verdict, conclusion, open_questions, file
        FROM result ORDER BY number
    """,
}
"""By type. What a value says as a number, what a link leads to and the index are derived and left out."""


def records(db: Connection) -> Iterator[Record]:
    """Yield series, events, versions of criteria and plans, links and rows under their numbers."""
    for kind, statement in ROWS.items():
        for row in db.execute(statement):
            fields = dict(row)
            if kind == "event":
                fields["details"] = json.loads(fields["details"])
            yield Record(kind, fields.pop("id"), fields)
