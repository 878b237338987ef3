"""The row numbers of the last queries, so that the next tool does not search again."""

import threading
from array import array

KEPT_QUERIES = 8
KEPT_BYTES = 16 << 20


class Kept:
    """Row numbers by query and state of the corpora; the oldest go first. For any number of threads."""

    def __init__(self, *, queries: int = KEPT_QUERIES, size_bytes: int = KEPT_BYTES) -> None:
        self._queries = queries
        self._size_bytes = size_bytes
        self._rows: dict[object, array[int]] = {}
        self._lock = threading.Lock()

    def get(self, key: object) -> "array[int] | None":
        """Return the rows kept for *key*."""
        with self._lock:
            rows = self._rows.pop(key, None)
            if rows is not None:
                self._rows[key] = rows
            return rows

    def put(self, key: object, rows: "array[int]") -> None:
        """Keep *rows*, and of the others as many as there is room for."""
        with self._lock:
            self._rows.pop(key, None)
            self._rows[key] = rows
            while len(self._rows) > self._queries or self._bytes() > self._size_bytes:
                del self._rows[next(iter(self._rows))]

    def _bytes(self) -> int:
        return sum(len(rows) * rows.itemsize for rows in self._rows.values())
