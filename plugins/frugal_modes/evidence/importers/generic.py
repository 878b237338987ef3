"""The generic record: an object with `text` and `sent_at`, as JSON Lines and CSV bring it."""

from collections.abc import Iterator
from hashlib import blake2b
from typing import Any

from frugal_modes.evidence.importers.mapping import CONVERSATION, PLAIN, SENDER, mapped
from frugal_modes.evidence.importers.reading import (
    ID_CHARACTERS,
    Reading,
    Rejected,
    mended_name,
    own_text,
    rejected,
)
from frugal_modes.evidence.importers.times import Moment
from frugal_modes.evidence.records import CONVERSATION_TYPES, SENDER_TYPES, Deletion, Item, Place

DEFAULT_CONVERSATION = "main"
DEFAULT_SENDER = "unknown"
KEYLESS = "~"
"""How the key of a record without an id begins."""


def read_record(record: Any, place: Place, reading: Reading) -> Iterator[Item]:
    """Yield the message or deletion that *record* is, or why it is none."""
    try:
        if not isinstance(record, dict):
            raise Rejected("not_object", record)
        if reading.mapping:
            record = mapped(record, reading.mapping)
        for name in record.keys() - _KNOWN:
            yield from reading.unread(name)
        if _is_deleted(record):
            yield _deletion(record, place)
            return
        yield from _message(record, place, reading)
    except Rejected as error:
        yield rejected(place, error)


_KNOWN = frozenset(PLAIN)


def _is_deleted(record: dict[str, Any]) -> bool:
    deleted = record.get("deleted")
    if deleted is None or isinstance(deleted, bool):
        return bool(deleted)
    raise Rejected("bad_type", f"deleted: {deleted!r}")


def _deletion(record: dict[str, Any], place: Place) -> Deletion:
    key = _id(record, "id")
    if not key:
        raise Rejected("bad_type", "deleted without id")
    return Deletion(key, place)


def _message(record: dict[str, Any], place: Place, reading: Reading) -> Iterator[Item]:
    text = record.get("text")
    if text is None:
        raise Rejected("text_missing")
    if not isinstance(text, str):
        raise Rejected("bad_type", f"text: {text!r}"[:200])
    moment = reading.moment(record.get("sent_at"))
    conversation = _named(record, "conversation", CONVERSATION, CONVERSATION_TYPES)
    sender = _named(record, "sender", SENDER, SENDER_TYPES)
    for owner, value, known in (("conversation", conversation, CONVERSATION), ("sender", sender, SENDER)):
        for name in value.keys() - set(known):
            yield from reading.unread(f"{owner}.{name}")
    conversation_id, conversation_name = _identity(conversation, DEFAULT_CONVERSATION)
    sender_id, sender_name = _identity(sender, DEFAULT_SENDER)
    edited = record.get("edited_at")
    edited_at = None if edited in (None, "") else reading.moment(edited).ms
    key, former = _id(record, "id"), ""
    if not key:
        key, former = _keyless(reading, conversation_id, sender_id, moment, text)
    yield from reading.message(
        place,
        natural_key=key,
        former_key=former,
        conversation_id=conversation_id,
        conversation_name=conversation_name,
        conversation_type=conversation.get("type") or "unknown",
        sender_id=sender_id,
        sender_name=sender_name,
        sender_type=sender.get("type") or "unknown",
        organization=sender.get("organization") or "",
        sent_at=moment.ms,
        zone_known=moment.zone_known,
        text=text,
        thread=_id(record, "thread_id", most=None),
        reply_to=_id(record, "reply_to"),
        workspace=own_text(record, "workspace"),
        subtype=own_text(record, "subtype"),
        edited_at=edited_at,
    )


def _keyless(reading: Reading, conversation: str, sender: str, moment: Moment, text: str) -> tuple[str, str]:
    """Return the key of a record without an id: what it says, and which it is among equals; then its former key."""
    parts = (conversation, sender, moment.key, text)
    ordinal = str(reading.ordinals.next(*parts))
    is_same = moment.local in (None, moment.ms)
    return _hashed(*parts, ordinal), "" if is_same else _hashed(
        conversation, sender, str(moment.ms), text, ordinal
    )


def _hashed(*parts: str) -> str:
    whole = "\x1f".join(parts).encode("utf-8", "surrogatepass")
    return KEYLESS + blake2b(whole, digest_size=16).hexdigest()


def _id(record: dict[str, Any], name: str, *, most: int | None = ID_CHARACTERS) -> str:
    """Return an id: a text or an integer; "" if there is none."""
    value = record.get(name)
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    found = own_text({name: value}, name)
    if most is not None and len(found) > most:
        raise Rejected("bad_type", f"{name}: {len(found)} characters")
    return mended_name(found)


def _named(
    record: dict[str, Any], name: str, known: tuple[str, ...], types: tuple[str, ...]
) -> dict[str, str]:
    """Return a conversation or a sender as an object of texts."""
    value = record.get(name)
    if value is None or value == "":
        return {}
    if isinstance(value, int | str) and not isinstance(value, bool):
        return {"id": str(value)}
    if not isinstance(value, dict):
        raise Rejected("bad_type", f"{name}: {value!r}"[:200])
    found: dict[str, str] = {}
    for key, part in value.items():
        if key in known:
            found[key] = _id({key: part}, key) if key == "id" else own_text({key: part}, key)
        else:
            found[key] = ""
    if found.get("type") and found["type"] not in types:
        raise Rejected("bad_type", f"{name}.type: {found['type']}")
    return found


def _identity(named: dict[str, str], default: str) -> tuple[str, str]:
    """Return id and name; each stands for the other where it is missing."""
    identity = named.get("id") or named.get("name") or default
    return identity, named.get("name") or identity
