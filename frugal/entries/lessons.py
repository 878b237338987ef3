"""Learned questions of any mode: what answered which words, confirmed, missed, bounded; and what opening it teaches."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from frugal.call import Call
from frugal.entries.pending import Asked, take_asked
from frugal.search.questions import common_words, query_key
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
    """What opening entries teaches, each pair once."""

    confirmed: tuple[Confirmed, ...] = ()
    missed: tuple[Missed, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to write."""
        return not self.confirmed and not self.missed


ANSWERS = """
    SELECT {id} FROM {table} WHERE word_key = :key ORDER BY confirmed_at DESC, {id} DESC LIMIT :most
"""
OF_KEY = "SELECT {id} FROM {table} WHERE word_key = :key ORDER BY {id}"
CONFIRM = """
    INSERT INTO {table} (word_key, {id}, question, confirmed_at) VALUES (:key, :id, :question, :at)
    ON CONFLICT (word_key, {id}) DO UPDATE SET
        confirmed = confirmed + 1, confirmed_at = excluded.confirmed_at, question = excluded.question, misses = 0
"""
MISS = "UPDATE {table} SET misses = misses + 1 WHERE word_key = :key AND {id} = :id"
DROP_MISSED = "DELETE FROM {table} WHERE word_key = :key AND {id} = :id AND misses >= :most"
DROP_PAIR = "DELETE FROM {table} WHERE word_key = :key AND {id} = :id"
DROP_BEYOND = """
    DELETE FROM {table} WHERE word_key = :key AND {id} NOT IN (
        SELECT {id} FROM {table} WHERE word_key = :key ORDER BY confirmed_at DESC, {id} DESC LIMIT :most
    )
"""
COUNT_PAIRS = "SELECT count(*) FROM {table}"
DROP_OLDEST = """
    DELETE FROM {table} WHERE (word_key, {id}) IN (
        SELECT word_key, {id} FROM {table} ORDER BY confirmed_at, word_key, {id} LIMIT :count
    )
"""
UNCONFIRMED_PAIRS = "SELECT DISTINCT {id} FROM {table} WHERE confirmed_at < :before ORDER BY {id}"
DROP_UNCONFIRMED = "DELETE FROM {table} WHERE confirmed_at < :before"
FORGET_ENTRY = "DELETE FROM {table} WHERE {id} = :id"


@dataclass(frozen=True)
class Pairs:
    """The pairs of one mode, in its *table* (`word_key`, *column*, `question`, `confirmed`, `confirmed_at`, `misses`).

    *current* returns what speaks for one that was learned: itself if it is live, its live successor, or None. *stamp*
    writes a moment as the mode does; stamps sort as their moments do.
    """

    table: str
    column: str
    current: Callable[[Connection, int], int | None]
    stamp: Callable[[datetime], str]

    def answers(self, db: Connection, query: str) -> tuple[int, ...]:
        """Return what is live and answered exactly the words of *query*, latest confirmed first."""
        values = {"key": query_key(query), "most": MOST_A_QUESTION}
        stored = [row[0] for row in db.execute(self._sql(ANSWERS), values)]
        current = [self.current(db, one) for one in stored]
        return tuple(dict.fromkeys(one for one in current if one is not None))

    def write(self, db: Connection, lesson: Lesson, *, at: str) -> None:
        """Store *lesson* and keep the bounds: 5 entries a question, 5,000 pairs, two misses in a row drop a pair."""
        for missed in lesson.missed:
            for stored in self._behind(db, missed.key, missed.entry):
                db.execute(self._sql(MISS), {"key": missed.key, "id": stored})
                db.execute(self._sql(DROP_MISSED), {"key": missed.key, "id": stored, "most": MISSES})
        for item in lesson.confirmed:
            for stored in self._behind(db, item.key, item.entry):
                if stored != item.entry:  # the successor has taken the place over
                    db.execute(self._sql(DROP_PAIR), {"key": item.key, "id": stored})
            question = item.question[:QUESTION_CHARACTERS]
            values = {"key": item.key, "id": item.entry, "question": question, "at": at}
            db.execute(self._sql(CONFIRM), values)
        self.keep_bounds(db, {item.key for item in lesson.confirmed})

    def keep_bounds(self, db: Connection, keys: Iterable[str]) -> None:
        """Drop what is too much: of each of *keys*, and of the whole file, the pairs confirmed longest ago."""
        for key in keys:
            db.execute(self._sql(DROP_BEYOND), {"key": key, "most": MOST_A_QUESTION})
        surplus = db.execute(self._sql(COUNT_PAIRS)).fetchone()[0] - MOST_PAIRS
        if surplus > 0:
            db.execute(self._sql(DROP_OLDEST), {"count": surplus})

    def unconfirmed(self, db: Connection, now: datetime) -> list[int]:
        """Return the entries of pairs that nobody confirmed for a year."""
        values = {"before": self.stamp(now - UNCONFIRMED)}
        return [row[0] for row in db.execute(self._sql(UNCONFIRMED_PAIRS), values)]

    def drop_unconfirmed(self, db: Connection, now: datetime) -> int:
        """Drop pairs that nobody confirmed for a year; return how many."""
        return db.execute(self._sql(DROP_UNCONFIRMED), {"before": self.stamp(now - UNCONFIRMED)}).rowcount

    def forget(self, db: Connection, entries: Iterable[int]) -> int:
        """Forget every question of *entries*; return how many pairs went."""
        return sum(db.execute(self._sql(FORGET_ENTRY), {"id": one}).rowcount for one in entries)

    def _behind(self, db: Connection, key: str, entry: int) -> list[int]:
        """Return what is stored for *key* and speaks through *entry*: itself, or those it succeeded."""
        stored = [row[0] for row in db.execute(self._sql(OF_KEY), {"key": key})]
        return [one for one in stored if self.current(db, one) == entry]

    def _sql(self, statement: str) -> str:
        return statement.replace("{table}", self.table).replace("{id}", self.column)


TagsOf = Callable[[Connection], Mapping[int, Sequence[str]]]


def learn_later(call: Call, pairs: Pairs, *, given: Sequence[int], shown: TagsOf) -> None:
    """Learn from what was opened, behind the answer and without waiting for the lock; see `learn_from`."""
    asked = take_asked(call) if given else []
    if not asked:
        return
    at = pairs.stamp(call.clock())

    def job() -> None:
        with call.store.read() as db:
            lesson = learn_from(db, asked, shown=shown(db), given=given)
        if not lesson.is_empty:
            with call.store.write(wait_s=0) as db:
                pairs.write(db, lesson, at=at)

    call.later(job)


def learn_from(
    db: Connection, asked: Sequence[Asked], *, shown: Mapping[int, Sequence[str]], given: Sequence[int]
) -> Lesson:
    """Return what opening *given* teaches about the searches before it; *shown* are the first of it with their tags.

    An answer that was put first and is not among *given* was passed over, if this belongs to that search: it opened
    something the search listed, or no search came after it.
    """
    confirmed: dict[tuple[str, int], Confirmed] = {}
    missed: dict[tuple[str, int], Missed] = {}
    for place, item in enumerate(asked):
        key = query_key(item.query)
        for entry, tags in shown.items():
            if entry in item.listed and common_words(db, item.query, entry, tags):
                confirmed[key, entry] = Confirmed(key, item.query, entry)
        if place == len(asked) - 1 or not item.listed.isdisjoint(given):
            passed = [entry for entry in item.fired if entry not in given]
            missed.update({(key, entry): Missed(key, entry) for entry in passed})
    return Lesson(tuple(confirmed.values()), tuple(missed.values()))
