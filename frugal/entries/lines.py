"""Entries as lines: a hit on one line, an entry in full, and the shrinking of a list until it fits."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from frugal import budget
from frugal.budget import Cost, Room
from frugal.entries.storage import Entry
from frugal.model import NO_KIND
from frugal.surface import Surface
from frugal.text.titles import one_line, shorten

NOTE_CHARACTERS = 40
TAGS_CHARACTERS = 28


@dataclass(frozen=True)
class Width:
    """How much of each part of a hit line is shown, in characters; *title_bytes* in UTF-8 bytes."""

    title: int = 100
    title_bytes: int = 400
    tags: int = TAGS_CHARACTERS
    notes: int = NOTE_CHARACTERS


WIDTHS = (
    Width(),
    Width(76, 228),
    Width(60, 120),
    Width(40, 80),
    Width(40, 80, tags=0),
    Width(40, 80, tags=0, notes=0),
)
"""Titles give way first, then tags, then notes; after that whole lines go."""


def hit_line(
    entry: Entry, surface: Surface, width: Width = WIDTHS[0], *, tags: Sequence[str] | None = None
) -> str:
    """Return `#376 [pitfall] 2026-11-02 Title (shop, sqlite)` and its notes in braces."""
    parts = [surface.id(entry.id)]
    kind = surface.kinds.stored(entry.kind)
    if kind is not NO_KIND:
        parts.append(f"[{surface.kind(kind)}]")
    parts += [entry.created_at[:10], shorten(entry.title, width.title, width.title_bytes)]
    if shown := _shown_tags(entry.tags if tags is None else tags, width.tags):
        parts.append(f"({shown})")
    if width.notes:
        parts += [f"{{{one_line(note, width.notes + 20)}}}" for note in notes(entry, surface, width.notes)]
    return " ".join(part for part in parts if part)


def _shown_tags(tags: Sequence[str], limit: int) -> str:
    """Return the tags that fit into *limit* characters, the rest as `+2`; 0 = none."""
    if not limit or not tags:
        return ""
    shown: list[str] = []
    for index, tag in enumerate(tags):
        rest = len(tags) - index - 1
        candidate = ", ".join([*shown, tag]) + (f", +{rest}" if rest else "")
        if len(candidate) > limit:
            break
        shown.append(tag)
    left = len(tags) - len(shown)
    if not shown:
        first = one_line(tags[0], limit - (len(f", +{left - 1}") if left > 1 else 0))
        return first + (f", +{left - 1}" if left > 1 else "")
    return ", ".join(shown) + (f", +{left}" if left else "")


def notes(entry: Entry, surface: Surface, limit: int | None = None) -> list[str]:
    """Return what stands behind an entry: superseded by what and why, and its place in a memo."""
    found: list[str] = []
    if not entry.is_live:
        found.append(_superseded_note(entry, surface, limit))
    if entry.piece is not None:
        piece = entry.piece
        span = f"{surface.id(piece.first)}-{surface.id(piece.last)}"
        found.append(surface.text("lines.piece", position=piece.position, pieces=piece.pieces, span=span))
    return found


def _superseded_note(entry: Entry, surface: Surface, limit: int | None) -> str:
    why = entry.supersession
    by = why.successor if why else None
    note = surface.text("lines.superseded_by", id=surface.id(by)) if by else surface.text("lines.superseded")
    if why and why.reason:
        reason = why.reason if limit is None else one_line(why.reason, limit)
        note = f"{note}: {reason}"
    return note


def full_head(entry: Entry, surface: Surface, length: int) -> str:
    """Return `#376 [pitfall] 2026-11-02 10:14Z (shop), 812 chars` and the notes with the whole reason."""
    kind = surface.kind(surface.kinds.stored(entry.kind))
    if entry.evidence:
        kind = f"{kind}, {surface.text(f'evidence.{entry.evidence}')}"
    head = f"{surface.id(entry.id)} [{kind}] {entry.created_at[:10]} {entry.created_at[11:16]}Z"
    if entry.tags:
        head += f" ({', '.join(entry.tags)})"
    head += f", {surface.text('lines.characters', count=length)}"
    for note in notes(entry, surface):
        head += f" {{{note}}}"
    if entry.also:
        head += "\n" + surface.text("lines.also", words=entry.also)
    return head


@dataclass(frozen=True)
class Shrunk:
    """Lines that fit, and how many were dropped from the end."""

    lines: tuple[str, ...]
    dropped: int


def fit_lines(
    entries: Sequence[Entry], surface: Surface, room: Room, *, tail: Callable[[Sequence[Entry]], str]
) -> Shrunk:
    """Return hit lines for as many *entries* as fit into *room*: narrower first, then fewer.

    *tail* gives the line that names what was dropped; its room is kept free. It is not part of the result.
    """
    for width in WIDTHS:
        lines = [hit_line(entry, surface, width) for entry in entries]
        if room.fits(lines_cost(lines)):
            return Shrunk(tuple(lines), 0)
    costs = [line_cost(line) for line in lines]
    kept = len(lines)
    spent = Cost(sum(item.characters for item in costs), sum(item.size_bytes for item in costs))
    while kept:
        kept -= 1
        spent = Cost(spent.characters - costs[kept].characters, spent.size_bytes - costs[kept].size_bytes)
        if room.fits(spent.plus(line_cost(tail(entries[kept:])))):
            break
    return Shrunk(tuple(lines[:kept]), len(lines) - kept)


def line_cost(line: str) -> Cost:
    """Return what *line* costs together with the line end before it."""
    return budget.cost(line).plus(budget.LINE_END)


def lines_cost(lines: Sequence[str]) -> Cost:
    """Return what *lines* cost, each with the line end before it."""
    spent = Cost()
    for line in lines:
        spent = spent.plus(line_cost(line))
    return spent
