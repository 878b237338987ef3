"""Entries as lines: a hit on one line, an entry in full, and the shrinking of a list until it fits."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from frugal import budget
from frugal.budget import Cost, Room
from frugal.entries.naming import shown_title
from frugal.entries.storage import Entry
from frugal.entries.transfer.origins import shown_origin
from frugal.model import NO_KIND, Cap
from frugal.surface import Surface
from frugal.text.titles import one_line

NOTE_CHARACTERS = 40
TAGS_CHARACTERS = 28

Item = TypeVar("Item")
Level = TypeVar("Level")


@dataclass(frozen=True)
class Width:
    """How much of each part of a hit line is shown, in characters; *title_bytes* in UTF-8 bytes.

    Notes keep what happened and the ids whatever their width: the reason alone gives way.
    """

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
"""Titles give way first, then tags, then the reasons in notes; after that whole lines go."""


def hit_line(
    entry: Entry, surface: Surface, width: Width = WIDTHS[0], *, tags: Sequence[str] | None = None
) -> str:
    """Return `#376 [pitfall] 2026-11-02 Title (shop, sqlite)` and its notes in braces."""
    parts = [surface.id(entry.id)]
    kind = surface.kinds.stored(entry.kind)
    if kind is not NO_KIND:
        parts.append(f"[{surface.kind(kind)}]")
    head = shown_title(entry.title, entry.title_references, surface, width.title, width.title_bytes)
    parts += [entry.created_at[:10], head]
    if shown := tag_list(entry.tags if tags is None else tags, width.tags):
        parts.append(f"({shown})")
    parts += [f"{{{note}}}" for note in notes(entry, surface, width.notes)]
    return " ".join(part for part in parts if part)


def tag_list(tags: Sequence[str], limit: int) -> str:
    """Return the tags that fit into *limit* characters, the rest as `+2`; 0 = the count alone."""
    shown: list[str] = []
    for index, tag in enumerate(tags):
        rest = len(tags) - index - 1
        candidate = ", ".join([*shown, tag]) + (f", +{rest}" if rest else "")
        if len(candidate) > limit:
            break
        shown.append(tag)
    left = len(tags) - len(shown)
    if not shown and left and limit:
        more = f", +{left - 1}" if left > 1 else ""
        return one_line(tags[0], limit - len(more)) + more
    return ", ".join([*shown, *([f"+{left}"] if left else [])])


def notes(entry: Entry, surface: Surface, limit: int | None = None) -> list[str]:
    """Return what stands behind an entry: superseded by what and why, and its place in a memo.

    *limit* is in characters for each; only a reason is ever cut. None = everything, the origin of a merged entry too.
    """
    found: list[str] = []
    if limit is None and (origin := shown_origin(entry.origin)):
        found.append(surface.text("transfer.origin", origin=origin))
    if entry.erased_at:
        found.append(surface.text("erase.note", date=entry.erased_at[:10]))
    if not entry.is_live and (entry.supersession or not entry.erased_at):
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
    if not why or not why.reason:
        return note
    if limit is None:
        return f"{note}: {one_line(why.reason, len(why.reason))}"
    reason = one_line(why.reason, limit - len(note) - 2) if limit - len(note) > 5 else ""
    return f"{note}: {reason}" if reason.strip(" .") else note


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
    entries: Sequence[Entry],
    surface: Surface,
    room: Room,
    *,
    tail: Callable[[Sequence[Entry]], str],
) -> Shrunk:
    """Return hit lines for as many *entries* as fit into *room*: narrower from the end on, then fewer.

    *tail* gives the line that names what was dropped; its room is kept free. It is not part of the result.
    """
    return fit_items(
        entries,
        lambda entry, width: hit_line(entry, surface, width),
        room,
        levels=WIDTHS,
        tail=lambda kept: tail(entries[kept:]) if kept < len(entries) else "",
    )


def fit_items(
    items: Sequence[Item],
    render: Callable[[Item, Level], str],
    room: Room,
    *,
    levels: Sequence[Level],
    tail: Callable[[int], str],
) -> Shrunk:
    """Return a line for as many *items* as fit into *room*.

    All lines have the widest level under which they fit, the first ones the level above while there is room; if even
    the last level is too much, lines are dropped from the end. *tail* gives the closing line for a number of kept
    lines ("" = none); its room is kept free. It is not part of the result.
    """
    after = line_cost(closing) if (closing := tail(len(items))) else Cost()
    wider: list[str] = []
    for level in levels:
        lines = [render(item, level) for item in items]
        if room.fits(lines_cost(lines).plus(after)):
            return Shrunk(tuple(_widened(lines, wider, room.less(after))), 0)
        wider = lines
    return _dropped(wider, room, tail)


def _widened(lines: Sequence[str], wider: Sequence[str], room: Room) -> Iterable[str]:
    """Return *lines*, which fit into *room*, the first ones as in *wider* as far as there is room."""
    spent = lines_cost(lines)
    for index, wide in enumerate(wider):
        gain, loss = budget.cost(wide), budget.cost(lines[index])
        spent = Cost(
            spent.characters + gain.characters - loss.characters,
            spent.size_bytes + gain.size_bytes - loss.size_bytes,
        )
        if not room.fits(spent):
            return [*wider[:index], *lines[index:]]
    return wider or lines


def _dropped(lines: Sequence[str], room: Room, tail: Callable[[int], str]) -> Shrunk:
    costs = [line_cost(line) for line in lines]
    spent = lines_cost(lines)
    for kept in range(len(lines) - 1, -1, -1):
        spent = Cost(spent.characters - costs[kept].characters, spent.size_bytes - costs[kept].size_bytes)
        if room.fits(spent) and room.fits(spent.plus(line_cost(tail(kept)))):
            return Shrunk(tuple(lines[:kept]), len(lines) - kept)
    return Shrunk((), len(lines))


def fit_answer(lines: Sequence[str], cap: Cap, surface: Surface, *, last: str = "") -> str:
    """Return *lines* as one text within *cap*: whole lines go from the end, counted; *last* stays the last line."""
    end = [last] if last else []
    room = Room(cap)
    if room.fits(budget.total([*lines, *end])):
        return "\n".join([*lines, *end])

    def left_out(kept: int) -> str:
        return surface.text("lines.left_out", count=len(lines) - kept)

    shrunk = _dropped(lines, room.less(line_cost(last)), left_out)
    return "\n".join([*shrunk.lines, left_out(len(shrunk.lines)), *end])


def id_list(ids: Sequence[int], surface: Surface, characters: int) -> str:
    """Return printed *ids*, runs as ranges, in at most *characters*; what does not fit is counted."""
    text = surface.ids(ids)
    if len(text) <= characters:
        return text
    room = characters - len(surface.text("lines.and_more", count=len(ids)))
    kept = _count_fitting(ids, lambda start: len(surface.ids(start)) <= room)
    return surface.ids(ids[:kept]) + surface.text("lines.and_more", count=len(ids) - kept)


def _count_fitting(ids: Sequence[int], fits: Callable[[Sequence[int]], bool]) -> int:
    """Return how many of the first *ids* fit, at least one."""
    low, high = 1, len(ids)
    while low < high:
        middle = (low + high + 1) // 2
        if fits(ids[:middle]):
            low = middle
        else:
            high = middle - 1
    return low


def line_cost(line: str) -> Cost:
    """Return what *line* costs together with the line end before it."""
    return budget.cost(line).plus(budget.LINE_END)


def lines_cost(lines: Sequence[str]) -> Cost:
    """Return what *lines* cost, each with the line end before it."""
    spent = Cost()
    for line in lines:
        spent = spent.plus(line_cost(line))
    return spent
