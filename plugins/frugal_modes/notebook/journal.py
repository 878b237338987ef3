"""What happened to the series, in the order of record: every change is an event, inside the caller's transaction."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from frugal.api import Call, Connection
from frugal_modes.notebook.moments import to_minute
from frugal_modes.notebook.vocabulary import PLANNED, RUNNING, Word

NEWEST_STAMP = """
    SELECT max((SELECT at FROM event ORDER BY number DESC LIMIT 1), (SELECT max(moved_at) FROM series))
"""
ADD_EVENT = """
    INSERT INTO event (series, at, type, details, text, reason)
    VALUES (:series, :at, :type, :details, :text, :reason)
"""
MOVE = "UPDATE series SET moved_at = :at, moved_event = :event WHERE number = :series"
SET_STATUS = "UPDATE series SET status = :status, successor = :successor WHERE number = :series"
NO_SUCCESSOR = "-"
"""What stands for the successor before, where a superseded series had none."""
STATUS = "SELECT status FROM series WHERE number = :series"


@dataclass(frozen=True)
class Journal:
    """The pen of one call: *at* is the stamp of everything it records, *reason* goes with every change."""

    db: Connection
    at: str
    reason: str = ""

    def record(
        self, series: int, type_: str, details: Mapping[str, object] | None = None, *, text: str = ""
    ) -> int:
        """Record an event of *series* and return its number; *details* hold neutral codes and numbers."""
        row = {
            "series": series,
            "at": self.at,
            "type": type_,
            "details": _json(details or {}),
            "text": text,
            "reason": self.reason,
        }
        event = int(self.db.execute(ADD_EVENT, row).lastrowid or 0)
        self.db.execute(MOVE, {"series": series, "at": self.at, "event": event})
        return event

    def set_status(
        self,
        series: int,
        old: str,
        new: Word,
        successor: tuple[int, str] | None = None,
        *,
        was: str | None = None,
    ) -> int:
        """Change the status of *series* and record it; only superseded has a *successor*, given as number and key.

        *was* is the key of the successor that this one takes the place of, `NO_SUCCESSOR` if there was none.
        """
        number, key = successor or (None, None)
        self.db.execute(SET_STATUS, {"series": series, "status": new.code, "successor": number})
        return self.record(series, "status", {"from": old, "to": new.code, "successor": key, "was": was})

    def start_running(self, series: int) -> str:
        """Move a planned series to running; return the status that it has now."""
        status = str(self.db.execute(STATUS, {"series": series}).fetchone()[0])
        if status != PLANNED.code:
            return status
        self.set_status(series, status, RUNNING)
        return RUNNING.code


def open_journal(call: Call, db: Connection, reason: str = "") -> Journal:
    """Return the pen of this call: its stamp is never earlier than that of the newest event."""
    newest = db.execute(NEWEST_STAMP).fetchone()[0]
    return Journal(db, max(to_minute(call.now()), newest or ""), reason)


def _json(details: Mapping[str, object]) -> str:
    kept = {key: value for key, value in details.items() if value not in (None, [], "")}
    return json.dumps(kept, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
