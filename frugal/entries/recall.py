"""recall: the best entries for a query, as previews; the header says what was searched and what was held back."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from frugal import budget
from frugal.budget import Room
from frugal.call import Call
from frugal.entries.filters import MEMOS, Filter
from frugal.entries.lines import fit_lines, hit_line, line_cost
from frugal.entries.show import deferred_lines, item, lay_out, units
from frugal.entries.storage import Entry, fetch, texts_of
from frugal.forms import Limit
from frugal.model import Answer, Cap, Kind
from frugal.search import Found, LexicalRetriever, Request, Retriever
from frugal.store import Connection
from frugal.surface import Surface
from frugal.text.titles import one_line

HEADER = Cap(320, 640)
QUERY_CHARACTERS = 60
EMPTY_CHARACTERS = 1_200
WHOLE = Cap(16 * 1024, 16 * 1024)


def preview_cap(limit: int) -> Cap:
    """Return the cap of a preview of *limit* hits: 440 + 137 characters a hit, twice as many bytes."""
    characters = 440 + 137 * limit
    return Cap(characters, 2 * characters)


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
    is_store_empty: bool


def recall(
    call: Call,
    *,
    query: str,
    limit: Limit,
    kind: tuple[Kind, ...],
    tag: tuple[str, ...],
    full: bool,
    include_superseded: bool,
    retriever: Retriever | None = None,
) -> Answer:
    """Return the entries that match *query* best, within the filters."""
    wanted = Filter(call.mode.kinds, kind, tag, include_superseded)
    question = Question(query, wanted, limit, full)
    with call.store.read() as db:
        result = search(db, question, retriever or LexicalRetriever())
    text = _empty(result, question, call.surface) if not result.entries else _render(result, question, call)
    return Answer(
        text,
        items=_items(result, question, call.surface),
        counts={"total": result.found.total, **_hidden_counts(result.hidden)},
        is_empty=not result.entries,
    )


def search(db: Connection, question: Question, retriever: Retriever) -> Result:
    """Search in one snapshot: hits, their lines, and exactly what was held back."""

    def text_of(ids: Sequence[int]) -> dict[int, str]:
        return dict(texts_of(db, ids))

    request = Request(
        question.query,
        question.filter.restriction(),
        question.limit.value,
        grouping=MEMOS,
        text_of=text_of,
    )
    found = retriever.search(db, request)
    entries = fetch(db, [hit.id for hit in found.hits])
    ordered = tuple(entries[hit.id] for hit in found.hits)
    texts = text_of([entry.id for entry in ordered]) if question.full else {}
    return Result(
        found,
        ordered,
        texts,
        _count_hidden(db, request, question, found.total, retriever),
        not ordered and _is_empty(db),
    )


def _count_hidden(
    db: Connection, request: Request, question: Question, total: int, retriever: Retriever
) -> Hidden:
    wanted = question.filter
    kinds: list[tuple[Kind, int]] = []
    if not wanted.kinds:
        for kind in wanted.vocabulary.hidden:
            restriction = wanted.with_kind(kind).restriction()
            kinds.append((kind, retriever.count(db, replace(request, restriction=restriction))))
    superseded = 0
    if not wanted.includes_superseded:
        restriction = wanted.with_superseded().restriction()
        superseded = retriever.count(db, replace(request, restriction=restriction)) - total
    return Hidden(tuple((kind, count) for kind, count in kinds if count), max(superseded, 0))


ANY_ENTRY = "SELECT 1 FROM entry_state LIMIT 1"


def _is_empty(db: Connection) -> bool:
    return db.execute(ANY_ENTRY).fetchone() is None


def _render(result: Result, question: Question, call: Call) -> str:
    surface = call.surface
    head = header(result, question, surface)
    if question.full:
        return _render_full(head, result, surface)
    room = Room(preview_cap(question.limit.value)).less(budget.cost(head))

    def tail(dropped: Sequence[Entry]) -> str:
        ids = surface.id_argument([entry.id for entry in dropped])
        return surface.text(
            "recall.dropped", count=len(dropped), call=surface.call("show", one_line(ids, 120))
        )

    shrunk = fit_lines(result.entries, surface, room, tail=tail)
    lines = [head, *shrunk.lines]
    if shrunk.dropped:
        lines.append(tail(result.entries[-shrunk.dropped :]))
    return "\n".join(lines)


def _render_full(head: str, result: Result, surface: Surface) -> str:
    entries = {entry.id: entry for entry in result.entries}
    spent = line_cost(head)
    page = lay_out(units(list(entries), entries), entries, result.texts, surface, complete=False, spent=spent)
    sections = [head, "\n\n".join(page.blocks)]
    if page.deferred:
        room = Room(WHOLE).less(budget.total(sections))
        sections += deferred_lines([entries[entry_id] for entry_id in page.deferred], surface, room)
    return "\n".join(sections)


def header(result: Result, question: Question, surface: Surface) -> str:
    """Return the header: counts, query, filters, then what was left out, in the order of the specification."""
    first = surface.text(
        "recall.header",
        shown=len(result.entries),
        total=result.found.total,
        query=one_line(question.query, QUERY_CHARACTERS),
        where=_where(question, surface),
    )
    optional = [*_search_fields(result, question, surface), *_hidden_fields(result.hidden, surface)]
    if result.entries and not question.full:
        ids = surface.id_argument([entry.id for entry in result.entries[:2]])
        optional.append(surface.text("recall.read", call=surface.call("show", ids)))
    fields = [first]
    room = Room(HEADER, frame_bytes=0)
    spent = budget.cost(first)
    for part in optional:
        spent_now = spent.plus(budget.cost("; " + part))
        if room.fits(spent_now):
            fields.append(part)
            spent = spent_now
    return "; ".join(fields)


def _where(question: Question, surface: Surface) -> str:
    where = ""
    if question.filter.tags:
        where = surface.text("recall.in_tags", tags=one_line(", ".join(question.filter.tags), 60))
    if question.filter.kinds:
        kinds = ", ".join(surface.kind(kind) for kind in question.filter.kinds)
        where += surface.text("recall.of_kinds", kinds=one_line(kinds, 60))
    return where


def _search_fields(result: Result, question: Question, surface: Surface) -> list[str]:
    found = result.found
    fields: list[str] = []
    if result.entries and not found.has_all_words and not found.is_explicit:
        fields.append(surface.text("recall.not_all_words"))
    if found.expanded:
        fields.append(surface.text("recall.expanded", words=one_line(", ".join(found.expanded[:3]), 80)))
    if found.has_operators_as_words:
        fields.append(surface.text("recall.operators_as_words"))
    if found.is_cut:
        fields.append(surface.text("recall.cut_query"))
    if question.limit.was_lowered:
        fields.append(surface.text("limit_lowered", name=_limit_name(surface), most=question.limit.value))
    return fields


def _limit_name(surface: Surface) -> str:
    return surface.parameter_name("recall", "limit")


def _hidden_fields(hidden: Hidden, surface: Surface) -> list[str]:
    name = surface.parameter_name("recall", "kind")
    fields = [
        surface.text("recall.hidden_kind", count=count, kind=surface.kind(kind), name=name)
        for kind, count in hidden.kinds
    ]
    if hidden.superseded:
        switch = surface.parameter_name("recall", "include_superseded")
        fields.append(surface.text("recall.hidden_superseded", count=hidden.superseded, name=switch))
    return fields


def _empty(result: Result, question: Question, surface: Surface) -> str:
    if result.is_store_empty:
        return surface.text("recall.store_empty")
    lines = [header(result, question, surface)]
    if result.found.unknown:
        words = one_line(", ".join(result.found.unknown[:5]), 300)
        lines.append(surface.text("recall.nowhere", words=words))
    lines.append(surface.text("recall.advice_tag" if question.filter.tags else "recall.advice"))
    return "\n".join(lines)


def _items(result: Result, question: Question, surface: Surface) -> tuple[dict[str, object], ...]:
    if question.full:
        return tuple(item(entry, result.texts[entry.id], surface) for entry in result.entries)
    return tuple(
        {"id": entry.id, "title": entry.title, "line": hit_line(entry, surface), "score": round(hit.score, 6)}
        for entry, hit in zip(result.entries, result.found.hits, strict=True)
    )


def _hidden_counts(hidden: Hidden) -> dict[str, object]:
    return {
        "hidden": {kind.english: count for kind, count in hidden.kinds},
        "superseded_hidden": hidden.superseded,
    }
