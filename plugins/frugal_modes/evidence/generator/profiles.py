"""How large a generated corpus is, and how much of it is about the product."""

from dataclasses import dataclass

from frugal_modes.evidence.generator.concerns import CATEGORIES
from frugal_modes.evidence.generator.draws import Draws

START_MS = 1_740_960_000_000
"""2025-03-03, a Monday, 00:00 UTC."""

DAY_MS = 86_400_000


@dataclass(frozen=True)
class Profile:
    """*subject* and *by_clients* are the least and the most messages about the product, in all and by clients; each
    category has *planted* concerns, and *near* messages name something that only looks like the product.
    """

    name: str
    days: int
    messages: int
    people: int
    conversations: int
    subject: tuple[int, int]
    by_clients: tuple[int, int]
    planted: int
    near: int

    @property
    def marked(self) -> int:
        """How many messages hold the marker term: one in a hundred."""
        return self.messages // 100


PROFILES = {
    profile.name: profile
    for profile in (
        Profile("week", 7, 10_000, 20, 13, (275, 300), (100, 117), 4, 60),
        Profile("month", 30, 40_000, 20, 13, (1_110, 1_190), (405, 465), 16, 240),
        Profile("million", 365, 1_000_000, 200, 120, (27_750, 29_750), (10_125, 11_625), 192, 6_000),
    )
}


@dataclass(frozen=True)
class Amounts:
    """What one seed draws from a profile: messages about the product by clients and by others."""

    by_clients: int
    by_others: int

    @property
    def subject(self) -> int:
        """Messages about the product."""
        return self.by_clients + self.by_others


def amounts_of(profile: Profile, draws: Draws) -> Amounts:
    """Return the amounts of one seed."""
    by_clients = draws.between(*profile.by_clients)
    subject = draws.between(*profile.subject)
    assert by_clients >= profile.planted * len(CATEGORIES)
    return Amounts(by_clients, subject - by_clients)
