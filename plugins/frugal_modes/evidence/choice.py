"""Which of the ranked messages are shown: no text twice, no near copies, few of a thread, each unlike the others."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from frugal_modes.evidence.likeness import Profile, is_near, overlap

MOST_RANKED = 2_000
UNLIKENESS = 0.5
"""How much of the relevance the greatest likeness to a chosen message takes away."""

CAUSES = (
    "already_disclosed",
    "duplicate_text",
    "near_duplicate",
    "same_thread",
    "over_bytes",
    "over_limit",
)
"""Why a matching message is not shown; the first that holds is told."""


@dataclass(frozen=True)
class Wording:
    """One distinct text of the population: its *score*, and the rows that have it, in order of time.

    Rows are places in the population, not numbers of the store. *threads* names the thread of each row, unique to it
    where a message stands alone.
    """

    key: int
    score: float
    rows: tuple[int, ...]
    threads: tuple[int, ...]
    profile: Profile


@dataclass
class Chosen:
    """A message to show and what it stands for: *near* are the wordings that are near copies of it."""

    wording: Wording
    row: int
    thread: int
    near: list[Wording] = field(default_factory=list)

    @property
    def similar(self) -> int:
        """How many messages of the population are near copies, exact ones not counted."""
        return sum(len(wording.rows) for wording in self.near)


@dataclass
class _Candidate:
    wording: Wording
    relevance: float
    likeness: float = 0.0
    is_out: bool = False

    @property
    def value(self) -> float:
        return self.relevance - UNLIKENESS * self.likeness


def choose(ranked: Sequence[Wording], *, limit: int, per_thread: int) -> list[Chosen]:
    """Return at most *limit* messages, the best first; *ranked* come best first, which settles ties."""
    return list(islice(choices(ranked, per_thread=per_thread), limit))


def choices(ranked: Sequence[Wording], *, per_thread: int) -> Iterator[Chosen]:
    """Yield the messages to show, the best first; what is near to one is known once it was yielded."""
    best = max((wording.score for wording in ranked), default=0.0) or 1.0
    pool = [_Candidate(wording, wording.score / best) for wording in ranked]
    threads: dict[int, int] = {}
    while taken := _next(pool, threads, per_thread):
        candidate, row, thread = taken
        threads[thread] = threads.get(thread, 0) + 1
        pick = Chosen(candidate.wording, row, thread)
        _compare(pool, pick)
        yield pick


def _next(
    pool: list[_Candidate], threads: Mapping[int, int], per_thread: int
) -> tuple[_Candidate, int, int] | None:
    """Return the best candidate that is left, with the first of its rows whose thread is not full."""
    while True:
        left = [candidate for candidate in pool if not candidate.is_out]
        if not left:
            return None
        candidate = max(left, key=lambda item: item.value)
        candidate.is_out = True
        wording = candidate.wording
        for row, thread in zip(wording.rows, wording.threads, strict=True):
            if threads.get(thread, 0) < per_thread:
                return candidate, row, thread


def _compare(pool: Sequence[_Candidate], pick: Chosen) -> None:
    """Take the near copies of *pick* out of the pool, note how alike the others are."""
    profile = pick.wording.profile
    for candidate in pool:
        if candidate.is_out:
            continue
        if is_near(candidate.wording.profile, profile):
            candidate.is_out = True
            pick.near.append(candidate.wording)
        else:
            candidate.likeness = max(candidate.likeness, overlap(candidate.wording.profile, profile))


class Group(NamedTuple):
    """What decides why a message is held back: the key of its text, its thread, whether it had been disclosed.

    A key or a thread that no chosen message has to do with is None.
    """

    key: int | None
    thread: int | None
    is_excluded: bool


def causes(
    groups: Mapping[Group, int], *, shown: Sequence[Chosen], dropped: Sequence[Chosen], per_thread: int
) -> dict[str, int]:
    """Return how many messages are not shown by cause, `total` first; causes without any are left out.

    *groups* counts the messages that are not shown; *shown* and *dropped* are the final selection and what fitting took
    away from it.
    """
    duplicate = {pick.wording.key for pick in shown}
    near = {wording.key for pick in shown for wording in pick.near}
    fitted_out = {pick.wording.key for pick in dropped}
    fitted_out |= {wording.key for pick in dropped for wording in pick.near}
    full = _full(shown, per_thread)
    would_be_full = _full((*shown, *dropped), per_thread)
    counts = dict.fromkeys(CAUSES, 0)
    for (key, thread, is_excluded), count in groups.items():
        if is_excluded:
            counts["already_disclosed"] += count
        elif key in duplicate:
            counts["duplicate_text"] += count
        elif key in near:
            counts["near_duplicate"] += count
        elif thread in full:
            counts["same_thread"] += count
        elif key in fitted_out or thread in would_be_full:
            counts["over_bytes"] += count
        else:
            counts["over_limit"] += count
    told = {cause: count for cause, count in counts.items() if count}
    return {"total": sum(told.values()), **told} if told else {}


def _full(picks: Sequence[Chosen], per_thread: int) -> set[int]:
    counts: dict[int, int] = {}
    for pick in picks:
        counts[pick.thread] = counts.get(pick.thread, 0) + 1
    return {thread for thread, count in counts.items() if count >= per_thread}
