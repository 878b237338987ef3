"""Which series of an old notebook replaces which: links that ours can hold, and those that it cannot."""

from collections.abc import Sequence

from frugal_modes.notebook.keys import fold
from frugal_modes.notebook.old_rows import OldSeries
from frugal_modes.notebook.vocabulary import STATUSES, SUPERSEDED, find


def successors(series: Sequence[OldSeries]) -> tuple[dict[int, int], list[OldSeries]]:
    """Return the successor of each series by old ids, and the series whose successor cannot be linked.

    Those are not superseded by their status, name themselves, or would close a circle; the last link of a circle goes.
    A successor that is no series here stands in neither: the history keeps its name.
    """
    by_key = {fold(one.fields["kennung"]): one.id for one in series}
    links: dict[int, int] = {}
    refused: list[OldSeries] = []
    for one in series:
        target = by_key.get(fold(one.fields["abgeloest_durch"]))
        if target is None:
            continue
        is_superseded = find(STATUSES, one.fields["status"]) is SUPERSEDED
        if is_superseded and one.id not in _chain(links, target):
            links[one.id] = target
        else:
            refused.append(one)
    return links, refused


def _chain(links: dict[int, int], start: int) -> list[int]:
    """Return *start* and everything that it leads to."""
    found = [start]
    while found[-1] in links:
        found.append(links[found[-1]])
    return found
