"""The yardstick: plain BM25 as FTS5 ships it, Porter stems, shown in the same answers under the same caps."""

from collections.abc import Iterable, Mapping, Sequence

from frugal.api import Call, Connection
from frugal_modes.evidence.choice import Chosen, Wording
from frugal_modes.evidence.evaluation.conversations import Question
from frugal_modes.evidence.likeness import profile
from frugal_modes.evidence.ranked import Found

MOST_HITS = 100
MAKE = "CREATE VIRTUAL TABLE temp.plain_bm25 USING fts5 (text, tokenize = 'porter unicode61')"
FILL = """
    INSERT INTO temp.plain_bm25 (rowid, text)
    SELECT m.number, m.text FROM message AS m JOIN conversation AS c ON c.number = m.conversation
    WHERE c.id = :conversation ORDER BY m.number
"""
FIND = """
    SELECT rowid FROM temp.plain_bm25 WHERE plain_bm25 MATCH :words ORDER BY bm25(plain_bm25), rowid LIMIT :most
"""
DROP = "DROP TABLE temp.plain_bm25"

Order = Sequence[int]


def plain_orders(call: Call, questions: Iterable[Question]) -> Mapping[Question, Order]:
    """Return for each question the messages of its conversation as FTS5 ranks them, any word matching."""
    found: dict[Question, Order] = {}
    by_conversation: dict[str, list[Question]] = {}
    for question in questions:
        by_conversation.setdefault(question.conversation, []).append(question)
    with call.store.write() as db:
        for conversation, asked in by_conversation.items():
            db.execute(MAKE)
            db.execute(FILL, {"conversation": conversation})
            found |= {question: _ranked(db, question) for question in asked}
            db.execute(DROP)
    return found


def _ranked(db: Connection, question: Question) -> Order:
    words = " OR ".join(f'"{word}"' for word in (item.replace('"', "") for item in question.words))
    return [row[0] for row in db.execute(FIND, {"words": words, "most": MOST_HITS})]


def plain_choice(found: Found, order: Order) -> list[Chosen]:
    """Return the messages of *order* in that order, whatever they have in common; what the query misses is left out."""
    places = {number: place for place, number in enumerate(found.numbers)}
    empty = profile("")
    return [
        Chosen(
            Wording(found.keys[places[number]], 0.0, (places[number],), (-number,), empty),
            places[number],
            -number,
        )
        for number in order
        if number in places
    ]
