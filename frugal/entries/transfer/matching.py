"""Which entries of two files are the same: those with identical text, and of several with one text, which is which."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

UNKNOWN = "9999"
"""Since when an entry is hidden that has no line in its log."""


class Twin(NamedTuple):
    """One of the entries with a certain text: live or superseded, and since when (UTC).

    *origin* says where it is from: the other file's name and number, "" for one of this file.
    """

    id: int
    created_at: str
    is_live: bool
    since: str
    origin: str = ""

    def outlives(self, other: "Twin") -> bool:
        """Tell whether its state is the later of the two; of two at one moment, being superseded is."""
        return (self.since, not self.is_live) > (other.since, not other.is_live)


def match(theirs: Sequence[Twin], ours: Sequence[Twin]) -> dict[int, Twin]:
    """Return for each of *theirs* which of *ours* it is, if any; all have the same text.

    The one that came from there before, then the same stamp of creation, then live with live, then a live one with one
    that was superseded after it was stored: one stored after that is another entry, as `remember` has it. Matched again
    after a merge, all match.
    """
    found: dict[int, Twin] = {}
    free = list(ours)

    def pair(is_same: Callable[[Twin, Twin], bool]) -> None:
        for twin in theirs:
            if twin.id in found:
                continue
            other = next((own for own in free if is_same(twin, own)), None)
            if other is not None:
                found[twin.id] = other
                free.remove(other)

    pair(lambda twin, own: bool(own.origin) and twin.origin == own.origin)
    pair(lambda twin, own: twin.created_at == own.created_at and twin.is_live == own.is_live)
    pair(lambda twin, own: twin.created_at == own.created_at)
    pair(lambda twin, own: twin.is_live and own.is_live)
    pair(_was_hidden_later)
    pair(lambda twin, own: not twin.is_live and not own.is_live)
    return found


def _was_hidden_later(twin: Twin, own: Twin) -> bool:
    """Tell whether one is live and the other was superseded after the live one was stored."""
    live, hidden = (twin, own) if twin.is_live else (own, twin)
    return live.is_live and not hidden.is_live and hidden.since >= live.created_at


class Plan(NamedTuple):
    """For each entry of theirs: the one of ours that it is, or the one of theirs that is stored in its place."""

    known: dict[int, int]
    stands_for: dict[int, int]
    new: tuple[int, ...]


def plan(groups: Iterable[tuple[Sequence[Twin], Sequence[Twin]]]) -> Plan:
    """Return what becomes of every entry of theirs; *groups* are theirs and ours with the same text.

    Of several live copies with one text only one is stored: a file may hold such copies from before there was a rule.
    """
    whole = Plan({}, {}, ())
    new: list[int] = []
    for theirs, ours in groups:
        found = match(theirs, ours)
        whole.known.update({twin: own.id for twin, own in found.items()})
        live = _stays_live(theirs, ours, found)
        first: int | None = None
        for twin in theirs:
            if twin.id in found:
                continue
            if twin.is_live and live is not None:
                whole.known[twin.id] = live
            elif twin.is_live and first is not None:
                whole.stands_for[twin.id] = first
            else:
                new.append(twin.id)
                first = twin.id if twin.is_live else first
    return whole._replace(new=tuple(sorted(new)))


def _stays_live(theirs: Sequence[Twin], ours: Sequence[Twin], found: dict[int, Twin]) -> int | None:
    """Return the one of *ours* that is live and that no match is going to hide."""
    hiding = {found[twin.id].id for twin in theirs if twin.id in found and _hides(twin, found[twin.id])}
    return next((own.id for own in ours if own.is_live and own.id not in hiding), None)


def _hides(twin: Twin, own: Twin) -> bool:
    return not twin.is_live and own.is_live and twin.outlives(own)
