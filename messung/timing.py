"""Times of interleaved calls, and what they come to."""

import os
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from messung.scores import quantile


@dataclass
class Times:
    """The times of one thing, seconds."""

    seconds: list[float] = field(default_factory=list)

    @property
    def p50_ms(self) -> float:
        """The median, milliseconds."""
        return 1000 * statistics.median(self.seconds)

    @property
    def p95_ms(self) -> float:
        """The 95th percentile, milliseconds."""
        return 1000 * quantile(self.seconds, 0.95)

    @property
    def spread_ms(self) -> float:
        """Half the distance between the quartiles, milliseconds."""
        return 500 * (quantile(self.seconds, 0.75) - quantile(self.seconds, 0.25))


Question = TypeVar("Question")


def interleave(
    contenders: Mapping[str, Callable[[Question], object]], questions: Sequence[Question], *, rounds: int
) -> dict[str, Times]:
    """Ask every contender every question, one after another, in turning order; one round before does not count."""
    times = {name: Times() for name in contenders}
    names = list(contenders)
    for turn in range(rounds + 1):
        for number, question in enumerate(questions):
            shift = (number + turn) % len(names)
            for name in names[shift:] + names[:shift]:
                seconds = timed(contenders[name], question)
                if turn:
                    times[name].seconds.append(seconds)
    return times


def timed(call: Callable[..., object], *arguments: object) -> float:
    """Return how long one call took, seconds."""
    start = time.perf_counter()
    call(*arguments)
    return time.perf_counter() - start


class Disk:
    """The cost of one fsync in a folder: what any durable write pays at least."""

    def __init__(self, folder: Path) -> None:
        self._file = (folder / "fsync.probe").open("wb", buffering=0)

    def sync(self) -> None:
        """Write a page and wait until it is on the disk."""
        self._file.write(b"\0" * 4096)
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close the probe."""
        self._file.close()
