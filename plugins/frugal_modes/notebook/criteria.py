"""The criterion of a series and its place in time: event numbers decide, never stamps."""

from dataclasses import dataclass

from frugal.api import Connection
from frugal_modes.notebook.journal import Journal

CURRENT = """
    SELECT c.event, c.version, c.text, c.timing, e.at, e.reason
    FROM criterion AS c JOIN event AS e ON e.number = c.event
    WHERE c.series = :series ORDER BY e.at DESC, c.version DESC LIMIT 1
"""
ADD = """
    INSERT INTO criterion (event, series, version, text, timing) VALUES (:event, :series, :version, :text, :timing)
"""
NEXT_VERSION = "SELECT coalesce(max(version), 0) + 1 FROM criterion WHERE series = :series"
HAS_MEASUREMENT = "SELECT EXISTS (SELECT 1 FROM measurement WHERE series = :series)"


@dataclass(frozen=True)
class Criterion:
    """One version: *timing* is `before`, `late` or `unknown`; *at* and *reason* are those of its event."""

    event: int
    version: int
    text: str
    timing: str
    at: str
    reason: str

    @property
    def is_late(self) -> bool:
        """Whether a measurement of the series had been recorded before it, a superseded one included."""
        return self.timing == "late"


def current_criterion(db: Connection, series: int) -> Criterion | None:
    """Return the newest version, None if the series has no criterion.

    In a notebook that others were merged into, stamps decide which is the newest, not numbers.
    """
    row = db.execute(CURRENT, {"series": series}).fetchone()
    return Criterion(*row) if row else None


def has_measurement(db: Connection, series: int) -> bool:
    """Tell whether any measurement of *series* was ever recorded."""
    return bool(db.execute(HAS_MEASUREMENT, {"series": series}).fetchone()[0])


def add_criterion(journal: Journal, series: int, text: str) -> Criterion:
    """Record *text* as the next version."""
    version = int(journal.db.execute(NEXT_VERSION, {"series": series}).fetchone()[0])
    timing = "late" if has_measurement(journal.db, series) else "before"
    event = journal.record(series, "criterion", {"version": version, "timing": timing})
    row = {"event": event, "series": series, "version": version, "text": text, "timing": timing}
    journal.db.execute(ADD, row)
    return Criterion(event, version, text, timing, journal.at, journal.reason)
