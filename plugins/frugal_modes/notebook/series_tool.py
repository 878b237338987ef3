"""series: look at series; one key gives a sheet, anything else a list, a search or a table."""

from frugal.api import Answer, BadValue, Call
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
    surface = call.surface
    moments = local_moments(call.now())
    is_single = has_single_key(key=key, project=project, status=status, search=search)
    if is_single and full and page > 1:
        names = {name: surface.parameter_word(TOOL, name) for name in ("full", "page")}
        raise BadValue("full_with_page", **names)
    selection = Selection(key, project, status, search, has_all=all)
    notices: tuple[str, ...] = ()
    if full and not is_single:
        notices = (surface.text("list.full_needs_key", full=surface.parameter_word(TOOL, "full")),)
    ask = Ask(selection, page, notices)
    if empty := empty_notebook(call):
        return empty
    with call.store.read() as db:
        if is_single and table:
            found = read_series(call, db, key, tool=TOOL)
            cap = FULL_CAP if full else ANSWER_CAP
            rows = load_measurements(db, found)
            return statistics_answer(found.key, rows, surface, page=page, cap=cap, notices=notices)
        if is_single:
            found = read_series(call, db, key, tool=TOOL)
            summary = summaries_of(db, [found.number])[found.number]
            sheet = Sheet(call, load_sheet(db, found), summary, moments)
            return show_sheet(sheet, page=page, is_full=full, notices=notices)
        if table:
            return table_series(call, db, ask, moments)
        show = search_series if search else list_series
        return show(call, db, ask, moments)


def has_single_key(*, key: str, project: str, status: tuple[Word, ...], search: str) -> bool:
    """Tell whether one series is asked for: a key that is no pattern, and no filter beside it."""
    return bool(key) and not is_pattern(key) and not (project or status or search)
