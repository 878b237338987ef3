"""Messages as the answers need them: whole rows, their neighbours, and the tables of who and where."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from frugal.api import Connection
from frugal_modes.evidence.cuts import name_for_client
from frugal_modes.evidence.moments import from_ms
from frugal_modes.evidence.refs import MESSAGE, THREAD, ref_of

_COLUMNS = """
    m.number, m.mark, m.rest, m.ref_length, m.sent_at, m.seq, m.conversation, m.sender, m.thread, m.text_key,
    m.reply_to, m.text, t.mark AS thread_mark, t.rest AS thread_rest, t.ref_length AS thread_length, t.root
"""
_SOURCE = "FROM message AS m LEFT JOIN thread AS t ON t.number = m.thread"
ROWS = f"""
    SELECT {_COLUMNS} {_SOURCE}
    WHERE m.number IN (SELECT value FROM json_each(:numbers)) ORDER BY m.number
"""

# A timeline: a thread with its root, or what of a conversation stands outside threads, roots included.
_IN_THREAD = "m.thread = :thread"
_OUTSIDE = "m.conversation = :conversation AND (m.thread IS NULL OR m.number = t.root)"
_EARLIER = "(m.sent_at, m.seq, m.mark, m.number) < (:sent_at, :seq, :mark, :number)"
_LATER = "(m.sent_at, m.seq, m.mark, m.number) > (:sent_at, :seq, :mark, :number)"
_BACKWARDS = "ORDER BY m.sent_at DESC, m.seq DESC, m.mark DESC, m.number DESC LIMIT :most"
_FORWARDS = "ORDER BY m.sent_at, m.seq, m.mark, m.number LIMIT :most"
NEIGHBOURS = {
    (is_thread, is_later): f"SELECT {_COLUMNS} {_SOURCE} WHERE {where} AND {side} {order}"
    for is_thread, where in ((True, _IN_THREAD), (False, _OUTSIDE))
    for is_later, side, order in ((False, _EARLIER, _BACKWARDS), (True, _LATER, _FORWARDS))
}
SENDERS = """
    SELECT number, name, type, organization FROM sender
    WHERE number IN (SELECT value FROM json_each(:numbers)) ORDER BY number
"""
CONVERSATIONS = """
    SELECT number, name, type FROM conversation
    WHERE number IN (SELECT value FROM json_each(:numbers)) ORDER BY number
"""
CONVERSATION_NAMES = """
    SELECT conversation.number, corpus.name, conversation.id
    FROM conversation JOIN corpus ON corpus.number = conversation.corpus
    WHERE conversation.number IN (SELECT value FROM json_each(:numbers)) ORDER BY conversation.number
"""
CORPUS_OF = """
    SELECT corpus.name FROM message JOIN corpus ON corpus.number = message.corpus WHERE message.number = :number
"""


@dataclass(frozen=True, slots=True)
class Row:
    """One message of the store. *thread* is 0 and *thread_ref* "" outside threads; *root* is 0 if the corpus has none."""

    number: int
    ref: str
    sent_at: int
    seq: int
    mark: int
    conversation: int
    sender: int
    thread: int
    thread_ref: str
    root: int
    text_key: int
    reply_to: str
    text: str

    @property
    def at(self) -> str:
        """When it was sent, ISO 8601, UTC."""
        return moment_text(self.sent_at)

    @property
    def sender_key(self) -> str:
        """How answers name its sender."""
        return f"s{self.sender}"

    @property
    def conversation_key(self) -> str:
        """How answers name its conversation."""
        return f"c{self.conversation}"


def moment_text(milliseconds: int) -> str:
    """Return a moment as ISO 8601 in UTC, with a fraction only where there is one."""
    text = from_ms(milliseconds).isoformat(timespec="milliseconds" if milliseconds % 1000 else "seconds")
    return text.replace("+00:00", "Z")


def rows_of(db: Connection, numbers: Iterable[int]) -> dict[int, Row]:
    """Return messages by their number."""
    found = db.execute(ROWS, {"numbers": json.dumps(list(numbers))})
    return {row.number: row for row in map(_row, found)}


def before(db: Connection, row: Row, most: int) -> list[Row]:
    """Return up to *most* messages before *row* in its thread, else in its conversation, the nearest first."""
    return _neighbours(db, row, most, is_later=False)


def after(db: Connection, row: Row, most: int) -> list[Row]:
    """Return up to *most* messages after *row* in its thread, else in its conversation, the nearest first."""
    return _neighbours(db, row, most, is_later=True)


def _neighbours(db: Connection, row: Row, most: int, *, is_later: bool) -> list[Row]:
    if most <= 0:
        return []
    place = {
        "thread": row.thread,
        "conversation": row.conversation,
        "sent_at": row.sent_at,
        "seq": row.seq,
        "mark": row.mark,
        "number": row.number,
        "most": most,
    }
    return [_row(found) for found in db.execute(NEIGHBOURS[bool(row.thread), is_later], place)]


def _row(found: Mapping[str, object]) -> Row:
    return Row(
        number=_int(found["number"]),
        ref=ref_of(MESSAGE, _int(found["mark"]), _int(found["rest"]), _int(found["ref_length"])),
        sent_at=_int(found["sent_at"]),
        seq=_int(found["seq"]),
        mark=_int(found["mark"]),
        conversation=_int(found["conversation"]),
        sender=_int(found["sender"]),
        thread=_int(found["thread"] or 0),
        thread_ref=_thread_ref(found),
        root=_int(found["root"] or 0),
        text_key=_int(found["text_key"]),
        reply_to=str(found["reply_to"]),
        text=str(found["text"]),
    )


def _thread_ref(found: Mapping[str, object]) -> str:
    if found["thread_mark"] is None:
        return ""
    return ref_of(
        THREAD, _int(found["thread_mark"]), _int(found["thread_rest"]), _int(found["thread_length"])
    )


def _int(value: object) -> int:
    assert isinstance(value, int)
    return value


def senders_table(db: Connection, rows: Iterable[Row]) -> dict[str, object]:
    """Return who sent *rows*: name, type and organization under the keys that the items use."""
    numbers = sorted({row.sender for row in rows})
    table: dict[str, object] = {}
    for number, name, kind, organization in db.execute(SENDERS, {"numbers": json.dumps(numbers)}):
        entry = {"name": name_for_client(name), "type": kind}
        if organization:
            entry["organization"] = name_for_client(organization)
        table[f"s{number}"] = entry
    return table


def conversations_table(db: Connection, rows: Iterable[Row]) -> dict[str, object]:
    """Return where *rows* were sent: name and type under the keys that the items use."""
    numbers = sorted({row.conversation for row in rows})
    found = db.execute(CONVERSATIONS, {"numbers": json.dumps(numbers)})
    return {f"c{number}": {"name": name_for_client(name), "type": kind} for number, name, kind in found}


def conversation_names(db: Connection, numbers: Iterable[int]) -> dict[int, str]:
    """Return for each conversation what names it in every import: its corpus and its id in the source."""
    found = db.execute(CONVERSATION_NAMES, {"numbers": json.dumps(sorted(numbers))})
    return {number: f"{corpus}\0{source_id}" for number, corpus, source_id in found}


def corpus_of(db: Connection, number: int) -> str:
    """Return the name of the corpus that a message belongs to."""
    return str(db.execute(CORPUS_OF, {"number": number}).fetchone()[0])
