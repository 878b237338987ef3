"""What is derived from the texts and tags of entries, batch by batch: titles, identities, folded tags, the index."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from frugal.search import Document, Indexer, agreement, rebuild, remove, replace_all
from frugal.store import Connection
from frugal.text.normalise import fold_tag, identity_hash
from frugal.text.titles import title

BATCH = 500

Hook = Callable[..., bool]
"""What a mode derives besides: `hook(db, entry_id, text, is_dry_run=...)` tells whether it differs."""

ENTRIES = """
    SELECT entry.id, entry.text, entry.title, entry.also, entry.identity, entry.sitting_id, entry_state.live
    FROM entry JOIN entry_state ON entry_state.entry_id = entry.id
    WHERE entry.id > :after ORDER BY entry.id LIMIT :batch
"""
TAGS = """
    SELECT entry_id, position, spelling, folded FROM entry_tag
    WHERE entry_id BETWEEN :first AND :last ORDER BY entry_id, position
"""


@dataclass(frozen=True)
class Batch:
    """Entries in a row, and which of them have something derived that is not what it would be today."""

    documents: tuple[Document, ...] = ()
    titles: tuple[int, ...] = ()
    identities: tuple[int, ...] = ()
    tags: tuple[tuple[int, int, str], ...] = ()
    index: tuple[int, ...] = ()
    mode: tuple[int, ...] = ()

    @property
    def last(self) -> int:
        """The last id of the batch."""
        return self.documents[-1].id

    @property
    def is_right(self) -> bool:
        """Whether nothing differs."""
        return not (self.titles or self.identities or self.tags or self.index or self.mode)


@dataclass(frozen=True)
class _Read:
    """A batch as stored: rows of entries, what is to be indexed of each, rows of tags."""

    rows: tuple[tuple[int, str, bytes], ...]
    documents: tuple[Document, ...]
    tags: tuple[tuple[int, int, str, str], ...]


def _read(db: Connection, after: int) -> _Read:
    rows = [tuple(row) for row in db.execute(ENTRIES, {"after": after, "batch": BATCH})]
    span = {"first": rows[0][0], "last": rows[-1][0]} if rows else {"first": 1, "last": 0}
    tags = tuple((row[0], row[1], row[2], row[3]) for row in db.execute(TAGS, span))
    spellings: dict[int, list[str]] = {}
    for entry_id, _, spelling, _ in tags:
        spellings.setdefault(entry_id, []).append(spelling)
    documents = tuple(
        Document(entry_id, title(text), text, tuple(spellings.get(entry_id, ())), also, sitting, bool(live))
        for entry_id, text, _, also, _, sitting, live in rows
    )
    return _Read(tuple((row[0], row[2], row[4]) for row in rows), documents, tags)


def look(
    db: Connection, after: int, hook: Hook | None = None, comparison: agreement.Comparison | None = None
) -> Batch:
    """Return the batch of entries behind the id *after*, compared with what would be derived today.

    *comparison* remembers the words of one batch for the next.
    """
    read = _read(db, after)
    comparison = comparison or agreement.Comparison()
    pairs = list(zip(read.rows, read.documents, strict=True))
    folded = [(entry_id, position, fold_tag(spelling)) for entry_id, position, spelling, _ in read.tags]
    return Batch(
        read.documents,
        titles=tuple(entry_id for (entry_id, head, _), document in pairs if head != document.title),
        identities=tuple(
            entry_id
            for (entry_id, _, identity), document in pairs
            if identity != identity_hash(document.body)
        ),
        tags=tuple(new for new, old in zip(folded, read.tags, strict=True) if new[2] != old[3]),
        index=tuple(comparison.stale(db, read.documents)),
        mode=tuple(
            document.id
            for document in read.documents
            if hook is not None and hook(db, document.id, document.body, is_dry_run=True)
        ),
    )


SET_TITLE = "UPDATE entry SET title = :title WHERE id = :id"
SET_IDENTITY = "UPDATE entry SET identity = :identity WHERE id = :id"
# Two spellings that have come to be the same tag: the earlier one keeps the name.
SET_FOLDED = "UPDATE OR IGNORE entry_tag SET folded = :folded WHERE entry_id = :id AND position = :position"


def mend(db: Connection, batch: Batch, hook: Hook | None, indexer: Indexer) -> None:
    """Write what differs in *batch*, inside the caller's write transaction."""
    by_id = {document.id: document for document in batch.documents}
    db.executemany(SET_TITLE, [{"id": key, "title": by_id[key].title} for key in batch.titles])
    db.executemany(
        SET_IDENTITY, [{"id": key, "identity": identity_hash(by_id[key].body)} for key in batch.identities]
    )
    db.executemany(
        SET_FOLDED,
        [{"id": key, "position": position, "folded": folded} for key, position, folded in batch.tags],
    )
    replace_all(db, [by_id[key] for key in batch.index], indexer)
    if hook is not None and batch.mode:
        for key in batch.mode:
            hook(db, key, by_id[key].body, is_dry_run=False)
        indexer.forget()  # whatever the mode did, it may have written to the index


def _every_document(db: Connection) -> Iterator[Document]:
    after = 0
    while documents := _read(db, after).documents:
        yield from documents
        after = documents[-1].id


def rebuild_index(db: Connection) -> int:
    """Throw the index away and make it again, in one transaction: what is left when it cannot be mended."""
    return rebuild(db, _every_document(db))


# Directories


ORPHANS = "SELECT document FROM search_forward WHERE document NOT IN (SELECT id FROM entry) ORDER BY document"
# A bare column beside min() comes from the row with the least value: the spelling that was there first.
TAG_COUNTS = """
    SELECT entry_tag.folded, entry_tag.spelling, sum(entry_state.live), min(entry_tag.entry_id)
    FROM entry_tag JOIN entry_state ON entry_state.entry_id = entry_tag.entry_id
    GROUP BY entry_tag.folded
"""
TAG_DIRECTORY = "SELECT folded, spelling, live FROM tag_directory"
SET_TAG = """
    INSERT INTO tag_directory (folded, spelling, live) VALUES (:folded, :spelling, :live)
    ON CONFLICT (folded) DO UPDATE SET spelling = excluded.spelling, live = excluded.live
"""
DROP_TAG = "DELETE FROM tag_directory WHERE folded = :folded"


@dataclass(frozen=True)
class Directories:
    """What differs in the directories of words and tags, and rows of the index behind which no entry stands."""

    words: int = 0
    orphans: tuple[int, ...] = ()
    tags: dict[str, tuple[str, int] | None] = field(default_factory=dict)

    @property
    def count(self) -> int:
        """How many differences there are."""
        return self.words + len(self.orphans) + len(self.tags)


def compare_directories(db: Connection) -> Directories:
    """Return what differs in the directories."""
    wanted = {row[0]: (row[1], row[2]) for row in db.execute(TAG_COUNTS)}
    known = {row[0]: (row[1], row[2]) for row in db.execute(TAG_DIRECTORY)}
    tags: dict[str, tuple[str, int] | None] = {
        folded: counted for folded, counted in wanted.items() if not _is_same(known.get(folded), counted)
    }
    # A tag that was on an entry once stays known by its spelling, with no live entry.
    tags |= {folded: None for folded, (_, live) in known.items() if folded not in wanted and live}
    orphans = tuple(row[0] for row in db.execute(ORPHANS))
    return Directories(agreement.differences(db).count, orphans, tags)


def _is_same(known: tuple[str, int] | None, wanted: tuple[str, int]) -> bool:
    """Compare the counts; which of several spellings came first is what the directory alone remembers."""
    return known is not None and known[1] == wanted[1]


def mend_directories(db: Connection, found: Directories) -> None:
    """Write what differs in the directories, inside the caller's write transaction."""
    for folded, counted in found.tags.items():
        if counted is None:
            db.execute(DROP_TAG, {"folded": folded})
        else:
            db.execute(SET_TAG, {"folded": folded, "spelling": counted[0], "live": counted[1]})
    for document in found.orphans:
        remove(db, document)
    if found.words or found.orphans:
        agreement.settle(db)
