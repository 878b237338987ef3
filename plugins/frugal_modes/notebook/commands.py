"""Commands of the shell alone: the statistics of a series."""

from frugal.api import Answer, Call
from frugal_modes.notebook.series import empty_notebook, read_series
from frugal_modes.notebook.sheet import FULL_CAP
from frugal_modes.notebook.sheetdata import load_measurements
from frugal_modes.notebook.statistics import statistics_answer


def stats(call: Call, *, key: str) -> Answer:
    """Return the whole statistics table of a series."""
    if empty := empty_notebook(call):
        return empty
    with call.store.read() as db:
        series = read_series(call, db, key, tool="series_stats")
        rows = load_measurements(db, series)
    return statistics_answer(series.key, rows, call.surface, page=1, cap=FULL_CAP)
