"""Whether what is derived from the series is what it would be today: index and numbers, some of them recomputed."""

from frugal.api import EVERY_DOCUMENT, Agreement, Connection
from frugal_modes.notebook.index import is_indexed
from frugal_modes.notebook.keys import fold
from frugal_modes.notebook.measurements import columns_of
from frugal_modes.notebook.reading import read_value
from frugal_modes.notebook.rowids import MEASUREMENT

COUNTS = "SELECT (SELECT count(*) FROM series), (SELECT count(*) FROM indexed)"
NEWEST = "SELECT number, key FROM series ORDER BY moved_event DESC LIMIT :most"
VALUES = """
    SELECT number, value, quantity, quantity_folded, value_number, unit, qualifier, spread, k, out_of, reading
    FROM measurement ORDER BY number DESC LIMIT :most
"""


def examine(db: Connection, most: int) -> Agreement:
    """Return how well the index and the numbers agree with the texts of at most *most* series and as many values."""
    series, indexed = db.execute(COUNTS).fetchone()
    present = {document for (document,) in db.execute(EVERY_DOCUMENT.select)}
    rows = db.execute(NEWEST, {"most": most}).fetchall()
    differing = [key for number, key in rows if not is_indexed(db, number, present)]
    values = db.execute(VALUES, {"most": most}).fetchall()
    for number, value, quantity, *stored in values:
        right = {"quantity_folded": fold(quantity), **columns_of(read_value(value))}
        if stored != list(right.values()):
            differing.append(f"{MEASUREMENT}{number}")
    is_whole = indexed == len(present)
    return Agreement(series, series if is_whole else None, len(rows) + len(values), tuple(differing))
