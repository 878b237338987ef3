"""The list of series: one line each, newest movement first; or the hits of a search, best first."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from frugal.api import Answer, Call, Connection, Surface, one_line
from frugal_modes.notebook import search as searching
from frugal_modes.notebook.moments import Moments
from frugal_modes.notebook.paging import LINES, page_of
from frugal_modes.notebook.selection import Counts, Selection, count, known_projects
from frugal_modes.notebook.summaries import Summary, hints, newest, state, summaries_of

QUESTION_CHARACTERS = 90
LARGEST_PAGE = 100_000


@dataclass(frozen=True)
class Ask:
    """What was asked for: a selection, a page of it, and lines to be said besides."""

    selection: Selection
    page: int
    notices: tuple[str, ...] = ()


def list_line(summary: Summary, surface: Surface, moments: Moments, *, question: str | None = None) -> str:
    """Return `key [status: verdict] date question !! hints`."""
    text = summary.question if question is None else question
    shown = one_line(" ".join(text.split()), QUESTION_CHARACTERS)
    parts = [f"{summary.key} [{state(summary, surface)}] {moments.day(summary.moved_at)} {shown}".rstrip()]
    if found := hints(summary, surface, moments):
        parts.append("!! " + "; ".join(found))
    return "  ".join(parts)


def list_series(call: Call, db: Connection, ask: Ask, moments: Moments) -> Answer:
    """Return one page of the selected series, and how to see the others."""
    counts = count(db, ask.selection, moments)
    shown = newest(db, ask.selection, moments, ask.page * LINES)
    if not counts.total:
        return _nothing(call, db, ask, counts)
    lines = [list_line(summary, call.surface, moments) for summary in shown]
    frame = _frame(call.surface, ask, counts, moments)
    page = page_of(lines, ask.page, frame=[*frame(0, 0, LARGEST_PAGE)])
    if page.is_empty:
        return beyond(call.surface, ask, counts.total)
    head, *foot = frame(page.start, page.end, ask.page)
    text = "\n".join([head, *lines[page.start : page.end], *foot])
    items = tuple(as_item(summary, call.surface, moments) for summary in shown[page.start : page.end])
    return Answer(text, items=items, counts={"total": counts.total, "matching": dict(counts.matching)})


def _frame(surface: Surface, ask: Ask, counts: Counts, moments: Moments) -> "FrameOf":
    return FrameOf(surface, ask, counts.total, counts.hidden(surface), moments)


@dataclass(frozen=True)
class FrameOf:
    """The lines around a page: the head first, then what is left and what is hidden."""

    surface: Surface
    ask: Ask
    total: int
    hidden: Sequence[str]
    moments: Moments
    key: str = "list.head"
    extra: Mapping[str, object] = field(default_factory=dict)

    def __call__(self, start: int, end: int, page: int) -> list[str]:
        """Return head and foot of the page that shows *start* to *end*; with *end* 0 as long as it can get."""
        surface, selection = self.surface, self.ask.selection
        is_widest = end == 0
        described = selection.described(surface)
        lines = [
            surface.text(
                self.key,
                first=self.total if is_widest else start + 1,
                last=self.total if is_widest else end,
                total=self.total,
                described=f"; {described}" if described else "",
                offset=self.moments.offset,
            )
        ]
        if is_widest or end < self.total:
            rest = self.total - (0 if is_widest else end)
            lines.append(
                surface.text(
                    "list.rest", count=rest, call=selection.named(surface, **self.extra, page=page + 1)
                )
            )
        if self.hidden:
            call = selection.named(surface, **self.extra, all=True)
            lines.append(surface.text("list.hidden", hidden=", ".join(self.hidden), call=call))
        return [*lines, *self.ask.notices]


def beyond(surface: Surface, ask: Ask, total: int) -> Answer:
    """Say that the page lies behind the last one."""
    call = ask.selection.named(surface, page=1)
    text = surface.text("list.beyond", page=ask.page, total=total, call=call)
    return Answer("\n".join([text, *ask.notices]), counts={"total": total}, is_empty=True)


def _nothing(call: Call, db: Connection, ask: Ask, counts: Counts) -> Answer:
    """Say why nothing is shown: an empty notebook, filters that nothing meets, or only closed series."""
    surface = call.surface
    described = ask.selection.described(surface)
    hidden = counts.hidden(surface)
    if hidden:
        again = ask.selection.named(surface, all=True)
        lines = [surface.text("list.only_hidden", hidden=", ".join(hidden), call=again)]
    elif projects := known_projects(db):
        lines = [surface.text("list.no_match", described=described)]
        if ask.selection.project:
            lines.append(surface.text("list.projects", projects=", ".join(projects)))
    else:
        lines = [surface.text("list.empty", tool=surface.tool_word("new_series"))]
    return Answer("\n".join([*lines, *ask.notices]), counts={"total": 0}, is_empty=True)


def as_item(summary: Summary, surface: Surface, moments: Moments) -> dict[str, object]:
    """Return *summary* for `--json`."""
    return {
        "key": summary.key,
        "status": summary.status_code,
        "verdict": summary.verdict_code,
        "successor": summary.successor,
        "started": summary.started_on,
        "moved_utc": summary.moved_at,
        "question": summary.question,
        "hints": hints(summary, surface, moments),
    }


def search_series(call: Call, db: Connection, ask: Ask, moments: Moments) -> Answer:
    """Return one page of the hits, best first, each with the place that speaks for it."""
    surface, selection = call.surface, ask.selection
    found = searching.search(db, selection, moments)
    if not found.numbers:
        return Answer(
            "\n".join([*searching.miss_lines(surface, selection, found), *ask.notices]),
            counts={"total": 0, "unknown": list(found.unknown)},
            is_empty=True,
        )
    numbers = found.numbers[: ask.page * LINES]
    summaries = summaries_of(db, numbers)
    excerpts = searching.excerpts(db, selection.search, numbers)
    lines = [
        f"{list_line(summaries[number], surface, moments, question='')}"
        f"\n    {excerpts[number].shown(surface)}"
        for number in numbers
    ]
    notices = searching.notice_lines(surface, found)
    frame = FrameOf(surface, ask, len(found.numbers), (), moments, "list.search_head")
    page = page_of(lines, ask.page, frame=[*frame(0, 0, LARGEST_PAGE), *notices])
    if page.is_empty:
        return beyond(surface, ask, len(found.numbers))
    head, *foot = frame(page.start, page.end, ask.page)
    text = "\n".join([head, *notices, *lines[page.start : page.end], *foot])
    items = tuple(
        as_item(summaries[number], surface, moments) | {"excerpt": excerpts[number].text}
        for number in numbers[page.start : page.end]
    )
    return Answer(text, items=items, counts={"total": len(found.numbers), "unknown": list(found.unknown)})
