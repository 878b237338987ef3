"""Conversations, senders and workspaces of one corpus: a row for each id, brought up to date as messages bring more."""

from dataclasses import dataclass, replace

from frugal.api import Connection
from frugal_modes.evidence.form import fold
from frugal_modes.evidence.records import Message

CONVERSATIONS = "SELECT id, number, name, type FROM conversation WHERE corpus = :corpus ORDER BY number"
SENDERS = "SELECT id, number, name, organization, type FROM sender WHERE corpus = :corpus ORDER BY number"
WORKSPACES = "SELECT name, number FROM workspace WHERE corpus = :corpus ORDER BY number"
SOURCES = "SELECT file, number FROM source WHERE corpus = :corpus AND format = :format ORDER BY number"
NEW_CONVERSATION = """
    INSERT INTO conversation (corpus, id, name, folded, type) VALUES (:corpus, :id, :name, :folded, :type)
    RETURNING number
"""
NEW_SENDER = """
    INSERT INTO sender (corpus, id, name, folded, organization, type)
    VALUES (:corpus, :id, :name, :folded, :organization, :type) RETURNING number
"""
NEW_WORKSPACE = """
    INSERT INTO workspace (corpus, name, folded) VALUES (:corpus, :name, :folded) RETURNING number
"""
NEW_SOURCE = "INSERT INTO source (corpus, format, file) VALUES (:corpus, :format, :file) RETURNING number"
SET_CONVERSATION = (
    "UPDATE conversation SET name = :name, folded = :folded, type = :type WHERE number = :number"
)
SET_SENDER = """
    UPDATE sender SET name = :name, folded = :folded, organization = :organization, type = :type
    WHERE number = :number
"""
UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class _Conversation:
    number: int
    name: str
    type: str


@dataclass(frozen=True, slots=True)
class _Sender:
    number: int
    name: str
    organization: str
    type: str


class Names:
    """What one corpus calls things, true while nobody else writes. *has_rules* lets labels fall back to unknown."""

    def __init__(self, db: Connection, corpus: int, format_name: str, *, has_rules: bool) -> None:
        self._db = db
        self._corpus = corpus
        self._format = format_name
        self._has_rules = has_rules
        key = {"corpus": corpus, "format": format_name}
        self._conversations = {row[0]: _Conversation(*row[1:]) for row in db.execute(CONVERSATIONS, key)}
        self._senders = {row[0]: _Sender(*row[1:]) for row in db.execute(SENDERS, key)}
        self._workspaces: dict[str, int] = dict(tuple(row) for row in db.execute(WORKSPACES, key))
        self._sources: dict[str, int] = dict(tuple(row) for row in db.execute(SOURCES, key))
        self.has_changed = False

    def attach(self, db: Connection) -> None:
        """Go on in another transaction."""
        self._db = db
        self.has_changed = False

    def conversation(self, message: Message) -> int:
        """Return the row of the message's conversation; a later name and a known type replace what stands there."""
        known = self._conversations.get(message.conversation_id)
        name = message.conversation_name or (known.name if known else message.conversation_id)
        kind = message.conversation_type
        if known is not None and kind == UNKNOWN:
            kind = known.type
        if known is not None and known.name == name and known.type == kind:
            return known.number
        values = {"name": name, "folded": fold(name.strip()), "type": kind}
        if known is None:
            number = self._new(NEW_CONVERSATION, {**values, "id": message.conversation_id})
        else:
            number = self._set(SET_CONVERSATION, {**values, "number": known.number})
        self._conversations[message.conversation_id] = _Conversation(number, name, kind)
        return number

    def sender(self, message: Message) -> int:
        """Return the row of the message's sender, with the labels that the message brings."""
        known = self._senders.get(message.sender_id)
        said = (message.sender_name, message.organization, message.sender_type)
        if known is not None and said == (known.name, known.organization, known.type):
            return known.number
        wanted = _Sender(
            known.number if known else 0,
            message.sender_name or (known.name if known else message.sender_id),
            message.organization,
            message.sender_type,
        )
        if known is not None and not self._has_rules:
            wanted = replace(
                wanted,
                organization=wanted.organization or known.organization,
                type=known.type if wanted.type == UNKNOWN else wanted.type,
            )
        if wanted == known:
            return wanted.number
        values = {
            "name": wanted.name,
            "folded": fold(wanted.name.strip()),
            "organization": wanted.organization,
            "type": wanted.type,
        }
        if known is None:
            number = self._new(NEW_SENDER, {**values, "id": message.sender_id})
        else:
            number = self._set(SET_SENDER, {**values, "number": known.number})
        self._senders[message.sender_id] = replace(wanted, number=number)
        return number

    def workspace(self, name: str) -> int | None:
        """Return the row of a workspace, None for no name."""
        if not name:
            return None
        if name not in self._workspaces:
            self._workspaces[name] = self._new(NEW_WORKSPACE, {"name": name, "folded": fold(name.strip())})
        return self._workspaces[name]

    def source(self, file: str) -> int:
        """Return the row of a file of the source."""
        if file not in self._sources:
            self._sources[file] = self._new(NEW_SOURCE, {"format": self._format, "file": file})
        return self._sources[file]

    def _new(self, statement: str, values: dict[str, object]) -> int:
        self.has_changed = True
        return int(self._db.execute(statement, {**values, "corpus": self._corpus}).fetchone()[0])

    def _set(self, statement: str, values: dict[str, object]) -> int:
        self.has_changed = True
        self._db.execute(statement, values)
        number = values["number"]
        assert isinstance(number, int)
        return number
