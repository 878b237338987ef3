"""The messages of a generated corpus, in order of time: what each is about, who sends it where, and its words."""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from string import Formatter

from frugal_modes.evidence.generator import plain
from frugal_modes.evidence.generator.cast import Cast, Room, Sender, cast_of
from frugal_modes.evidence.generator.concerns import CATEGORIES, concern_forms
from frugal_modes.evidence.generator.draws import Draws
from frugal_modes.evidence.generator.profiles import DAY_MS, START_MS, Profile, amounts_of

CONCERN, MENTION, NEAR, ORDINARY = "concern", "mention", "near", "ordinary"
REPLY_PERCENT = 26
ALIAS_PERCENT = 22
BOTH_PERCENT = 4
OPEN_ROOTS = 30
ORDINARY_SENDERS = (("internal", 58), ("client", 36), ("bot", 4), ("unknown", 2))


@dataclass(frozen=True)
class Planned:
    """One message. *canonical* and *alias* count the names of the product in its text; *thread* is the root it answers."""

    identity: str
    sent_at: int
    sender: Sender
    room: Room
    text: str
    sort: str
    category: str = ""
    canonical: int = 0
    alias: int = 0
    thread: str = ""
    is_marked: bool = False

    @property
    def record(self) -> dict[str, object]:
        """The message as an importer reads it."""
        found: dict[str, object] = {
            "id": self.identity,
            "sent_at": self.sent_at,
            "conversation": self.room.record,
            "sender": self.sender.record,
            "text": self.text,
        }
        return {**found, "thread_id": self.thread, "reply_to": self.thread} if self.thread else found


@dataclass
class Writer:
    """Words for one kind of message: its forms come round before one comes again."""

    forms: Sequence[str]
    draws: Draws
    waiting: list[str] = field(default_factory=list)

    def next(self, **given: str) -> str:
        """Return a text, *given* in the slots of that name, every other slot drawn."""
        if not self.waiting:
            self.waiting = self.draws.shuffled(self.forms)
        form = self.waiting.pop()
        return "".join(lead + (self._fill(slot, given) if slot else "") for lead, slot in _parts(form))

    def _fill(self, slot: str, given: Mapping[str, str]) -> str:
        if slot in given:
            return given[slot]
        if slot == "number":
            return str(self.draws.between(2, 99))
        if slot == "percent":
            return str(5 * self.draws.between(2, 12))
        if slot == "time":
            return f"{self.draws.between(8, 17)}:{self.draws.pick(('00', '15', '30', '45'))}"
        return self.draws.pick(plain.SLOTS[slot])


def _parts(form: str) -> Iterator[tuple[str, str | None]]:
    for lead, slot, _, _ in Formatter().parse(form):
        yield lead, slot


def plan(profile: Profile, seed: int, wording: str) -> Iterator[Planned]:
    """Yield the messages of one corpus."""
    return Planner(profile, seed, wording).messages()


class Planner:
    """Draws one corpus. Every question has a stream of its own, so that one more answer moves nothing else."""

    def __init__(self, profile: Profile, seed: int, wording: str) -> None:
        self.profile = profile
        self.cast: Cast = cast_of(profile)

        def stream(name: str) -> Draws:
            return Draws("evidence", profile.name, seed, wording, name)

        self.amounts = amounts_of(profile, stream("amounts"))
        self.sorts = self._sorts(stream("sorts"))
        self.marked = self._marked(stream("marked"))
        self.times, self.people, self.names = stream("times"), stream("people"), stream("names")
        self.threads, self.rooms = stream("threads"), stream("rooms")
        self.concerns = {
            category: Writer(forms, stream(category)) for category, forms in concern_forms(wording).items()
        }
        self.mentions = Writer(plain.MENTIONS, stream(MENTION))
        self.near = Writer(plain.NEAR_MISSES, stream(NEAR))
        self.near_names = Writer(plain.NEAR, stream("near names"))
        self.ordinary = Writer(plain.ORDINARY, stream(ORDINARY))
        self.roots: dict[str, deque[str]] = {}

    def _sorts(self, draws: Draws) -> dict[int, tuple[str, str]]:
        """Return what each message is that is not ordinary: its sort, and the category of a concern or who sends it."""
        planted = [(CONCERN, category) for category in CATEGORIES for _ in range(self.profile.planted)]
        by_clients = [(MENTION, "client")] * (self.amounts.by_clients - len(planted))
        by_others = [(MENTION, "internal")] * self.amounts.by_others
        wanted = [*planted, *by_clients, *by_others, *[(NEAR, "")] * self.profile.near]
        return dict(zip(draws.places(len(wanted), self.profile.messages), wanted, strict=True))

    def _marked(self, draws: Draws) -> frozenset[int]:
        ordinary = [number for number in range(self.profile.messages) if number not in self.sorts]
        return frozenset(ordinary[place] for place in draws.places(self.profile.marked, len(ordinary)))

    def messages(self) -> Iterator[Planned]:
        """Yield the messages."""
        for number in range(self.profile.messages):
            sort, detail = self.sorts.get(number, (ORDINARY, ""))
            sender = self._sender(sort, detail)
            room = self.rooms.pick(self.cast.open_to["bot" if sender.kind == "bot" else sender.organization])
            identity = f"g{number:07d}"
            yield self._message(number, identity, sort, detail, sender, room)

    def _message(
        self, number: int, identity: str, sort: str, detail: str, sender: Sender, room: Room
    ) -> Planned:
        canonical, alias, names = self._named(sort, is_client=sender.kind == "client")
        is_marked = number in self.marked
        return Planned(
            identity=identity,
            sent_at=self._time(number),
            sender=sender,
            room=room,
            text=self._text(sort, detail, names) + (f" [{plain.MARKER}]" if is_marked else ""),
            sort=sort,
            category=detail if sort == CONCERN else "",
            canonical=canonical,
            alias=alias,
            thread=self._thread(identity, room),
            is_marked=is_marked,
        )

    def _sender(self, sort: str, detail: str) -> Sender:
        if sort in (CONCERN, MENTION):
            return self.people.pick(self.cast.by_kind["client" if sort == CONCERN else detail])
        drawn = self.people.below(100)
        for kind, share in ORDINARY_SENDERS:
            if drawn < share:
                return self.people.pick(self.cast.by_kind[kind])
            drawn -= share
        raise AssertionError("the shares add up to 100")

    def _named(self, sort: str, *, is_client: bool) -> tuple[int, int, str]:
        """Return how often a message names the product and its alias, and with what words; only the vendor writes both."""
        if sort not in (CONCERN, MENTION):
            return 0, 0, ""
        drawn = self.names.below(100)
        if sort == MENTION and not is_client and drawn < BOTH_PERCENT:
            return 1, 1, f"{plain.PRODUCT} ({plain.ALIAS})"
        if drawn < ALIAS_PERCENT:
            return 0, 1, plain.ALIAS
        return 1, 0, plain.PRODUCT

    def _text(self, sort: str, detail: str, names: str) -> str:
        if sort == CONCERN:
            return self.concerns[detail].next(product=names)
        if sort == MENTION:
            return self.mentions.next(product=names)
        if sort == NEAR:
            return self.near.next(near=self.near_names.next())
        return self.ordinary.next()

    def _time(self, number: int) -> int:
        """Return a time in the message's own share of the span, so that times ascend."""
        span = self.profile.days * DAY_MS
        start, end = (span * part // self.profile.messages for part in (number, number + 1))
        return START_MS + start + self.times.below(end - start)

    def _thread(self, identity: str, room: Room) -> str:
        """Return the root that a message answers, "" for one that starts anew."""
        roots = self.roots.setdefault(room.identity, deque(maxlen=OPEN_ROOTS))
        if roots and self.threads.percent(REPLY_PERCENT):
            return self.threads.pick(roots)
        roots.append(identity)
        return ""
