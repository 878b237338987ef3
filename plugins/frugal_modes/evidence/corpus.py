"""The corpora of a file: their names, their version, and the names inside them."""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b

from frugal.api import Connection
from frugal_modes.evidence.refs import MESSAGE, THREAD, Mark, digest, first_half, mark_of, ref_of

LONGEST_NAME = 40
_NAME = re.compile(rf"[a-z0-9-]{{1,{LONGEST_NAME}}}")
_WHOLE = 1 << 128

CORPORA = """
    SELECT number, name, format, label, first_import, last_import, messages, first_at, last_at, fingerprint, changes
    FROM corpus ORDER BY name
"""
MESSAGE_OF_MARK = """
    SELECT number, corpus, mark, rest, ref_length FROM message WHERE mark = :mark ORDER BY rest
"""
THREAD_OF_MARK = """
    SELECT t.number, c.corpus, t.mark, t.rest, t.ref_length
    FROM thread AS t JOIN conversation AS c ON c.number = t.conversation WHERE t.mark = :mark ORDER BY t.rest
"""
REFS = """
    SELECT number, mark, rest, ref_length FROM message
    WHERE number IN (SELECT value FROM json_each(:numbers)) ORDER BY number
"""


@dataclass(frozen=True)
class Corpus:
    """One corpus as the file describes it. Times are ms since 1970, None without messages; imports are stamps."""

    number: int
    name: str
    format: str
    label: str
    first_import: str
    last_import: str
    messages: int
    first_at: int | None
    last_at: int | None
    fingerprint: bytes
    changes: int


@dataclass(frozen=True)
class Scope:
    """The corpora that a server or a command may read, by name in order, and *unknown* names that were asked for."""

    corpora: tuple[Corpus, ...]
    unknown: tuple[str, ...] = ()

    @property
    def numbers(self) -> tuple[int, ...]:
        """The corpora's row numbers."""
        return tuple(corpus.number for corpus in self.corpora)

    @property
    def messages(self) -> int:
        """How many messages there are."""
        return sum(corpus.messages for corpus in self.corpora)

    @property
    def version(self) -> str:
        """The version of the content: the same for the same messages, however and in whatever order they came."""
        return version_of((corpus.name, corpus.fingerprint) for corpus in self.corpora)

    @property
    def state(self) -> tuple[object, ...]:
        """What changes with anything that a query could depend on, names and labels included."""
        return tuple((corpus.number, corpus.fingerprint, corpus.changes) for corpus in self.corpora)

    @property
    def first_at(self) -> int | None:
        """The time of the first message."""
        return min((corpus.first_at for corpus in self.corpora if corpus.first_at is not None), default=None)

    @property
    def last_at(self) -> int | None:
        """The time of the last message."""
        return max((corpus.last_at for corpus in self.corpora if corpus.last_at is not None), default=None)


def is_name(name: str) -> bool:
    """Tell whether a corpus may be called *name*."""
    return _NAME.fullmatch(name) is not None


def scope_of(db: Connection, names: Sequence[str] = ()) -> Scope:
    """Return the corpora called *names*, all without any."""
    every = tuple(Corpus(*row) for row in db.execute(CORPORA))
    if not names:
        return Scope(every)
    known = {corpus.name for corpus in every}
    unknown = tuple(sorted({name for name in names if name not in known}))
    return Scope(tuple(corpus for corpus in every if corpus.name in names), unknown)


def version_of(fingerprints: Iterable[tuple[str, bytes]]) -> str:
    """Return the version of corpora given by name and fingerprint: `c-` and 16 hex digits."""
    return f"c-{digest(*(f'{name} {found.hex()}' for name, found in sorted(fingerprints))).hex()[:16]}"


def term_of(mark: Mark, content: bytes) -> int:
    """Return what one message adds to the fingerprint of its corpus."""
    return int.from_bytes(blake2b(b"%d,%d," % mark + content, digest_size=16).digest(), "big")


def moved(fingerprint: bytes, by: int) -> bytes:
    """Return *fingerprint* after terms summing up to *by* came or, below 0, went."""
    return ((int.from_bytes(fingerprint, "big") + by) % _WHOLE).to_bytes(16, "big")


def message_number(db: Connection, ref: str, scope: Scope) -> int | None:
    """Return the row number of the message *ref*, None if there is none within *scope*."""
    return _number(db, MESSAGE_OF_MARK, ref, MESSAGE, scope)


def thread_number(db: Connection, ref: str, scope: Scope) -> int | None:
    """Return the row number of the thread *ref*, None if there is none within *scope*."""
    return _number(db, THREAD_OF_MARK, ref, THREAD, scope)


def refs_of(db: Connection, numbers: Iterable[int]) -> dict[int, str]:
    """Return the ref of each message by its row number."""
    rows = db.execute(REFS, {"numbers": json.dumps(list(numbers))})
    return {number: ref_of(MESSAGE, mark, rest, length) for number, mark, rest, length in rows}


def ref_of_key(corpus: str, natural_key: str) -> str:
    """Return the ref that a message with *natural_key* has if no other one stands in its way."""
    return ref_of(MESSAGE, *mark_of(MESSAGE, corpus, natural_key))


def _number(db: Connection, statement: str, ref: str, kind: str, scope: Scope) -> int | None:
    half = first_half(ref, kind)
    if half is None:
        return None
    for number, corpus, mark, rest, length in db.execute(statement, {"mark": half}):
        if corpus in scope.numbers and ref_of(kind, mark, rest, length) == ref:
            return int(number)
    return None
