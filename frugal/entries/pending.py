"""What a connection asked and has not shown yet: the first half of learning from use, the same for every mode."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from frugal.call import Call

KEPT_QUESTIONS = 8
KEPT_FOR = timedelta(minutes=30)
STATE = "asked"


@dataclass(frozen=True)
class Asked:
    """A plain search that was answered with previews: what it listed, and what it put first because it was learned."""

    query: str
    listed: frozenset[int]
    fired: tuple[int, ...]
    at: datetime


class Pending:
    """What one connection asked since it last opened something. Reads of one connection may run beside each other."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._asked: list[Asked] = []

    def note(self, asked: Asked) -> None:
        """Keep a search; the oldest gives way."""
        with self._guard:
            self._asked = [*self._asked, asked][-KEPT_QUESTIONS:]

    def take(self, now: datetime) -> list[Asked]:
        """Return the searches that are young enough, and forget all."""
        with self._guard:
            kept, self._asked = self._asked, []
        return [item for item in kept if now - item.at <= KEPT_FOR]


def is_learning(call: Call) -> bool:
    """Tell whether learned questions are in use: MEMORY_LEARN is not `off`."""
    return call.settings.value("MEMORY_LEARN").lower() != "off"


def note_asked(call: Call, query: str, listed: Sequence[int], fired: Sequence[int]) -> None:
    """Keep a plain search until the same connection opens something; guests and the shell teach nothing."""
    if _is_collecting(call):
        _pending(call).note(Asked(query, frozenset(listed), tuple(fired), call.now()))


def take_asked(call: Call) -> list[Asked]:
    """Return what the connection asked before it opened something, and forget it."""
    return _pending(call).take(call.now()) if _is_collecting(call) else []


def _is_collecting(call: Call) -> bool:
    return is_learning(call) and not call.is_guest and not call.is_from_shell


def _pending(call: Call) -> Pending:
    pending = call.client.memory.setdefault(STATE, Pending())
    assert isinstance(pending, Pending)
    return pending
