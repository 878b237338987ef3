"""What is true of a generated corpus, counted while it is written and never from the file that is searched."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from frugal_modes.evidence.generator.concerns import CATEGORIES
from frugal_modes.evidence.generator.plan import NEAR, Planned


@dataclass
class Tally:
    """The counts that a measurement gives."""

    messages: int = 0
    occurrences: int = 0
    threads: set[str] = field(default_factory=set)
    conversations: set[str] = field(default_factory=set)
    senders: set[str] = field(default_factory=set)

    def take(self, message: Planned, occurrences: int) -> None:
        """Count a message with that many occurrences; a reply belongs to its root's thread, any other is one of its own."""
        if not occurrences:
            return
        self.messages += 1
        self.occurrences += occurrences
        self.threads.add(message.thread or message.identity)
        self.conversations.add(message.room.identity)
        self.senders.add(message.sender.identity)

    @property
    def record(self) -> dict[str, int]:
        """The counts by name."""
        return {
            "messages": self.messages,
            "occurrences": self.occurrences,
            "threads": len(self.threads),
            "conversations": len(self.conversations),
            "senders": len(self.senders),
        }


@dataclass
class Population:
    """The counts of some senders: of the product under either name, and of each name."""

    both: Tally = field(default_factory=Tally)
    canonical: Tally = field(default_factory=Tally)
    alias: Tally = field(default_factory=Tally)

    def take(self, message: Planned) -> None:
        """Count a message."""
        self.both.take(message, message.canonical + message.alias)
        self.canonical.take(message, message.canonical)
        self.alias.take(message, message.alias)

    @property
    def record(self) -> dict[str, object]:
        """The counts, with those of each name under `roles`."""
        return {**self.both.record, "roles": {"canonical": self.canonical.record, "alias": self.alias.record}}


@dataclass
class Truth:
    """What is true so far; *ref* gives the ref of a message by its id."""

    ref: Callable[[str], str]
    every: Population = field(default_factory=Population)
    client: Population = field(default_factory=Population)
    categories: dict[str, list[str]] = field(default_factory=lambda: {name: [] for name in CATEGORIES})
    near_misses: list[str] = field(default_factory=list)
    messages: int = 0
    replies: int = 0
    marked: int = 0

    def watch(self, messages: Iterable[Planned]) -> Iterator[Planned]:
        """Yield *messages* and count them on the way."""
        for message in messages:
            self._take(message)
            yield message

    def _take(self, message: Planned) -> None:
        self.messages += 1
        self.replies += bool(message.thread)
        self.marked += message.is_marked
        self.every.take(message)
        if message.sender.kind == "client":
            self.client.take(message)
        if message.category:
            self.categories[message.category].append(self.ref(message.identity))
        if message.sort == NEAR:
            self.near_misses.append(self.ref(message.identity))

    @property
    def record(self) -> dict[str, object]:
        """All of it as it is written to the file."""
        return {
            "messages": self.messages,
            "replies": self.replies,
            "marked": self.marked,
            "counts": {"all": self.every.record, "client": self.client.record},
            "categories": self.categories,
            "near_misses": self.near_misses,
        }
