"""recall: the best entries for a query, as previews; the header says what was searched and what was held back."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from frugal import budget
from frugal.budget import Room
from frugal.call import Call
from frugal.entries import caps
from frugal.entries.answered import Hidden, Question, Result, header
from frugal.entries.asked import LearnedFirst
from frugal.entries.filters import MEMOS, Filter, Snapshot
from frugal.entries.lines import Width, fit_answer, fit_lines, hit_line, tag_list
from frugal.entries.naming import mentioned_ids
from frugal.entries.outside import better_match, unknown_tags, unknown_words, words_outside
from frugal.entries.pending import is_learning, note_asked
from frugal.entries.show import deferred_lines, item, lay_out, load, units
from frugal.entries.storage import Entry, created_of, fetch, texts_of
from frugal.forms import Limit
from frugal.model import Answer, Kind, resolve
from frugal.search import Found, LexicalRetriever, Request, Retriever
from frugal.search.written import spelled_as_written
from frugal.store import Connection
from frugal.surface import Surface
from frugal.text.analysis import as_written
from frugal.text.titles import one_line

BETTER_WIDTH = Width(60, 120)
WORD_CHARACTERS = 40
TAGS_CHARACTERS = 120
EXPANDED_SHOWN = 3


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
        learned_first = LearnedFirst(
            retriever or LexicalRetriever(), is_on=is_learning(call), named=_named(call, db, query)
        )
        result = search(db, question, learned_first)
    if not result.entries:
        text, given = _empty(result, question, call.surface), 0
    elif full:
        text, given = _render_full(result, question, call)
    else:
        text, given = _render(result, question, call.surface)
    if not full and not result.found.is_explicit:
        listed = [entry.id for entry in result.entries[:given]]
        note_asked(call, query, [*listed, *learned_first.pushed_out], result.fired)
    return Answer(
        text,
        items=_items(result, question, call.surface)[:given],
        counts={"total": result.found.total, **_hidden_counts(result.hidden)},
        is_empty=not result.entries,
    )


def _named(call: Call, db: Connection, query: str) -> Sequence[int]:
    """Return the entries that *query* itself names, as the mode knows them."""
    hook = call.mode.entry_rules.query_hook
    named: Sequence[int] = resolve(hook)(db, query) if hook else ()
    return named


def search(db: Connection, question: Question, retriever: LearnedFirst) -> Result:
    """Search in one snapshot: hits, their lines, and exactly what was held back."""
    snapshot = Snapshot(db)
    held_back = _held_back(db, question.filter)
    request = _request(db, question, snapshot)
    beside = tuple(map(snapshot.restriction, held_back.filters))
    found = retriever.search(db, replace(request, beside=beside))
    fired = retriever.fired
    better = None if fired else better_match(db, request, question.filter, found, retriever.inner, snapshot)
    ids = [hit.id for hit in found.hits]
    entries = fetch(db, [*ids, better] if better else ids)
    texts = dict(texts_of(db, ids)) if question.full else {}
    result = Result(
        _as_written(db, found),
        tuple(entries[entry_id] for entry_id in ids),
        texts,
        held_back.counted(found),
        unknown_tags=unknown_tags(db, question.filter),
        better=entries[better] if better else None,
        fired=fired,
    )
    if ids:
        return replace(result, mentioned=mentioned_ids(db, texts.values()))
    outside = () if found.is_explicit else words_outside(db, request, found, retriever)
    return replace(result, is_store_empty=_is_empty(db), outside=outside, unknown=unknown_words(db, found))


def _request(db: Connection, question: Question, snapshot: Snapshot) -> Request:
    return Request(
        question.query,
        snapshot.restriction(question.filter),
        question.limit.value,
        grouping=MEMOS,
        text_of=partial(texts_of, db),
        created_of=partial(created_of, db),
    )


def _as_written(db: Connection, found: Found) -> Found:
    """Return *found* with the words that it was expanded to as the entries spell them, as many as are shown."""
    words = spelled_as_written(db, found.expanded[:EXPANDED_SHOWN], partial(texts_of, db))
    return replace(found, expanded=words)


@dataclass(frozen=True)
class HeldBack:
    """What a filter may hold back: the hidden kinds, and whether there are superseded entries."""

    filter: Filter
    kinds: tuple[Kind, ...]
    has_superseded: bool

    @property
    def filters(self) -> list[Filter]:
        """The filters whose totals tell how much is held back: one a kind, then one with superseded entries."""
        filters = [self.filter.with_kind(kind) for kind in self.kinds]
        return [*filters, self.filter.with_superseded()] if self.has_superseded else filters

    def counted(self, found: Found) -> Hidden:
        """Return the counts that *found* brought along for `filters`."""
        kinds = [(kind, count) for kind, count in zip(self.kinds, found.beside, strict=False) if count]
        superseded = found.beside[-1] - found.total if self.has_superseded else 0
        return Hidden(tuple(kinds), max(superseded, 0))


def _held_back(db: Connection, wanted: Filter) -> HeldBack:
    kinds = () if wanted.kinds else wanted.vocabulary.hidden
    there = tuple(kind for kind in kinds if db.execute(ANY_OF_KIND, {"kind": kind.stored}).fetchone())
    has_superseded = not wanted.includes_superseded and bool(db.execute(ANY_SUPERSEDED).fetchone())
    return HeldBack(wanted, there, has_superseded)


# Both states named, so that the index over state and kind answers without reading a row.
ANY_OF_KIND = "SELECT 1 FROM entry_state WHERE live IN (0, 1) AND kind = :kind LIMIT 1"
ANY_SUPERSEDED = "SELECT 1 FROM entry_state WHERE live = 0 LIMIT 1"
ANY_ENTRY = "SELECT 1 FROM entry_state LIMIT 1"


def _is_empty(db: Connection) -> bool:
    return db.execute(ANY_ENTRY).fetchone() is None


def _render(result: Result, question: Question, surface: Surface) -> tuple[str, int]:
    """Return the preview and how many hits it lists."""
    head = header(result, question, surface)
    last = [*_tag_lines(result, surface), *_better_line(result, question, surface)]
    room = Room(caps.preview(question.limit.value)).less(budget.total([head, *last]))

    def tail(dropped: Sequence[Entry]) -> str:
        ids = surface.id_argument([entry.id for entry in dropped])
        return surface.text("recall.dropped", count=len(dropped), call=surface.call("show", ids))

    shrunk = fit_lines(result.entries, surface, room, tail=tail)
    listed = len(shrunk.lines)
    if not shrunk.dropped:
        return "\n".join([head, *shrunk.lines, *last]), listed
    head = header(result, question, surface, shown=listed)
    return "\n".join([head, *shrunk.lines, tail(result.entries[listed:]), *last]), listed


def _tag_lines(result: Result, surface: Surface) -> list[str]:
    """Return a line for each tag of the filter that no entry has, with the known ones like it."""
    lines: list[str] = []
    for tag, near in result.unknown_tags:
        line = surface.text("topics.unknown", tag=one_line(tag, 64))
        lines.append(
            f"{line} {surface.text('topics.near', tags=tag_list(near, TAGS_CHARACTERS))}" if near else line
        )
    return lines


def _better_line(result: Result, question: Question, surface: Surface) -> list[str]:
    """Return the line about a better match outside the tags, if there is one; its hit is kept narrow."""
    if result.better is None:
        return []
    tags = tag_list(list(question.filter.tags), 40)
    name = surface.parameter_word("recall", "tag")
    hit = hit_line(result.better, surface, BETTER_WIDTH)
    return [surface.text("recall.better", tags=tags, hit=hit, name=name)]


def _render_full(result: Result, question: Question, call: Call) -> tuple[str, int]:
    """Return whole texts as far as they fit, the others as lines, and how many were given whole."""
    entries = {entry.id: entry for entry in result.entries}
    loaded = load(call, entries, result.texts, result.mentioned)
    head = header(result, question, call.surface)
    last = [*_tag_lines(result, call.surface), *_better_line(result, question, call.surface)]
    room = Room(caps.WHOLE).less(budget.total([head, *last, ""]))
    page = lay_out(units(list(entries), entries), loaded, room, is_complete=False)
    body = "\n\n".join(page.blocks)
    tail = deferred_lines(page, loaded, room.less(budget.cost(body)))
    head = header(result, question, call.surface, shown=len(page.given))
    text = "\n\n".join(part for part in (f"{head}\n{body}", "\n".join([*tail, *last])) if part)
    return text, len(page.given)


def _empty(result: Result, question: Question, surface: Surface) -> str:
    if result.is_store_empty:
        return surface.text("recall.store_empty")
    lines = [header(result, question, surface), *_tag_lines(result, surface)]
    typed = as_written(question.query)
    if result.found.is_explicit:
        lines.append(surface.text("recall.as_plain", count=result.found.plain_total))
    if result.unknown:
        words = ", ".join(_with_near(typed.get(word, word), close, surface) for word, close in result.unknown)
        lines.append(surface.text("recall.nowhere", words=words))
    if result.outside:
        words = ", ".join(
            f"{one_line(typed.get(word, word), 60)} ({count})" for word, count in result.outside
        )
        lines.append(surface.text("recall.outside", words=words))
    key = "recall.advice_tag" if question.filter.tags else "recall.advice"
    lines.append(surface.text(key, call=surface.call("topics")))
    lines += _better_line(result, question, surface)
    return fit_answer(lines, caps.empty(question.limit.value), surface)


def _with_near(word: str, close: Sequence[str], surface: Surface) -> str:
    shown = one_line(word, WORD_CHARACTERS)
    if not close:
        return shown
    words = ", ".join(one_line(item, WORD_CHARACTERS) for item in close)
    return surface.text("recall.near", word=shown, words=words)


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
