"""The matching messages in their order of rank: one pass collects what ranks them, equal texts are one wording."""

import heapq
import json
from array import array
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from frugal.api import Connection, analyse
from frugal_modes.evidence.choice import MOST_RANKED, Wording
from frugal_modes.evidence.dates import named_dates
from frugal_modes.evidence.feedback import lifted
from frugal_modes.evidence.likeness import profile
from frugal_modes.evidence.matching import Hit
from frugal_modes.evidence.query import Query
from frugal_modes.evidence.ranking import Scores
from frugal_modes.evidence.rows import rows_of
from frugal_modes.evidence.support import SITTING_MS, inherited, supported

MOST_RANKED_OF_CUT = 500
"""Of a scan that was cut: it has no time left."""

COPIES = 10
"""Of a text that many sent, so many messages are looked for in their sittings."""

MOST_SEATED = 5_000
"""Messages that are looked for in their sittings."""

PLACES = """
    SELECT number, sent_at, seq, mark, coalesce(thread, -number), conversation FROM message
    WHERE number IN (SELECT value FROM json_each(:numbers)) ORDER BY number
"""


class Found:
    """What one pass notes of every matching message, in the order of the scan."""

    def __init__(self, query: Query) -> None:
        self.numbers = array("q")
        self.keys = array("q")
        """One for each distinct text; equal within this process only."""
        texts = [clause.text for clause in query.clauses]
        self.shares: dict[int, float] = {}
        """The scores of the best messages by number, in shares of the best one; there once `wordings` was asked."""
        self.sittings: dict[int, float] = {}
        """For each of them the best share of what was said in one sitting with it."""
        self._best_score = 0.0
        self._scores = Scores(texts, concepts=_concepts(query))
        self._dates = named_dates(texts)
        self._query = query

    def visit(self, number: int, text: str, hits: Sequence[Hit]) -> None:
        """Note one message."""
        self.numbers.append(number)
        self.keys.append(hash(text))
        self._scores.add(text, hits)

    def wordings(
        self, db: Connection, excluded: frozenset[int] = frozenset(), *, most: int | None = None
    ) -> list[Wording]:
        """Return the best distinct texts, best first, without the *excluded* rows. Rows are places in this pass.

        With *most* only the first so many rows are looked at. Ties are settled by time, order in the source and ref.
        """
        scores = supported(db, self.numbers, self._scores, self._agrees)
        places: dict[int, list[int]] = {}
        for place, key in enumerate(self.keys[:most]):
            if place not in excluded:
                places.setdefault(key, []).append(place)
        best, order = self._best(db, places, scores, MOST_RANKED if most is None else MOST_RANKED_OF_CUT)
        own = {token.term for clause in self._query.clauses for token in analyse(clause.text)}
        rows = rows_of(db, [self.numbers[same[0]] for same, _ in best])
        found = [
            Wording(
                key=self.keys[same[0]],
                score=scores[same[0]],
                rows=tuple(same),
                threads=threads,
                profile=profile(rows[self.numbers[same[0]]].text, without=own),
            )
            for same, threads in best
        ]
        ranked = lifted(found) if self._scores.concepts > 1 else found
        self._best_score = max((wording.score for wording in ranked), default=0.0)
        first = self._best_score or 1.0
        self.shares = {self.numbers[row]: wording.score / first for wording in ranked for row in wording.rows}
        self.sittings = self._best_of_sittings(ranked, order)
        return ranked

    def _best_of_sittings(self, ranked: Sequence[Wording], order: Mapping[int, "_Place"]) -> dict[int, float]:
        """Return for the best messages the best share in their sitting; of many copies some are enough."""
        rows = (self.numbers[row] for wording in ranked for row in wording.rows[:COPIES])
        return _sittings(self.shares, {number: order[number] for number in islice(rows, MOST_SEATED)})

    def shares_beside(self, db: Connection, numbers: Iterable[int]) -> dict[int, float]:
        """Return the shares of messages, of those that match nothing what they inherit; once `wordings` was asked."""
        wanted = sorted(set(numbers) - self.shares.keys())
        if wanted and self._scores.concepts > 1 and self._best_score:
            top = max(self._scores.totals())
            found = inherited(db, self.numbers, self._scores, self._agrees, wanted=wanted, top=top)
            self.shares |= {number: gain / self._best_score for number, gain in found.items()}
        return self.shares

    def _agrees(self, sent_at: int) -> float:
        return self._dates.share(sent_at, self._query.zone) if self._dates.months else 0.0

    def _best(
        self, db: Connection, places: dict[int, list[int]], scores: Sequence[float], most: int
    ) -> tuple[list[tuple[list[int], tuple[int, ...]]], dict[int, "_Place"]]:
        """Return the rows of the best wordings in their final order with the thread of each row, and where they stand."""
        least = heapq.nlargest(most, (scores[same[0]] for same in places.values()))
        if not least:
            return [], {}
        candidates = [same for same in places.values() if scores[same[0]] >= least[-1]]
        numbers = self.numbers
        order = _order(db, [numbers[row] for same in candidates for row in same])
        for same in candidates:
            same.sort(key=lambda row: order[numbers[row]])
        candidates.sort(key=lambda same: (-scores[same[0]], order[numbers[same[0]]]))
        best = [(same, tuple(order[numbers[row]].thread for row in same)) for same in candidates[:most]]
        return best, order


def _concepts(query: Query) -> list[int]:
    """Return what each clause stands for: an alias and the clauses it is an alternative to are names of one thing.

    As terms of their own, the rarer name of a thing would outrank whatever is said about it under the usual one.
    """
    is_any = query.combine == "any"
    named = {0 if is_any else clause.group for clause in query.clauses if clause.role == "alias"}
    first: dict[int, int] = {}
    found: list[int] = []
    for place, clause in enumerate(query.clauses):
        group = 0 if is_any else clause.group
        is_name = group in named and (group or is_any)
        found.append(first.setdefault(group, place) if is_name else place)
    return found


def _sittings(shares: Mapping[int, float], order: Mapping[int, "_Place"]) -> dict[int, float]:
    """Return the best of *shares* in the sitting of each message: its thread, or what no pause of an hour parts."""
    found: dict[int, float] = {}
    sitting: list[int] = []
    last: _Place | None = None
    for number in sorted(order, key=lambda number: (order[number].timeline, order[number])):
        place = order[number]
        if last is not None and not place.is_one_sitting(last):
            found |= dict.fromkeys(sitting, max(shares[other] for other in sitting))
            sitting = []
        sitting.append(number)
        last = place
    return found | dict.fromkeys(sitting, max((shares[number] for number in sitting), default=0.0))


class _Place(NamedTuple):
    """What orders a message: time, order in the source, and the start of its ref; the others go along."""

    sent_at: int
    seq: int
    mark: int
    thread: int
    conversation: int

    @property
    def timeline(self) -> tuple[int, int]:
        """What it is said in: a thread, else the conversation."""
        return (1, self.thread) if self.thread > 0 else (0, self.conversation)

    def is_one_sitting(self, before: "_Place") -> bool:
        """Tell whether it belongs to what was said *before* it."""
        if self.timeline != before.timeline:
            return False
        return self.thread > 0 or self.sent_at - before.sent_at <= SITTING_MS


def _order(db: Connection, numbers: Sequence[int]) -> dict[int, _Place]:
    found = db.execute(PLACES, {"numbers": json.dumps(numbers)})
    return {number: _Place(*place) for number, *place in found}
