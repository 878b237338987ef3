"""DiscordChatExporter's JSON: one document a channel or thread, its messages in one array."""

from collections.abc import Iterator
from typing import Any

from frugal_modes.evidence.importers.attached import embeds_text, files_text, joined
from frugal_modes.evidence.importers.jsonfile import objects, settled, walk
from frugal_modes.evidence.importers.jsonstream import Fault, Walker
from frugal_modes.evidence.importers.reading import (
    Reading,
    Rejected,
    first_text,
    mapping,
    own_text,
    rejected,
    sequence,
    string,
)
from frugal_modes.evidence.importers.sources import SourceFile
from frugal_modes.evidence.records import Item, Place, Reject

KEYS = frozenset({"guild", "channel", "messages"})
TYPES = {"DirectTextChat": "direct_message", "DirectGroupTextChat": "group_direct_message"}
PLAIN_TYPES = frozenset(
    ("", "Default", "Reply", "ApplicationCommand", "ContextMenuCommand", "0", "19", "20", "23", "21")
)
THREAD_STARTER = ("21", "ThreadStarterMessage")
SYSTEM = "system"


def read_discord(file: SourceFile, reading: Reading) -> Iterator[Item]:
    """Yield the messages of *file*; fewer than it says it holds means that it was cut."""
    yield from settled(_document(file, reading), file)


def _document(file: SourceFile, reading: Reading) -> Iterator[Item]:
    guild: dict[str, Any] = {}
    channel: dict[str, Any] = {}
    read, promised = 0, None
    with walk(file, reading) as walker:
        for key in walker.fields():
            if key == "messages" and walker.peek() == "[":
                for place, record in objects(walker, file):
                    read += 1
                    yield from _told(record, place, guild, channel, reading)
            elif key in ("guild", "channel", "messageCount"):
                found = _kept(walker)
                guild = mapping(found) if key == "guild" else guild
                channel = mapping(found) if key == "channel" else channel
                promised = found if key == "messageCount" else promised
            else:
                walker.skip()
    if isinstance(promised, int) and promised > read:
        yield Reject(Place(file.name, read), "truncated_source", f"{read} of {promised}")


def _kept(walker: Walker) -> Any:
    found = walker.value()
    return None if isinstance(found, Fault) else found


def _told(
    record: dict[str, Any] | Reject,
    place: Place,
    guild: dict[str, Any],
    channel: dict[str, Any],
    reading: Reading,
) -> Iterator[Item]:
    if isinstance(record, Reject):
        yield record
        return
    try:
        yield from _message(record, place, guild, channel, reading)
    except Rejected as error:
        yield rejected(place, error)


def _message(
    record: dict[str, Any],
    place: Place,
    guild: dict[str, Any],
    channel: dict[str, Any],
    reading: Reading,
) -> Iterator[Item]:
    kind = string(record.get("type"))
    text = _text(record)
    if kind in THREAD_STARTER and not text.strip():
        return  # points at the root in the parent's file and says nothing itself
    moment = reading.moment(record.get("timestamp"))
    identity = string(record.get("id"))
    if not identity:
        raise Rejected("bad_type", f"id: {record.get('id')!r}"[:200])
    is_system = kind not in PLAIN_TYPES and kind not in THREAD_STARTER
    yield from reading.message(
        place,
        natural_key=identity,
        sent_at=moment.ms,
        zone_known=moment.zone_known,
        text=text,
        reply_to=_reply_to(record),
        edited_at=reading.edited(record.get("timestampEdited")),
        subtype="" if kind in ("Default", "0") else kind,
        workspace=first_text(guild.get("name"), string(guild.get("id"))),
        **_home(channel),
        **_sender(mapping(record.get("author")), is_system=is_system),
    )


def _home(channel: dict[str, Any]) -> dict[str, str]:
    """Return conversation and thread; of a thread's file the `category` is the channel it hangs on, and a thread has
    the id of the message it was opened on.
    """
    kind = string(channel.get("type"))
    identity = string(channel.get("id")) or "unknown"
    is_thread = "Thread" in kind and bool(string(channel.get("categoryId")))
    home = string(channel.get("categoryId")) if is_thread else identity
    name = string(channel.get("category")) if is_thread else string(channel.get("name"))
    is_private = "Private" in kind
    other = "private_channel" if is_private else "public_channel" if kind.startswith("Guild") else "unknown"
    return {
        "conversation_id": home,
        "conversation_name": name or home,
        # The file of a private thread says nothing about who may read the channel it hangs on.
        "conversation_type": TYPES.get(kind, "public_channel" if is_thread else other),
        "thread": identity if is_thread else "",
    }


def _reply_to(record: dict[str, Any]) -> str:
    """Return the id of the message that is answered; a forwarded one is quoted, not answered."""
    reference = mapping(record.get("reference"))
    kind = string(record.get("type"))
    is_forward = reference.get("type") == "Forward" or isinstance(record.get("forwardedMessage"), dict)
    is_reply = kind in ("Reply", "19") or (kind == "" and reference.get("type") != "Forward")
    return string(reference.get("messageId")) if is_reply and not is_forward else ""


def _text(record: dict[str, Any]) -> str:
    own = own_text(record, "content")
    if own.strip():
        return own
    forwarded = mapping(record.get("forwardedMessage"))
    return first_text(_said(record), forwarded.get("content"), _said(forwarded))


def _said(record: dict[str, Any]) -> str:
    """Return what stands in for the text: embeds, stickers, names of files."""
    stickers = [mapping(item).get("name") for item in sequence(record.get("stickers"))]
    files = [mapping(item).get("fileName") for item in sequence(record.get("attachments"))]
    named = (f"[sticker: {name}]" for name in stickers if isinstance(name, str) and name)
    return joined((embeds_text(record.get("embeds")), *named, files_text(files)))


def _sender(author: dict[str, Any], *, is_system: bool) -> dict[str, str]:
    identity = string(author.get("id"))
    if is_system or not identity:
        return {"sender_id": SYSTEM, "sender_name": SYSTEM, "sender_type": "system"}
    return {
        "sender_id": identity,
        "sender_name": first_text(author.get("nickname"), author.get("name"), identity),
        "sender_type": "bot" if author.get("isBot") is True else "unknown",
    }
