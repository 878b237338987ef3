"""Telegram Desktop's JSON: one chat, or an account with a list of chats."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from frugal_modes.evidence.importers.attached import files_text
from frugal_modes.evidence.importers.jsonfile import objects, settled, walk
from frugal_modes.evidence.importers.jsonstream import Fault, Walker
from frugal_modes.evidence.importers.reading import (
    Reading,
    Rejected,
    first_text,
    mapping,
    rejected,
    sequence,
    string,
)
from frugal_modes.evidence.importers.sources import SourceFile
from frugal_modes.evidence.importers.times import Moment
from frugal_modes.evidence.records import Item, Place, Reject

TYPES = {
    "personal_chat": "direct_message",
    "bot_chat": "direct_message",
    "saved_messages": "direct_message",
    "private_group": "group_direct_message",
    "private_supergroup": "private_channel",
    "private_channel": "private_channel",
    "public_group": "public_channel",
    "public_supergroup": "public_channel",
    "public_channel": "public_channel",
}
LISTS = ("chats", "left_chats")
SYSTEM = "system"
_MEDIA = ("photo", "location_information", "contact_information", "place_name", "poll", "media_type")


@dataclass
class _Chat:
    """What a chat says about itself before its messages; *numbers* count the messages of the whole file."""

    numbers: Iterator[int] = field(default_factory=lambda: count(1))
    about: dict[str, str] = field(default_factory=dict)


def is_chat(keys: dict[str, Any]) -> bool:
    """Tell whether *keys*, the beginning of a document, are those of one chat."""
    return "messages" in keys and string(keys.get("type")) in TYPES and "id" in keys


def read_telegram(file: SourceFile, reading: Reading) -> Iterator[Item]:
    """Yield the messages of *file*."""
    yield from settled(_document(file, reading), file)


def _document(file: SourceFile, reading: Reading) -> Iterator[Item]:
    chat = _Chat()
    with walk(file, reading) as walker:
        for key in walker.fields():
            if key in LISTS and walker.peek() == "{":
                for inner in walker.fields():
                    if inner == "list" and walker.peek() == "[":
                        yield from _chats(walker, file, chat.numbers, reading)
                    else:
                        walker.skip()
            else:
                yield from _field(key, chat, walker, file, reading)


def _chats(walker: Walker, file: SourceFile, numbers: Iterator[int], reading: Reading) -> Iterator[Item]:
    for ordinal in walker.items():
        if walker.peek() != "{":
            walker.skip()
            yield Reject(Place(file.name, ordinal), "not_object", "chats.list")
            continue
        chat = _Chat(numbers)
        for key in walker.fields():
            yield from _field(key, chat, walker, file, reading)


def _field(key: str, chat: _Chat, walker: Walker, file: SourceFile, reading: Reading) -> Iterator[Item]:
    """Read one field of a chat: its messages, or what they need to be told apart."""
    if key == "messages" and walker.peek() == "[":
        for place, record in objects(walker, file, chat.numbers):
            if isinstance(record, Reject):
                yield record
                continue
            try:
                yield from _message(record, place, chat.about, reading)
            except Rejected as error:
                yield rejected(place, error)
    elif key in ("name", "type", "id"):
        found = walker.value()
        chat.about[key] = "" if isinstance(found, Fault) else string(found)
    else:
        walker.skip()


def _message(record: dict[str, Any], place: Place, chat: dict[str, str], reading: Reading) -> Iterator[Item]:
    number = string(record.get("id"))
    if not number:
        raise Rejected("bad_type", f"id: {record.get('id')!r}"[:200])
    moment = _moment(record, reading)
    home = chat.get("id") or chat.get("name") or "unknown"
    is_service = record.get("type") == "service"
    answered = string(record.get("reply_to_message_id"))
    is_elsewhere = bool(string(record.get("reply_to_peer_id")))
    yield from reading.message(
        place,
        natural_key=f"{home}:{number}",
        conversation_id=home,
        conversation_name=chat.get("name") or home,
        conversation_type=TYPES.get(chat.get("type", ""), "unknown"),
        sent_at=moment.ms,
        zone_known=moment.zone_known,
        text=_service(record) if is_service else _text(record),
        reply_to=f"{home}:{answered}" if answered and not is_elsewhere else "",
        edited_at=reading.edited(record.get("edited_unixtime") or record.get("edited")),
        subtype=string(record.get("action")) if is_service else string(record.get("media_type")),
        **_sender(record, is_service=is_service),
    )


def _moment(record: dict[str, Any], reading: Reading) -> Moment:
    """Return the time in seconds where the export has it: `date` is the exporting computer's local time."""
    raw = record.get("date_unixtime")
    return reading.moment(raw if raw not in (None, "") else record.get("date"))


def _text(record: dict[str, Any]) -> str:
    said = parts_text(record.get("text"))
    return said if said.strip() else _media(record)


def parts_text(raw: Any) -> str:
    """Return a text that comes whole or in parts, some of them with a style."""
    if isinstance(raw, str):
        return raw
    if isinstance(raw, list):
        pieces = (part if isinstance(part, str) else mapping(part).get("text") for part in raw)
        return "".join(piece for piece in pieces if isinstance(piece, str))
    if raw is None:
        return ""
    raise Rejected("bad_type", f"text: {raw!r}"[:200])


def _media(record: dict[str, Any]) -> str:
    """Return what a message without a text holds."""
    if emoji := first_text(record.get("sticker_emoji")):
        return f"[sticker: {emoji}]"
    poll = mapping(record.get("poll"))
    if question := first_text(poll.get("question")):
        answers = (first_text(mapping(item).get("text")) for item in sequence(poll.get("answers")))
        return "\n".join((question, *filter(None, answers)))
    file = first_text(record.get("file_name"), record.get("file"))
    if file and not file.startswith("("):
        return files_text([file.rpartition("/")[2]])
    return next(
        (f"[{record.get('media_type') or key}]" for key in _MEDIA if record.get(key)),
        "[file]" if file else "",
    )


def _service(record: dict[str, Any]) -> str:
    """Return what happened, in the words of the export."""
    members = ", ".join(name for name in sequence(record.get("members")) if isinstance(name, str))
    said = parts_text(record.get("text"))
    action = string(record.get("action")).replace("_", " ")
    actor = first_text(record.get("actor"))
    parts = (actor, action, first_text(record.get("title")), members, said)
    return " ".join(part for part in parts if part.strip())


def _sender(record: dict[str, Any], *, is_service: bool) -> dict[str, str]:
    if is_service:
        return {"sender_id": SYSTEM, "sender_name": SYSTEM, "sender_type": "system"}
    name = first_text(record.get("from"))
    identity = first_text(string(record.get("from_id")), name) or "unknown"
    return {"sender_id": identity, "sender_name": name or identity}
