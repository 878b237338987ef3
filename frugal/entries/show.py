"""show: entries in full, unit by unit, until the next one would pass the cap; nothing is lost on the way."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from frugal import budget
from frugal.budget import Cost, Room
from frugal.call import Call
from frugal.entries import caps
from frugal.entries.asked import note_show
from frugal.entries.lines import fit_lines, full_head, id_list, line_cost
from frugal.entries.naming import Shown, mentioned_ids, named
from frugal.entries.storage import Entry, fetch, texts_of
from frugal.entries.transfer.origins import shown_origin
from frugal.model import Answer, Cap
from frugal.surface import Surface
from frugal.text.graphemes import boundary_before

DEFERRED_LINES = 20
UNKNOWN_CHARACTERS = 400
BLANK_LINE = Cost(2, 4)
SLACK = Cost(8, 8)
"""A shorter list of deferred ids may be written a little longer: `8,9` where `8-10` was."""


@dataclass(frozen=True)
class Loaded:
    """Entries and their texts, stored and as *shown* on one surface; *mode* is the name of the mode in the shell."""

    entries: Mapping[int, Entry]
    texts: Mapping[int, str]
    shown: Mapping[int, Shown]
    surface: Surface
    mode: str


def load(
    call: Call, entries: Mapping[int, Entry], texts: Mapping[int, str], mentioned: frozenset[int]
) -> Loaded:
    """Return *entries* with their *texts*, in which the ids *mentioned* are named.

    Numbers in a merged text are those of the memory it came from, and stay as they are.
    """
    shown = {
        entry_id: Shown(text)
        if shown_origin(entries[entry_id].origin)
        else named(text, call.surface, mentioned)
        for entry_id, text in texts.items()
    }
    return Loaded(entries, texts, shown, call.surface, call.mode.name)


@dataclass(frozen=True)
class Page:
    """What fits: *blocks* in order, the ids given (of the last perhaps a part), the ids deferred."""

    blocks: tuple[str, ...]
    given: tuple[int, ...]
    deferred: tuple[int, ...]


def show(call: Call, *, ids: tuple[int, ...], full: bool) -> Answer:
    """Return the entries *ids* in the order asked, superseded ones included; unknown ids are named."""
    surface = call.surface
    with call.store.read() as db:
        entries = fetch(db, ids)
        texts = texts_of(db, list(entries))
        mentioned = mentioned_ids(db, texts.values()) if surface.prints_names else frozenset()
    loaded = load(call, entries, texts, mentioned)
    unknown = [entry_id for entry_id in ids if entry_id not in entries]
    tail: list[str] = []
    if unknown:
        tail.append(surface.text("show.unknown", ids=id_list(unknown, surface, UNKNOWN_CHARACTERS)))
    room = Room(caps.COMPLETE if full else caps.WHOLE).less(budget.total(tail)).less(BLANK_LINE)
    groups = units([entry_id for entry_id in ids if entry_id in entries], entries)
    page = lay_out(groups, loaded, room, is_complete=full)
    body = "\n\n".join(page.blocks)
    tail += deferred_lines(page, loaded, room.less(budget.cost(body)), is_complete=full)
    note_show(call, ids, page.given)
    return Answer(
        "\n\n".join(part for part in (body, "\n".join(tail)) if part),
        items=tuple(item(entries[entry_id], loaded.texts[entry_id], surface) for entry_id in page.given),
        counts={"unknown": unknown, "deferred": list(page.deferred)},
        is_empty=not page.given,
    )


def units(ids: Sequence[int], entries: Mapping[int, Entry]) -> list[tuple[int, ...]]:
    """Return *ids* as units: the asked pieces of one memo stand together, in order, at the place of the first."""
    groups: dict[tuple[str, int], list[int]] = {}
    for entry_id in ids:
        piece = entries[entry_id].piece
        key = ("memo", piece.memo) if piece else ("entry", entry_id)
        groups.setdefault(key, []).append(entry_id)

    def place(entry_id: int) -> int:
        piece = entries[entry_id].piece
        return piece.position if piece else 0

    return [tuple(sorted(group, key=place)) for group in groups.values()]


def lay_out(groups: Sequence[tuple[int, ...]], loaded: Loaded, room: Room, *, is_complete: bool) -> Page:
    """Lay units out until the next would pass *room* or the cap of entry text; the others are deferred.

    The first unit is always given, cut if it alone is too long. Room for the line that names the deferred ones
    is kept free.
    """
    page = Room(caps.COMPLETE if is_complete else caps.PAGE, frame_bytes=0)
    later = [entry_id for group in groups[1:] for entry_id in group]
    if later:
        line = _deferred_head(later, loaded.surface, is_complete=is_complete)
        room = room.less(line_cost(line)).less(SLACK).less(BLANK_LINE)
    blocks: list[str] = []
    used, used_text = Cost(), Cost()
    for index, group in enumerate(groups):
        unit = [block(entry_id, loaded) for entry_id in group]
        used = used.plus(budget.cost("\n\n".join(unit))).plus(BLANK_LINE)
        used_text = used_text.plus(_text_cost(group, loaded))
        if room.fits(used) and page.fits(used_text):
            blocks += unit
            continue
        given = tuple(entry_id for before in groups[:index] for entry_id in before)
        rest = tuple(entry_id for behind in groups[index:] for entry_id in behind)
        if index:
            return Page(tuple(blocks), given, rest)
        parts = _cut_unit(group, loaded, room, page, is_complete=is_complete)
        return Page(parts, group[: len(parts)], rest[len(group) :])
    return Page(tuple(blocks), tuple(entry_id for group in groups for entry_id in group), ())


def block(entry_id: int, loaded: Loaded) -> str:
    """Return an entry in full: its head line and its text."""
    head = full_head(loaded.entries[entry_id], loaded.surface, len(loaded.texts[entry_id]))
    return f"{head}\n{loaded.shown[entry_id].text}"


def _text_cost(group: Sequence[int], loaded: Loaded) -> Cost:
    """Return what the texts of a unit count against the cap of entry text: search words belong to it."""
    spent = Cost()
    for entry_id in group:
        spent = spent.plus(budget.cost(loaded.shown[entry_id].text)).plus(
            budget.cost(loaded.entries[entry_id].also)
        )
    return spent


def _cut_unit(
    group: tuple[int, ...], loaded: Loaded, room: Room, page: Room, *, is_complete: bool
) -> tuple[str, ...]:
    """Return as much of a unit as fits; the last block says what is shown of how much, and how to get all."""
    total = sum(len(loaded.texts[entry_id]) for entry_id in group)
    room = room.less(line_cost(_cut_notice(group, loaded, total, total, is_complete=is_complete)))
    blocks: list[str] = []
    shown = 0
    for entry_id in group:
        whole = loaded.shown[entry_id]
        head = full_head(loaded.entries[entry_id], loaded.surface, len(loaded.texts[entry_id])) + "\n"
        left = room.less(budget.cost(head))
        part = whole.text[: whole.whole_end(len(cut_text(whole.text, _narrower(left, page))))]
        if blocks and not part:
            break
        blocks.append(head + part)
        shown += whole.stored_length(len(part))
        if len(part) < len(whole.text):
            break
        room = left.less(budget.cost(part)).less(BLANK_LINE)
        page = page.less(_text_cost([entry_id], loaded))
    notice = _cut_notice(group, loaded, shown, total, is_complete=is_complete)
    return (*blocks[:-1], blocks[-1].removesuffix("\n") + "\n" + notice)


def _narrower(one: Room, other: Room) -> Room:
    size = min(one.size_bytes, other.size_bytes)
    return Room(Cap(max(min(one.characters, other.characters), 0), max(size, 0)), frame_bytes=0)


def _cut_notice(group: Sequence[int], loaded: Loaded, shown: int, total: int, *, is_complete: bool) -> str:
    """Say how much is shown; beyond what any answer holds, only the shell prints the rest."""
    surface = loaded.surface
    ids = surface.id_argument(group)
    if is_complete:
        call = (
            f"{surface.call('show', ids)} --json"
            if surface.shell
            else f"frugal-memory {loaded.mode} {surface.tool_name('show')} {ids} --json"
        )
    else:
        call = surface.call("show", ids, full=True)
    return surface.text("show.cut", shown=shown, total=total, call=call)


def cut_text(text: str, room: Room) -> str:
    """Return the start of *text* that fits, up to the last line end if that lies beyond half of it."""
    part = budget.cut(text, room)
    if len(part) == len(text):
        return text
    end = part.rfind("\n") + 1
    return part[:end] if end > len(part) / 2 else text[: boundary_before(text, len(part))]


def deferred_lines(page: Page, loaded: Loaded, room: Room, *, is_complete: bool = False) -> list[str]:
    """Return the line that counts the deferred entries and fetches them, then at most 20 of them as hits."""
    if not page.deferred:
        return []
    surface = loaded.surface
    head = _deferred_head(page.deferred, surface, is_complete=is_complete)
    listed = [loaded.entries[entry_id] for entry_id in page.deferred[:DEFERRED_LINES]]
    room = room.less(line_cost(head)).less(BLANK_LINE)
    return [head, *fit_lines(listed, surface, room, tail=lambda _rest: "").lines]


def _deferred_head(ids: Sequence[int], surface: Surface, *, is_complete: bool) -> str:
    argument = surface.id_argument(ids)
    call = surface.call("show", argument, full=True) if is_complete else surface.call("show", argument)
    return surface.text("show.deferred", count=len(ids), call=call)


def item(entry: Entry, text: str, surface: Surface) -> dict[str, object]:
    """Return an entry for `--json`, keys in English."""
    return {
        "id": entry.id,
        "kind": surface.kinds.stored(entry.kind).english,
        "created_at": entry.created_at + "Z",
        "tags": list(entry.tags),
        "text": text,
        "also": entry.also,
        "is_live": entry.is_live,
        "superseded_by": entry.supersession.successor if entry.supersession else None,
        "reason": entry.supersession.reason if entry.supersession else None,
    }
