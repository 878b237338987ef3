"""series: look at series; one key gives a sheet, anything else a list, a search or a table."""

from frugal.api import Answer, BadValue, Call, Surface
from frugal_modes.notebook.keys import is_pattern
from frugal_modes.notebook.listing import Ask, list_series, search_series
from frugal_modes.notebook.moments import local_moments
from frugal_modes.notebook.overview import table_series
from frugal_modes.notebook.paging import ANSWER_CAP
from frugal_modes.notebook.selection import Selection
from frugal_modes.notebook.series import empty_notebook, read_series
from frugal_modes.notebook.sheet import FULL_CAP, Sheet, show_sheet
from frugal_modes.notebook.sheetdata import load_measurements, load_sheet
from frugal_modes.notebook.statistics import statistics_answer
from frugal_modes.notebook.summaries import summaries_of
from frugal_modes.notebook.vocabulary import Word

TOOL = "series"


def series(  # noqa: PLR0913 - the filters of one reading tool
    call: Call,
    *,
    key: str,
    project: str,
    status: tuple[Word, ...],
    search: str,
    all: bool,  # noqa: A002 - the name of the parameter
    full: bool,
    table: bool,
    page: int,
) -> Answer:
    """Show one series, or those that the filters select."""
    is_single = has_single_key(key=key, project=project, status=status, search=search)
    notices = _notices(call.surface, is_single=is_single, is_full=full, page=page)
    if empty := empty_notebook(call):
        return empty
    if is_single:
        return _one(call, key, page, is_table=table, is_full=full)
    ask = Ask(Selection(key, project, status, search, has_all=all), page, notices)
    show = table_series if table else search_series if search else list_series
    with call.store.read() as db:
        return show(call, db, ask, local_moments(call.now()))


def _notices(surface: Surface, *, is_single: bool, is_full: bool, page: int) -> tuple[str, ...]:
    """Return what is to be said of arguments that have no effect; raise `BadValue` for two that exclude each other."""
    if not is_full:
        return ()
    if not is_single:
        return (surface.text("list.full_needs_key", full=surface.parameter_word(TOOL, "full")),)
    if page > 1:
        names = {name: surface.parameter_word(TOOL, name) for name in ("full", "page")}
        raise BadValue("full_with_page", **names)
    return ()


def _one(call: Call, key: str, page: int, *, is_table: bool, is_full: bool) -> Answer:
    """Show the sheet of one series, or the statistics of its measurements."""
    with call.store.read() as db:
        found = read_series(call, db, key, tool=TOOL)
        if is_table:
            cap = FULL_CAP if is_full else ANSWER_CAP
            return statistics_answer(
                found.key, load_measurements(db, found), call.surface, page=page, cap=cap
            )
        summary = summaries_of(db, [found.number])[found.number]
        sheet = Sheet(call, load_sheet(db, found), summary, local_moments(call.now()))
        return show_sheet(sheet, page=page, is_full=is_full)


def has_single_key(*, key: str, project: str, status: tuple[Word, ...], search: str) -> bool:
    """Tell whether one series is asked for: a key that is no pattern, and no filter beside it."""
    return bool(key) and not is_pattern(key) and not (project or status or search)
