"""What an importer gives: messages, deletions and rejects, one generic record for every format."""

from dataclasses import dataclass

CONVERSATION_TYPES = (
    "public_channel",
    "private_channel",
    "direct_message",
    "group_direct_message",
    "mailbox",
    "unknown",
)
SENDER_TYPES = ("internal", "client", "bot", "system", "unknown")
REJECT_REASONS = (
    "bad_json",
    "not_object",
    "bad_encoding",
    "line_too_long",
    "text_missing",
    "text_too_long",
    "time_missing",
    "bad_time",
    "bad_type",
    "truncated_source",
)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a record stands: *file* as named in the source, *line* or ordinal from 1."""

    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a source. Times are milliseconds since 1970, UTC; *zone_known* is false for a time that was read in
    the zone given for the import. *natural_key* identifies it in its corpus; *seq* is the order in the source.
    *text_raw* is set where it differs from *text*. *reply_to* and *thread* name natural ids that may be missing.
    *former_key* is what identified the message when the zone of the import was a part of it, "" if nothing else did.
    """

    natural_key: str
    conversation_id: str
    conversation_name: str
    sender_id: str
    sender_name: str
    sent_at: int
    text: str
    place: Place
    conversation_type: str = "unknown"
    sender_type: str = "unknown"
    organization: str = ""
    workspace: str = ""
    zone_known: bool = True
    seq: int = 0
    text_raw: str = ""
    thread: str = ""
    reply_to: str = ""
    edited_at: int | None = None
    subtype: str = ""
    sender_email: str = ""
    sender_team: str = ""
    former_key: str = ""


@dataclass(frozen=True, slots=True)
class Deletion:
    """A record that takes back the message with this natural key."""

    natural_key: str
    place: Place


@dataclass(frozen=True, slots=True)
class Reject:
    """A record that could not be read: *reason* is one of `REJECT_REASONS`; *detail* holds at most 200 characters."""

    place: Place
    reason: str
    detail: str


@dataclass(frozen=True, slots=True)
class Repair:
    """Something that was put right and counted: `bom`, `crlf`, `surrogate`, `nul`, `charset`."""

    place: Place
    what: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """A field of the source that is not read."""

    name: str


Item = Message | Deletion | Reject | Repair | Unknown
