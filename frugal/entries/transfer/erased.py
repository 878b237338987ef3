"""What was erased here stays away, also where another file still has the text."""

from frugal.entries.transfer.origins import shown_origin
from frugal.entries.transfer.parse import EntryRow
from frugal.store import Connection

ERASED = """
    SELECT entry.id, entry.created_at, entry.origin, sitting.process_key
    FROM entry
    LEFT JOIN sitting ON sitting.id = entry.sitting_id
    WHERE entry.id IN (SELECT entry_id FROM event WHERE action = 'erased')
"""


class Erased:
    """The entries that were erased here, to be known again in another file that still has their texts."""

    def __init__(self, db: Connection) -> None:
        self._by_origin: dict[str, int] = {}
        self._by_making: dict[tuple[int, str, str | None], int] = {}
        for entry_id, created_at, origin, process in db.execute(ERASED):
            if shown := shown_origin(origin):
                self._by_origin[shown] = entry_id
            else:  # one that was merged has a number of this file, and the process of the other
                self._by_making[entry_id, created_at, process] = entry_id

    def find(self, row: EntryRow, origin: str, process: str | None) -> int | None:
        """Return the number of the erased entry that *row* is: merged from *origin*, or made in a copy of this file."""
        found = self._by_origin.get(shown_origin(origin))
        return found or self._by_making.get((row.id, row.created_at, process))
