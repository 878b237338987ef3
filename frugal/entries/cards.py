"""Import of another system's cards: its statements become entries as they are, other bodies are cut like notes.

What reads those systems is a plugin; this is what it gives and what is made of it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from frugal.call import Call
from frugal.entries.heads import search_line, stamp_of, usable_tags
from frugal.entries.importing import (
    Choice,
    FileReport,
    Known,
    LeftOut,
    Note,
    Report,
    store_notes,
)
from frugal.model import Mode
from frugal.settings import ModeSettings
from frugal.text.cuts import LONGEST
from frugal.text.pieces import Piece, split


@dataclass(frozen=True)
class Statement:
    """A text that is one entry as it stands: an observation, a relation."""

    text: str
    tags: tuple[str, ...] = ()


@dataclass(frozen=True)
class ImportedCard:
    """One card: *name* tells it from the others of its file, *body* is what is cut. *date* is UTC, ISO; "" = the file's.

    *words* are what else it may be looked for by: they go with its first entry.
    """

    name: str
    body: str = ""
    tags: tuple[str, ...] = ()
    statements: tuple[Statement, ...] = ()
    date: str = ""
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class CardFile:
    """What one file holds: its cards, what could not be read of it, and how many of its cards do not count any more."""

    path: Path
    cards: tuple[ImportedCard, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    not_live: int = 0


@dataclass(frozen=True)
class CardSource:
    """A place of cards: its *kind*, the number of its files, and what reads them one by one."""

    kind: str
    size: int
    files: Iterable[CardFile]
    hints: tuple[str, ...] = ()


class CardFinder(Protocol):
    """What `Mode.card_source` names: it finds the cards of other systems."""

    def kinds(self, mode: Mode) -> tuple[str, ...]:
        """Return the kinds that can be read."""

    def find(
        self,
        mode: Mode,
        kind: str,
        place: Path | None,
        *,
        environ: Mapping[str, str],
        text: Callable[..., str],
    ) -> CardSource | None:
        """Return the cards of *kind* at *place*, without one those at the default place of the program.

        For `auto` return None for what is no card of another system. Raise `UsageError` for another shape. *text* gives
        the texts of the mode.
        """

    def waiting(self, mode: Mode, settings: ModeSettings) -> tuple[tuple[str, Path], ...]:
        """Return kind and place of what lies at the default place of its program and is not read yet."""


def import_cards(
    call: Call,
    source: CardSource,
    choice: Choice,
    *,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> Report:
    """Import every file of *source* in order and return what became of it; *progress* is told after each."""
    known = Known.of(call, choice)
    reports: list[FileReport] = []
    for done, file in enumerate(source.files, 1):
        reports.append(_import_file(call, file, choice, known))
        progress(done, source.size)
    return Report(tuple(reports), known.total)


def _import_file(call: Call, file: CardFile, choice: Choice, known: Known) -> FileReport:
    modified = _modified(file.path)
    notes: list[Note] = []
    left_out = list(file.left_out)
    for card in file.cards:
        note = _note(file.path, card, choice, modified)
        if any("\0" in piece.text for piece in note.pieces):
            left_out.append(LeftOut(file.path, "nul_in_card", {"card": card.name[:100]}))
        elif note.pieces:
            notes.append(note)
    report = store_notes(call, file.path, notes, choice, known)
    return replace(report, left_out=(*left_out, *report.left_out), not_live=file.not_live)


def _note(path: Path, card: ImportedCard, choice: Choice, modified: float) -> Note:
    """Return the card as a note: statements first, then the pieces of its body."""
    pieces: list[tuple[Piece, tuple[str, ...]]] = []
    for statement in card.statements:
        pieces += _pieces(statement.text.strip(), statement.tags, chain=len(pieces))
    pieces += [(_in_chain(piece, len(pieces)), card.tags) for piece in split(card.body)]
    return Note(
        path,
        tuple(piece for piece, _ in pieces),
        tuple(_tags(tags, choice) for _, tags in pieces),
        stamp_of(_moment(card.date), modified),
        card.name,
        also=search_line(card.words),
    )


def _pieces(text: str, tags: tuple[str, ...], *, chain: int) -> list[tuple[Piece, tuple[str, ...]]]:
    """Return a statement whole, or cut like a body if it is too long for an entry."""
    if not text:
        return []
    pieces = (Piece(text, 0, len(text)),) if len(text) <= LONGEST else split(text)
    return [(_in_chain(piece, chain), tags) for piece in pieces]


def _in_chain(piece: Piece, before: int) -> Piece:
    """Return *piece* with a chain that no piece of an earlier text has; *before* of them came before."""
    return piece if piece.chain is None else replace(piece, chain=before + piece.chain)


def _tags(words: Sequence[str], choice: Choice) -> tuple[str, ...]:
    """Return tags of another system as ours: blanks and commas inside become hyphens."""
    return usable_tags([*("-".join(word.replace(",", " ").split()) for word in words), *choice.tags])


def _moment(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _modified(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
