"""What a list says about a series, and what about it needs attention: one query, however many series."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from frugal.api import Connection, Surface
from frugal_modes.notebook.moments import Moments
from frugal_modes.notebook.selection import IS_CURRENT, WHERE, Selection
from frugal_modes.notebook.vocabulary import (
    ABORTED,
    EVALUATED,
    PAUSED,
    PLANNED,
    RUNNING,
    STATUSES,
    SUPERSEDED,
    VERDICTS,
    Word,
    of_code,
)

SILENT_DAYS = 2

COLUMNS = """
    s.number, s.key, s.status, t.key AS successor, s.started_on, s.moved_at, substr(s.question, 1, 400) AS question,
    s.backfill <> '' AS is_backfilled, r.verdict, r.event AS result_event,
    (SELECT max(m.event) FROM measurement AS m WHERE m.series = s.number AND m.superseded_event IS NULL) AS measured,
    (SELECT c.timing FROM criterion AS c JOIN event AS e ON e.number = c.event
     WHERE c.series = s.number ORDER BY e.at DESC, c.version DESC LIMIT 1) AS timing,
    EXISTS (SELECT 1 FROM recipe AS p WHERE p.series = s.number) AS has_recipe
    FROM series AS s
    LEFT JOIN series AS t ON t.number = s.successor
    LEFT JOIN result AS r ON r.series = s.number AND r.superseded_event IS NULL
"""
BY_MOVEMENT = f"SELECT {COLUMNS} WHERE {WHERE} AND {IS_CURRENT} ORDER BY s.moved_at DESC, s.moved_event DESC LIMIT :limit"
BY_NUMBER = f"SELECT {COLUMNS} WHERE s.number IN (SELECT value FROM json_each(:numbers))"


@dataclass(frozen=True)
class Summary:
    """One series in a list. *measured* and *result_event* are the newest live events, None without one."""

    number: int
    key: str
    status_code: str
    successor: str | None
    started_on: str
    moved_at: str
    question: str
    is_backfilled: bool
    verdict_code: str | None
    result_event: int | None
    measured: int | None
    timing: str | None
    has_recipe: bool

    @property
    def status(self) -> Word:
        """The status as a word."""
        return of_code(STATUSES, self.status_code)

    @property
    def verdict(self) -> Word | None:
        """The live verdict as a word."""
        return of_code(VERDICTS, self.verdict_code) if self.verdict_code else None


def newest(db: Connection, selection: Selection, moments: Moments, limit: int) -> list[Summary]:
    """Return the selected series, newest movement first."""
    parameters = {**selection.parameters(moments), "limit": limit}
    return [Summary(*row) for row in db.execute(BY_MOVEMENT, parameters)]


def summaries_of(db: Connection, numbers: Sequence[int]) -> dict[int, Summary]:
    """Return the summaries of *numbers*."""
    rows = db.execute(BY_NUMBER, {"numbers": json.dumps(list(numbers))})
    return {summary.number: summary for summary in (Summary(*row) for row in rows)}


def state(summary: Summary, surface: Surface) -> str:
    """Return `evaluated: missed`, `superseded -> key` or the status alone."""
    status = summary.status.shown(surface.language)
    if summary.status is SUPERSEDED:
        return f"{status} -> {summary.successor}" if summary.successor else status
    verdict = summary.verdict
    return f"{status}: {verdict.shown(surface.language)}" if verdict else status


def hints(summary: Summary, surface: Surface, moments: Moments) -> list[str]:
    """Return what needs attention, in a fixed order."""
    found: list[str] = []
    status = summary.status
    days = moments.days_since(summary.moved_at)
    if status is RUNNING and days >= SILENT_DAYS:
        found.append(surface.text("hints.silent", days=days))
    if summary.measured is not None and summary.result_event is None and status in (PLANNED, PAUSED):
        found.append(surface.text("hints.unjudged"))
    if summary.measured and summary.result_event and summary.measured > summary.result_event:
        found.append(surface.text("hints.newer_values"))
    if summary.timing is None and status not in (ABORTED, SUPERSEDED):
        found.append(surface.text("hints.no_criterion"))
    if summary.timing == "late":
        found.append(surface.text("hints.late_criterion"))
    if not summary.has_recipe and status in (RUNNING, EVALUATED) and not summary.is_backfilled:
        found.append(surface.text("hints.no_recipe"))
    return found
