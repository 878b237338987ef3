"""What a measured system has to offer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from messung.datasets import Entry


@dataclass(frozen=True)
class Answer:
    """What came back from one question: the ids of the hits, best first, and the whole text that was paid for."""

    ids: tuple[int, ...]
    text: str

    @property
    def size_bytes(self) -> int:
        """The UTF-8 length of the text."""
        return len(self.text.encode())


class System(Protocol):
    """A store that can be filled once and then asked."""

    @property
    def version(self) -> str:
        """What was measured, for the report."""

    def store(self, entries: Sequence[Entry]) -> list[int]:
        """Store *entries* in order; return their ids (the same id twice if a text was already there)."""

    def ask(self, query: str, limit: int) -> Answer:
        """Return the answer to *query* with at most *limit* hits."""

    def read(self, entry_id: int) -> str:
        """Return what opening one hit costs: its text with whatever head the system gives it."""

    def close(self) -> None:
        """Give back processes and files."""
