"""Which messages a tight answer shows: one after the other the item or the line that is worth most a byte.

A message costs less as a line of context than as an item, and an item opens the lines around it. So an item is valued
together with the best line beside it, and a line may become an item for the sake of what lies beyond it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from frugal_modes.evidence.packing import Line, Pick

_LINE_BYTES = 5
"""What a line takes beside its own bytes: its comma, and its share of the list that it stands in."""


class Step(NamedTuple):
    """A message that comes into the answer, by its number: as an item, or as a line of one that is there."""

    number: int
    is_item: bool


def planned(picks: Sequence[Pick], *, limit: int, size_bytes: int) -> list[Step]:
    """Return in which order the messages of *picks* and their lines come in, at most *limit* of them as items.

    They stop behind *size_bytes*: there is never room for more. The first is the item worth most, whatever its size:
    where there is room for one message, it stands alone.
    """
    answer = _Answer({line.row.number: line for pick in picks for line in pick.lines})
    left = {pick.row.number: pick for pick in picks}
    if picks:
        first = max(picks, key=lambda pick: pick.worth).row.number
        answer.take_item(left.pop(first))
    values = {number: answer.value(pick) for number, pick in left.items()}
    while answer.size_bytes < size_bytes:
        if len(answer.items) == limit:
            values = {}
        item = max(values, key=values.__getitem__) if values else None
        line = max(answer.lines, key=answer.lines.__getitem__) if answer.lines else None
        if line is not None and (item is None or answer.lines[line] >= values[item]):
            answer.take_line(line)
        elif item is not None:
            answer.take_item(left[item])
            del values[item]
        else:
            break
        changed = answer.steps[-1].number
        for number in values:
            if number == changed or any(beside.row.number == changed for beside in left[number].lines):
                values[number] = answer.value(left[number])
    return answer.steps


@dataclass
class _Answer:
    """What is planned so far. *known* are all messages that can be lines; *lines*: worth a byte of those next in turn."""

    known: Mapping[int, Line]
    items: set[int] = field(default_factory=set)
    messages: set[int] = field(default_factory=set)
    lines: dict[int, float] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)
    size_bytes: int = 0

    def take_item(self, pick: Pick) -> None:
        number = pick.row.number
        self.size_bytes += self._size(pick)
        self._take(Step(number, is_item=True))
        self.items.add(number)
        self.lines |= {line.row.number: _density(line) for line in self._left(pick)}

    def take_line(self, number: int) -> None:
        self.size_bytes += self.known[number].size + _LINE_BYTES
        self._take(Step(number, is_item=False))

    def _take(self, step: Step) -> None:
        self.steps.append(step)
        self.messages.add(step.number)
        self.lines.pop(step.number, None)

    def value(self, pick: Pick) -> float:
        """Return what an item is worth a byte, alone or with the best of its lines that is not there yet."""
        worth = 0.0 if pick.row.number in self.messages else pick.worth
        size = self._size(pick)
        best = max(self._left(pick), key=_density, default=None)
        alone = worth / size
        return alone if best is None else max(alone, (worth + best.worth) / (size + best.size + _LINE_BYTES))

    def _size(self, pick: Pick) -> int:
        """Return what an item adds; a line that becomes one is no line any more."""
        size = pick.size + 1
        if pick.row.number in self.messages:
            size -= self.known[pick.row.number].size + _LINE_BYTES
        return max(size, 1)

    def _left(self, pick: Pick) -> list[Line]:
        return [line for line in pick.lines if line.row.number not in self.messages]


def _density(line: Line) -> float:
    return line.worth / (line.size + _LINE_BYTES)
