"""Series as Markdown: one file a series, front matter above the whole sheet."""

import json
from collections.abc import Iterator

from frugal.api import Call, Connection, Page, file_names
from frugal_modes.notebook.lines import as_markdown
from frugal_modes.notebook.moments import Moments
from frugal_modes.notebook.series import COLUMNS, Series
from frugal_modes.notebook.sheet import FULL, Sheet
from frugal_modes.notebook.sheetdata import SheetData, load_sheet
from frugal_modes.notebook.summaries import summaries_of

EVERY = f"SELECT {COLUMNS} ORDER BY s.number"


def pages(call: Call, db: Connection) -> Iterator[Page]:
    """Yield a page for each series with everything in it, superseded rows included; stamps are UTC."""
    every = [Series(*row) for row in db.execute(EVERY)]
    for name, series in zip(file_names([series.key for series in every]), every, strict=True):
        data = load_sheet(db, series)
        summary = summaries_of(db, [series.number])[series.number]
        sheet = Sheet(call, data, summary, Moments(call.now()))
        count = len(data.recipes) + len(data.measurements) + len(data.results)
        yield Page(name, front_matter(data, call.surface.language) + as_markdown(sheet.lines(FULL)), count)


def front_matter(data: SheetData, language: str) -> str:
    """Return the YAML block above a sheet; keys are English, words of the vocabulary those of *language*."""
    series = data.series
    lines = [
        f"series: {_quoted(series.key)}",
        f"status: {series.status.shown(language)}",
        f"started: {series.started_on}",
        f"created: {series.created_at}Z",
        f"moved: {series.moved_at}Z",
    ]
    if series.successor_key:
        lines.append(f"superseded_by: {_quoted(series.successor_key)}")
    if builds_on := [key for key, _ in data.builds_on]:
        lines.append(f"builds_on: [{', '.join(map(_quoted, builds_on))}]")
    return "\n".join(["---", *lines, "---", "", ""])


def _quoted(text: str) -> str:
    """Return *text* as a double-quoted YAML scalar, which a JSON string is."""
    return json.dumps(text, ensure_ascii=False)
