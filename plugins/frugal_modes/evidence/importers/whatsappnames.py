"""Who writes in a WhatsApp export: what stands before the colon of a line, though names may hold colons themselves."""

from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise

from frugal_modes.evidence.importers.whatsappheads import is_system_text, plain_name

LONGEST_NAME = 120
MOST_COLONS = 4
AT_LEAST = 2
"""How often a longer name must follow a shorter one, always, to be the name."""


@dataclass
class Names:
    """Counts what stands before each of the first colons of a line."""

    counts: Counter[str] = field(default_factory=Counter)
    longer: dict[str, Counter[str]] = field(default_factory=dict)

    def take(self, rest: str) -> bool:
        """Learn from what follows a head, and tell whether that may be a name."""
        found = _candidates(rest)
        for name in found:
            self.counts[name] += 1
        for short, long in pairwise(found):
            self.longer.setdefault(short, Counter())[long] += 1
        return bool(found)

    def settled(self) -> frozenset[str]:
        """Return the senders: a name goes on behind its colon if every line that begins with it goes on the same way."""
        starts = {name for name in self.counts if not any(name in longer for longer in self.longer.values())}
        return frozenset(self._grown(name) for name in starts)

    def _grown(self, name: str) -> str:
        while followers := self.longer.get(name):
            longest, count = followers.most_common(1)[0]
            if count < AT_LEAST or count != self.counts[name]:
                return name
            name = longest
        return name


def _candidates(rest: str) -> list[str]:
    """Return what may be the name, shortest first; nothing for a line of the program."""
    found: list[str] = []
    at = -1
    while len(found) < MOST_COLONS and 0 < (at := rest.find(":", at + 1)) <= LONGEST_NAME:
        if rest[at + 1 : at + 2] not in ("", " ", "\u00a0"):
            continue
        name = plain_name(rest[:at])
        if name.count('"') % 2 or "“" in name or "„" in name:
            return found  # a quoted title that holds a colon: a line of the program
        if not found and is_system_text(name) and len(name.split()) > 2:
            return found
        if name:
            found.append(name)
    return found
