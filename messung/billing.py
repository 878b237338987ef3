"""What readers paid for their questions."""

import statistics
from dataclasses import dataclass


@dataclass(frozen=True)
class Paid:
    """What one question cost (bytes, calls) and whether it was answered; *first_bytes* is what the first call brought."""

    size_bytes: int
    calls: int
    is_answered: bool
    first_bytes: int = 0


@dataclass(frozen=True)
class Bill:
    """What one reader paid for all the questions of a collection."""

    label: str
    standing_bytes: int
    paid: tuple[Paid, ...]

    @property
    def answered(self) -> float:
        """The share of the questions that were answered."""
        return statistics.fmean(item.is_answered for item in self.paid)

    @property
    def bytes_per_question(self) -> float:
        """The mean bytes of a question, answered or not."""
        return statistics.fmean(item.size_bytes for item in self.paid)

    @property
    def bytes_per_answer(self) -> float:
        """All bytes over the questions answered; infinite if none was."""
        count = sum(item.is_answered for item in self.paid)
        return sum(item.size_bytes for item in self.paid) / count if count else float("inf")
