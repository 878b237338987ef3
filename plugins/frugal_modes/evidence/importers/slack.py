"""Slack exports, zip or folder: a folder a conversation, a file a day, lists of people and channels beside them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from frugal_modes.evidence.importers.attached import attachments_text, blocks_text, files_text, joined
from frugal_modes.evidence.importers.jsonfile import objects, settled, walk
from frugal_modes.evidence.importers.jsonstream import CutShort, NotJson
from frugal_modes.evidence.importers.reading import (
    Reading,
    Rejected,
    SourceDamaged,
    first_text,
    mapping,
    own_text,
    rejected,
    sequence,
    string,
)
from frugal_modes.evidence.importers.slacktokens import resolve
from frugal_modes.evidence.importers.sources import Source, SourceFile
from frugal_modes.evidence.records import Deletion, Item, Place, Reject

DAY_FILE = re.compile(r"(?:.*/)?([^/]+)/\d{4}-\d{2}-\d{2}\.json")
LISTS = {
    "channels.json": "public_channel",
    "groups.json": "private_channel",
    "dms.json": "direct_message",
    "mpims.json": "group_direct_message",
}
PEOPLE = ("users.json", "org_users.json")
SYSTEM_SUBTYPES = frozenset(
    [
        "channel_archive",
        "channel_convert_to_private",
        "channel_convert_to_public",
        "channel_join",
        "channel_leave",
        "channel_name",
        "channel_posting_permissions",
        "channel_purpose",
        "channel_topic",
        "channel_unarchive",
        "group_archive",
        "group_join",
        "group_leave",
        "group_name",
        "group_purpose",
        "group_topic",
        "group_unarchive",
        "pinned_item",
        "unpinned_item",
        "tombstone",
        "sh_room_created",
        "huddle_thread",
        "canvas_updated",
    ]
)
SYSTEM = "system"
_DIRECT = re.compile(r"D[A-Z0-9]{6,}")


@dataclass(frozen=True)
class Person:
    """One of the people of a workspace."""

    name: str
    email: str = ""
    team: str = ""
    is_bot: bool = False


@dataclass(frozen=True)
class Conversation:
    """One folder: *identity* is that of the lists, the folder's name if no list has it."""

    identity: str
    name: str
    kind: str


@dataclass(frozen=True)
class Workspace:
    """What the lists say."""

    people: dict[str, Person]
    conversations: dict[str, Conversation]
    channels: dict[str, str]

    def conversation(self, folder: str) -> Conversation:
        """Return the conversation whose messages lie in *folder*."""
        if found := self.conversations.get(folder):
            return found
        kind = "direct_message" if _DIRECT.fullmatch(folder) else "unknown"
        return Conversation(folder, folder, "group_direct_message" if folder.startswith("mpdm-") else kind)

    def person(self, identity: str) -> str:
        """Return how somebody is called, the id if nobody knows."""
        found = self.people.get(identity)
        return found.name if found else identity

    def channel(self, identity: str) -> str:
        """Return how a channel is called."""
        return self.channels.get(identity, identity)


def has_days(files: Sequence[SourceFile]) -> bool:
    """Tell whether any of *files* is named like a day in the folder of a conversation."""
    return any(DAY_FILE.fullmatch(file.name) for file in files)


def is_slack(files: Sequence[SourceFile]) -> bool:
    """Tell whether *files* are those of an export: days beside the lists, or days that hold what a day does."""
    days = [file for file in files if DAY_FILE.fullmatch(file.name)]
    if not days:
        return False
    return any(file.path.name in (*LISTS, *PEOPLE) for file in files) or _is_day(days[0])


def _is_day(file: SourceFile) -> bool:
    try:
        head = file.head().lstrip(b"\xef\xbb\xbf \t\r\n")
    except SourceDamaged:
        return False
    return head.startswith(b"[") and b'"ts"' in head and b'"type"' in head


def read_slack(source: Source, reading: Reading) -> Iterator[Item]:
    """Yield the messages of an export, conversation by conversation, day by day."""
    workspace = read_workspace(source, reading)
    for file in source.files:
        if found := DAY_FILE.fullmatch(file.name):
            yield from settled(_day(file, workspace.conversation(found[1]), workspace, reading), file)


def read_workspace(source: Source, reading: Reading) -> Workspace:
    """Return what the lists of an export say."""
    people: dict[str, Person] = {}
    conversations: dict[str, Conversation] = {}
    channels: dict[str, str] = {}
    lists = {file.path.name: file for file in source.files if file.path.name in (*LISTS, *PEOPLE)}
    for name in PEOPLE:
        if name in lists:
            people |= {
                identity: person for identity, person in map(_person, _rows(lists[name], reading)) if identity
            }
    for name, kind in LISTS.items():
        for row in _rows(lists[name], reading) if name in lists else ():
            identity, title = string(row.get("id")), first_text(row.get("name"))
            if not identity:
                continue
            members = [people[member].name if member in people else member for member in _members(row)]
            shown = title or ", ".join(members) or identity
            conversations[title or identity] = Conversation(identity, shown, kind)
            conversations.setdefault(identity, Conversation(identity, shown, kind))
            channels[identity] = shown
    return Workspace(people, conversations, channels)


def _rows(file: SourceFile, reading: Reading) -> Iterator[dict[str, Any]]:
    """Yield the objects of a list; one that breaks off says what it can."""
    try:
        with walk(file, reading) as walker:
            for _, record in objects(walker, file):
                if isinstance(record, dict):
                    yield record
    except (CutShort, NotJson, SourceDamaged):
        return


def _members(row: dict[str, Any]) -> list[str]:
    return [member for member in sequence(row.get("members")) if isinstance(member, str)]


def _person(row: dict[str, Any]) -> tuple[str, Person]:
    profile = mapping(row.get("profile"))
    identity = string(row.get("id"))
    name = first_text(
        profile.get("display_name"),
        profile.get("real_name"),
        row.get("real_name"),
        row.get("name"),
        identity,
    )
    return identity, Person(
        name,
        first_text(profile.get("email")),
        first_text(row.get("team_id"), profile.get("team")),
        is_bot=bool(row.get("is_bot")) or identity == "USLACKBOT",
    )


def _day(
    file: SourceFile, conversation: Conversation, workspace: Workspace, reading: Reading
) -> Iterator[Item]:
    """Yield the messages of one file; what was sent to a thread and its channel stands twice and counts once."""
    seen: set[str] = set()
    with walk(file, reading) as walker:
        for place, record in objects(walker, file):
            if isinstance(record, Reject):
                yield record
                continue
            moment = string(record.get("ts"))
            is_repeat = moment in seen and ("thread_ts" in record or _is_broadcast(record))
            seen.add(moment)
            if is_repeat:
                continue
            try:
                yield from _message(record, place, conversation, workspace, reading)
            except Rejected as error:
                yield rejected(place, error)


def _is_broadcast(record: dict[str, Any]) -> bool:
    return record.get("subtype") in ("thread_broadcast", "reply_broadcast")


def _message(
    record: dict[str, Any],
    place: Place,
    conversation: Conversation,
    workspace: Workspace,
    reading: Reading,
) -> Iterator[Item]:
    subtype = first_text(record.get("subtype"))
    if subtype == "message_deleted" and string(record.get("deleted_ts")):
        yield Deletion(f"{conversation.identity}:{record['deleted_ts']}", place)
        return
    stamp = record.get("ts")
    moment = reading.moment(stamp)
    raw = _text(record)
    root = string(record.get("thread_ts"))
    thread = f"{conversation.identity}:{root}" if root else ""
    is_reply = bool(root) and root != string(stamp)
    yield from reading.message(
        place,
        natural_key=f"{conversation.identity}:{string(stamp)}",
        conversation_id=conversation.identity,
        conversation_name=conversation.name,
        conversation_type=conversation.kind,
        sent_at=moment.ms,
        text=resolve(raw, workspace.person, workspace.channel),
        text_raw=raw,
        thread=thread,
        reply_to=thread if is_reply else "",
        edited_at=reading.edited(mapping(record.get("edited")).get("ts")),
        subtype=subtype,
        workspace=first_text(record.get("team"), record.get("source_team"), record.get("user_team")),
        **_sender(record, subtype, workspace),
    )


def _text(record: dict[str, Any]) -> str:
    """Return the text of a message; one without a text says what its blocks, cards and files say."""
    own = own_text(record, "text")
    if own.strip():
        return own
    said = joined((blocks_text(record.get("blocks")), attachments_text(record.get("attachments"))))
    files = [mapping(file) for file in sequence(record.get("files"))]
    return said or files_text(first_text(file.get("title"), file.get("name")) for file in files)


def _sender(record: dict[str, Any], subtype: str, workspace: Workspace) -> dict[str, str]:
    """Return the fields of who sent it: one of the lists, a bot, a stranger known by profile, the system."""
    if subtype in SYSTEM_SUBTYPES:
        return {"sender_id": SYSTEM, "sender_name": SYSTEM, "sender_type": "system"}
    profile, bot = mapping(record.get("user_profile")), mapping(record.get("bot_profile"))
    bot_id = first_text(record.get("bot_id"), bot.get("id"))
    identity = first_text(record.get("user"), bot_id, record.get("username"))
    is_bot = subtype == "bot_message" or bool(bot_id)
    if not identity:
        return {"sender_id": SYSTEM, "sender_name": SYSTEM, "sender_type": "bot" if is_bot else "system"}
    known = workspace.people.get(identity)
    is_bot = is_bot or bool(known and known.is_bot)
    name = first_text(
        record.get("username") if is_bot else "",
        known.name if known else "",
        profile.get("display_name"),
        profile.get("real_name"),
        profile.get("name"),
        bot.get("name"),
        record.get("username"),
        identity,
    )
    return {
        "sender_id": identity,
        "sender_name": name,
        "sender_type": "bot" if is_bot else "unknown",
        "sender_email": known.email if known else first_text(profile.get("email")),
        "sender_team": (known.team if known else "")
        or first_text(profile.get("team"), record.get("user_team")),
    }
