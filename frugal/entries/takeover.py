"""Entries of the published predecessor become ours: read from its tables, written to ours, counted on both sides.

Everything happens inside the transaction of the upgrade. Texts and ids stay as they are; what
is derived is made anew. Rows that have no place here are counted apart and named; the backup has them.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import groupby

from frugal.call import Call
from frugal.entries.forms import TAG_CHARACTERS
from frugal.entries.memos import record_places
from frugal.entries.storage import log, write_tags
from frugal.model import UNSORTED, resolve
from frugal.search import Document, add_all, compact
from frugal.search.questions import query_key
from frugal.store import Compared, Connection, OldFile, TakenOver, old_text
from frugal.text.normalise import fold_tag, identity_hash
from frugal.text.titles import title

NO_REASON = frozenset({"", "ersetzt", "veraltet"})
"""What stands where nobody gave a reason."""
UNKNOWN_KIND = "was-"
QUESTION_CHARACTERS = 200
FIRST_STAMP = "1970-01-01 00:00:00"

_TAG_ENDS = re.compile(r"[\s,\x00-\x1f\x7f]+")

StoreHook = Callable[[Call, Connection, int, str], None]


@dataclass
class Copying:
    """One takeover on its way: *ids* gives the id here of each entry there, *apart* the rows that were set apart."""

    call: Call
    db: Connection
    old: OldFile
    free_id: int
    hidden: frozenset[int]
    ids: dict[int, int] = field(default_factory=dict)
    apart: dict[str, list[str]] = field(default_factory=dict)

    def new_id(self, old_id: int) -> int:
        """Return the id that an entry gets: its own, or a free one if the file has entries of ours already."""
        return self.free_id + len(self.ids) if self.old.is_late else old_id

    def set_apart(self, key: str, row: str) -> None:
        """Name a row that is counted apart under *key*."""
        self.apart.setdefault(key, []).append(row)


FREE_ID = "SELECT coalesce(max(seq), 0) + 1 FROM sqlite_sequence WHERE name = 'entry'"
HIDDEN = "SELECT DISTINCT id FROM veraltet"


def take_over(call: Call, db: Connection, old: OldFile) -> TakenOver:
    """Copy the entries of *old*, their log and memos, and the learned questions; return what to compare and to tell."""
    before = _measure(db)
    hidden = db.execute(HIDDEN).fetchall() if old.has("veraltet") else ()
    copying = Copying(call, db, old, db.execute(FREE_ID).fetchone()[0], frozenset(row[0] for row in hidden))
    _copy_entries(copying)
    _copy_memos(copying)
    _copy_log(copying)
    merged = _copy_questions(copying)
    compact(db)
    return _report(copying, _measure(db).less(before), merged)


# Entries

BATCH = 500
"""Entries that are indexed together."""

ENTRIES = 'SELECT id, content, tags, ts, art, art_am FROM "{main}" ORDER BY id'
INSERT_ENTRY = """
    INSERT INTO entry (id, text, title, created_at, identity)
    VALUES (:id, :text, :title, :created_at, :identity)
"""
INSERT_STATE = "INSERT INTO entry_state (entry_id, kind, kind_at, live) VALUES (:id, :kind, :kind_at, :live)"


def _copy_entries(copying: Copying) -> None:
    if not copying.old.has(copying.old.table):
        return
    hook = copying.call.mode.entry_rules.store_hook
    note: StoreHook | None = resolve(hook) if hook else None
    stamp = FIRST_STAMP
    copied: list[Document] = []
    for old_id, content, tags, ts, kind, kind_at in copying.db.execute(ENTRIES.format(main=copying.old.main)):
        text = old_text(content)
        if not text:
            copying.set_apart("empty", f"#{old_id}")
            continue
        stamp = _stamp(ts) or _guessed(copying, old_id, ts, stamp)
        entry_id = copying.ids[old_id] = copying.new_id(old_id)
        _write_entry(copying.db, entry_id, text, stamp)
        is_live = old_id not in copying.hidden
        stored_kind = _kind(copying, old_id, old_text(kind))
        state = {"id": entry_id, "kind": stored_kind or UNSORTED, "kind_at": _stamp(kind_at)}
        copying.db.execute(INSERT_STATE, {**state, "live": int(is_live)})
        own = _tags(copying, old_id, old_text(tags))
        if stored_kind is None:
            own = _with(own, UNKNOWN_KIND + "-".join(_TAG_ENDS.split(old_text(kind).strip())))
        write_tags(copying.db, entry_id, own, start=0)
        copied.append(Document(entry_id, title(text), text, own, is_live=is_live))
        if note is not None:
            note(copying.call, copying.db, entry_id, text)
        if len(copied) == BATCH:
            add_all(copying.db, copied)
            copied.clear()
    add_all(copying.db, copied)


def _write_entry(db: Connection, entry_id: int, text: str, stamp: str) -> None:
    row = {"id": entry_id, "text": text, "title": title(text), "identity": identity_hash(text)}
    db.execute(INSERT_ENTRY, {**row, "created_at": stamp})


def _guessed(copying: Copying, old_id: int, ts: object, before: str) -> str:
    """Return the stamp of the entry *before* for one whose own cannot be read."""
    copying.set_apart("stamps", f"#{old_id} ({old_text(ts)[:40]})")
    return before


def _kind(copying: Copying, old_id: int, stored: str) -> str | None:
    """Return the kind as it is stored here; None, and named, if this mode has no such kind."""
    if stored in ("", UNSORTED):
        return UNSORTED
    if any(kind.stored == stored for kind in copying.call.mode.kinds.kinds):
        return stored
    copying.set_apart("kinds", f"#{old_id} ({stored[:40]})")
    return None


def _tags(copying: Copying, old_id: int, text: str) -> tuple[str, ...]:
    """Return the tags in *text*, apart by blanks or commas; of those equal but for case the first one stays."""
    tags: tuple[str, ...] = ()
    for tag in filter(None, _TAG_ENDS.split(text)):
        if len(tag) > TAG_CHARACTERS:
            copying.set_apart("tags", f"#{old_id} ({tag[:40]}...)")
        tags = _with(tags, tag)
    return tags


def _with(tags: tuple[str, ...], tag: str) -> tuple[str, ...]:
    short = tag[:TAG_CHARACTERS]
    is_new = fold_tag(short) not in {fold_tag(known) for known in tags}
    return (*tags, short) if is_new else tags


# Memos

PIECES = 'SELECT kopf, id, nr FROM "{main}" WHERE kopf IS NOT NULL ORDER BY kopf, nr, id'
TEXT = "SELECT title FROM entry WHERE id = :id"


def _copy_memos(copying: Copying) -> None:
    if not copying.old.has(copying.old.table):
        return
    db = copying.db
    rows = db.execute(PIECES.format(main=copying.old.main)).fetchall()
    known = [(head, copying.ids[piece], number) for head, piece, number in rows if piece in copying.ids]
    for _, group in groupby(known, key=lambda row: row[0]):
        ids, numbers = zip(*((piece, number) for _, piece, number in group), strict=True)
        places = _places(numbers)
        subject = db.execute(TEXT, {"id": ids[0]}).fetchone()[0]
        record_places(db, dict(zip(ids, places, strict=True)), subject=subject)


def _places(numbers: tuple[object, ...]) -> list[int]:
    """Return the positions as they were numbered, or counted from 1 where the numbers are none."""
    given = [number for number in numbers if isinstance(number, int) and number >= 1]
    return given if len(set(given)) == len(numbers) else list(range(1, len(numbers) + 1))


# Log

LOG = "SELECT id, durch, am, grund FROM veraltet ORDER BY vermerk"
CREATED = "SELECT created_at FROM entry WHERE id = :id"


def _copy_log(copying: Copying) -> None:
    if not copying.old.has("veraltet"):
        return
    for old_id, by, at, reason in copying.db.execute(LOG).fetchall():
        entry_id = copying.ids.get(old_id)
        if entry_id is None:
            copying.set_apart("log", f"#{old_id}")
            continue
        successor = copying.ids.get(by)
        if by is not None and successor is None:
            copying.set_apart("successors", f"#{old_id} -> #{by}")
        why = old_text(reason)
        log(
            copying.db,
            entry_id,
            "superseded",
            at=_stamp(at) or copying.db.execute(CREATED, {"id": entry_id}).fetchone()[0],
            successor=successor,
            reason=None if why in NO_REASON else why,
            detail=f"#{by}" if by is not None and successor is None else None,
        )


# Learned questions

QUESTIONS = "SELECT id, frage, schluessel, seit FROM nachfrage ORDER BY seit, schluessel, id"
INSERT_QUESTION = """
    INSERT INTO learned_question (word_key, entry_id, question, confirmed_at)
    VALUES (:key, :id, :question, :at)
    ON CONFLICT (word_key, entry_id) DO UPDATE SET
        question = excluded.question, confirmed_at = max(confirmed_at, excluded.confirmed_at)
"""
IS_LEARNED = "SELECT 1 FROM learned_question WHERE word_key = :key AND entry_id = :id"


def _copy_questions(copying: Copying) -> int:
    """Copy the pairs; return how many have come to be one with another, since the words are compared otherwise."""
    if not copying.old.has("nachfrage", "frage"):
        return 0
    merged = 0
    for old_id, asked, words, since in copying.db.execute(QUESTIONS).fetchall():
        entry_id, question = copying.ids.get(old_id), old_text(asked)
        if entry_id is None:
            copying.set_apart("pairs", f"#{old_id} ({question[:40]})")
            continue
        pair = {"key": query_key(question) or query_key(old_text(words)), "id": entry_id}
        merged += copying.db.execute(IS_LEARNED, pair).fetchone() is not None
        at = _stamp(since) or copying.db.execute(CREATED, {"id": entry_id}).fetchone()[0]
        copying.db.execute(INSERT_QUESTION, {**pair, "question": question[:QUESTION_CHARACTERS], "at": at})
    return merged


# Numbers

MEASURE = """
    SELECT (SELECT count(*) FROM entry), (SELECT coalesce(sum(length(CAST(text AS BLOB))), 0) FROM entry),
           (SELECT count(*) FROM event WHERE action = 'superseded'), (SELECT count(*) FROM learned_question),
           (SELECT count(*) FROM entry_state WHERE memo_id IS NOT NULL)
"""
SPAN = "SELECT coalesce(min(id), 0), coalesce(max(id), 0) FROM entry"
OLD_ENTRIES = """
    SELECT count(*), coalesce(sum(length(CAST(content AS BLOB))), 0), coalesce(min(id), 0), coalesce(max(id), 0),
           count(kopf)
    FROM "{main}" WHERE CAST(content AS BLOB) <> x''
"""
OLD_LOG = """
    SELECT count(*) FROM veraltet
    WHERE id IN (SELECT id FROM "{main}" WHERE CAST(content AS BLOB) <> x'')
"""
OLD_PAIRS = """
    SELECT count(*) FROM nachfrage
    WHERE id IN (SELECT id FROM "{main}" WHERE CAST(content AS BLOB) <> x'')
"""


@dataclass(frozen=True)
class Measured:
    """How much there is: entries, bytes of their texts, log rows, learned pairs, pieces of memos."""

    entries: int
    text_bytes: int
    log: int
    pairs: int
    pieces: int

    def less(self, other: "Measured") -> "Measured":
        """Return what is there beyond *other*."""
        mine, others = vars(self), vars(other)
        return Measured(**{name: mine[name] - others[name] for name in mine})


def _measure(db: Connection) -> Measured:
    return Measured(*db.execute(MEASURE).fetchone())


def _report(copying: Copying, new: Measured, merged: int) -> TakenOver:
    db, old = copying.db, copying.old
    entries = text_bytes = least = largest = pieces = log_rows = pairs = 0
    if old.has(old.table):
        row = db.execute(OLD_ENTRIES.format(main=old.main)).fetchone()
        entries, text_bytes, least, largest, pieces = row
        log_rows = db.execute(OLD_LOG.format(main=old.main)).fetchone()[0] if old.has("veraltet") else 0
        pairs = db.execute(OLD_PAIRS.format(main=old.main)).fetchone()[0] if old.has("nachfrage") else 0
    compared = [
        Compared("entries", entries, new.entries),
        Compared("text_bytes", text_bytes, new.text_bytes),
        Compared("log", log_rows, new.log),
        Compared("pairs", pairs, new.pairs + merged),
        Compared("pieces", pieces, new.pieces),
    ]
    if not old.is_late:
        first, last = db.execute(SPAN).fetchone()
        compared += [Compared("smallest id", least, first), Compared("largest id", largest, last)]
    counts = {"entries": new.entries, "log": new.log, "pairs": new.pairs, "pieces": new.pieces}
    return TakenOver(tuple(compared), counts, {key: tuple(rows) for key, rows in copying.apart.items()})


# Values


def _stamp(value: object) -> str | None:
    """Return a stamp as it is stored, `YYYY-MM-DD HH:MM:SS` in UTC; None if *value* is none."""
    try:
        moment = datetime.fromisoformat(old_text(value).strip())
        moment = moment.astimezone(UTC) if moment.tzinfo else moment
    except (ValueError, OverflowError):
        return None
    return moment.replace(tzinfo=None).isoformat(sep=" ", timespec="seconds")
