"""Learned questions, as in the memory: a search followed by a get of one of its hits is remembered word for word."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from frugal.api import Asked, Call, Connection, common_words, query_key, take_asked
from frugal_modes.vault import shelf
from frugal_modes.vault.moments import to_stamp

MOST_IN_FRONT = 3
MOST_A_QUESTION = 5
MOST_PAIRS = 5_000
MISSES = 2
UNCONFIRMED = timedelta(days=365)
QUESTION_CHARACTERS = 200

LEARNED = """
    SELECT number FROM learned WHERE word_key = :key ORDER BY confirmed_at DESC, number DESC LIMIT :most
"""


def answers(db: Connection, query: str, *, at: datetime) -> tuple[int, ...]:
    """Return the live cards that answered exactly these words, latest confirmed first; a successor takes over."""
    rows = db.execute(LEARNED, {"key": query_key(query), "most": MOST_A_QUESTION}).fetchall()
    current = [shelf.chain_end(db, row[0], at=at) for row in rows]
    live = [card.number for card in current if card.is_live]
    return tuple(dict.fromkeys(live))[:MOST_IN_FRONT]


CONFIRM = """
    INSERT INTO learned (word_key, number, question, confirmed_at) VALUES (:key, :number, :question, :at)
    ON CONFLICT (word_key, number) DO UPDATE SET
        confirmed = confirmed + 1, confirmed_at = excluded.confirmed_at, question = excluded.question, misses = 0
"""
MISS = "UPDATE learned SET misses = misses + 1 WHERE word_key = :key AND number = :number"
DROP_MISSED = "DELETE FROM learned WHERE word_key = :key AND number = :number AND misses >= :most"
DROP_PAIR = "DELETE FROM learned WHERE word_key = :key AND number = :number"
OF_KEY = "SELECT number FROM learned WHERE word_key = :key ORDER BY number"
DROP_BEYOND = """
    DELETE FROM learned WHERE word_key = :key AND number NOT IN (
        SELECT number FROM learned WHERE word_key = :key ORDER BY confirmed_at DESC, number DESC LIMIT :most
    )
"""
DROP_OLDEST = """
    DELETE FROM learned WHERE (word_key, number) IN (
        SELECT word_key, number FROM learned ORDER BY confirmed_at, word_key, number
        LIMIT max((SELECT count(*) FROM learned) - :most, 0)
    )
"""


UNCONFIRMED_CARDS = "SELECT DISTINCT number FROM learned WHERE confirmed_at < :before ORDER BY number"
DROP_UNCONFIRMED = "DELETE FROM learned WHERE confirmed_at < :before"


@dataclass(frozen=True)
class Lesson:
    """What a get teaches: pairs of question and card that were confirmed, and that were passed over."""

    confirmed: tuple[tuple[str, int], ...]
    missed: tuple[tuple[str, int], ...]


def lesson_of(db: Connection, asked: Sequence[Asked], number: int, tags: Sequence[str]) -> Lesson:
    """Return what reading the card *number* teaches about the searches before it."""
    confirmed: dict[str, str] = {}
    missed: list[tuple[str, int]] = []
    for place, item in enumerate(asked):
        key = query_key(item.query)
        if number in item.listed and common_words(db, item.query, number, tags):
            confirmed[key] = item.query
        if place == len(asked) - 1 or number in item.listed:
            missed += [(key, other) for other in item.fired if other != number]
    return Lesson(tuple((question, number) for question in confirmed.values()), tuple(missed))


def note_get(call: Call, number: int, tags: Sequence[str]) -> None:
    """Learn from a get of the card *number*, behind the answer and without waiting for the lock."""
    asked = take_asked(call)
    if not asked:
        return
    now = call.clock()

    def job() -> None:
        with call.store.read() as db:
            lesson = lesson_of(db, asked, number, tags)
        if lesson.confirmed or lesson.missed:
            with call.store.write(wait_s=0) as db:
                write(db, lesson, at=now)

    call.later(job)


def write(db: Connection, lesson: Lesson, *, at: datetime) -> None:
    """Store *lesson* and keep the bounds: 5 cards a question, 5,000 pairs; two misses in a row drop a pair."""
    for key, number in lesson.missed:
        for stored in _behind(db, key, number, at):
            db.execute(MISS, {"key": key, "number": stored})
            db.execute(DROP_MISSED, {"key": key, "number": stored, "most": MISSES})
    for question, number in lesson.confirmed:
        key = query_key(question)
        for stored in _behind(db, key, number, at):
            if stored != number:  # the card at the end has taken the place over
                db.execute(DROP_PAIR, {"key": key, "number": stored})
        values = {
            "key": key,
            "number": number,
            "question": question[:QUESTION_CHARACTERS],
            "at": to_stamp(at),
        }
        db.execute(CONFIRM, values)
        db.execute(DROP_BEYOND, {"key": key, "most": MOST_A_QUESTION})
    db.execute(DROP_OLDEST, {"most": MOST_PAIRS})


def unconfirmed(db: Connection, *, at: datetime) -> list[int]:
    """Return the cards of pairs that nobody confirmed for a year."""
    rows = db.execute(UNCONFIRMED_CARDS, {"before": to_stamp(at - UNCONFIRMED)}).fetchall()
    return [row[0] for row in rows]


def drop_unconfirmed(db: Connection, *, at: datetime) -> None:
    """Drop the pairs that nobody confirmed for a year."""
    db.execute(DROP_UNCONFIRMED, {"before": to_stamp(at - UNCONFIRMED)})


def _behind(db: Connection, key: str, number: int, at: datetime) -> list[int]:
    """Return the stored cards of *key* that speak through *number*: itself, or those that it superseded."""
    stored = [row[0] for row in db.execute(OF_KEY, {"key": key}).fetchall()]
    return [one for one in stored if shelf.chain_end(db, one, at=at).number == number]
