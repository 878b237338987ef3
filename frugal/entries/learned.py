"""Learned questions as the store keeps them: which entry answered which words, confirmed, missed, bounded."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from frugal.entries.storage import fetch
from frugal.search import Restriction
from frugal.search.questions import query_key
from frugal.store import Connection

MOST_A_QUESTION = 5
MOST_PAIRS = 5_000
MISSES = 2
"""So many in a row drop a pair."""
UNCONFIRMED = timedelta(days=365)
QUESTION_CHARACTERS = 200


@dataclass(frozen=True)
class Confirmed:
    """A question that an entry answered: the set of its words as *key*, the *question* as asked."""

    key: str
    question: str
    entry: int


@dataclass(frozen=True)
class Missed:
    """A question whose first answer was passed over."""

    key: str
    entry: int


@dataclass(frozen=True)
class Lesson:
    """What a show teaches, each pair once."""

    confirmed: tuple[Confirmed, ...] = ()
    missed: tuple[Missed, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to write."""
        return not self.confirmed and not self.missed


LEARNED = """
    SELECT entry_id FROM learned_question WHERE word_key = :key
    ORDER BY confirmed_at DESC, entry_id DESC LIMIT 5
"""


def answers(db: Connection, query: str) -> tuple[int, ...]:
    """Return the live entries that answered exactly the words of *query*, latest confirmed first.

    A superseded entry's place is taken by its live successor, if it has one.
    """
    rows = db.execute(LEARNED, {"key": query_key(query)}).fetchall()
    current = [live_successor(db, row[0]) for row in rows]
    return tuple(dict.fromkeys(entry_id for entry_id in current if entry_id is not None))


ALLOWED = "SELECT id FROM ({select}) WHERE id = :learned_id"


def within(db: Connection, entry_id: int, restriction: Restriction) -> bool:
    """Tell whether *entry_id* is one of *restriction*."""
    statement = ALLOWED.replace("{select}", restriction.select)
    return db.execute(statement, {**restriction.parameters, "learned_id": entry_id}).fetchone() is not None


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


CONFIRM = """
    INSERT INTO learned_question (word_key, entry_id, question, confirmed_at) VALUES (:key, :id, :question, :at)
    ON CONFLICT (word_key, entry_id) DO UPDATE SET
        confirmed = confirmed + 1, confirmed_at = excluded.confirmed_at, question = excluded.question, misses = 0
"""
MISS = "UPDATE learned_question SET misses = misses + 1 WHERE word_key = :key AND entry_id = :id"
DROP_MISSED = "DELETE FROM learned_question WHERE word_key = :key AND entry_id = :id AND misses >= :most"
DROP_PAIR = "DELETE FROM learned_question WHERE word_key = :key AND entry_id = :id"
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
    for missed in lesson.missed:
        for stored in _pairs_behind(db, missed.key, missed.entry):
            db.execute(MISS, {"key": missed.key, "id": stored})
            db.execute(DROP_MISSED, {"key": missed.key, "id": stored, "most": MISSES})
    for item in lesson.confirmed:
        for stored in _pairs_behind(db, item.key, item.entry):
            if stored != item.entry:  # the successor has taken the place over
                db.execute(DROP_PAIR, {"key": item.key, "id": stored})
        question = item.question[:QUESTION_CHARACTERS]
        db.execute(CONFIRM, {"key": item.key, "id": item.entry, "question": question, "at": at})
    keep_bounds(db, {item.key for item in lesson.confirmed})


def keep_bounds(db: Connection, keys: Iterable[str]) -> None:
    """Drop what is too much: of each of *keys*, and of the whole file, the pairs confirmed longest ago."""
    for key in keys:
        db.execute(DROP_BEYOND, {"key": key, "most": MOST_A_QUESTION})
    surplus = db.execute(COUNT_PAIRS).fetchone()[0] - MOST_PAIRS
    if surplus > 0:
        db.execute(DROP_OLDEST, {"count": surplus})


def _pairs_behind(db: Connection, key: str, entry_id: int) -> list[int]:
    """Return the stored entries of *key* that speak through *entry_id*: itself, or those it succeeded."""
    stored = [row[0] for row in db.execute(OF_KEY, {"key": key})]
    return [other for other in stored if live_successor(db, other) == entry_id]


UNCONFIRMED_PAIRS = """
    SELECT DISTINCT entry_id FROM learned_question WHERE confirmed_at < :before ORDER BY entry_id
"""
DROP_UNCONFIRMED = "DELETE FROM learned_question WHERE confirmed_at < :before"


def unconfirmed(db: Connection, now: datetime) -> list[int]:
    """Return the entries of pairs that nobody confirmed for a year."""
    return [row[0] for row in db.execute(UNCONFIRMED_PAIRS, {"before": _year_before(now)})]


def drop_unconfirmed(db: Connection, now: datetime) -> int:
    """Drop pairs that nobody confirmed for a year; return how many."""
    return db.execute(DROP_UNCONFIRMED, {"before": _year_before(now)}).rowcount


def _year_before(now: datetime) -> str:
    return (now - UNCONFIRMED).strftime("%Y-%m-%d %H:%M:%S")


LIST_LEARNED = """
    SELECT question, word_key, entry_id, confirmed, misses, confirmed_at FROM learned_question
    ORDER BY confirmed_at DESC, word_key, entry_id
"""


@dataclass(frozen=True)
class Pair:
    """One learned pair: the question as last asked, its words, how often and when it was confirmed (UTC)."""

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


def forget_entries(db: Connection, entries: Sequence[int]) -> int:
    """Forget every question of *entries*; return how many pairs went."""
    return sum(db.execute(FORGET_ENTRY, {"id": entry_id}).rowcount for entry_id in entries)


def forget_question(db: Connection, question: str) -> int:
    """Forget what was learned for the words of *question*; return how many pairs went."""
    return db.execute(FORGET_KEY, {"key": query_key(question)}).rowcount


def forget_all(db: Connection) -> int:
    """Forget everything learned; return how many pairs went."""
    return db.execute(CLEAR).rowcount
