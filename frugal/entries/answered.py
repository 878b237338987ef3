"""What a recall was asked and what it found, and the header of the answer that says so."""

from dataclasses import dataclass

from frugal import budget
from frugal.budget import Room
from frugal.entries import caps
from frugal.entries.filters import Filter
from frugal.entries.forms import UNTAGGED
from frugal.entries.lines import tag_list
from frugal.entries.storage import Entry
from frugal.forms import Limit
from frugal.ids import expand, parse_ids
from frugal.model import Kind
from frugal.search import Found
from frugal.surface import Surface
from frugal.text.titles import one_line

ECHOES = ((60, 60), (60, 40), (40, 28), (24, 28))
"""Characters of the echoed query and of the filters in a header: the first pair under which all of it fits."""
IDS_CHARACTERS = 120
MOST_IDS = 200


@dataclass(frozen=True)
class Question:
    """What was asked: the query, its filter, how many hits, and the tags and kinds as the caller wrote them."""

    query: str
    filter: Filter
    limit: Limit
    full: bool


@dataclass(frozen=True)
class Hidden:
    """What the filters held back: a count for each hidden kind, and for superseded entries."""

    kinds: tuple[tuple[Kind, int], ...] = ()
    superseded: int = 0


@dataclass(frozen=True)
class Result:
    """What the search gave, read in one snapshot."""

    found: Found
    entries: tuple[Entry, ...]
    texts: dict[int, str]
    hidden: Hidden
    is_store_empty: bool = False
    outside: tuple[tuple[str, int], ...] = ()
    unknown: tuple[tuple[str, tuple[str, ...]], ...] = ()
    unknown_tags: tuple[tuple[str, tuple[str, ...]], ...] = ()
    better: Entry | None = None
    fired: tuple[int, ...] = ()
    mentioned: frozenset[int] = frozenset()


def header(result: Result, question: Question, surface: Surface, *, shown: int | None = None) -> str:
    """Return the header: counts, query, filters, then what was left out, always in this order.

    *shown* is how many hits the answer really holds. Under pressure the echoes get shorter, then optional fields go.
    """
    count = len(result.entries) if shown is None else shown
    room = Room(caps.HEADER, frame_bytes=0)
    fields = _fields(result, question, surface)
    for query_room, filter_room in ECHOES:
        first = _first_field(result, question, surface, count, query_room, filter_room)
        line = "; ".join([first, *fields])
        if room.fits(budget.cost(line)):
            return line
    kept = [first]
    for field in fields:
        if room.fits(budget.cost("; ".join([*kept, field]))):
            kept.append(field)
    return "; ".join(kept)


def _first_field(
    result: Result, question: Question, surface: Surface, count: int, query_room: int, filter_room: int
) -> str:
    query = one_line(question.query, query_room)
    where = _where(question, surface, filter_room)
    if not result.entries:
        return surface.text("recall.none", query=query, where=where)
    return surface.text("recall.header", shown=count, total=result.found.total, query=query, where=where)


def _fields(result: Result, question: Question, surface: Surface) -> list[str]:
    fields = [*_search_fields(result, question, surface), *_hidden_fields(result.hidden, surface)]
    if result.entries and not question.full:
        ids = surface.id_argument([entry.id for entry in result.entries[:2]])
        fields.append(surface.text("recall.read", call=surface.call("show", ids)))
    if asked := _asked_ids(question.query, surface):
        fields.append(surface.text("recall.by_id", call=surface.call("show", asked)))
    return fields


def _asked_ids(query: str, surface: Surface) -> str:
    """Return the ids of a query that holds nothing else, as many as a header takes; else ""."""
    parsed = parse_ids(query)
    names = {span.name.casefold() for span in parsed.spans if span.name}
    if parsed.rejected or not parsed.spans or parsed.count > MOST_IDS or not names <= surface.names:
        return ""
    ids = expand(parsed.spans)
    while len(surface.id_argument(ids)) > IDS_CHARACTERS and len(ids) > 1:
        ids = ids[: len(ids) // 2]
    return surface.id_argument(ids)


def _where(question: Question, surface: Surface, room: int) -> str:
    where = ""
    if question.filter.tags:
        untagged = surface.text("topics.untagged")
        tags = [untagged if tag == UNTAGGED else tag for tag in question.filter.tags]
        where = surface.text("recall.in_tags", tags=tag_list(tags, room))
    if question.filter.kinds:
        kinds = ", ".join(surface.kind(kind) for kind in question.filter.kinds)
        where += surface.text("recall.of_kinds", kinds=one_line(kinds, room))
    return where


def _search_fields(result: Result, question: Question, surface: Surface) -> list[str]:
    found = result.found
    fields: list[str] = []
    if found.is_outdated:
        fields.append(surface.text("outdated_index", command=surface.upkeep_line))
    if result.fired:
        ids = ", ".join(surface.id(entry_id) for entry_id in result.fired)
        fields.append(surface.text("recall.asked_before", ids=ids))
    if result.entries and not found.has_all_words and not found.is_explicit:
        fields.append(surface.text("recall.not_all_words"))
    if found.expanded:
        fields.append(surface.text("recall.expanded", words=one_line(", ".join(found.expanded), 80)))
    if found.has_operators_as_words:
        fields.append(surface.text("recall.operators_as_words"))
    if found.is_cut:
        fields.append(surface.text("recall.cut_query"))
    if question.limit.was_lowered:
        fields.append(surface.text("limit_lowered", name=_limit_name(surface), most=question.limit.value))
    return fields


def _limit_name(surface: Surface) -> str:
    return surface.parameter_word("recall", "limit")


def _hidden_fields(hidden: Hidden, surface: Surface) -> list[str]:
    fields = [
        surface.text(
            "recall.hidden_kind",
            count=count,
            kind=surface.kind(kind),
            argument=surface.argument("recall", "kind", surface.kind(kind)),
        )
        for kind, count in hidden.kinds
    ]
    if hidden.superseded:
        argument = surface.argument("recall", "include_superseded", True)
        fields.append(surface.text("recall.hidden_superseded", count=hidden.superseded, argument=argument))
    return fields
