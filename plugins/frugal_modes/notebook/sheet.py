"""One series as a sheet: everything that matters on page one, further rows on the pages behind, all with `full`."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from frugal.api import Answer, Call, Cap, Room, cost
from frugal_modes.notebook.blocks import (
    Level,
    Part,
    criterion_lines,
    event_lines,
    head_lines,
    link_lines,
    measurement_lines,
    recipe_lines,
    result_lines,
)
from frugal_modes.notebook.lines import Line, as_plain
from frugal_modes.notebook.moments import Moments
from frugal_modes.notebook.paging import ANSWER_CAP, fill
from frugal_modes.notebook.rowids import MEASUREMENT, RECIPE, RESULT, row_list, row_prefix
from frugal_modes.notebook.sheetdata import Measurement, SheetData, by_source
from frugal_modes.notebook.summaries import Summary

ROWS = 100
EVENTS = 8
FULL_BYTES = 640 * 1024
FULL_CAP = Cap(FULL_BYTES, FULL_BYTES)
RECIPE_STEPS = (400, 120, 40)
TEXT_STEPS = (600, 300, 120, 60)
START = Level(events=EVENTS, rows=ROWS, recipes=10_000, recipe_characters=1_200, text_characters=1_200)
EVERYTHING = 1_000_000_000
FULL = Level(
    events=EVERYTHING,
    rows=EVERYTHING,
    recipes=EVERYTHING,
    recipe_characters=EVERYTHING,
    text_characters=EVERYTHING,
    is_full=True,
)


@dataclass(frozen=True)
class Sheet:
    """One series about to be shown."""

    call: Call
    data: SheetData
    summary: Summary
    moments: Moments

    def lines(self, level: Level) -> list[Line]:
        """Return the lines of page one, or of the whole with a full level."""
        part = Part(self.call.surface, self.data, self.moments, level)
        lines = [
            *head_lines(part, self.summary),
            *criterion_lines(part),
            *link_lines(part),
            *recipe_lines(part),
            *measurement_lines(part, self.rows(level)[: level.rows]),
            *result_lines(part),
        ]
        return [*lines, *self._left_out(level), *event_lines(part)]

    def rows(self, level: Level) -> list[Measurement]:
        """Return the measurements in the order of the sheet; superseded ones only with a full level."""
        rows = self.data.measurements
        return by_source([row for row in rows if level.is_full or row.superseded is None])

    def _left_out(self, level: Level) -> Iterator[Line]:
        """Yield what page one does not show, counted, each with the call that fetches it."""
        surface, key = self.call.surface, self.data.series.key
        if level.is_full:
            return
        rows = self.rows(level)
        if len(rows) > level.rows:
            rest = surface.call("series", key=key, page=2)
            yield Line(0, surface.text("sheet.more_rows", count=len(rows) - level.rows, call=rest))
        hidden = self._superseded()
        everything = surface.call("series", key=key, full=True)
        if hidden:
            text = surface.text("sheet.hidden_rows", count=hidden[0], ids=hidden[1], call=everything)
            yield Line(0, text)

    def _superseded(self) -> tuple[int, str] | None:
        """Return how many superseded rows are hidden, and which."""
        groups = (
            (RECIPE, [row.number for row in self.data.recipes if row.superseded is not None]),
            (MEASUREMENT, [row.number for row in self.data.measurements if row.superseded is not None]),
            (RESULT, [row.number for row in self.data.results if row.superseded is not None]),
        )
        count = sum(len(numbers) for _, numbers in groups)
        prefix = row_prefix(self.call.surface)
        ids = ", ".join(row_list(letter, numbers, prefix) for letter, numbers in groups if numbers)
        shown = ids if len(ids) <= 100 else ids[:100].rsplit(",", maxsplit=1)[0] + ", ..."
        return (count, shown) if count else None


def show_sheet(sheet: Sheet, *, page: int, is_full: bool) -> Answer:
    """Return the sheet: page one, a further page of rows, or everything."""
    if is_full:
        return _show_full(sheet)
    level = fit(lambda level: as_plain(sheet.lines(level)), START, ANSWER_CAP)
    if page == 1:
        return _answer(sheet, as_plain(sheet.lines(level)), sheet.rows(level)[: level.rows])
    return _show_rows(sheet, page, level.rows)


def fit(render: Callable[[Level], str], start: Level, cap: Cap) -> Level:
    """Return how much may be shown: events give way first, then measurements, recipe fields, recipes, texts."""
    room = Room(cap)

    def fits(level: Level) -> bool:
        return room.fits(cost(render(level)))

    level = start
    if fits(level):
        return level
    level = _most(start.events, lambda count: replace(level, events=count), fits)
    if fits(level):
        return level
    level = _most(start.rows, lambda count: replace(level, rows=count), fits)
    for step in RECIPE_STEPS:
        if fits(level):
            return level
        level = replace(level, recipe_characters=step)
    if fits(level):
        return level
    level = _most(start.recipes, lambda count: replace(level, recipes=count), fits)
    for step in TEXT_STEPS:
        if fits(level):
            return level
        level = replace(level, text_characters=step)
    return level


def _most(most: int, at: Callable[[int], Level], fits: Callable[[Level], bool]) -> Level:
    """Return the level with the largest count that fits, that with 0 if none does."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if fits(at(middle)):
            low = middle
        else:
            high = middle - 1
    return at(low)


def _show_full(sheet: Sheet) -> Answer:
    surface, key = sheet.call.surface, sheet.data.series.key
    text = as_plain(sheet.lines(FULL))
    if Room(FULL_CAP).fits(cost(text)):
        return _answer(sheet, text, sheet.rows(FULL))
    command = f"frugal-memory {sheet.call.mode.name} export {key}"
    if surface.shell:
        command = surface.call("series_export", key)
    pointer = surface.text("sheet.over_ceiling", command=command)
    start = replace(FULL, events=len(sheet.data.events), rows=len(sheet.data.measurements))
    start = replace(start, recipes=len(sheet.data.recipes))
    level = fit(lambda level: "\n".join([pointer, as_plain(sheet.lines(level))]), start, FULL_CAP)
    text = "\n".join([pointer, as_plain(sheet.lines(level))])
    return _answer(sheet, text, sheet.rows(level)[: level.rows])


def _show_rows(sheet: Sheet, page: int, first: int) -> Answer:
    """Return a page of measurements alone; page two begins where page one ended."""
    surface, key = sheet.call.surface, sheet.data.series.key
    rows = sheet.rows(START)
    texts = ["\n".join(line.text for line in _row_lines(sheet, rows, index)) for index in range(len(rows))]
    head = surface.text("sheet.rows_head", series=key, first=len(rows), last=len(rows), total=len(rows))
    rest = surface.text(
        "sheet.more_rows", count=len(rows), call=surface.call("series", key=key, page=page + 1)
    )
    heading = max((_row_lines(sheet, rows, index)[0].text for index in range(len(rows))), key=len, default="")
    room = Room(ANSWER_CAP).less(cost("\n".join([head, rest, heading, ""])))
    start = first
    for _ in range(2, page):
        start = fill(texts, start, room, ROWS)
    end = fill(texts, start, room, ROWS)
    if start >= end:
        again = surface.call("series", key=key)
        text = surface.text("sheet.beyond", page=page, total=len(rows), call=again)
        return Answer(text, is_empty=True)
    lines = [surface.text("sheet.rows_head", series=key, first=start + 1, last=end, total=len(rows))]
    part = Part(surface, sheet.data, sheet.moments, START)
    lines.append(as_plain(measurement_lines(part, rows[start:end])))
    if end < len(rows):
        lines.append(
            surface.text(
                "sheet.more_rows",
                count=len(rows) - end,
                call=surface.call("series", key=key, page=page + 1),
            )
        )
    return _answer(sheet, "\n".join(lines), rows[start:end])


def _row_lines(sheet: Sheet, rows: Sequence[Measurement], index: int) -> list[Line]:
    """Return a row with the heading of its source, as if a page began with it: its greatest cost."""
    part = Part(sheet.call.surface, sheet.data, sheet.moments, START)
    lines = measurement_lines(part, [rows[index]])
    is_new = not index or rows[index - 1].source != rows[index].source
    return lines if is_new else lines[-1:]


def _answer(sheet: Sheet, text: str, rows: Sequence[Measurement]) -> Answer:
    series = sheet.data.series
    counts = {
        "key": series.key,
        "status": series.status_code,
        "verdict": sheet.summary.verdict_code,
        "measurements": len(sheet.data.measurements),
    }
    return Answer(text, items=tuple(as_item(row) for row in rows), counts=counts)


def as_item(row: Measurement) -> dict[str, object]:
    """Return a measurement for `--json`."""
    return {
        "id": f"{MEASUREMENT}{row.number}",
        "quantity": row.quantity,
        "value": row.value,
        "number": row.value_number,
        "unit": row.unit,
        "qualifier": row.qualifier,
        "spread": row.spread,
        "k": row.k,
        "of": row.out_of,
        "arm": row.arm,
        "seed": row.seed,
        "n": row.n,
        "source": row.source,
        "recorded_utc": row.at,
        "is_superseded": row.superseded is not None,
    }
