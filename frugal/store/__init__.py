"""The SQLite side: the only package that imports sqlite3."""

from sqlite3 import Connection, Row
from sqlite3 import sqlite_version as SQLITE_VERSION

from frugal.store.backup import copy_to
from frugal.store.files import newest_backup
from frugal.store.later import Job, Later
from frugal.store.migrations import statements_of
from frugal.store.recognition import peek_language, put_record, read_record
from frugal.store.scrub import backups_holding
from frugal.store.store import LEAST_SQLITE, Report, Store

__all__ = [
    "LEAST_SQLITE",
    "SQLITE_VERSION",
    "Connection",
    "Job",
    "Later",
    "Report",
    "Row",
    "Store",
    "backups_holding",
    "copy_to",
    "newest_backup",
    "peek_language",
    "put_record",
    "read_record",
    "statements_of",
]
