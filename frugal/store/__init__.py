"""The SQLite side: the only package that imports sqlite3."""

from sqlite3 import Connection, Row

from frugal.store.backup import copy_to
from frugal.store.files import newest_backup
from frugal.store.migrations import statements_of
from frugal.store.recognition import peek_language, put_record, read_record
from frugal.store.store import LEAST_SQLITE, Report, Store

__all__ = [
    "LEAST_SQLITE",
    "Connection",
    "Report",
    "Row",
    "Store",
    "copy_to",
    "newest_backup",
    "peek_language",
    "put_record",
    "read_record",
    "statements_of",
]
