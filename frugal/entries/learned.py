"""Learned questions as memory and archive keep them: which entry speaks for them, listing and forgetting them."""

from dataclasses import dataclass
from datetime import UTC, datetime

from frugal.entries.lessons import Pairs
from frugal.entries.storage import fetch
from frugal.search import Restriction
from frugal.search.questions import query_key
from frugal.store import Connection

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


def stamp(moment: datetime) -> str:
    """Return *moment* as it is stored: `YYYY-MM-DD HH:MM:SS`, UTC."""
    return moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S")


PAIRS = Pairs("learned_question", "entry_id", live_successor, stamp)


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


FORGET_KEY = "DELETE FROM learned_question WHERE word_key = :key"
CLEAR = "DELETE FROM learned_question"


def forget_question(db: Connection, question: str) -> int:
    """Forget what was learned for the words of *question*; return how many pairs went."""
    return db.execute(FORGET_KEY, {"key": query_key(question)}).rowcount


def forget_all(db: Connection) -> int:
    """Forget everything learned; return how many pairs went."""
    return db.execute(CLEAR).rowcount
