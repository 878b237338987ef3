"""A time limit that holds inside SQL too: in a sort, a join, a count."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from sqlite3 import Connection

from frugal.store import failures

STEPS_BETWEEN_LOOKS = 2_000
"""Virtual machine steps of SQLite, some tens of microseconds."""


class OutOfTime(Exception):
    """The block of `limited` took longer than it may."""


class Limited:
    """The limit of a running block, for its Python part; *deadline* is on the monotonic clock."""

    def __init__(self, seconds: float) -> None:
        self.deadline = time.monotonic() + seconds

    def is_over(self) -> bool:
        """Tell whether the time is up."""
        return time.monotonic() > self.deadline

    def check(self) -> None:
        """Raise OutOfTime when the time is up."""
        if self.is_over():
            raise OutOfTime


@contextmanager
def limited(connection: Connection, seconds: float) -> Iterator[Limited]:
    """Let the statements of the block run for *seconds* in all; raises OutOfTime then. Not to be nested."""
    limit = Limited(seconds)
    connection.set_progress_handler(limit.is_over, STEPS_BETWEEN_LOOKS)
    try:
        yield limit
    except sqlite3.OperationalError as error:
        if failures.primary_code(error) == sqlite3.SQLITE_INTERRUPT and limit.is_over():
            raise OutOfTime from error
        raise
    finally:
        connection.set_progress_handler(None, 0)
