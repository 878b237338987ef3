"""Import of Markdown notes: files are cut into pieces, and each piece becomes an entry.

One transaction a file, so an interruption leaves whole files. What is stored already is left alone, so that a second
run imports nothing.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path

from frugal import paths
from frugal.call import Call
from frugal.entries import storage
from frugal.entries.heads import headline, search_words, stamp_of, usable_tags
from frugal.entries.hints import secret_policy
from frugal.entries.memos import record_memo
from frugal.entries.storage import NewEntry
from frugal.entries.transfer.origins import note_name
from frugal.model import NO_KIND, Kind, resolve
from frugal.search import Indexer
from frugal.store import Connection
from frugal.text import credentials, frontmatter
from frugal.text.pieces import Piece, index_pieces, split, tag_of_file
from frugal.text.titles import title

SUFFIX = ".md"
INDEX_FILE = "MEMORY.md"
LARGEST_FILE_BYTES = 5 * 1024 * 1024
ORIGIN = "file:"


@dataclass(frozen=True)
class Found:
    """The notes of a folder in order, folders that could not be read, index files and subfolders not asked for."""

    files: tuple[Path, ...]
    left_out: tuple["LeftOut", ...] = ()
    indexes: int = 0
    folders: int = 0


@dataclass(frozen=True)
class LeftOut:
    """A file or piece that was not imported; *reason* names the text `import.reasons.<reason>`, *data* its fields."""

    path: Path
    reason: str
    data: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Choice:
    """What the entries get beside the note's own: tags and a kind. *is_dry* writes nothing."""

    tags: tuple[str, ...] = ()
    kind: Kind = NO_KIND
    is_dry: bool = False


@dataclass(frozen=True)
class FileReport:
    """What became of the pieces of one file.

    *repeated* ones are equal to another piece of it, and stored once. *outdated* are live entries that came from it
    earlier and whose text a file that now brought something new does not have any more. *flaw_line* is the line where
    its front matter is no YAML, 0 if it is sound.
    """

    path: Path
    pieces: int = 0
    new: int = 0
    known: int = 0
    erased: int = 0
    chains: int = 0
    left_out: tuple[LeftOut, ...] = ()
    not_live: int = 0
    repeated: int = 0
    outdated: tuple[int, ...] = ()
    flaw_line: int = 0


@dataclass(frozen=True)
class Report:
    """What an import came to; *total* counts the entries of the file afterwards, superseded ones included."""

    files: tuple[FileReport, ...]
    total: int

    def sum(self, name: str) -> int:
        """Return the total of one count over all files."""
        return sum(int(getattr(file, name)) for file in self.files)

    @property
    def left_out(self) -> tuple[LeftOut, ...]:
        """Everything that was left out, in order."""
        return tuple(item for file in self.files for item in file.left_out)


def find_notes(folder: Path, *, is_recursive: bool, with_index: bool) -> Found:
    """Return the notes of *folder*, sorted by path; hidden files and folders are no notes."""
    files: list[Path] = []
    failed: list[LeftOut] = []
    indexes = skipped = 0

    def unreadable(error: OSError) -> None:
        path = Path(error.filename) if error.filename else folder
        failed.append(LeftOut(path, "unreadable", {"why": error.strerror or ""}))

    for parent, folders, names in os.walk(folder, onerror=unreadable):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        if not is_recursive:
            skipped = len(folders)
            folders.clear()
        for name in sorted(names):
            if name.startswith(".") or not name.lower().endswith(SUFFIX):
                continue
            if name == INDEX_FILE and not with_index:
                indexes += 1
            else:
                files.append(Path(parent) / name)
    return Found(tuple(files), tuple(failed), indexes, skipped)


def import_notes(
    call: Call,
    files: Sequence[Path],
    choice: Choice,
    *,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> Report:
    """Import *files* in order and return what became of them; *progress* is told after each file."""
    known = Known.of(call, choice)
    reports: list[FileReport] = []
    for done, path in enumerate(files, 1):
        note = read_note(path, choice)
        reports.append(
            store_notes(call, path, [note], choice, known)
            if isinstance(note, Note)
            else FileReport(path, left_out=(note,))
        )
        progress(done, len(files))
    return Report(tuple(reports), known.total)


def store_notes(
    call: Call, path: Path, notes: Sequence["Note"], choice: Choice, known: "Known"
) -> FileReport:
    """Store what is new of *notes*, all from the file *path*, in one transaction, and return what became of them."""
    withheld = [_withheld(call, note) for note in notes]
    plans = [known.plan(note, held) for note, held in zip(notes, withheld, strict=True)]
    if choice.is_dry:
        plans = []
        for note, held in zip(notes, withheld, strict=True):
            plans.append(known.plan(note, held))
            known.take(note, plans[-1])
    elif any(plans):
        plans = []
        with known.indexer, call.store.write() as db:
            known.refresh(db)
            for note, held in zip(notes, withheld, strict=True):
                plans.append(known.plan(note, held))  # somebody may have stored the same meanwhile
                if plans[-1]:
                    _store(call, db, note, plans[-1], choice, known.indexer)
                    known.refresh(db)
    pieces = sum(len(note.pieces) for note in notes)
    new = sum(map(len, plans))
    erased = sum(known.is_erased(note.origin(index)) for note in notes for index in range(len(note.pieces)))
    repeated = sum(_repeats(note, plan) for note, plan in zip(notes, plans, strict=True))
    return FileReport(
        path,
        pieces=pieces,
        new=new,
        known=pieces - new - erased - repeated - sum(map(len, withheld)),
        repeated=repeated,
        outdated=_outdated(call, notes, known) if new else (),
        flaw_line=max((note.flaw_line for note in notes), default=0),
        erased=erased,
        chains=sum(1 for note, plan in zip(notes, plans, strict=True) for _ in _chains(note, plan)),
        left_out=tuple(
            LeftOut(path, "credential", {"piece": index + 1}) for held in withheld for index in sorted(held)
        ),
    )


def _repeats(note: "Note", plan: Sequence[int]) -> int:
    """Return how many pieces of *note* are equal to one that is stored now, and therefore not stored themselves."""
    stored = {folded(note.pieces[index].text) for index in plan}
    return sum(folded(piece.text) in stored for piece in note.pieces) - len(plan)


def _outdated(call: Call, notes: Sequence["Note"], known: "Known") -> tuple[int, ...]:
    """Return the live entries that came from where *notes* came from and say what these do not say any more."""
    earlier = known.beside(notes)
    if not earlier:
        return ()
    with call.store.read() as db:
        return tuple(number for number, entry in storage.fetch(db, earlier).items() if entry.is_live)


@dataclass(frozen=True)
class Note:
    """A note ready to be stored: its pieces, the tags of each, its date. *card* names it among others of its file.

    The first piece begins with *headline*, which is no part of the file's body, and has the search words *also*.
    """

    path: Path
    pieces: tuple[Piece, ...]
    tags: tuple[tuple[str, ...], ...]
    created_at: str
    card: str = ""
    headline: str = ""
    also: str = ""
    flaw_line: int = 0

    def plain(self, index: int) -> str:
        """Return the piece *index* (from 0) as the file has it."""
        text = self.pieces[index].text
        return text if index else text.removeprefix(self.headline)

    def origin(self, index: int) -> str:
        """Return where the piece *index* (from 0) came from: path, card and position from 1."""
        card = f"#{self.card}" if self.card else ""
        return f"{ORIGIN}{paths.shown(self.path)}{card}#{index + 1}"


def read_note(path: Path, choice: Choice) -> Note | LeftOut:
    """Return the note in *path*, or why it is left out."""
    try:
        status = path.stat()
        if status.st_size > LARGEST_FILE_BYTES:
            return LeftOut(path, "too_large", {"size": status.st_size, "most": LARGEST_FILE_BYTES})
        text = path.read_bytes().decode("utf-8")
        place = path.resolve()
    except UnicodeDecodeError as error:
        return LeftOut(path, "not_utf8", {"position": error.start + 1})
    except OSError as error:
        return LeftOut(path, "unreadable", {"why": error.strerror or ""})
    if "\0" in text:
        return LeftOut(path, "nul", {"position": text.index("\0") + 1})
    note = frontmatter.split(text)
    is_index = path.name == INDEX_FILE
    pieces = index_pieces(note.body) if is_index else split(note.body)
    own = frontmatter.note_tags(note.fields)
    tags = tuple(
        usable_tags([piece.tag if is_index else tag_of_file(path.name), *own, *choice.tags])
        for piece in pieces
    )
    head = "" if is_index or not pieces else headline(note)
    if head:
        pieces = (replace(pieces[0], text=head + pieces[0].text), *pieces[1:])
    return Note(
        place,
        pieces,
        tags,
        stamp_of(frontmatter.note_date(note.fields), status.st_mtime),
        headline=head,
        also="" if is_index else search_words(note),
        flaw_line=frontmatter.flaw_line(text),
    )


def _withheld(call: Call, note: Note) -> frozenset[int]:
    """Return the pieces that hold a likely credential, if such are not to be stored."""
    if secret_policy(call) != "refuse":
        return frozenset()
    found = {index for index, piece in enumerate(note.pieces) if credentials.scan(piece.text)}
    return frozenset(found | ({0} if note.pieces and credentials.scan(note.also) else set()))


TEXTS_AFTER = "SELECT id, text, origin FROM entry WHERE id > :last ORDER BY id"
ERASED_AFTER = """
    SELECT event.seq, entry.origin FROM event JOIN entry ON entry.id = event.entry_id
    WHERE event.seq > :last AND event.action = 'erased' ORDER BY event.seq
"""


class Known:
    """What the store holds already: texts after white-space folding, and origins whose entries were erased."""

    def __init__(self) -> None:
        self._texts: set[bytes] = set()
        self._erased: set[str] = set()
        self._places: dict[str, dict[int, bytes]] = {}
        self._last_entry = 0
        self._last_event = 0
        self.indexer = Indexer()
        self.total = 0

    @classmethod
    def of(cls, call: Call, choice: Choice) -> "Known":
        """Return what the file of *call* holds, nothing if a dry run finds no file."""
        known = cls()
        if not choice.is_dry or call.store.path.exists():
            with call.store.read() as db:
                known.refresh(db)
        return known

    def refresh(self, db: Connection) -> None:
        """Take in what was stored since the last time; texts of entries never change."""
        for entry_id, text, origin in db.execute(TEXTS_AFTER, {"last": self._last_entry}):
            key = folded(text)
            self._texts.add(key)
            if origin.startswith(ORIGIN):
                self._places.setdefault(_place(origin), {})[entry_id] = key
            self._last_entry = entry_id
            self.total += 1
        for seq, origin in db.execute(ERASED_AFTER, {"last": self._last_event}):
            # A merged entry has the number of another memory before it.
            self._erased.add(origin[max(origin.find(ORIGIN), 0) :])
            self._last_event = seq

    def is_erased(self, origin: str) -> bool:
        """Tell whether the entry that came from *origin* was erased on purpose."""
        return origin in self._erased

    def beside(self, notes: Sequence[Note]) -> list[int]:
        """Return the entries that came from where *notes* came from, with a text that none of their pieces has."""
        texts = {folded(piece.text) for note in notes for piece in note.pieces}
        texts |= {folded(note.plain(0)) for note in notes if note.headline}
        places = dict.fromkeys(_place(note.origin(0)) for note in notes)
        found = (item for place in places for item in self._places.get(place, {}).items())
        return sorted(entry_id for entry_id, key in found if key not in texts)

    def plan(self, note: Note, withheld: frozenset[int]) -> tuple[int, ...]:
        """Return the pieces of *note* that are to be stored, by position from 0."""
        wanted: dict[bytes, int] = {}
        for index, piece in enumerate(note.pieces):
            key = folded(piece.text)
            # Stored before without its headline, it is the same piece.
            is_known = not self._texts.isdisjoint((key, folded(note.plain(index))))
            if not is_known and index not in withheld and not self.is_erased(note.origin(index)):
                wanted.setdefault(key, index)
        return tuple(wanted.values())

    def take(self, note: Note, plan: Sequence[int]) -> None:
        """Count the pieces as stored, for a dry run."""
        self._texts.update(folded(note.pieces[index].text) for index in plan)
        self.total += len(plan)


def _place(origin: str) -> str:
    """Return *origin* without the position: the file, and the card in it."""
    return origin.rpartition("#")[0]


@lru_cache(maxsize=2048)
def folded(text: str) -> bytes:
    """Return 16 bytes that are equal for texts that differ in white space only."""
    return blake2b(" ".join(text.split()).encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _store(
    call: Call, db: Connection, note: Note, plan: Sequence[int], choice: Choice, indexer: Indexer
) -> None:
    """Store the planned pieces of *note*; those of one file were written together."""
    sitting = storage.new_sitting(db, call.process_key, note.origin(0), at=call.stamp())
    kind_at = None if choice.kind is NO_KIND else call.stamp()
    entries = [
        NewEntry(
            text=note.pieces[index].text,
            kind=choice.kind.stored,
            tags=note.tags[index],
            created_at=note.created_at,
            sitting=sitting,
            origin=note.origin(index),
            also="" if index else note.also,
            kind_at=kind_at,
        )
        for index in plan
    ]
    ids = dict(zip(plan, storage.insert_all(db, entries, indexer), strict=True))
    if hook := call.mode.entry_rules.store_hook:
        for index, entry_id in ids.items():
            resolve(hook)(call, db, entry_id, note.pieces[index].text)
        indexer.forget()  # whatever the mode did, it may have written to the index
    note_name(call, db)
    for chain in _chains(note, plan):
        record_memo(db, [ids[index] for index in chain], subject=title(note.pieces[chain[0]].text))


def _chains(note: Note, plan: Sequence[int]) -> Iterator[list[int]]:
    """Yield the planned pieces of each memo, where at least two of them are new."""
    groups: dict[int, list[int]] = {}
    for index in plan:
        chain = note.pieces[index].chain
        if chain is not None:
            groups.setdefault(chain, []).append(index)
    yield from (group for group in groups.values() if len(group) > 1)
