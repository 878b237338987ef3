"""discover_messages: the best matching messages as quoted evidence, and an account of everything held back."""

from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from frugal.api import Answer
from frugal_modes.evidence.buckets import DISCOVER_BUCKETS, bucketed
from frugal_modes.evidence.budgets import CAPS, Body
from frugal_modes.evidence.choice import Chosen, Group, causes, choices
from frugal_modes.evidence.corpus import message_number
from frugal_modes.evidence.desk import Desk, DeskTool
from frugal_modes.evidence.envelope import Draft
from frugal_modes.evidence.errors import Action, Denied
from frugal_modes.evidence.inquiry import Inquiry, counts_body, inquire, raw_query, read
from frugal_modes.evidence.items import SHORT_CHARACTERS, TEXT_CHARACTERS, Quoting
from frugal_modes.evidence.packing import Pick, Shown, Weakest
from frugal_modes.evidence.picking import picks_of, within
from frugal_modes.evidence.plan import Step, planned
from frugal_modes.evidence.ranked import Found
from frugal_modes.evidence.rows import Row, conversations_table, senders_table
from frugal_modes.evidence.shelltext import evidence as in_shell
from frugal_modes.evidence.tools import DISCOVER, FLAG_NAMES

TOOL = DISCOVER.name
SCAN_SHARE = 0.8
"""Of the time limit; the rest is for ranking and choosing."""
RANKING_S = 9e-6
"""Seconds that ranking takes for each message that matches, about; of a scan that was cut much less."""
FEW_ITEMS = 3
FEW_MESSAGES = 6
"""With no more items than those, or messages than these left, lines included, advice goes before any of them."""
MOST_PARTIAL = 20_000
"""Messages of a scan that was cut from which the best are chosen."""


@dataclass
class _Discovery:
    """What is sent of a discovery, made smaller step by step."""

    inquiry: Inquiry
    found: Found
    picks: list[Pick]
    weakest: Weakest | None
    """What goes first; without it what is worth least a byte."""
    limit: int
    per_thread: int
    excluded: frozenset[int]
    quoting: Quoting
    actions: int = 2
    has_buckets: bool = True
    has_counts: bool = True
    characters: int = TEXT_CHARACTERS
    steps: list[Step] = field(default_factory=list)
    """The messages in the order in which they come in, once not all of them fit."""
    gone: list[Step] = field(default_factory=list)
    """What of the plan was taken away, the last of it first."""
    more: list[Step] = field(default_factory=list)
    """What of it is there all the same, for it is small enough."""

    @cached_property
    def _first(self) -> list[Pick]:
        """What is shown where there is room."""
        return within(self.picks, self.limit)

    @cached_property
    def _left(self) -> list[Pick]:
        """What of it *weakest* has left."""
        return list(self._first)

    @cached_property
    def _places(self) -> dict[int, int]:
        return {number: place for place, number in enumerate(self.found.numbers)}

    @cached_property
    def _figures(self) -> dict[str, object]:
        """Counts and buckets, which fitting does not change."""
        population = self.inquiry.population
        if population is None:
            return {}
        buckets = bucketed(sorted(population.sent_at), self.inquiry.query.zone, DISCOVER_BUCKETS)
        return {"counts": counts_body(population.counts()), "buckets": buckets.as_body() if buckets else None}

    @cached_property
    def _groups(self) -> Counter[Group]:
        """The whole population by what decides why a message is held back."""
        population = self.inquiry.population
        assert population is not None
        return Counter(map(self._group, range(len(population))))

    @cached_property
    def _keys(self) -> frozenset[int]:
        chosen = [pick.chosen for pick in self.picks]
        near = {wording.key for pick in chosen for wording in pick.near}
        return frozenset({pick.wording.key for pick in chosen} | near)

    @cached_property
    def _threads(self) -> frozenset[int]:
        return frozenset(pick.chosen.thread for pick in self.picks)

    def _group(self, place: int) -> Group:
        population = self.inquiry.population
        assert population is not None
        key, thread = self.found.keys[place], population.threads[place]
        return Group(
            key if key in self._keys else None,
            thread if thread in self._threads else None,
            place in self.excluded,
        )

    @cached_property
    def _copies(self) -> dict[int, list[int]]:
        """The rows of each text that may be shown."""
        wanted = {pick.chosen.wording.key for pick in self.picks}
        copies: dict[int, list[int]] = {}
        for place, key in enumerate(self.found.keys):
            if key in wanted:
                copies.setdefault(key, []).append(place)
        return copies

    def build(self, limits: frozenset[str]) -> Draft:
        """Return the draft."""
        inquiry = self.inquiry
        items, rows, shown, is_line_clipped = self._items()
        population = inquiry.population
        reasons = set(limits)
        if any("clipped" in item for item in items):
            reasons.add("text_clipped")
        if is_line_clipped:
            reasons.add("context_clipped")
        fields: dict[str, object] = {}
        omitted: dict[str, int] | None = None
        if population is not None:
            held = self._groups.copy()
            held.subtract(self._group(self._places[row.number]) for row in rows if row.number in self._places)
            omitted = causes(held, shown=shown, dropped=self._dropped(shown), per_thread=self.per_thread)
            told = {"counts": self.has_counts, "buckets": self.has_buckets}
            fields |= {name: self._figures[name] for name, is_told in told.items() if is_told}
        fields |= {
            "evidence": items,
            "senders": senders_table(inquiry.db, rows),
            "conversations": conversations_table(
                inquiry.db, [pick.row for pick in self.picks if pick.chosen in shown]
            ),
        }
        brief = "brief.discovery" if omitted is not None else "brief.incomplete"
        return inquiry.draft(
            "discovery",
            fields,
            stop_reasons=inquiry.stop_reasons | reasons,
            omitted=omitted,
            is_truncated=bool(reasons),
            actions=self._next(items, omitted)[: self.actions],
            is_untrusted=bool(items),
            refs=[row.ref for row in rows],
            brief=inquiry.desk.text(brief, shown=len(items), held=(omitted or {}).get("total", 0)),
        )

    def _items(self) -> tuple[list[dict[str, object]], list[Row], list[Chosen], bool]:
        """Return the items, every row in them, what is shown as an item, and whether a line was cut."""
        inquiry = self.inquiry
        items: list[dict[str, object]] = []
        rows: list[Row] = []
        is_clipped = False
        visible = self._shown()
        for pick, lines in visible:
            item = self.quoting.item(pick.row, self.characters)
            if inquiry.population is not None:
                item |= self._company(pick.chosen)
            for side, wanted in (("before", -1), ("after", 1)):
                bodies = [
                    self.quoting.line(line.row, is_hit=line.row.number in self._places)
                    for line in lines
                    if line.distance * wanted > 0
                ]
                is_clipped = is_clipped or any("clipped" in body for body in bodies)
                if bodies:
                    item[side] = bodies
            items.append(item)
            rows += [pick.row, *(line.row for line in lines)]
        there = {row.number for row in rows}
        shown = [pick.chosen for pick in self.picks if pick.row.number in there]
        return items, rows, shown, is_clipped

    def _shown(self) -> list[Shown]:
        """Return the picks that are items, no message twice: one that is a line already is no item."""
        if self.steps:
            return self._planned()
        told: set[int] = set()
        shown: list[Shown] = []
        for pick in self._left:
            if pick.row.number in told:
                continue
            told.add(pick.row.number)
            lines = [line for line in pick.lines if line.row.number not in told]
            told |= {line.row.number for line in lines}
            shown.append(Shown(pick, sorted(lines, key=lambda line: line.distance)))
        return shown

    def _planned(self) -> list[Shown]:
        """Return the items of the plan with those of their lines that are in it, each beside the first that has it."""
        steps = [*self.steps, *self.more]
        items = {step.number for step in steps if step.is_item}
        lines = {step.number for step in steps} - items
        shown: list[Shown] = []
        for pick in self.picks:
            if pick.row.number in items:
                own = [line for line in pick.lines if line.row.number in lines]
                lines -= {line.row.number for line in own}
                shown.append(Shown(pick, sorted(own, key=lambda line: line.distance)))
        return shown

    def _dropped(self, shown: Sequence[Chosen]) -> list[Chosen]:
        """Return what there would have been room for among the items."""
        there = {id(chosen) for chosen in shown}
        return [pick.chosen for pick in self._first if id(pick.chosen) not in there]

    def _company(self, chosen: Chosen) -> dict[str, object]:
        """Return what else of the population says the same."""
        told: dict[str, object] = {}
        population = self.inquiry.population
        copies = self._copies[chosen.wording.key]
        if len(copies) > 1 and population is not None:
            told["same_text"] = {
                "messages": len(copies),
                "senders": len({population.senders[place] for place in copies}),
                "conversations": len({population.conversations[place] for place in copies}),
                "threads": len({population.threads[place] for place in copies}),
            }
        if chosen.similar:
            told["similar"] = chosen.similar
        return told

    def _next(self, items: Sequence[Body], omitted: Mapping[str, int] | None) -> list[Body]:
        args = {"query_ref": self.inquiry.query_ref, "exclude_disclosed": True}
        return self.inquiry.next_actions(items, omitted, Action(TOOL, args, "more"))

    def shrink(self) -> bool:
        """Take away the second next action, the buckets, what is weakest of lines and items, then half of the one text,
        at last the counts; the first action where few messages are left."""
        if self.actions > 1:
            self.actions = 1
        elif self.has_buckets and self.inquiry.population is not None:
            self.has_buckets = False
        elif self.actions and self._has_few():
            self.actions = 0
        elif self._give_up():
            pass
        elif self.characters > SHORT_CHARACTERS:
            self.characters = SHORT_CHARACTERS
        elif self.has_counts and self.inquiry.population is not None:
            self.has_counts = False
        else:
            return False
        return True

    def grow(self, left: int) -> bool:
        """Show the worthiest of what was taken away that *left* bytes are enough for; return False if there is none."""
        there = {pick.row.number for pick, _ in self._shown()} if self.gone else set()
        for step in reversed(self.gone):
            if step not in self.more and (size := self._size_of(step, there)) and size <= left:
                self.more.append(step)
                return True
        return False

    def _size_of(self, step: Step, items: Container[int]) -> int:
        """Return what a message would add beside the present *items*; 0 if it would have no place."""
        if step.is_item:
            return next(pick.size for pick in self.picks if pick.row.number == step.number) + 1
        lines = (line for pick in self.picks if pick.row.number in items for line in pick.lines)
        return next((line.size + 1 for line in lines if line.row.number == step.number), 0)

    def _has_few(self) -> bool:
        shown = self._shown()
        return len(shown) <= FEW_ITEMS or sum(1 + len(lines) for _, lines in shown) <= FEW_MESSAGES

    def _give_up(self) -> bool:
        """Take away what goes first; return False where one bare item is left."""
        if self.weakest is None:
            if self.more:
                self.more.clear()
                return True
            self.steps = self.steps or planned(self.picks, limit=self.limit, size_bytes=CAPS[TOOL])
            if len(self.steps) > 1:
                self.gone.append(self.steps.pop())
                return True
            return False
        weakest = self.weakest(self._shown())
        if weakest is not None:
            pick, line = weakest
            if line is not None:
                pick.lines.remove(line)
            else:
                del self._left[self._left.index(pick) :]
        return weakest is not None


def prepared(
    inquiry: Inquiry,
    found: Found,
    chosen: Iterable[Chosen],
    *,
    limit: int,
    context: int,
    per_thread: int,
    excluded: frozenset[int],
    weakest: Weakest | None = None,
) -> _Discovery:
    """Return what is to be told of *chosen*, at most *limit* items with *context* lines each side, ready to be fitted.

    Where it does not fit, *weakest* decides what goes first; without it that is what is worth least a byte.
    """
    quoting = Quoting(inquiry.query, has_roles=inquiry.has_alias)
    picks = picks_of(inquiry.db, found, chosen, quoting, limit=limit, context=context)
    return _Discovery(inquiry, found, picks, weakest, limit, per_thread, excluded, quoting)


def _discover(
    desk: Desk,
    query: object,
    query_ref: str,
    limit: int,
    context: int,
    per_thread: int,
    exclude_disclosed: bool,
    max_bytes: int | None,
) -> Answer:
    raw = raw_query(desk, query, query_ref)
    with desk.reading() as (db, scope):
        wanted = read(desk, db, raw)
        if not wanted.clauses:
            args = {"query": dict(raw), "strategy": "across_time"}
            raise Denied(
                "needs_clause", field="query.clauses", action=Action("sample_messages", args, "sample")
            )
        found = Found(wanted)
        inquiry = inquire(
            desk, db, scope, wanted, raw=raw, visit=found.visit, share=SCAN_SHARE, behind_s=RANKING_S
        )
        with desk.ledger.turn():
            excluded = _disclosed(inquiry, found) if exclude_disclosed else frozenset()
            most = None if inquiry.population is not None else MOST_PARTIAL
            told = prepared(
                inquiry,
                found,
                choices(found.wordings(db, excluded, most=most), per_thread=per_thread),
                limit=limit,
                context=context,
                per_thread=per_thread,
                excluded=excluded,
            )
            fitted = desk.fitted(told, tool=TOOL, max_bytes=max_bytes, grow=told.grow)
            return desk.send(fitted, shown=in_shell)


def _disclosed(inquiry: Inquiry, found: Found) -> frozenset[int]:
    """Return the places of messages that this account has shown."""
    account = inquiry.desk.account
    refs = account.disclosed if account else set()
    shown = {message_number(inquiry.db, ref, inquiry.scope) for ref in refs}
    return frozenset(place for place, number in enumerate(found.numbers) if number in shown)


discover_messages = DeskTool(_discover, DISCOVER.parameters, FLAG_NAMES)
