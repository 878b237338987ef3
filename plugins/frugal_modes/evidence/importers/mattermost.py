"""Mattermost bulk exports: an object a line, posts with their replies inside, people and channels before them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from frugal_modes.evidence.importers.attached import attachments_text, files_text
from frugal_modes.evidence.importers.jsonl import told_lines
from frugal_modes.evidence.importers.jsonstream import DECODER, Fault, decode_line
from frugal_modes.evidence.importers.lines import Line
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
from frugal_modes.evidence.importers.times import Moment
from frugal_modes.evidence.records import Item, Place, Reject

LINE_TYPES = [
    "version",
    "info",
    "role",
    "scheme",
    "emoji",
    "team",
    "channel",
    "user",
    "bot",
    "post",
    "direct_channel",
    "direct_post",
]
SYSTEM = "system"


@dataclass(frozen=True)
class Home:
    """Where posts stand: the conversation as `Message` names it, and the team."""

    identity: str
    name: str
    kind: str
    team: str = ""


@dataclass
class Directory:
    """What the lines before the posts say."""

    channels: dict[str, Home] = field(default_factory=dict)
    people: dict[str, tuple[str, str]] = field(default_factory=dict)
    bots: set[str] = field(default_factory=set)


def is_mattermost(record: Any) -> bool:
    """Tell whether *record*, the first line of a file, begins an export."""
    return isinstance(record, dict) and record.get("type") in LINE_TYPES and record["type"] in record


def read_mattermost(file: SourceFile, reading: Reading) -> Iterator[Item]:
    """Yield the posts of *file*, each with its replies behind it."""
    directory = Directory()
    for line, place in told_lines(file, reading):
        if not isinstance(line, Line):
            yield line
            continue
        if not line.data.strip():
            continue
        found = decode_line(line.data)
        if isinstance(found, Fault):
            yield Reject(place, found.reason, found.detail)
        elif not isinstance(found, dict):
            yield Reject(place, "not_object", str(found)[:200])
        else:
            yield from _line(found, place, directory, reading)


def _line(found: dict[str, Any], place: Place, directory: Directory, reading: Reading) -> Iterator[Item]:
    kind = string(found.get("type"))
    body = found.get(kind)
    if kind not in LINE_TYPES:
        yield from reading.unread(f"type={kind}")
    elif not isinstance(body, dict):
        if kind in ("post", "direct_post"):
            yield Reject(place, "bad_type", f"{kind}: {body!r}"[:200])
    elif kind == "channel":
        _channel(body, directory)
    elif kind == "user":
        _user(body, directory)
    elif kind == "bot":
        directory.bots.add(string(body.get("username")))
    elif kind in ("post", "direct_post"):
        yield from _posts(body, place, directory, reading)


def _channel(body: dict[str, Any], directory: Directory) -> None:
    team, name = string(body.get("team")), string(body.get("name"))
    kind = {"O": "public_channel", "P": "private_channel"}.get(string(body.get("type")), "unknown")
    shown = first_text(body.get("display_name"), name)
    directory.channels[f"{team}/{name}"] = Home(f"{team}/{name}", shown, kind, team)


def _user(body: dict[str, Any], directory: Directory) -> None:
    username = string(body.get("username"))
    full = " ".join(part for part in (string(body.get("first_name")), string(body.get("last_name"))) if part)
    name = first_text(body.get("nickname"), full, username)
    directory.people[username] = (name, string(body.get("email")))


def _home(body: dict[str, Any], directory: Directory) -> Home:
    """Return where a post stands; a direct one between its members, in the order of their names."""
    if "channel_members" in body:
        members = sorted({string(member) for member in sequence(body.get("channel_members"))} - {""})
        if not members:
            raise Rejected("bad_type", "channel_members")
        names = ", ".join(directory.people.get(member, (member, ""))[0] for member in members)
        kind = "direct_message" if len(members) <= 2 else "group_direct_message"
        return Home(",".join(members), names, kind)
    team, name = string(body.get("team")), string(body.get("channel"))
    if not name:
        raise Rejected("bad_type", "channel")
    return directory.channels.get(f"{team}/{name}") or Home(f"{team}/{name}", name, "unknown", team)


def _posts(body: dict[str, Any], place: Place, directory: Directory, reading: Reading) -> Iterator[Item]:
    """Yield a post and its replies; a root that cannot be read does not take its replies along."""
    root = ""
    replies = sequence(body.get("replies"))
    try:
        home = _home(body, directory)
    except Rejected as error:
        yield rejected(place, error)
        return
    for number, raw in enumerate((body, *replies)):
        try:
            if not isinstance(raw, dict):
                raise Rejected("not_object", raw)
            moment = reading.moment(raw.get("create_at"))
            key = _key(home, raw, moment, reading)
            if number == 0:
                root = key if replies else ""
            yield from _post(
                raw, place, home, directory, reading, key=key, thread=root, is_reply=number > 0, moment=moment
            )
        except Rejected as error:
            yield rejected(place, error)


def _key(home: Home, raw: dict[str, Any], moment: Moment, reading: Reading) -> str:
    """Return the key of a post: it has no id of its own, and two of one user may share a millisecond."""
    parts = (home.identity, moment.key, string(raw.get("user")))
    return ":".join((*parts, str(reading.ordinals.next(*parts))))


def _post(  # noqa: PLR0913 - a post is known by where, when and under what it stands
    raw: dict[str, Any],
    place: Place,
    home: Home,
    directory: Directory,
    reading: Reading,
    *,
    key: str,
    thread: str,
    is_reply: bool,
    moment: Moment,
) -> Iterator[Item]:
    props = _props(raw.get("props"))
    subtype = string(raw.get("type"))
    text = first_text(own_text(raw, "message"), attachments_text(props.get("attachments")), _files(raw))
    edited = reading.edited(raw.get("edit_at"))
    yield from reading.message(
        place,
        natural_key=key,
        conversation_id=home.identity,
        conversation_name=home.name,
        conversation_type=home.kind,
        workspace=home.team,
        sent_at=moment.ms,
        text=text,
        thread=thread,
        reply_to=thread if is_reply else "",
        edited_at=edited if edited and edited > moment.ms else None,
        subtype=subtype,
        **_sender(raw, subtype, props, directory),
    )


def _props(raw: Any) -> dict[str, Any]:
    """Return the properties of a post: an object, or one written as a text."""
    if isinstance(raw, str):
        try:
            raw = DECODER.decode(raw)
        except (ValueError, RecursionError):
            return {}
    return mapping(raw)


def _files(raw: dict[str, Any]) -> str:
    paths = (string(mapping(item).get("path")) for item in sequence(raw.get("attachments")))
    return files_text(path.rpartition("/")[2] for path in paths)


def _sender(raw: dict[str, Any], subtype: str, props: dict[str, Any], directory: Directory) -> dict[str, str]:
    """Return the fields of who posted: the system, a webhook under the name it took, a bot, a user."""
    username = string(raw.get("user"))
    if subtype.startswith("system_") or not username:
        return {"sender_id": SYSTEM, "sender_name": SYSTEM, "sender_type": "system"}
    if str(props.get("from_webhook", "")).lower() == "true":
        name = first_text(props.get("override_username"), props.get("webhook_display_name"), username)
        return {"sender_id": f"webhook:{name}", "sender_name": name, "sender_type": "bot"}
    name, email = directory.people.get(username, (username, ""))
    is_bot = username in directory.bots or str(props.get("from_bot", "")).lower() == "true"
    return {
        "sender_id": username,
        "sender_name": name,
        "sender_email": email,
        "sender_type": "bot" if is_bot else "unknown",
    }
