"""Numbers of rows: counted through the whole file, and none is used twice, not even that of a row that is gone."""

from frugal.api import Connection

HIGHEST = "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = :table"


def highest(db: Connection, table: str) -> int:
    """Return the highest number that *table* ever gave, 0 if it gave none."""
    return int(db.execute(HIGHEST, {"table": table}).fetchone()[0])
