"""The table over several series: one Markdown row each, sorted by start."""

import json
import re
from collections.abc import Sequence

from frugal.api import Answer, Call, Connection, one_line
from frugal_modes.notebook import search as searching
from frugal_modes.notebook.listing import LARGEST_PAGE, Ask, FrameOf, as_item, beyond, list_series
from frugal_modes.notebook.moments import Moments
from frugal_modes.notebook.paging import page_of
from frugal_modes.notebook.selection import IS_CURRENT, WHERE, count
from frugal_modes.notebook.summaries import state, summaries_of

COLUMNS = ("series", "start", "state", "question", "recipe", "criterion", "conclusion")
QUESTION, RECIPE, CRITERION, CONCLUSION = 80, 40, 80, 120

ORDER = (
    f"SELECT s.number FROM series AS s WHERE {WHERE} AND {IS_CURRENT} ORDER BY s.started_on, s.created_event"
)
TEXTS = """
    SELECT s.number, substr(s.question, 1, 400),
        (SELECT substr(p.command, 1, 200) FROM recipe AS p
         WHERE p.series = s.number AND p.superseded_event IS NULL ORDER BY p.number LIMIT 1),
        (SELECT substr(c.text, 1, 400) FROM criterion AS c JOIN event AS e ON e.number = c.event
         WHERE c.series = s.number ORDER BY e.at DESC, c.version DESC LIMIT 1),
        (SELECT substr(r.conclusion, 1, 600) FROM result AS r
         WHERE r.series = s.number AND r.superseded_event IS NULL)
    FROM series AS s WHERE s.number IN (SELECT value FROM json_each(:numbers))
"""
_SENTENCE_END = re.compile(r"(?<=[.!?。！？])\s+(?=\S)")


def first_sentence(text: str | None, limit: int) -> str:
    """Return the first sentence of *text* in at most *limit* characters, an ellipsis where more follows."""
    line = " ".join((text or "").split())
    first, *more = _SENTENCE_END.split(line, maxsplit=1)
    if more and len(first) <= limit - 4:
        return f"{first} ..."
    return one_line(first if not more else line, limit)


def table_series(call: Call, db: Connection, ask: Ask, moments: Moments) -> Answer:
    """Return one page of the table over the selected series."""
    surface, selection = call.surface, ask.selection
    counts = count(db, selection, moments)
    numbers = [int(row[0]) for row in db.execute(ORDER, selection.parameters(moments))]
    if selection.search:
        found = searching.search(db, selection, moments)
        hits = set(found.numbers)
        numbers = [number for number in numbers if number in hits]
        if not numbers:
            lines = [*searching.miss_lines(surface, selection, found), *ask.notices]
            return Answer("\n".join(lines), counts={"total": 0}, is_empty=True)
    if not numbers:
        return list_series(call, db, ask, moments)
    rows = _rows(call, db, numbers)
    heading = _row([surface.text(f"columns.{name}") for name in COLUMNS])
    ruler = _row(["---"] * len(COLUMNS))
    hidden = () if selection.search else counts.hidden(surface)
    frame = FrameOf(surface, ask, len(numbers), hidden, moments, extra={"table": True})
    page = page_of(rows, ask.page, frame=[*frame(0, 0, LARGEST_PAGE), heading, ruler])
    if page.is_empty:
        return beyond(surface, ask, len(numbers))
    head, *foot = frame(page.start, page.end, ask.page)
    text = "\n".join([head, heading, ruler, *rows[page.start : page.end], *foot])
    summaries = summaries_of(db, numbers[page.start : page.end])
    items = tuple(as_item(summaries[number], surface, moments) for number in numbers[page.start : page.end])
    return Answer(text, items=items, counts={"total": len(numbers)})


def _rows(call: Call, db: Connection, numbers: Sequence[int]) -> list[str]:
    surface = call.surface
    summaries = summaries_of(db, numbers)
    late = surface.text("words.late")
    rows: dict[int, str] = {}
    for number, question, command, criterion, conclusion in db.execute(
        TEXTS, {"numbers": json.dumps(list(numbers))}
    ):
        summary = summaries[number]
        measure = first_sentence(criterion, CRITERION)
        rows[number] = _row(
            [
                summary.key,
                summary.started_on,
                state(summary, surface),
                first_sentence(question, QUESTION),
                one_line(" ".join((command or "").split()), RECIPE),
                f"{measure} ({late})" if summary.timing == "late" else measure,
                first_sentence(conclusion, CONCLUSION),
            ]
        )
    return [rows[number] for number in numbers]


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", r"\|") or "-" for cell in cells) + " |"
