"""Commands of the shell alone: the statistics of a series."""

from frugal.api import Answer, Call, Refusal, Refused
from frugal_modes.notebook.series import empty_notebook, find_series
from frugal_modes.notebook.sheet import FULL_CAP
from frugal_modes.notebook.sheetdata import load_measurements
from frugal_modes.notebook.statistics import statistics_answer


def stats(call: Call, *, key: str) -> Answer:
    """Return the whole statistics table of a series."""
    if empty := empty_notebook(call):
        return empty
    problems: list[Refusal] = []
    with call.store.read() as db:
        series = find_series(call, db, key, tool="series_stats", is_writing=False, problems=problems)
        if series is None:
            raise Refused(problems)
        rows = load_measurements(db, series)
    return statistics_answer(series.key, rows, call.surface, page=1, cap=FULL_CAP, notices=())
