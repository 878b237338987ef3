"""sample_messages: undisclosed messages of the population, drawn by a fixed shuffle, fair to every stratum."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice

from frugal.api import Answer
from frugal_modes.evidence.buckets import MEASURE_BUCKETS, bucketed
from frugal_modes.evidence.budgets import Body
from frugal_modes.evidence.corpus import refs_of
from frugal_modes.evidence.desk import Desk, DeskTool
from frugal_modes.evidence.envelope import Draft
from frugal_modes.evidence.errors import Action
from frugal_modes.evidence.inquiry import Inquiry, inquire, is_kept, raw_query, read
from frugal_modes.evidence.items import SHORT_CHARACTERS, TEXT_CHARACTERS, Quoting
from frugal_modes.evidence.rows import Row, conversation_names, conversations_table, rows_of, senders_table
from frugal_modes.evidence.sampling import Drawable, draw
from frugal_modes.evidence.shelltext import evidence as in_shell
from frugal_modes.evidence.tools import FLAG_NAMES, SAMPLE

TOOL = SAMPLE.name
SCAN_SHARE = 0.8
"""Of the time limit; the rest is for drawing."""
MOST_PARTIAL = 5_000
"""Messages of a scan that was cut from which a sample is drawn."""


class Seen:
    """What one pass notes of every matching message: its number, and a key for its text."""

    def __init__(self) -> None:
        self.numbers: list[int] = []
        self.keys: dict[int, int] = {}

    def visit(self, number: int, text: str, _hits: Sequence[tuple[int, int, int]]) -> None:
        """Note one message."""
        self.numbers.append(number)
        self.keys[number] = hash(text)


@dataclass(frozen=True)
class _Frame:
    """What is drawn from: *strata* over the whole population, *items* those of its messages not disclosed yet."""

    items: list[Drawable]
    strata: int
    disclosed: int


@dataclass
class _Sample:
    """What is sent of a sample, made smaller step by step."""

    inquiry: Inquiry
    frame: _Frame
    drawn: list[Drawable]
    rows: list[Row]
    strategy: str
    seed: int
    seen: Seen | None
    """Set where no text is drawn twice."""
    actions: int = 2
    characters: int = TEXT_CHARACTERS
    dropped: list[Drawable] = field(default_factory=list)

    @cached_property
    def _quoting(self) -> Quoting:
        return Quoting(self.inquiry.query, has_roles=self.inquiry.has_alias)

    def build(self, limits: frozenset[str]) -> Draft:
        """Return the draft."""
        inquiry = self.inquiry
        items = [self._quoting.item(row, self.characters) for row in self.rows]
        reasons = set(limits | inquiry.stop_reasons)
        if any("clipped" in item for item in items):
            reasons.add("text_clipped")
        omitted = self._omitted() if inquiry.population is not None else None
        fields: dict[str, object] = {
            "strategy": self.strategy,
            "seed": self.seed,
            "population": self._population(),
            "returned_strata": len({item.stratum for item in self.drawn}) or None,
            "evidence": items,
            "senders": senders_table(inquiry.db, self.rows),
            "conversations": conversations_table(inquiry.db, self.rows),
        }
        brief = "brief.sample" if omitted is not None else "brief.incomplete"
        return inquiry.draft(
            "sample",
            fields,
            stop_reasons=frozenset(reasons),
            omitted=omitted,
            is_truncated=bool(reasons),
            actions=self._next(items, omitted)[: self.actions],
            is_untrusted=bool(items),
            refs=[row.ref for row in self.rows],
            nulls=("population",) if omitted is None else (),
            brief=inquiry.desk.text(brief, shown=len(items), held=(omitted or {}).get("total", 0)),
        )

    def _population(self) -> dict[str, object] | None:
        if self.inquiry.population is None:
            return None
        told: dict[str, object] = {"messages": len(self.inquiry.population), "strata": self.frame.strata}
        if self.seen is not None:
            told["distinct_texts"] = len(set(self.seen.keys.values()))
        return told

    def _omitted(self) -> dict[str, int]:
        """Return how many messages were not drawn, by cause."""
        drawn = {item.row for item in self.drawn}
        shown = {item.key for item in self.drawn} if self.seen is not None else set()
        dropped = {item.row for item in self.dropped}
        dropped_keys = {item.key for item in self.dropped} if self.seen is not None else set()
        counts = {
            "already_disclosed": self.frame.disclosed,
            "duplicate_text": 0,
            "over_bytes": 0,
            "over_limit": 0,
        }
        for item in self.frame.items:
            if item.row in drawn:
                continue
            if item.key in shown:
                counts["duplicate_text"] += 1
            elif item.row in dropped or item.key in dropped_keys:
                counts["over_bytes"] += 1
            else:
                counts["over_limit"] += 1
        told = {cause: count for cause, count in counts.items() if count}
        return {"total": sum(told.values()), **told} if told else {}

    def _next(self, items: Sequence[Body], omitted: Mapping[str, int] | None) -> list[Body]:
        args = {"query_ref": self.inquiry.query_ref, "strategy": self.strategy, "seed": self.seed}
        return self.inquiry.next_actions(items, omitted, Action(TOOL, args, "more"))

    def shrink(self) -> bool:
        """Take away the second next action, the last picks, then half of the one text."""
        if self.actions > 1:
            self.actions = 1
        elif len(self.rows) > 1:
            self.rows.pop()
            self.dropped.append(self.drawn.pop())
        elif self.characters > SHORT_CHARACTERS:
            self.characters = SHORT_CHARACTERS
        elif self.actions:
            self.actions = 0
        else:
            return False
        return True


def _sample(
    desk: Desk,
    query: object,
    query_ref: str,
    strategy: str,
    seed: int,
    limit: int,
    distinct_text: bool,
    max_bytes: int | None,
) -> Answer:
    raw = raw_query(desk, query, query_ref)
    with desk.reading() as (db, scope):
        wanted = read(desk, db, raw)
        seen = Seen()
        sees_texts = distinct_text or (bool(wanted.clauses) and not is_kept(desk, wanted))
        inquiry = inquire(
            desk,
            db,
            scope,
            wanted,
            raw=raw,
            visit=seen.visit if sees_texts else None,
            share=SCAN_SHARE,
            counts_occurrences=False,
        )
        with desk.ledger.turn():
            told = _drawn(inquiry, seen, strategy, seed=seed, limit=limit, is_distinct=distinct_text)
            return desk.send(desk.fitted(told, tool=TOOL, max_bytes=max_bytes), shown=in_shell)


def _drawn(
    inquiry: Inquiry, seen: Seen, strategy: str, *, seed: int, limit: int, is_distinct: bool
) -> _Sample:
    """Return a sample of at most *limit* messages that were not shown yet."""
    frame = _frame(inquiry, seen, strategy)
    order = draw(frame.items, strategy=strategy, seed=seed, is_distinct=is_distinct)
    drawn = list(islice(order, limit))
    found = rows_of(inquiry.db, [item.row for item in drawn])
    rows = [found[item.row] for item in drawn]
    return _Sample(inquiry, frame, drawn, rows, strategy, seed, seen if is_distinct else None)


def _frame(inquiry: Inquiry, seen: Seen, strategy: str) -> _Frame:
    """Return what may be drawn, each message with its stratum."""
    population = inquiry.population
    if population is None:
        return _partial(inquiry, seen, strategy)
    refs = refs_of(inquiry.db, population.numbers)
    strata = _strata(inquiry, strategy, population.sent_at, population.conversations)
    account = inquiry.desk.account
    disclosed = account.disclosed if account else set()
    items = [
        Drawable(number, refs[number], stratum, seen.keys.get(number, number))
        for number, stratum in zip(population.numbers, strata, strict=True)
        if refs[number] not in disclosed
    ]
    return _Frame(items, len(set(strata)), len(population) - len(items))


def _partial(inquiry: Inquiry, seen: Seen, strategy: str) -> _Frame:
    """Return what a scan that was cut has seen."""
    rows = list(rows_of(inquiry.db, seen.numbers[:MOST_PARTIAL]).values())
    rows.sort(key=lambda row: (row.sent_at, row.number))
    strata = _strata(inquiry, strategy, [row.sent_at for row in rows], [row.conversation for row in rows])
    account = inquiry.desk.account
    disclosed = account.disclosed if account else set()
    items = [
        Drawable(row.number, row.ref, stratum, seen.keys[row.number])
        for row, stratum in zip(rows, strata, strict=True)
        if row.ref not in disclosed
    ]
    return _Frame(items, len(set(strata)), 0)


def _strata(inquiry: Inquiry, strategy: str, times: Sequence[int], conversations: Sequence[int]) -> list[str]:
    """Return the name of the stratum of each message."""
    if strategy == "across_conversations":
        names = conversation_names(inquiry.db, set(conversations))
        return [names[number] for number in conversations]
    if strategy == "across_time":
        buckets = bucketed(sorted(times), inquiry.query.zone, MEASURE_BUCKETS)
        return [str(buckets.edges[buckets.index(moment)]) for moment in times] if buckets else []
    return [""] * len(times)


sample_messages = DeskTool(_sample, SAMPLE.parameters, FLAG_NAMES)
