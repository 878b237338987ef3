"""Learned questions: a search that led to a show is kept word for word; asked again, that entry comes first."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from frugal.entries.storage import fetch
from frugal.search import Restriction
from frugal.search.questions import common_words, query_key
from frugal.store import Connection

KEPT_RECALLS = 8
KEPT_FOR = timedelta(minutes=30)
FIRST_SHOWN = 3
"""Only the first entries of a show are what was looked for."""
MOST_IN_FRONT = 3
MOST_A_QUESTION = 5
MOST_PAIRS = 5_000
MISSES = 2
UNCONFIRMED = timedelta(days=365)
QUESTION_CHARACTERS = 200
STATE = "learned"


@dataclass(frozen=True)
class Asked:
    """A plain recall that was answered with previews: what it listed, and what it put first because it was learned."""

    query: str
    key: str
    listed: frozenset[int]
    fired: tuple[int, ...]
    at: datetime


@dataclass
class Pending:
    """What one connection asked since its last show."""

    asked: list[Asked] = field(default_factory=list)

    def note(self, asked: Asked) -> None:
        """Keep a recall; the oldest gives way."""
        self.asked = [*self.asked, asked][-KEPT_RECALLS:]

    def take(self, now: datetime) -> list[Asked]:
        """Return the recalls that are young enough and forget all."""
        kept = [item for item in self.asked if now - item.at <= KEPT_FOR]
        self.asked = []
        return kept


@dataclass(frozen=True)
class Lesson:
    """What a show teaches: questions to confirm for an entry, and questions whose first answer was passed over."""

    confirmed: tuple[tuple[str, str, int], ...]
    missed: tuple[tuple[str, int], ...]


LEARNED = """
    SELECT entry_id FROM learned_question WHERE word_key = :key
    ORDER BY confirmed_at DESC, entry_id DESC LIMIT 5
"""
ALLOWED = "SELECT id FROM ({select}) WHERE id = :learned_id"


def fired(db: Connection, query: str, restriction: Restriction) -> tuple[int, ...]:
    """Return the entries to put first for *query*: live successors stand in, filters are obeyed, at most three."""
    found: list[int] = []
    for (entry_id,) in db.execute(LEARNED, {"key": query_key(query)}).fetchall():
        current = live_successor(db, entry_id)
        if current is None or current in found:
            continue
        parameters = {**restriction.parameters, "learned_id": current}
        if db.execute(ALLOWED.format(select=restriction.select), parameters).fetchone():
            found.append(current)
    return tuple(found[:MOST_IN_FRONT])


def live_successor(db: Connection, entry_id: int) -> int | None:
    """Return the live entry at the end of the line of successors, None if the line ends hidden."""
    seen: set[int] = set()
    while entry_id not in seen:
        seen.add(entry_id)
        entry = fetch(db, [entry_id]).get(entry_id)
        if entry is None:
            return None
        if entry.is_live:
            return entry_id
        if entry.supersession is None or entry.supersession.successor is None:
            return None
        entry_id = entry.supersession.successor
    return None


def learn_from(db: Connection, asked: Iterable[Asked], given: Sequence[int]) -> Lesson:
    """Return what showing *given* (in the order of the call) teaches about the recalls before it."""
    confirmed: list[tuple[str, str, int]] = []
    missed: list[tuple[str, int]] = []
    entries = fetch(db, given[:FIRST_SHOWN])
    for item in asked:
        for entry_id in given[:FIRST_SHOWN]:
            if entry_id in item.listed and common_words(db, item.query, entry_id, entries[entry_id].tags):
                confirmed.append((item.key, item.query[:QUESTION_CHARACTERS], entry_id))
        missed += [(item.key, entry_id) for entry_id in item.fired if entry_id not in given]
    return Lesson(tuple(confirmed), tuple(missed))


CONFIRM = """
    INSERT INTO learned_question (word_key, entry_id, question, confirmed_at) VALUES (:key, :id, :question, :at)
    ON CONFLICT (word_key, entry_id) DO UPDATE SET
        confirmed = confirmed + 1, confirmed_at = excluded.confirmed_at, question = excluded.question, misses = 0
"""
MISS = "UPDATE learned_question SET misses = misses + 1 WHERE word_key = :key AND entry_id = :id"
DROP_MISSED = "DELETE FROM learned_question WHERE word_key = :key AND entry_id = :id AND misses >= :most"
OF_KEY = "SELECT entry_id FROM learned_question WHERE word_key = :key"
DROP_BEYOND = """
    DELETE FROM learned_question WHERE word_key = :key AND entry_id NOT IN (
        SELECT entry_id FROM learned_question WHERE word_key = :key
        ORDER BY confirmed_at DESC, entry_id DESC LIMIT :most
    )
"""
COUNT_PAIRS = "SELECT count(*) FROM learned_question"
DROP_OLDEST = """
    DELETE FROM learned_question WHERE (word_key, entry_id) IN (
        SELECT word_key, entry_id FROM learned_question ORDER BY confirmed_at, word_key, entry_id LIMIT :count
    )
"""


def write_lesson(db: Connection, lesson: Lesson, *, at: str) -> None:
    """Store *lesson* and keep the bounds: 5 entries a question, 5,000 pairs, two misses in a row drop a pair."""
    for key, entry_id in lesson.missed:
        for stored in _pairs_behind(db, key, entry_id):
            db.execute(MISS, {"key": key, "id": stored})
            db.execute(DROP_MISSED, {"key": key, "id": stored, "most": MISSES})
    for key, question, entry_id in lesson.confirmed:
        db.execute(CONFIRM, {"key": key, "id": entry_id, "question": question, "at": at})
        db.execute(DROP_BEYOND, {"key": key, "most": MOST_A_QUESTION})
    surplus = db.execute(COUNT_PAIRS).fetchone()[0] - MOST_PAIRS
    if surplus > 0:
        db.execute(DROP_OLDEST, {"count": surplus})


def _pairs_behind(db: Connection, key: str, entry_id: int) -> list[int]:
    """Return the stored entries of *key* that speak through *entry_id*: itself, or those it succeeded."""
    stored = [row[0] for row in db.execute(OF_KEY, {"key": key})]
    return [other for other in stored if live_successor(db, other) == entry_id]


DROP_UNCONFIRMED = "DELETE FROM learned_question WHERE confirmed_at < :before"


def drop_unconfirmed(db: Connection, now: datetime) -> int:
    """Drop pairs that nobody confirmed for a year; return how many."""
    before = (now - UNCONFIRMED).strftime("%Y-%m-%d %H:%M:%S")
    return db.execute(DROP_UNCONFIRMED, {"before": before}).rowcount


LIST_LEARNED = """
    SELECT question, word_key, entry_id, confirmed, misses, confirmed_at FROM learned_question
    ORDER BY confirmed_at DESC, word_key, entry_id
"""


@dataclass(frozen=True)
class Pair:
    """One learned pair as listed by the shell."""

    question: str
    key: str
    entry: int
    confirmed: int
    misses: int
    at: str


def list_pairs(db: Connection) -> list[Pair]:
    """Return every learned pair, latest confirmed first."""
    return [Pair(*row) for row in db.execute(LIST_LEARNED)]


FORGET_ENTRY = "DELETE FROM learned_question WHERE entry_id = :id"
FORGET_KEY = "DELETE FROM learned_question WHERE word_key = :key"
CLEAR = "DELETE FROM learned_question"


def forget_pairs(db: Connection, *, entry: int | None = None, question: str | None = None) -> int:
    """Forget the pairs of an entry, of a question, or all of them; return how many."""
    if entry is not None:
        return db.execute(FORGET_ENTRY, {"id": entry}).rowcount
    if question is not None:
        return db.execute(FORGET_KEY, {"key": query_key(question)}).rowcount
    return db.execute(CLEAR).rowcount
