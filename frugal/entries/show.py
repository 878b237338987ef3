"""show: entries in full, unit by unit, until the next one would pass the cap; nothing is lost on the way."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from frugal import budget
from frugal.budget import Cost, Room
from frugal.call import Call
from frugal.entries.lines import fit_lines, full_head, line_cost
from frugal.entries.storage import Entry, fetch, texts_of
from frugal.model import Answer, Cap
from frugal.surface import Surface

PAGE = Cap(6_000, 12 * 1024)
"""Entry text of one answer."""
WHOLE = Cap(16 * 1024, 16 * 1024)
COMPLETE = Cap(655_360, 640 * 1024)
DEFERRED_LINES = 20
NOTHING = Cost()
TAIL = Cost(700, 1_500)
"""Room kept for the lines behind the texts: unknown ids, the call for what was deferred."""


@dataclass(frozen=True)
class Page:
    """What fits: *blocks* in order, the ids given, the ids deferred; *is_cut* says that the first unit was cut."""

    blocks: tuple[str, ...]
    given: tuple[int, ...]
    deferred: tuple[int, ...]
    is_cut: bool = False


def show(call: Call, *, ids: tuple[int, ...], full: bool) -> Answer:
    """Return the entries *ids* in the order asked, superseded ones included; unknown ids are named."""
    surface = call.surface
    with call.store.read() as db:
        entries = fetch(db, ids)
        texts = texts_of(db, list(entries))
    known = [entry_id for entry_id in ids if entry_id in entries]
    unknown = [entry_id for entry_id in ids if entry_id not in entries]
    page = lay_out(units(known, entries), entries, texts, surface, complete=full)
    sections = ["\n\n".join(page.blocks)] if page.blocks else []
    if unknown:
        sections.append(surface.text("show.unknown", ids=_short_ids(unknown, surface)))
    if page.deferred:
        spent = budget.total(sections)
        room = Room(COMPLETE if full else WHOLE).less(spent)
        sections += deferred_lines([entries[entry_id] for entry_id in page.deferred], surface, room)
    return Answer(
        "\n".join(sections),
        items=tuple(item(entries[entry_id], texts[entry_id], surface) for entry_id in page.given),
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


def lay_out(
    groups: Sequence[tuple[int, ...]],
    entries: Mapping[int, Entry],
    texts: Mapping[int, str],
    surface: Surface,
    *,
    complete: bool,
    spent: Cost = NOTHING,
) -> Page:
    """Lay units out until the next would pass the cap; that one and all behind it are deferred.

    *spent* is what the answer already holds. The first unit is always given, cut if it alone is too long.
    """
    whole = Room(COMPLETE if complete else WHOLE).less(TAIL).less(spent)
    page = Room(COMPLETE if complete else PAGE, frame_bytes=0)
    blocks: list[str] = []
    given: list[int] = []
    used, used_text = Cost(), Cost()
    for index, group in enumerate(groups):
        unit = [block(entries[entry_id], texts[entry_id], surface) for entry_id in group]
        used_now = used.plus(budget.cost("\n\n".join(unit))).plus(Cost(2, 4))
        text_now = used_text
        for entry_id in group:
            text_now = text_now.plus(budget.cost(texts[entry_id]))
        if whole.fits(used_now) and page.fits(text_now):
            blocks += unit
            given += group
            used, used_text = used_now, text_now
            continue
        rest = [entry_id for later in groups[index + 1 :] for entry_id in later]
        if index:
            return Page(tuple(blocks), tuple(given), (*group, *rest))
        cut = _cut_unit(group, entries, texts, surface, whole=whole, page=page)
        return Page(cut, group, tuple(rest), is_cut=True)
    return Page(tuple(blocks), tuple(given), ())


def block(entry: Entry, text: str, surface: Surface) -> str:
    """Return an entry in full: its head line and its text as stored."""
    return f"{full_head(entry, surface, len(text))}\n{text}"


def _cut_unit(
    group: tuple[int, ...],
    entries: Mapping[int, Entry],
    texts: Mapping[int, str],
    surface: Surface,
    *,
    whole: Room,
    page: Room,
) -> tuple[str, ...]:
    """Return as much of a unit as fits; the last block says what is shown of how much, and the call for all."""
    blocks: list[str] = []
    total = sum(len(texts[entry_id]) for entry_id in group)
    shown = 0
    for entry_id in group:
        head = full_head(entries[entry_id], surface, len(texts[entry_id])) + "\n"
        notice = "\n" + _cut_notice(surface, total, total, group)
        left = whole.less(budget.cost(head)).less(budget.cost(notice)).less(Cost(2, 4))
        room = Room(
            Cap(min(left.characters, page.characters), min(left.size_bytes, page.size_bytes)), frame_bytes=0
        )
        text = texts[entry_id]
        part = cut_text(text, room)
        blocks.append(head + part)
        shown += len(part)
        if len(part) < len(text):
            break
        spent = budget.cost(head + part).plus(Cost(2, 4))
        whole, page = whole.less(spent), page.less(budget.cost(part))
    return (*blocks[:-1], blocks[-1] + "\n" + _cut_notice(surface, shown, total, group))


def _cut_notice(surface: Surface, shown: int, total: int, group: tuple[int, ...]) -> str:
    ids = surface.id_argument(group)
    return surface.text("show.cut", shown=shown, total=total, call=surface.call("show", ids, full=True))


def cut_text(text: str, room: Room) -> str:
    """Return the start of *text* that fits, up to the last line end if that lies beyond half of it."""
    part = budget.cut(text, room)
    if len(part) == len(text):
        return text
    end = part.rfind("\n")
    return part[: end + 1] if end + 1 > len(part) / 2 else part


def deferred_lines(entries: Sequence[Entry], surface: Surface, room: Room) -> list[str]:
    """Return the line that counts the deferred entries and fetches them, then at most 20 of them as hits."""
    ids = [entry.id for entry in entries]
    head = surface.text("show.deferred", count=len(ids), call=_fetching_call(ids, surface))
    shown = entries[:DEFERRED_LINES]
    lines = fit_lines(shown, surface, room.less(line_cost(head)), tail=lambda _rest: "")
    return [head, *lines.lines]


def _fetching_call(ids: Sequence[int], surface: Surface) -> str:
    """Return the call for *ids*; if they are too scattered for a line, for the first of them."""
    for count in (len(ids), 50, 20, 10):
        argument = surface.id_argument(ids[:count])
        if len(argument) <= 400:
            break
    return surface.call("show", argument)


def _short_ids(ids: Sequence[int], surface: Surface) -> str:
    text = surface.ids(ids)
    if len(text) <= 300:
        return text
    return surface.ids(ids[:20]) + surface.text("lines.and_more", count=len(ids) - 20)


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
