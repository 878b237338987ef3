"""What a batch of records does to its corpus: new, changed, repeated, older, taken back."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from frugal.api import Connection
from frugal_modes.evidence.naming import Names
from frugal_modes.evidence.prepared import Ready, ready
from frugal_modes.evidence.records import Deletion, Message
from frugal_modes.evidence.refs import MESSAGE, Mark, mark_of
from frugal_modes.evidence.report import LoadReport
from frugal_modes.evidence.writing import Writer

KNOWN = """
    SELECT mark, rest, number, content, edited_at FROM message
    WHERE mark IN (SELECT value FROM json_each(:marks)) ORDER BY number
"""
TAKEN_BACK = """
    SELECT mark, rest, is_final FROM taken_back
    WHERE corpus = :corpus AND mark IN (SELECT value FROM json_each(:marks)) ORDER BY mark, rest
"""
TAKE_BACK = "INSERT OR IGNORE INTO taken_back (corpus, mark, rest) VALUES (:corpus, :mark, :rest)"
FORGET = """
    INSERT INTO taken_back (corpus, mark, rest, is_final) VALUES (:corpus, :mark, :rest, 1)
    ON CONFLICT (corpus, mark, rest) DO UPDATE SET is_final = 1
"""
EDITED = "UPDATE message SET edited_at = :edited_at WHERE number = :number"
GIVE_BACK = "DELETE FROM taken_back WHERE corpus = :corpus AND mark = :mark AND rest = :rest"


class Rows:
    """A set of row numbers, one bit each."""

    def __init__(self) -> None:
        self._bits = bytearray()

    def add(self, number: int) -> None:
        """Put *number* in."""
        place = number >> 3
        if place >= len(self._bits):
            self._bits.extend(bytes(place + 4_096 - len(self._bits)))
        self._bits[place] |= 1 << (number & 7)

    def __contains__(self, number: int) -> bool:
        place = number >> 3
        return place < len(self._bits) and bool(self._bits[place] & 1 << (number & 7))


_Records = list[tuple[Mark, Ready | None]]


@dataclass(frozen=True, slots=True)
class _Stored:
    number: int
    content: bytes
    edited_at: int | None


@dataclass
class Run:
    """What one import knows across its batches; row numbers stay what they are.

    *pending* holds what later is to become of known or taken back messages, None for nothing; *spans* the first and last
    time of the source in each conversation; *seen* the rows that the source has, *added* those that it brought.
    *is_keyed_by_zone* tells whether the corpus knows the messages of the source by the zone of an import, None: unseen.
    """

    name: str
    corpus: int
    report: LoadReport
    pending: dict[Mark, Ready | None] = field(default_factory=dict)
    spans: dict[int, tuple[int, int]] = field(default_factory=dict)
    seen: Rows = field(default_factory=Rows)
    added: Rows = field(default_factory=Rows)
    is_keyed_by_zone: bool | None = None

    def widen(self, conversation: int, sent_at: int) -> None:
        """Note when the source speaks in a conversation."""
        first, last = self.spans.setdefault(conversation, (sent_at, sent_at))
        if not first <= sent_at <= last:
            self.spans[conversation] = min(first, sent_at), max(last, sent_at)


class Batch:
    """Some records of a run inside one transaction."""

    def __init__(self, db: Connection, run: Run, names: Names, writer: Writer) -> None:
        self._db = db
        self._run = run
        self._names = names
        self._writer = writer
        self._known: dict[Mark, _Stored] = {}
        self._gone: set[Mark] = set()
        self._forgotten: set[Mark] = set()
        self._new: dict[Mark, Ready] = {}

    def take(self, items: Sequence[Message | Deletion]) -> None:
        """Apply *items* in their order; changes of known messages are left to `Run.pending`."""
        records = [self._record(item) for item in items]
        former = self._former_marks(items)
        self._look_up(chain((mark for mark, _ in records), former.values()))
        records = self._as_stored(records, former)
        for mark, found in records:
            if found is None:
                self._delete(mark)
            else:
                self._message(mark, found)
        self._insert()

    def apply(self, pending: Mapping[Mark, Ready | None]) -> None:
        """Write what waited."""
        self._look_up(pending)
        for mark, record in pending.items():
            stored = self._known.get(mark)
            if record is None:
                self._take_back(mark, stored)
            elif stored is None:
                self._db.execute(GIVE_BACK, {"corpus": self._run.corpus, **mark._asdict()})
                self._new[mark] = record
            else:
                is_own = stored.number in self._run.added
                self._writer.update(stored.number, record, self._names, keeps_old=not is_own)
                self._run.report.updated += not is_own
                self._run.report.unchanged -= not is_own
        self._insert()

    def _record(self, item: Message | Deletion) -> tuple[Mark, Ready | None]:
        self._run.report.read += 1
        if isinstance(item, Deletion):
            return mark_of(MESSAGE, self._run.name, item.natural_key), None
        found = ready(self._run.name, item)
        return found.mark, found

    def _former_marks(self, items: Sequence[Message | Deletion]) -> dict[str, Mark]:
        """Return the marks that messages had while the zone of the import was a part of them."""
        keys = (item.former_key for item in items if isinstance(item, Message) and item.former_key)
        return {key: mark_of(MESSAGE, self._run.name, key) for key in keys}

    def _as_stored(self, records: _Records, former: Mapping[str, Mark]) -> _Records:
        """Return *records*, those under their former mark that the corpus has there.

        The former key of one message may be the key of another, so it counts for nothing unless the content is equal,
        and unless more messages of the source stand under former keys than under their own ones.
        """
        if not former:
            return records
        moved = {}
        own = 0
        for mark, record in records:
            if record is None or self._holds(mark, record):
                continue
            own += mark in self._known
            before = former.get(record.message.former_key)
            if before is not None and self._holds(before, record):
                moved[mark] = before
        if self._run.is_keyed_by_zone is None and (moved or own):
            self._run.is_keyed_by_zone = len(moved) > own
        if not self._run.is_keyed_by_zone:
            return records
        return [
            (moved[mark], replace(record, mark=moved[mark])) if record and mark in moved else (mark, record)
            for mark, record in records
        ]

    def _holds(self, mark: Mark, record: Ready) -> bool:
        stored = self._known.get(mark)
        return stored is not None and stored.content == record.content

    def _look_up(self, marks: Iterable[Mark]) -> None:
        values = {"marks": json.dumps([mark.mark for mark in marks]), "corpus": self._run.corpus}
        for mark, rest, number, content, edited_at in self._db.execute(KNOWN, values):
            self._known[Mark(mark, rest)] = _Stored(number, content, edited_at)
        for mark, rest, is_final in self._db.execute(TAKEN_BACK, values):
            (self._forgotten if is_final else self._gone).add(Mark(mark, rest))

    def _message(self, mark: Mark, record: Ready) -> None:
        report = self._run.report
        report.zoneless += not record.message.zone_known
        if mark in self._forgotten:
            report.ignored += 1
            return
        self._run.widen(self._names.conversation(record.message), record.message.sent_at)
        self._names.sender(record.message)
        stored = self._known.get(mark)
        if mark in self._run.pending:
            self._again(mark, record, stored)
        elif mark in self._new:
            report.repeated += 1
            if record.is_later_than(self._new[mark].message.edited_at):
                self._new[mark] = record
        elif stored is not None:
            self._compare(mark, record, stored)
        elif mark in self._gone:
            self._run.pending[mark] = record
        else:
            self._new[mark] = record

    def _again(self, mark: Mark, record: Ready, stored: _Stored | None) -> None:
        """Settle which of two records of one key, one of them waiting, is to be written."""
        self._run.report.repeated += 1
        waiting = self._run.pending[mark]
        if waiting is not None and not record.is_later_than(waiting.message.edited_at):
            return
        if stored is not None and stored.content == record.content:
            del self._run.pending[mark]
        else:
            self._run.pending[mark] = record

    def _compare(self, mark: Mark, record: Ready, stored: _Stored) -> None:
        """Compare a record with what the corpus has."""
        report = self._run.report
        is_repeated = stored.number in self._run.seen
        report.repeated += is_repeated
        report.unchanged += not is_repeated  # until what waits is written
        self._run.seen.add(stored.number)
        if not record.is_later_than(stored.edited_at):
            report.ignored += stored.content != record.content
        elif stored.content != record.content:
            self._run.pending[mark] = record
        elif record.message.edited_at != stored.edited_at:
            self._db.execute(EDITED, {"edited_at": record.message.edited_at, "number": stored.number})

    def _delete(self, mark: Mark) -> None:
        if self._new.pop(mark, None) is not None:
            self._take_back(mark, None)
        elif mark in self._known:
            self._run.pending[mark] = None
        else:
            self._run.pending.pop(mark, None)

    def _take_back(self, mark: Mark, stored: _Stored | None) -> None:
        if stored is not None:
            self._run.report.deleted += self._writer.remove([stored.number])
            is_counted = stored.number in self._run.seen and stored.number not in self._run.added
            self._run.report.unchanged -= is_counted
        self._db.execute(TAKE_BACK, {"corpus": self._run.corpus, **mark._asdict()})
        self._gone.add(mark)

    def _insert(self) -> None:
        numbers = self._writer.insert(list(self._new.values()), self._names)
        for number in numbers:
            self._run.seen.add(number)
            self._run.added.add(number)
        self._run.report.inserted += len(numbers)
