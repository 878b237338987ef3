"""Everything that can go wrong, as values with a stable code.

    FrugalError
    ├── Refusal                 the caller can mend the call
    │   ├── BadValue            an argument cannot be read or does not go with another
    │   ├── Conflict            something is in the way and was left alone
    │   ├── DamagedExport       a file to import is damaged; nothing of it was taken
    │   └── Refused             several refusals of one call, reported together
    ├── UsageError              flags, settings, plugins: nothing was started
    └── StoreError              the file: missing, busy, full, damaged, foreign, newer

Leaves carry data, never prose: the texts are string keys `errors.<code>` of the catalogues, rendered at the
two edges. A leaf's keyword arguments are the fields of its text.
"""

from collections.abc import Sequence
from typing import ClassVar


class FrugalError(Exception):
    """Any failure that has a text of ours; *data* holds the fields of that text."""

    code: ClassVar[str] = "internal"
    exit_code: int = 2

    def __init__(self, **data: object) -> None:
        self.data = data
        super().__init__(f"{self.code} {data}" if data else self.code)


class Refusal(FrugalError):
    """One problem of a call: what, which value, what to do. *key* names the text, `errors.<key>`."""

    exit_code = 1

    def __init__(self, key: str, **data: object) -> None:
        self.key = key
        super().__init__(**data)

    @property
    def text_key(self) -> str:
        """The string key of this refusal."""
        return self.key


class Refused(FrugalError):
    """All problems of one call, in order; nothing was changed."""

    code = "refused"
    exit_code = 1

    def __init__(self, problems: Sequence[Refusal]) -> None:
        self.problems = tuple(problems)
        if any(problem.exit_code == BadValue.exit_code for problem in self.problems):
            self.exit_code = BadValue.exit_code
        super().__init__()


class BadValue(Refusal):
    """An argument that cannot be read, whatever is stored, or that does not go with another: a mistake of usage.

    *key* names the text, `errors.<key>`.
    """

    exit_code = 2


class Conflict(Refusal):
    """Something is in the way, a file that exists say; it was left alone. *key* names the text, `errors.<key>`."""

    exit_code = 3


class DamagedExport(Refusal):
    """An export that is cut, changed or not ours; nothing of it was taken. *key* names the text, `errors.<key>`.

    Fields: path (set by whoever read the file), and what the key needs.
    """

    exit_code = 2


class UsageError(FrugalError):
    """A flag, a setting or a plugin is wrong; *key* names the text, `errors.<key>`."""

    code = "usage"

    def __init__(self, key: str, **data: object) -> None:
        self.key = key
        super().__init__(**data)


class StoreError(FrugalError):
    """Something about the file; every leaf carries `path`.

    *is_given*: about a file that is only read, a backup or another memory, and not about the file in use.
    """

    code = "store"
    is_given: bool = False

    @property
    def key(self) -> str:
        """The text, `errors.<key>`: what helps depends on which file it is."""
        return f"{self.code}_given" if self.is_given and self.code in _TOLD_OF_GIVEN else self.code


_TOLD_OF_GIVEN = frozenset({"damaged_file", "empty_file", "foreign_file", "other_mode"})


class StoreBusy(StoreError):
    """Another process held the write lock until the timeout; nothing was stored. Fields: path."""

    code = "store_busy"


class FileInUse(StoreError):
    """A damaged file that has to be put aside is open elsewhere; nothing was changed. Fields: path."""

    code = "file_in_use"


class DiskFull(StoreError):
    """No room for the write; it was rolled back. Fields: path."""

    code = "disk_full"


class NotWritable(StoreError):
    """File or folder may not be written. Fields: path, mode (octal permission text)."""

    code = "not_writable"


class NotReadable(StoreError):
    """File or folder may not be read or entered. Fields: path."""

    code = "not_readable"


class DamagedFile(StoreError):
    """SQLite calls the file damaged or no database; its bytes stay. Fields: path, reason, backup (newest backup or "")."""

    code = "damaged_file"

    @property
    def key(self) -> str:
        """The text: advice to restore needs a backup to restore."""
        if self.is_given:
            return super().key
        return self.code if self.data.get("backup") else "damaged_without_backup"


class NewerFile(StoreError):
    """Written by a newer version. Fields: path, found (unknown migrations, comma-separated), version (ours)."""

    code = "newer_file"


class OutdatedFile(StoreError):
    """A read-only open of a file whose owner has not migrated it yet. Fields: path, command (what the owner runs)."""

    code = "outdated_file"


class PredecessorFile(StoreError):
    """A file of the published predecessor of another mode. Fields: path, found (main table, layout), setting."""

    code = "predecessor_file"


class OldLayout(StoreError):
    """A file of the published predecessor that is too old to be taken over. Fields: path, found (its layout)."""

    code = "old_layout"


class TakeoverDiffers(StoreError):
    """A number differed after the predecessor's rows were copied, so all was undone. Fields: path, what, before, after."""

    code = "takeover_differs"


class ForeignFile(StoreError):
    """A database that is not ours; nothing was written. Fields: path, found (some table names)."""

    code = "foreign_file"


class OtherMode(StoreError):
    """A file of another mode. Fields: path, found (that mode), mode (ours), setting (the variable that points here)."""

    code = "other_mode"


class MissingFile(StoreError):
    """A read-only open of a file that does not exist. Fields: path, host."""

    code = "missing_file"


class EmptyFile(StoreError):
    """A read-only open of a file in which nothing was made yet. Fields: path."""

    code = "empty_file"


class PathIsFolder(StoreError):
    """The path names a folder. Fields: path."""

    code = "path_is_folder"


class NotAFolder(StoreError):
    """A part of the path that ought to be a folder is a file. Fields: path, part."""

    code = "not_a_folder"


class PendingLog(StoreError):
    """An empty file beside a filled write-ahead log: opening it would throw the log away. Fields: path."""

    code = "pending_log"


class BackupFailed(StoreError):
    """The backup before an upgrade could not be made, so nothing was upgraded. Fields: path, reason."""

    code = "backup_failed"


class SqliteTooOld(StoreError):
    """The SQLite library lacks what the tables need. Fields: path, found, needed."""

    code = "sqlite_too_old"


class StoreFailed(StoreError):
    """Any other error of SQLite. Fields: path, reason (SQLite's short text)."""

    code = "store_failed"
