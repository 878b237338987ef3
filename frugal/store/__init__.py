"""The SQLite side: the only package that imports sqlite3."""

import sqlite3
from sqlite3 import Connection, Row

from frugal.store.backup import copy_to, refuse_stranger
from frugal.store.files import name_of_backup, newest_backup, refuse_path_through_file
from frugal.store.foreign import copied_rows
from frugal.store.later import Job, Later
from frugal.store.limits import Limited, OutOfTime, limited
from frugal.store.predecessor import Compared, OldFile, TakenOver, Takeover, old_text
from frugal.store.recognition import peek_language, put_record, read_record
from frugal.store.scratch import scratch
from frugal.store.scrub import backups_holding
from frugal.store.statements import statements_of
from frugal.store.store import LEAST_SQLITE, Report, Store
from frugal.store.takeover import Noted
from frugal.store.takeover import notes as takeovers_in

SQLITE_VERSION = sqlite3.sqlite_version

__all__ = [
    "LEAST_SQLITE",
    "SQLITE_VERSION",
    "Compared",
    "Connection",
    "Job",
    "Later",
    "Limited",
    "Noted",
    "OldFile",
    "OutOfTime",
    "Report",
    "Row",
    "Store",
    "TakenOver",
    "Takeover",
    "backups_holding",
    "copied_rows",
    "copy_to",
    "limited",
    "name_of_backup",
    "newest_backup",
    "old_text",
    "peek_language",
    "put_record",
    "read_record",
    "refuse_path_through_file",
    "refuse_stranger",
    "scratch",
    "statements_of",
    "takeovers_in",
]
