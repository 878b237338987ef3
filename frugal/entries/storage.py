"""Reading and writing entries. Every function works inside the transaction it is given."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import replace as replace_fields

from frugal.entries.naming import title_references
from frugal.entries.transfer.origins import shown_origin
from frugal.search import Document, Indexer, replace, set_live
from frugal.store import Connection
from frugal.text.normalise import fold_tag, identity_hash, identity_text
from frugal.text.references import Reference
from frugal.text.titles import title

IDS_A_QUERY = 500


@dataclass(frozen=True)
class Supersession:
    """Why an entry is hidden: its successor, the reason as written (None: none was given), when (UTC)."""

    successor: int | None
    reason: str | None
    at: str


@dataclass(frozen=True)
class Piece:
    """The place of an entry in an imported memo: *position* of *pieces*, ids *first* to *last*."""

    memo: int
    position: int
    pieces: int
    first: int
    last: int


@dataclass(frozen=True)
class Entry:
    """One entry without its text; *kind* as stored, *created_at* UTC `YYYY-MM-DD HH:MM:SS`.

    *title_references* are the ids of this file that the title mentions.
    """

    id: int
    title: str
    kind: str
    created_at: str
    tags: tuple[str, ...]
    is_live: bool
    times_stored: int
    evidence: str = ""
    origin: str = ""
    also: str = ""
    piece: Piece | None = None
    supersession: Supersession | None = None
    erased_at: str = ""
    title_references: tuple[Reference, ...] = ()


@dataclass(frozen=True)
class NewEntry:
    """What is to be stored."""

    text: str
    kind: str
    tags: tuple[str, ...]
    created_at: str
    also: str = ""
    sitting: int | None = None
    origin: str = ""
    kind_at: str | None = None


INSERT_ENTRY = """
    INSERT INTO entry (text, title, also, created_at, identity, sitting_id, origin)
    VALUES (:text, :title, :also, :created_at, :identity, :sitting, :origin)
"""
INSERT_STATE = "INSERT INTO entry_state (entry_id, kind, kind_at) VALUES (:id, :kind, :kind_at)"


def insert(db: Connection, new: NewEntry) -> int:
    """Store *new* with its tags and index it; return its id. Tags are taken in their known spelling."""
    return insert_all(db, (new,))[0]


def insert_all(db: Connection, entries: Sequence[NewEntry], indexer: Indexer | None = None) -> list[int]:
    """Store *entries* in order as `insert` would one by one; return their ids."""
    spelled: dict[str, str] = {}
    documents = [_insert(db, new, spelled) for new in entries]
    (indexer or Indexer()).add_all(db, documents)
    return [document.id for document in documents]


def _insert(db: Connection, new: NewEntry, spelled: dict[str, str]) -> Document:
    """Store *new* and return what is to be indexed; *spelled* are the known spellings of folded tags."""
    head = title(new.text)
    cursor = db.execute(
        INSERT_ENTRY,
        {
            "text": new.text,
            "title": head,
            "also": new.also,
            "created_at": new.created_at,
            "identity": identity_hash(new.text),
            "sitting": new.sitting,
            "origin": new.origin,
        },
    )
    entry_id = int(cursor.lastrowid or 0)
    db.execute(INSERT_STATE, {"id": entry_id, "kind": new.kind, "kind_at": new.kind_at})
    tags = known_spellings(db, new.tags, spelled)
    write_tags(db, entry_id, tags, start=0)
    return Document(entry_id, head, new.text, tags, new.also, new.sitting)


INSERT_TAG = """
    INSERT INTO entry_tag (entry_id, position, spelling, folded) VALUES (:id, :position, :spelling, :folded)
"""


def write_tags(db: Connection, entry_id: int, tags: Sequence[str], *, start: int) -> None:
    """Add *tags* to an entry, numbered from *start*."""
    rows = [
        {"id": entry_id, "position": start + index, "spelling": tag, "folded": fold_tag(tag)}
        for index, tag in enumerate(tags)
    ]
    db.executemany(INSERT_TAG, rows)


KNOWN_SPELLING = "SELECT spelling FROM entry_tag WHERE folded = :folded ORDER BY entry_id, position LIMIT 1"


def known_spellings(
    db: Connection, tags: Iterable[str], spelled: dict[str, str] | None = None
) -> tuple[str, ...]:
    """Return *tags*, each in the spelling in which the store knows it already, repeats left out.

    *spelled* remembers the spellings of tags that are stored at once; it gains those of *tags*.
    """
    known = {} if spelled is None else spelled
    found: dict[str, str] = {}
    for tag in tags:
        folded = fold_tag(tag)
        if folded not in known:
            row = db.execute(KNOWN_SPELLING, {"folded": folded}).fetchone()
            known[folded] = row[0] if row else tag
        found.setdefault(folded, known[folded])
    return tuple(found.values())


SAME_IDENTITY = """
    SELECT entry.id, entry.text, entry_state.live
    FROM entry JOIN entry_state ON entry_state.entry_id = entry.id
    WHERE entry.identity = :identity
    ORDER BY entry_state.live DESC, entry.id DESC
    LIMIT 100
"""


def find_identical(db: Connection, text: str) -> tuple[int | None, int | None]:
    """Return the live entry with this text, and the newest superseded one; None where there is none."""
    wanted = identity_text(text)
    live: int | None = None
    hidden: int | None = None
    for entry_id, stored, is_live in db.execute(SAME_IDENTITY, {"identity": identity_hash(text)}):
        if identity_text(stored) == wanted:
            if is_live:
                live = live or entry_id
            else:
                hidden = hidden or entry_id
    return live, hidden


SELECT_ENTRIES = """
    SELECT entry.id, entry.title, entry_state.kind, entry.created_at, entry_state.live, entry_state.times_stored,
           entry.evidence, entry.origin, entry.also, entry_state.memo_id, entry_state.memo_position,
           memo.pieces, memo.first_id, memo.last_id
    FROM entry
    JOIN entry_state ON entry_state.entry_id = entry.id
    LEFT JOIN memo ON memo.id = entry_state.memo_id
    WHERE entry.id IN ({marks})
"""
SELECT_TAGS = """
    SELECT entry_id, spelling FROM entry_tag WHERE entry_id IN ({marks}) ORDER BY entry_id, position
"""
SELECT_SUPERSESSIONS = """
    SELECT entry_id, successor_id, reason, at FROM event
    WHERE action = 'superseded' AND entry_id IN ({marks}) ORDER BY seq
"""
SELECT_ERASED = (
    "SELECT entry_id, at FROM event WHERE action = 'erased' AND entry_id IN ({marks}) ORDER BY seq"
)
SELECT_TEXTS = "SELECT id, text FROM entry WHERE id IN ({marks})"


def fetch(db: Connection, ids: Iterable[int]) -> dict[int, Entry]:
    """Return the entries among *ids*, unknown ids left out."""
    found: dict[int, Entry] = {}
    for batch in _batches(ids):
        marks = _marks(batch)
        tags: dict[int, list[str]] = {}
        for entry_id, spelling in db.execute(SELECT_TAGS.format(marks=marks), batch):
            tags.setdefault(entry_id, []).append(spelling)
        rows = db.execute(SELECT_ENTRIES.format(marks=marks), batch).fetchall()
        hidden = [row[0] for row in rows if not row[4]]
        why = {
            row[0]: Supersession(row[1], row[2], row[3])
            for row in db.execute(SELECT_SUPERSESSIONS.format(marks=_marks(hidden)), hidden)
        }
        erased = dict(db.execute(SELECT_ERASED.format(marks=_marks(hidden)), hidden))
        for row in rows:
            entry = _entry(row, tuple(tags.get(row[0], ())), why.get(row[0]))
            found[row[0]] = replace_fields(entry, erased_at=erased[row[0]]) if row[0] in erased else entry
    # Numbers in a merged title are those of the memory it came from.
    titles = {entry.id: entry.title for entry in found.values() if not shown_origin(entry.origin)}
    for entry_id, references in title_references(db, titles).items():
        found[entry_id] = replace_fields(found[entry_id], title_references=references)
    return found


def _entry(row: tuple[object, ...], tags: tuple[str, ...], supersession: Supersession | None) -> Entry:
    (entry_id, head, kind, created_at, live, times, evidence, origin, also, *memo) = row
    piece = Piece(*memo) if memo[0] is not None else None  # type: ignore[arg-type]  # columns are STRICT integers
    return Entry(
        id=entry_id,  # type: ignore[arg-type]  # as above
        title=str(head),
        kind=str(kind),
        created_at=str(created_at),
        tags=tags,
        is_live=bool(live),
        times_stored=times,  # type: ignore[arg-type]  # as above
        evidence=str(evidence),
        origin=str(origin),
        also=str(also),
        piece=piece,
        supersession=supersession,
    )


def texts_of(db: Connection, ids: Sequence[int]) -> Mapping[int, str]:
    """Return the texts as stored of the entries among *ids*."""
    texts: dict[int, str] = {}
    for batch in _batches(ids):
        texts.update(db.execute(SELECT_TEXTS.format(marks=_marks(batch)), batch))
    return texts


SELECT_CREATED = "SELECT id, created_at FROM entry WHERE id IN ({marks})"


def created_of(db: Connection, ids: Sequence[int]) -> dict[int, str]:
    """Return when the entries among *ids* were created, UTC."""
    found: dict[int, str] = {}
    for batch in _batches(ids):
        found.update(db.execute(SELECT_CREATED.format(marks=_marks(batch)), batch))
    return found


def _batches(ids: Iterable[int]) -> Iterable[list[int]]:
    wanted = list(dict.fromkeys(ids))
    for start in range(0, len(wanted), IDS_A_QUERY):
        yield wanted[start : start + IDS_A_QUERY]


def _marks(batch: Sequence[int]) -> str:
    """Return placeholders for a list of integers: the only text that is ever put into a statement."""
    return ",".join("?" * len(batch))


SELECT_KNOWN = "SELECT entry_id, live FROM entry_state WHERE entry_id IN ({marks})"


def states(db: Connection, ids: Iterable[int]) -> dict[int, bool]:
    """Return for each known id whether the entry is live."""
    known: dict[int, bool] = {}
    for batch in _batches(ids):
        known.update(
            (row[0], bool(row[1])) for row in db.execute(SELECT_KNOWN.format(marks=_marks(batch)), batch)
        )
    return known


SELECT_KINDS = "SELECT entry_id, kind FROM entry_state WHERE entry_id IN ({marks})"


def kinds_of(db: Connection, ids: Iterable[int]) -> dict[int, str]:
    """Return the stored kind of each known id."""
    kinds: dict[int, str] = {}
    for batch in _batches(ids):
        kinds.update(db.execute(SELECT_KINDS.format(marks=_marks(batch)), batch))
    return kinds


INSERT_EVENT = """
    INSERT INTO event (entry_id, action, successor_id, reason, detail, at)
    VALUES (:entry, :action, :successor, :reason, :detail, :at)
"""


def log(
    db: Connection,
    entry_id: int,
    action: str,
    *,
    at: str,
    successor: int | None = None,
    reason: str | None = None,
    detail: str | None = None,
) -> None:
    """Add one line to the log of an entry."""
    row = {"entry": entry_id, "action": action, "successor": successor}
    db.execute(INSERT_EVENT, {**row, "reason": reason, "detail": detail, "at": at})


SET_LIVE = "UPDATE entry_state SET live = :live WHERE entry_id = :id"


def write_live(db: Connection, entry_id: int, *, is_live: bool) -> None:
    """Set the state of an entry, in the index too; its log is the caller's."""
    db.execute(SET_LIVE, {"id": entry_id, "live": int(is_live)})
    set_live(db, entry_id, is_live)


def supersede(db: Connection, entry_id: int, *, successor: int | None, reason: str | None, at: str) -> None:
    """Hide an entry; nothing is deleted."""
    write_live(db, entry_id, is_live=False)
    log(db, entry_id, "superseded", at=at, successor=successor, reason=reason)


def restore(db: Connection, entry_id: int, *, at: str, reason: str | None = None) -> None:
    """Bring a hidden entry back."""
    write_live(db, entry_id, is_live=True)
    log(db, entry_id, "restored", at=at, reason=reason)


SELECT_DOCUMENT = "SELECT text, title, also, sitting_id FROM entry WHERE id = :id"


def reindex(db: Connection, entry: Entry) -> None:
    """Bring the index in step after the tags or the search words of *entry* changed."""
    text, head, also, sitting = db.execute(SELECT_DOCUMENT, {"id": entry.id}).fetchone()
    replace(db, Document(entry.id, head, text, entry.tags, also, sitting, entry.is_live))


SET_KIND = "UPDATE entry_state SET kind = :kind, kind_at = :at WHERE entry_id = :id"


def set_kind(db: Connection, entry_id: int, kind: str, *, at: str) -> None:
    """Give an entry the kind stored as *kind*."""
    db.execute(SET_KIND, {"id": entry_id, "kind": kind, "at": at})
    log(db, entry_id, "kind", at=at, detail=kind)


SET_ALSO = "UPDATE entry SET also = :also WHERE id = :id"


def set_also(db: Connection, entry_id: int, also: str, *, at: str) -> None:
    """Give an entry its search words; the caller indexes it anew."""
    db.execute(SET_ALSO, {"id": entry_id, "also": also})
    log(db, entry_id, "also", at=at)


INSERT_SITTING = "INSERT INTO sitting (process_key, tags_key, last_at) VALUES (:process, :tags, :at)"


def new_sitting(db: Connection, process: str, tags: str, *, at: str) -> int:
    """Begin a sitting of the *process* for entries with the key *tags*; return its id."""
    return int(db.execute(INSERT_SITTING, {"process": process, "tags": tags, "at": at}).lastrowid or 0)
