"""Messages said next to each other support each other: a match between two matches is more likely meant.

What was said before counts twice as much as what follows: an answer stands behind its question and repeats little of
it. A word of the query that a message lacks and one beside it has counts again. So does the date that is asked for.
Figures: docs/decisions/0009.
"""

import heapq
import json
from collections.abc import Callable, Mapping, Sequence
from itertools import chain, repeat
from typing import NamedTuple

from frugal.api import Connection
from frugal_modes.evidence.ranking import Scores

SUPPORTED = 400
"""How many of the best rows are looked at; the support of others could hardly bring them to the top."""

SHARES = {"<": (0.4, 0.3, 0.2, 0.1), ">": (0.2, 0.15, 0.1, 0.05)}
"""What a message inherits of the score of the messages before and behind it, the nearest first."""

MISSING = (0.5, 0.35)
"""What it inherits of a word that it lacks, from the next message and from the one behind that."""

DATED = 1.0
"""What a message gains that was sent on the date that is asked for, in shares of the best score."""

SITTING_MS = 60 * 60_000
"""Outside a thread only what was said within an hour of each other belongs together."""

Agrees = Callable[[int], float]
"""How well a moment in milliseconds agrees with what is asked for, 0 to 1."""

PLACES = """
    SELECT m.number, m.conversation, m.thread, m.sent_at, m.seq, m.mark FROM message AS m
    WHERE m.number IN (SELECT value FROM json_each(:numbers)) ORDER BY m.number
"""
_SIDES = (("<", "DESC"), (">", "ASC"))
_TIMELINES = {True: "m.thread = :thread", False: "m.conversation = :conversation AND m.thread IS NULL"}
NEXT = {
    (is_thread, side): f"""
        SELECT m.number, m.sent_at FROM message AS m
        WHERE {where} AND (m.sent_at, m.seq, m.mark, m.number) {side} (:sent_at, :seq, :mark, :number)
        ORDER BY m.sent_at {way}, m.seq {way}, m.mark {way}, m.number {way} LIMIT :most
    """
    for is_thread, where in _TIMELINES.items()
    for side, way in _SIDES
}


def supported(db: Connection, numbers: Sequence[int], ranking: Scores, agrees: Agrees) -> list[float]:
    """Return the scores of the messages *numbers*, the best of them with their share of what their neighbours have.

    *agrees* tells how well the time of a message is what is asked for. Where one thing is asked for, every match says
    the same, and a neighbour that matches tells nothing about it.
    """
    scores = ranking.totals()
    if ranking.concepts < 2:
        return scores
    best = heapq.nlargest(SUPPORTED, range(len(scores)), key=lambda place: (scores[place], -numbers[place]))
    places = {numbers[place]: place for place in best}
    top = scores[best[0]] if best else 0.0
    gains = inherited(db, numbers, ranking, agrees, wanted=list(places), top=top)
    for number, gain in gains.items():
        scores[places[number]] += gain
    return scores


def inherited(
    db: Connection,
    numbers: Sequence[int],
    ranking: Scores,
    agrees: Agrees,
    *,
    wanted: Sequence[int],
    top: float,
) -> dict[int, float]:
    """Return what the messages *wanted* gain from those beside them and from their date; *numbers* are what matches.

    *top* is the best score of a message by itself. What gains nothing is there with 0.
    """
    rows = _rows(db, wanted)
    around = {number: _neighbours(db, row) for number, row in rows.items()}
    near = {item.number for found in around.values() for item in found}.union(wanted)
    known = {number: place for place, number in enumerate(numbers) if number in near}
    own = ranking.totals()
    parts = {number: ranking.parts(place) for number, place in known.items()}
    nothing = [0.0] * len(next(iter(parts.values()), ()))
    gains: dict[int, float] = {}
    for number, found in around.items():
        beside = [item for item in found if item.number in known]
        gain = sum(item.share * own[known[item.number]] for item in beside)
        gain += _missing(parts.get(number, nothing), [(item.missing, parts[item.number]) for item in beside])
        gains[number] = gain + DATED * top * agrees(rows[number]["sent_at"] or 0)
    return gains


def _missing(parts: Sequence[float], beside: Sequence[tuple[float, Sequence[float]]]) -> float:
    """Return the most that the messages *beside* have of each word that *parts* is without."""
    lacking = [concept for concept, part in enumerate(parts) if not part]
    return sum(max((share * other[concept] for share, other in beside), default=0.0) for concept in lacking)


class _Neighbour(NamedTuple):
    """A message beside another, and the shares of its score and of its words that the other inherits."""

    number: int
    share: float
    missing: float


def _rows(db: Connection, numbers: Sequence[int]) -> dict[int, dict[str, int | None]]:
    names = ("number", "conversation", "thread", "sent_at", "seq", "mark")
    found = db.execute(PLACES, {"numbers": json.dumps(numbers)}).fetchall()
    return {row[0]: dict(zip(names, row, strict=True)) for row in found}


def _neighbours(db: Connection, row: Mapping[str, int | None]) -> list[_Neighbour]:
    """Return the neighbours of a message in its thread, else in its conversation, the nearest of each side first."""
    is_thread = row["thread"] is not None
    sent_at = row["sent_at"] or 0
    found: list[_Neighbour] = []
    for side, shares in SHARES.items():
        others = db.execute(NEXT[is_thread, side], {**row, "most": len(shares)})
        for (number, other_at), share, missing in zip(
            others, shares, chain(MISSING, repeat(0.0)), strict=False
        ):
            if is_thread or abs(other_at - sent_at) <= SITTING_MS:
                found.append(_Neighbour(number, share, missing))
    return found
