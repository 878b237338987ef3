"""Where a scan finds its candidates: in the index, with a few threads, conversations or senders, or in everything."""

from collections.abc import Sequence
from typing import NamedTuple

from frugal.api import Connection
from frugal_modes.evidence.clauses import Wanted
from frugal_modes.evidence.filters import Filters
from frugal_modes.evidence.proposals import proposal_of

FEW = 5_000
"""So many rows are read faster one by one than by the index of words."""
SHARE = 4
"""Of a part smaller than this share of all messages the rows are looked up, of a greater one all rows are read."""

FROM_ALL = "message AS m"
FROM_INDEX = "word_index AS w CROSS JOIN message AS m ON m.number = w.rowid"
FROM_KEPT = "json_each(:kept) AS k CROSS JOIN message AS m ON m.number = k.value"
FROM_CONVERSATIONS = "json_each(:conversations) AS k CROSS JOIN message AS m ON m.conversation = k.value"
FROM_SENDERS = "json_each(:senders) AS k CROSS JOIN message AS m ON m.sender = k.value"
FROM_THREADS = "json_each(:threads) AS k CROSS JOIN message AS m ON m.thread = k.value"
FROM_TIME = (
    "json_each(:corpora) AS k CROSS JOIN message AS m INDEXED BY message_by_time ON m.corpus = k.value"
)
COUNT = "SELECT count(*) FROM (SELECT 1 FROM {source} WHERE {times} LIMIT :most)"
TIMES = {"from": "m.sent_at >= :from_at", "to": "m.sent_at < :to_at"}


class Access(NamedTuple):
    """The tables to read, the condition on the message *m*, and the values of both."""

    source: str
    conditions: str
    values: dict[str, object]


def access_to(
    db: Connection, filters: Filters, groups: Sequence[Sequence[Wanted]], *, messages: int
) -> Access:
    """Return how to reach the candidates of a query; *messages* is how many there are in all."""
    conditions, values = filters.conditions()
    narrow = _narrow(filters)
    if narrow and _is_below(FEW if groups else messages // SHARE, db, narrow, filters, values):
        return Access(narrow, conditions, values)
    if not groups:
        return Access(FROM_ALL, conditions, values)
    values["proposal"] = proposal_of(groups)
    return Access(FROM_INDEX, f"w.word_index MATCH :proposal AND {conditions}", values)


def _narrow(filters: Filters) -> str:
    if filters.threads is not None:
        return FROM_THREADS
    if filters.conversations is not None:
        return FROM_CONVERSATIONS
    if filters.senders is not None:
        return FROM_SENDERS
    return FROM_TIME if (filters.from_at, filters.to_at) != (None, None) else ""


def _is_below(most: int, db: Connection, source: str, filters: Filters, values: dict[str, object]) -> bool:
    wanted = [
        TIMES[name] for name, at in (("from", filters.from_at), ("to", filters.to_at)) if at is not None
    ]
    statement = COUNT.format(source=source, times=" AND ".join(wanted) or "TRUE")
    return int(db.execute(statement, {**values, "most": most + 1}).fetchone()[0]) <= most
