"""Who writes and where: one vendor, five client organizations, a bot, and somebody nobody knows."""

from dataclasses import dataclass

from frugal_modes.evidence.generator.profiles import Profile

VENDOR = "Vendor"
CLIENTS = ("North", "East", "South", "West", "Centre")
_TWENTY = (*(VENDOR,) * 8, *(name for name in CLIENTS for _ in range(2)), "bot", "")
_SHARED = tuple(f"with {name.lower()}" for name in CLIENTS)
_THIRTEEN = (
    *((name, "private_channel") for name in _SHARED),
    ("announcements", "public_channel"),
    ("user forum", "public_channel"),
    ("helpdesk", "public_channel"),
    ("engineering", "private_channel"),
    ("sales", "private_channel"),
    ("inbox", "mailbox"),
    ("two desks", "direct_message"),
    ("account group", "group_direct_message"),
)
_OPEN = ("announcements", "user forum", "helpdesk", "inbox")


@dataclass(frozen=True)
class Sender:
    """One of the people."""

    identity: str
    name: str
    organization: str
    kind: str

    @property
    def record(self) -> dict[str, str]:
        """The sender as an importer reads it."""
        found = {"id": self.identity, "name": self.name, "type": self.kind}
        return {**found, "organization": self.organization} if self.organization else found


@dataclass(frozen=True)
class Room:
    """One conversation."""

    identity: str
    name: str
    kind: str

    @property
    def record(self) -> dict[str, str]:
        """The conversation as an importer reads it."""
        return {"id": self.identity, "name": self.name, "type": self.kind}


@dataclass(frozen=True)
class Cast:
    """Everybody, and where each may write; *by_kind* lists senders by their type."""

    senders: tuple[Sender, ...]
    rooms: tuple[Room, ...]
    by_kind: dict[str, tuple[Sender, ...]]
    open_to: dict[str, tuple[Room, ...]]


def cast_of(profile: Profile) -> Cast:
    """Return the cast of *profile*: its people and conversations repeat those of twenty people in thirteen rooms."""
    senders = tuple(_sender(number) for number in range(profile.people))
    rooms = tuple(_room(number) for number in range(profile.conversations))
    kinds = ("internal", "client", "bot", "unknown")
    by_kind = {kind: tuple(sender for sender in senders if sender.kind == kind) for kind in kinds}
    organizations = (VENDOR, *CLIENTS, "bot", "")
    open_to = {name: tuple(room for room in rooms if _may_write(name, room)) for name in organizations}
    return Cast(senders, rooms, by_kind, open_to)


def _sender(number: int) -> Sender:
    place = _TWENTY[number % len(_TWENTY)]
    kind = {VENDOR: "internal", "bot": "bot", "": "unknown"}.get(place, "client")
    organization = place if kind in ("internal", "client") else ""
    return Sender(f"u{number:03d}", f"{place or 'Guest'} {number:03d}", organization, kind)


def _room(number: int) -> Room:
    name, kind = _THIRTEEN[number % len(_THIRTEEN)]
    series = number // len(_THIRTEEN)
    return Room(f"r{number:03d}", f"{name} {series + 1}" if series else name, kind)


def _may_write(organization: str, room: Room) -> bool:
    """Tell whether people of *organization* are in *room*: clients in the open rooms and their own."""
    if organization == VENDOR:
        return True
    plain = room.name.rstrip("0123456789 ")
    return plain in _OPEN or plain == f"with {organization.lower()}"
