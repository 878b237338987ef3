"""topics: what the memory is about. Without a tag the board of all tags, with one the index of its entries."""

from collections.abc import Sequence

from frugal import budget
from frugal.budget import Cost, Room
from frugal.call import Call
from frugal.entries import caps, tags
from frugal.entries.filters import Filter
from frugal.entries.forms import UNTAGGED
from frugal.entries.lines import WIDTHS, Width, hit_line, tag_list
from frugal.entries.pages import MOST_ROWS, Ask, Fitted, Follower, fit_page
from frugal.entries.storage import Entry, fetch
from frugal.entries.tags import Tally
from frugal.forms import Limit
from frugal.model import EVERY_KIND, NO_KIND, Answer
from frugal.search import Restriction
from frugal.store import Connection
from frugal.surface import Surface
from frugal.text.normalise import fold_tag
from frugal.text.titles import one_line

BOARD_ROWS = 40
INDEX_ROWS = 30
KINDS_SHOWN = (20, 3, 1, 0)
"""How many kinds a row of the board names; the others are counted. They give way before whole rows do."""
TITLE_WIDTHS = (Width(76), *WIDTHS[1:])
ECHOES = (60, 40, 24)
"""Characters of the tags asked for in a header, and twice as many of the sub-tags under them."""
UNKNOWN_NAMED = 3
NEAR_CHARACTERS = 700


# `all` is the declared name of the parameter.
def topics(call: Call, *, tag: tuple[str, ...], limit: Limit, page: int, all: bool) -> Answer:  # noqa: A002 - the name
    """Return the board of tags, or with *tag* the index of the live entries under it, newest first."""
    ask = Ask(tag, limit, page, all, INDEX_ROWS if tag else BOARD_ROWS)
    with call.store.read() as db:
        return _index(db, ask, call) if tag else _board(db, ask, call.surface)


def _board(db: Connection, ask: Ask, surface: Surface) -> Answer:
    if not tags.has_entries(db):
        return Answer(surface.text("recall.store_empty"), is_empty=True)
    known, bare = tags.board(db), tags.untagged(db)
    rows = [*known, bare] if bare else known
    live = tags.count_live(db)
    head = surface.text("topics.board", tags=len(known), entries=live)
    counts = {"tags": len(known), "entries": live, "page": ask.page, "pages": ask.pages(len(rows))}
    if ask.start and ask.start >= len(rows):
        return Answer(f"{head}; {ask.beyond(len(rows), surface)}", counts=counts, is_empty=True)
    head = "; ".join([head, *_ways_on(surface), *ask.notices(surface)])
    chosen = rows[ask.start :] if ask.has_all else rows[ask.start : ask.start + ask.rows]
    follower = Follower(ask, len(chosen), len(rows), surface, "topics.rows_left")
    page = fit_page(
        chosen,
        lambda row, shown: row_line(row, surface, shown),
        Room(ask.cap).less(budget.cost(head)),
        levels=KINDS_SHOWN,
        rest=follower.rest,
        count=follower.count,
    )
    items = tuple(_row_item(row, surface) for row in chosen[: len(page.lines)])
    return Answer(_joined([head], page), items=items, counts=counts, is_empty=not rows)


def _ways_on(surface: Surface) -> list[str]:
    """Return how to go on from the board: the index of a tag, and a search in it."""
    tag = surface.argument("recall", "tag", "...")
    query = surface.parameter_name("recall", "query")
    search = (
        surface.call("recall", "...", tag="...")
        if surface.shell
        else f"{surface.tool_name('recall')}({query}, {tag})"
    )
    return [
        surface.text("topics.to_index", call=surface.call("topics", tag="...")),
        surface.text("topics.to_search", call=search),
    ]


def row_line(row: Tally, surface: Surface, shown: int) -> str:
    """Return `lighthouse 42 (2026-11-02): decision 12, pitfall 9, unsorted 3`, at most *shown* kinds."""
    name = row.name or surface.text("topics.untagged")
    counts = kind_counts(row, surface)
    named = [*counts[:shown], *([f"+{len(counts) - shown}"] if shown and len(counts) > shown else [])]
    line = f"{one_line(name, 64)} {row.count} ({row.newest[:10]})" + (
        f": {', '.join(named)}" if named else ""
    )
    return line if row.name else f"{line}; {surface.call('topics', tag=UNTAGGED)}"


def kind_counts(row: Tally, surface: Surface) -> list[str]:
    """Return the kinds that occur with their counts, most first, ties in listing order."""
    listed = [*surface.kinds.kinds, NO_KIND]
    totals = dict.fromkeys(listed, 0)
    for stored, count in row.kinds:
        totals[surface.kinds.stored(stored)] += count
    ordered = sorted(listed, key=lambda kind: (-totals[kind], listed.index(kind)))
    return [f"{surface.kind(kind)} {totals[kind]}" for kind in ordered if totals[kind]]


def _row_item(row: Tally, surface: Surface) -> dict[str, object]:
    kinds = {surface.kinds.stored(stored).english: count for stored, count in row.kinds}
    return {"tag": row.name, "count": row.count, "newest": row.newest[:10], "kinds": kinds}


def _joined(head: Sequence[str], page: Fitted) -> str:
    return "\n".join([*head, *page.lines, *([page.rest] if page.rest else [])])


def _index(db: Connection, ask: Ask, call: Call) -> Answer:
    surface = call.surface
    wanted = Filter(call.mode.kinds, (EVERY_KIND,), ask.tags).restriction()
    found = tags.tally_within(db, wanted)
    misses = _unknown_lines(db, ask, surface, has_hits=bool(found.count))
    counts = {"entries": found.count, "page": ask.page, "pages": ask.pages(found.count)}
    if not found.count:
        if not tags.has_entries(db):
            misses = [surface.text("recall.store_empty")]
        return Answer("\n".join(misses), counts=counts, is_empty=True)
    if ask.start >= found.count:
        head = surface.text("topics.index", tags=_names(ask, surface, ECHOES[0]), entries=found.count)
        return Answer(f"{head}; {ask.beyond(found.count, surface)}", counts=counts, is_empty=True)
    listed = _listed(db, ask, wanted, surface)
    below = tags.sub_tags(db, wanted, ask.tags)

    def head_of(shown: int) -> str:
        return _index_head(ask, found, below, surface, shown)

    head_cost = Cost(caps.HEADER.characters, caps.HEADER.size_bytes)
    page = _index_page(
        ask, listed, found.count, Room(ask.cap).less(head_cost).less(budget.total(misses)), surface
    )
    items = tuple(
        {"id": entry.id, "title": entry.title, "line": hit_line(entry, surface)}
        for entry in listed[: len(page.lines)]
    )
    return Answer(_joined([head_of(len(page.lines)), *misses], page), items=items, counts=counts)


def _listed(db: Connection, ask: Ask, wanted: Restriction, surface: Surface) -> list[Entry]:
    """Return the entries of the page asked for; with `all` every entry, grouped by kind."""
    if ask.has_all:
        ids = tags.ids_by_kind(db, wanted, surface.kinds)
    else:
        ids = tags.newest_ids(db, wanted, rows=ask.rows, start=ask.start)
    entries = fetch(db, ids)
    return [entries[entry_id] for entry_id in ids]


def _index_page(ask: Ask, listed: Sequence[Entry], total: int, room: Room, surface: Surface) -> Fitted:
    exact = {fold_tag(text) for text in ask.tags}
    follower = Follower(ask, len(listed), total, surface, "topics.left")

    def render(entry: Entry, width: Width) -> str:
        others = [tag for tag in entry.tags if fold_tag(tag) not in exact]
        return hit_line(entry, surface, width, tags=others)

    def rest_of_all(kept: int) -> str:
        """Pages are sorted by date alone, so what `all` had no room for is in the pages from the first on."""
        if kept >= total:
            return ""
        return surface.text(
            "topics.left", count=total - kept, call=ask.call(surface, page=1, limit=MOST_ROWS)
        )

    if ask.has_all:
        return fit_page(listed, render, room, levels=TITLE_WIDTHS, rest=rest_of_all, count=lambda kept: kept)
    return fit_page(listed, render, room, levels=TITLE_WIDTHS, rest=follower.rest, count=follower.count)


def _index_head(
    ask: Ask, found: Tally, below: Sequence[tuple[str, int]], surface: Surface, shown: int
) -> str:
    """Return the header: count, sub-tags and kinds with theirs, which page; echoes get shorter under pressure."""
    room = Room(caps.HEADER, frame_bytes=0)
    kinds = kind_counts(found, surface)
    line = ""
    for width in ECHOES:
        fields = [surface.text("topics.index", tags=_names(ask, surface, width), entries=found.count)]
        if below:
            named = tag_list([f"{name} {count}" for name, count in below], 2 * width)
            fields.append(surface.text("topics.sub_tags", tags=named))
        fields.append(", ".join(kinds))
        if not ask.has_all:
            first, last = ask.start + 1, ask.start + shown
            pages = ask.pages(found.count)
            fields.append(surface.text("topics.page", page=ask.page, pages=pages, first=first, last=last))
        line = "; ".join([*fields, *ask.notices(surface)])
        if room.fits(budget.cost(line)):
            return line
        kinds = [*kinds[:3], f"+{len(kinds) - 3}"] if len(kinds) > 4 else kinds
    return budget.cut(line, room)


def _names(ask: Ask, surface: Surface, width: int) -> str:
    untagged = surface.text("topics.untagged")
    return tag_list([untagged if tag == UNTAGGED else tag for tag in ask.tags], width)


def _unknown_lines(db: Connection, ask: Ask, surface: Surface, *, has_hits: bool) -> list[str]:
    """Return a line for each tag asked for that no live entry has, with the known ones that are like it."""
    if has_hits and len(ask.tags) == 1:
        return []
    known = tags.board(db)
    folded = [fold_tag(row.name) for row in known]
    unknown = [
        name for name in ask.tags if name != UNTAGGED and not any(tags.is_under(tag, name) for tag in folded)
    ]
    lines = [_unknown_line(name, known, surface) for name in unknown[:UNKNOWN_NAMED]]
    if more := unknown[UNKNOWN_NAMED:]:
        lines.append(surface.text("topics.unknown", tag=tag_list(more, NEAR_CHARACTERS)))
    if not has_hits and UNTAGGED in ask.tags:
        lines.append(surface.text("topics.none_untagged"))
    return lines


def _unknown_line(name: str, known: Sequence[Tally], surface: Surface) -> str:
    line = surface.text("topics.unknown", tag=one_line(name, 64))
    near = [f"{one_line(row.name, 64)} {row.count}" for row in tags.near(name, known)]
    if near:
        return f"{line} {surface.text('topics.near', tags=tag_list(near, NEAR_CHARACTERS))}"
    return f"{line} {surface.text('topics.see_board', call=surface.call('topics'))}"
