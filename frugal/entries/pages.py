"""Pages of a list: what was asked for, what fits, and the call that gives the rest without a gap."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from frugal.budget import Room
from frugal.entries import caps
from frugal.entries.lines import fit_items
from frugal.forms import Limit
from frugal.model import Cap
from frugal.surface import Surface

MOST_ROWS = 200

Item = TypeVar("Item")
Level = TypeVar("Level")


@dataclass(frozen=True)
class Ask:
    """How much of a list was asked for: *limit* 0 stands for *usual* lines a page; *has_all* means every line."""

    tags: tuple[str, ...]
    limit: Limit
    page: int
    has_all: bool
    usual: int

    @property
    def rows(self) -> int:
        """Lines a page."""
        return self.limit.value or self.usual

    @property
    def start(self) -> int:
        """How many lines the pages before hold."""
        return 0 if self.has_all else (self.page - 1) * self.rows

    @property
    def cap(self) -> Cap:
        """What the answer may cost."""
        return caps.COMPLETE if self.has_all else caps.TOPICS

    def pages(self, total: int) -> int:
        """Return how many pages *total* lines make, at least one."""
        return max(-(-total // self.rows), 1)

    def call(self, surface: Surface, *, page: int, limit: int) -> str:
        """Write the call for a page of the same list; *limit* 0 = the usual one."""
        named: dict[str, object] = {}
        if self.tags:
            named["tag"] = " ".join(self.tags)
        if limit:
            named["limit"] = limit
        if page > 1:
            named["page"] = page
        return surface.call("topics", **named)

    def beyond(self, total: int, surface: Surface) -> str:
        """Say that this page lies behind the last one, and how to get that."""
        last = self.pages(total)
        call = self.call(surface, page=last, limit=self.limit.value)
        return surface.text("topics.beyond", page=self.page, last=last, call=call)

    def notices(self, surface: Surface) -> list[str]:
        """Say what of the call was lowered or ignored."""
        limit = surface.parameter_word("topics", "limit")
        if self.has_all:
            is_told = self.limit.value or self.limit.was_lowered or self.page > 1
            page = surface.parameter_word("topics", "page")
            return [surface.text("topics.ignored", limit=limit, page=page)] if is_told else []
        if self.limit.was_lowered:
            return [surface.text("limit_lowered", name=limit, most=self.limit.value)]
        return []


@dataclass(frozen=True)
class Fitted:
    """The lines of a page, and the line behind them that names what is left ("" = nothing is)."""

    lines: tuple[str, ...]
    rest: str


def fit_page(
    items: Sequence[Item],
    render: Callable[[Item, Level], str],
    room: Room,
    *,
    levels: Sequence[Level],
    rest: Callable[[int], str],
    count: Callable[[int], int],
) -> Fitted:
    """Return the lines of *items* that fit, narrowed first; *rest* tells for kept lines what is left.

    *count* tells how many of the kept lines to show, so that the next page begins where this one ends.
    """
    shrunk = fit_items(items, render, room, levels=levels, tail=rest)
    kept = len(shrunk.lines)
    return Fitted(shrunk.lines[: count(kept)], rest(kept))


@dataclass(frozen=True)
class Follower:
    """What comes after a page of *asked* lines out of *total*; *key* is the text that says so."""

    ask: Ask
    asked: int
    total: int
    surface: Surface
    key: str

    def end(self, kept: int) -> int:
        """Return where in the list a page ends of which *kept* lines fit.

        A shorter page ends at a multiple of the lines it holds: that number as `limit` continues without a gap.
        """
        start = self.ask.start
        if kept >= self.asked:
            return start + self.asked
        size = max(kept, 1)
        return (start + size) // size * size

    def count(self, kept: int) -> int:
        """Return how many of the *kept* lines to show."""
        return self.end(kept) - self.ask.start

    def rest(self, kept: int) -> str:
        """Return the line that counts what is left and gives the call for the next page; "" if nothing is left."""
        end = self.end(kept)
        if end >= self.total:
            return ""
        is_whole = kept >= self.asked
        limit = self.ask.limit.value if is_whole else min(max(kept, 1), MOST_ROWS)
        size = self.ask.rows if is_whole else limit
        call = self.ask.call(self.surface, page=end // size + 1, limit=limit)
        return self.surface.text(self.key, count=self.total - end, call=call)
