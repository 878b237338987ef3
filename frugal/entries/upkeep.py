"""upkeep: everything that can be recomputed is recomputed, and what differed is reported. Twice is the same as once.

Texts, ids and dates never change. Transactions are short, so that servers go on, and each leaves a correct file.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from frugal.call import Call
from frugal.entries import learned
from frugal.entries.chains import Chain, find_chains
from frugal.entries.importing import record_memo
from frugal.errors import StoreFailed
from frugal.model import Answer
from frugal.search import Document, agreement, rebuild
from frugal.store import Connection, put_record, read_record
from frugal.text.analysis import ANALYSIS_VERSION
from frugal.text.normalise import fold_tag, identity_hash
from frugal.text.titles import title

BATCH = 500
SHOWN_IDS = 12

Progress = Callable[[int, int], None]


def no_progress(_done: int, _total: int) -> None:
    """Tell nobody."""


@dataclass
class Changes:
    """What differed, by item: ids of entries, or a mere count where no entry stands behind it."""

    ids: dict[str, list[int]] = field(default_factory=lambda: {item: [] for item in ID_ITEMS})
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COUNT_ITEMS, 0))

    @property
    def total(self) -> int:
        """How many changes there are."""
        return sum(map(len, self.ids.values())) + sum(self.counts.values())


ID_ITEMS = ("titles", "identity", "index", "tags", "chains", "learned")
COUNT_ITEMS = ("directories", "analysis", "language")


def upkeep(call: Call, *, is_dry_run: bool = False, progress: Progress = no_progress) -> Answer:
    """Recompute everything derived and report the changes; a dry run computes the same and writes nothing."""
    changes = Changes()
    if is_dry_run:
        with call.store.read() as db:
            before = count = _count(db)
            for first in _batches(db, count, progress):
                _look_at(db, first, changes)
            _look_at_whole(call, db, changes)
    else:
        with call.store.read() as db:
            before = _count(db)
            starts = list(_batches(db, before, no_progress))
        for done, first in enumerate(starts):
            progress(min(done * BATCH, before), before)
            _mend(call, first, changes)
        _mend_whole(call, changes)
        progress(before, before)
        with call.store.read() as db:
            count = _count(db)
    return _answer(call, changes, before=before, after=count, is_dry_run=is_dry_run)


COUNT = "SELECT count(*) FROM entry"
FIRST_OF_BATCHES = """
    SELECT id FROM (SELECT id, row_number() OVER (ORDER BY id) AS place FROM entry)
    WHERE (place - 1) % :batch = 0 ORDER BY id
"""


def _count(db: Connection) -> int:
    return int(db.execute(COUNT).fetchone()[0])


def _batches(db: Connection, total: int, progress: Progress) -> Iterator[int]:
    """Yield the first id of every batch."""
    starts = [row[0] for row in db.execute(FIRST_OF_BATCHES, {"batch": BATCH})]
    for done, first in enumerate(starts):
        progress(min(done * BATCH, total), total)
        yield first
    progress(total, total)


# Entry by entry: titles, identities, folded tags, rows of the index


@dataclass(frozen=True)
class _Row:
    """One entry as stored, and what is derived from it."""

    document: Document
    identity: bytes
    wanted_title: str
    wanted_identity: bytes
    tags: tuple[tuple[str, str], ...]


ENTRIES = """
    SELECT entry.id, entry.text, entry.title, entry.also, entry.identity, entry.sitting_id, entry_state.live
    FROM entry JOIN entry_state ON entry_state.entry_id = entry.id
    WHERE entry.id >= :first ORDER BY entry.id LIMIT :batch
"""
TAGS = """
    SELECT entry_id, spelling, folded FROM entry_tag
    WHERE entry_id BETWEEN :first AND :last ORDER BY entry_id, position
"""


def _rows(db: Connection, first: int) -> list[_Row]:
    found = db.execute(ENTRIES, {"first": first, "batch": BATCH}).fetchall()
    if not found:
        return []
    tags: dict[int, list[tuple[str, str]]] = {}
    for entry_id, spelling, folded in db.execute(TAGS, {"first": first, "last": found[-1][0]}):
        tags.setdefault(entry_id, []).append((spelling, folded))
    rows: list[_Row] = []
    for entry_id, text, _head, also, identity, sitting, live in found:
        own = tuple(tags.get(entry_id, ()))
        names = tuple(spelling for spelling, _ in own)
        document = Document(entry_id, title(text), text, names, also, sitting, bool(live))
        rows.append(_Row(document, identity, _head, identity_hash(text), own))
    return rows
