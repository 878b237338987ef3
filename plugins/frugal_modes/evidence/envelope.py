"""The frame of every answer, and how it is fitted: build, measure, shrink one step, again.

What is reported comes from the final selection alone; what fitting dropped is neither disclosed nor authorised.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from frugal_modes.evidence.budgets import (
    FRAME_BYTES,
    Body,
    Purse,
    Room,
    Settled,
    brief_line,
    counted,
    minified,
    settle,
)
from frugal_modes.evidence.errors import Denied

STOP_REASONS = (
    "item_limit",
    "duplicate_text",
    "near_duplicate",
    "same_thread",
    "already_disclosed",
    "response_bytes",
    "query_budget",
    "total_budget",
    "candidate_limit",
    "time_limit",
    "text_clipped",
    "context_clipped",
    "window",
)
"""Why an answer shows less than everything, always in this order."""

_OF_CAUSE = {"over_limit": "item_limit", "over_bytes": ""}
MOST_ACTIONS = 2

UNKNOWN: Mapping[str, int] | None = None
"""`omitted` of an incomplete scan."""


@dataclass(frozen=True)
class Draft:
    """An answer without its size. *omitted* is None where the population is unknown; *refs* are what it discloses.

    *fields* are the tool's own, in order; empty ones are left out.
    """

    kind: str
    version: str
    fields: Mapping[str, object]
    query_ref: str = ""
    is_complete: bool = True
    is_truncated: bool = False
    stop_reasons: frozenset[str] = frozenset()
    omitted: Mapping[str, int] | None = field(default_factory=dict)
    actions: Sequence[Body] = ()
    is_untrusted: bool = False
    warnings: Sequence[Body] = ()
    refs: Sequence[str] = ()
    nulls: Sequence[str] = ()
    """Fields that are told although nothing is known of them."""
    brief: str = ""

    def body(self, purse: Purse, size_bytes: int) -> dict[str, object]:
        """Return what is transmitted if the answer has *size_bytes*."""
        reasons = self.stop_reasons | {_OF_CAUSE.get(cause, cause) for cause in self.omitted or ()}
        found: dict[str, object] = {"kind": self.kind, "corpus_version": self.version}
        if self.query_ref:
            found["query_ref"] = self.query_ref
        found["outcome"] = "complete" if self.is_complete else "incomplete"
        found["truncated"] = self.is_truncated or bool(self.omitted) or not self.is_complete
        optional: dict[str, object] = {
            "stop_reasons": [reason for reason in STOP_REASONS if reason in reasons],
            "omitted": dict(self.omitted or {}),
        }
        found |= _filled(optional)
        if self.omitted is None:
            found["omitted"] = None
        found["disclosure"] = purse.after(size_bytes)
        rest: dict[str, object] = {
            "next_actions": list(self.actions[:MOST_ACTIONS]),
            "untrusted": self.is_untrusted or None,
            "warnings": list(self.warnings),
            **self.fields,
        }
        return found | _filled(rest) | dict.fromkeys(self.nulls)


def _filled(fields: Mapping[str, object]) -> dict[str, object]:
    """Return *fields* without absent values and empty lists and tables."""
    return {name: value for name, value in fields.items() if value is not None and value not in ([], {}, "")}


class Fitting(Protocol):
    """What can be told in less and less: `fit` says what its functions do."""

    def build(self, limits: frozenset[str], /) -> Draft:
        """Return the answer as it is now."""

    def shrink(self) -> bool:
        """Take something away; return False if there is nothing left."""


@dataclass(frozen=True)
class Fitted:
    """An answer within its room, and the draft that it was made from."""

    draft: Draft
    settled: Settled


def no_growth(_left: int) -> bool:
    """Fill nothing up."""
    return False


def fit(
    build: Callable[[frozenset[str]], Draft],
    shrink: Callable[[], bool],
    *,
    purse: Purse,
    cap: int,
    is_brief: bool,
    grow: Callable[[int], bool] = no_growth,
) -> Fitted:
    """Return the first draft that fits, made smaller by *shrink* until it does, then filled up by *grow*.

    *build* is given the limit that made the answer smaller, as a stop reason; *shrink* returns False when there is
    nothing left to take away. *grow* is given the bytes that are left and returns False when it has nothing for them;
    what it added and does not fit after all is what *shrink* takes away next. Raise `Denied` with the size that would
    be needed.
    """
    room = purse.room(cap)
    limits: frozenset[str] = frozenset()
    fitted: Fitted | None = None
    while True:
        draft = build(limits)
        if _least_size(draft, purse, room, is_brief=is_brief) <= room.size_bytes:
            settled = _settled(draft, purse, is_brief=is_brief)
            left = room.size_bytes - settled.size_bytes
            if left >= 0:
                fitted = Fitted(draft, settled)
                if limits and grow(left):
                    continue
                return fitted
        is_smaller = shrink()
        if fitted is not None:
            return fitted
        if not is_smaller:
            raise too_small(room, _settled(draft, purse, is_brief=is_brief).size_bytes)
        limits = frozenset({room.limit})


def _settled(draft: Draft, purse: Purse, *, is_brief: bool) -> Settled:
    return settle(lambda size: draft.body(purse, size), brief=brief_line(draft.brief) if is_brief else "")


def _least_size(draft: Draft, purse: Purse, room: Room, *, is_brief: bool) -> int:
    """Return a size that the draft does not fall below by more than the digits of its figures."""
    body = draft.body(purse, room.size_bytes)
    return counted(body, brief_line(draft.brief) if is_brief else minified(body)) - 16


def too_small(room: Room, needed: int) -> Denied:
    """Return the refusal of an answer that cannot be made small enough."""
    code = {
        "response_bytes": "cap_too_small",
        "query_budget": "query_budget_exhausted",
        "total_budget": "total_budget_exhausted",
    }[room.limit]
    frame = FRAME_BYTES if code == "cap_too_small" else 0
    return Denied(code, needed=needed + frame, left=max(room.size_bytes, 0) + frame)
