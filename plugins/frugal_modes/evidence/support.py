"""Messages said next to each other support each other: a match between two matches is more likely meant.

On the turns of public conversations this is worth about as many points of recall as BM25 has over counting words
(`evidence evaluate --locomo`).
"""

import heapq
import json
from collections.abc import Mapping, Sequence

from frugal.api import Connection
from frugal_modes.evidence.ranking import Scores

SUPPORTED = 400
"""How many of the best rows are looked at; the support of others could hardly bring them to the top."""

SHARES = (0.5, 0.3)
"""What a message inherits of the next message on either side, and of the one behind that."""

SITTING_MS = 60 * 60_000
"""Outside a thread only what was said within an hour of each other belongs together."""

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


def supported(db: Connection, numbers: Sequence[int], ranking: Scores) -> list[float]:
    """Return the scores of the messages *numbers*, the best of them with their share of what their neighbours have.

    Where one thing is asked for, every match says the same, and a neighbour that matches tells nothing about it.
    """
    scores = ranking.totals()
    if ranking.concepts < 2:
        return scores
    best = heapq.nlargest(SUPPORTED, range(len(scores)), key=lambda place: (scores[place], -numbers[place]))
    around = {
        place: _neighbours(db, row) for place, row in _rows(db, {numbers[place]: place for place in best})
    }
    wanted = {number for found in around.values() for number, _ in found}
    own = {number: scores[place] for place, number in enumerate(numbers) if number in wanted}
    for place, found in around.items():
        scores[place] += sum(share * own.get(number, 0.0) for number, share in found)
    return scores


def _rows(db: Connection, places: Mapping[int, int]) -> list[tuple[int, dict[str, int | None]]]:
    names = ("number", "conversation", "thread", "sent_at", "seq", "mark")
    found = db.execute(PLACES, {"numbers": json.dumps(list(places))}).fetchall()
    return [(places[row[0]], dict(zip(names, row, strict=True))) for row in found]


def _neighbours(db: Connection, row: Mapping[str, int | None]) -> list[tuple[int, float]]:
    """Return the neighbours of a message in its thread, else in its conversation, each with its share."""
    is_thread = row["thread"] is not None
    sent_at = row["sent_at"] or 0
    found: list[tuple[int, float]] = []
    for side, _ in _SIDES:
        others = db.execute(NEXT[is_thread, side], {**row, "most": len(SHARES)})
        for (number, other_at), share in zip(others, SHARES, strict=False):
            if is_thread or abs(other_at - sent_at) <= SITTING_MS:
                found.append((number, share))
    return found
