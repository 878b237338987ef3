"""Learned questions, as in the memory: a search followed by a get of one of its hits is remembered word for word."""

from collections.abc import Sequence
from datetime import datetime

from frugal.api import Call, Connection, Pairs, learn_later
from frugal_modes.vault import shelf
from frugal_modes.vault.moments import to_stamp

MOST_IN_FRONT = 3


def pairs(at: datetime) -> Pairs:
    """Return the learned pairs; a card that was superseded by the moment *at* speaks through its live successor."""

    def current(db: Connection, number: int) -> int | None:
        card = shelf.chain_end(db, number, at=at)
        return card.number if card.is_live else None

    return Pairs("learned", "number", current, to_stamp)


def note_get(call: Call, number: int, tags: Sequence[str]) -> None:
    """Learn from a get of the card *number*, behind the answer and without waiting for the lock."""
    learn_later(call, pairs(call.clock()), given=[number], shown=lambda _: {number: tags})
