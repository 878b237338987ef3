"""A picture in characters: no line is wider than asked for, wide characters counted as two."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from frugal.api import one_line
from frugal_modes.notebook.figures import six_digits
from frugal_modes.notebook.plot import Picture, Words

HEIGHT = 12
LEGEND_CHARACTERS = 30
ARM_MARKS = "ox+#@%&=~ABCDEFGHIJKLMNPQRSTUVWYZabcdefghijkmnpqrstuvwyz23456789"
SEVERAL = "*"


@dataclass(frozen=True)
class Marks:
    """The characters of an arm's line."""

    point: str
    several: str
    mean: str
    interval: str
    low: str
    high: str
    axis: str


UNICODE = Marks(point="·", several="•", mean="◆", interval="─", low="├", high="┤", axis="─")
ASCII = Marks(point="o", several="O", mean="#", interval="-", low="[", high="]", axis="-")


def text_plot(picture: Picture, words: Words, *, kind: str, columns: int, is_ascii: bool) -> str:
    """Return the plot of *kind* (`arms` or `order`), at most *columns* wide."""
    marks = ASCII if is_ascii else UNICODE
    lines = [clip(words.title, columns), clip("; ".join(words.notes), columns), ""]
    if kind == "arms":
        lines += _arms(picture, words, marks, columns)
    else:
        lines += _order(picture, words, columns)
    text = "\n".join(line.rstrip() for line in lines)
    return text.encode("ascii", "replace").decode("ascii") if is_ascii else text


def width_of(text: str) -> int:
    """Return how many columns *text* takes at most."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def clip(text: str, columns: int) -> str:
    """Return *text* on one line, cut to *columns*."""
    line = one_line(text, len(text))
    if width_of(line) <= columns:
        return line
    room = max(columns - 3, 0)
    kept = ""
    for char in line:
        if width_of(kept + char) > room:
            break
        kept += char
    return kept + "..."[:columns]


def _pad(text: str, columns: int) -> str:
    return text + " " * (columns - width_of(text))


@dataclass(frozen=True)
class Scale:
    """A linear scale from *low* to *high* onto *cells* places."""

    low: float
    high: float
    cells: int

    def at(self, value: float) -> int:
        """Return the place of *value*, inside the scale."""
        span = self.high - self.low
        share = (value - self.low) / span if span > 0 else 0.5
        return min(max(round(share * (self.cells - 1)), 0), self.cells - 1)


def _arms(picture: Picture, words: Words, marks: Marks, columns: int) -> list[str]:
    """Return a line for each arm: points, interval, mean; the mean as a number behind it."""
    summaries = {arm: picture.summary(arm) for arm in picture.arms}
    means = {arm: f"{six_digits(item.mean)} (n={item.n})" for arm, item in summaries.items()}
    right = max(len(text) for text in means.values())
    names = {arm: clip(arm or words.no_arm, max(columns // 4, 8)) for arm in picture.arms}
    left = max(width_of(name) for name in names.values())
    cells = columns - left - right - 4
    low = min([item.interval.low if item.interval else item.low for item in summaries.values()])
    high = max([item.interval.high if item.interval else item.high for item in summaries.values()])
    low = min(low, *(point.value for point in picture.points), low)
    high = max(high, *(point.value for point in picture.points), high)
    scale = Scale(low, high, cells)
    lines = []
    for arm in picture.arms:
        values = [point.value for point in picture.of_arm(arm)]
        drawn = _arm_line(values, scale, marks, summaries[arm].interval, summaries[arm].mean)
        lines.append(f"{_pad(names[arm], left)}  {drawn}  {means[arm]}")
    return [*lines, *_axis(scale, left, marks), *_legend(words, marks, columns)]


def _arm_line(values: Sequence[float], scale: Scale, marks: Marks, interval: object, mean: float) -> str:
    line = [" "] * scale.cells
    low, high = getattr(interval, "low", None), getattr(interval, "high", None)
    if low is not None and high is not None:
        start, end = scale.at(low), scale.at(high)
        line[start : end + 1] = [marks.interval] * (end + 1 - start)
        line[start], line[end] = marks.low, marks.high
    places = [scale.at(value) for value in values]
    for place in places:
        line[place] = marks.several if places.count(place) > 1 else marks.point
    line[scale.at(mean)] = marks.mean
    return "".join(line)


def _axis(scale: Scale, left: int, marks: Marks) -> list[str]:
    first, last = six_digits(scale.low), six_digits(scale.high)
    gap = scale.cells - len(first) - len(last)
    ends = f"{first}{' ' * gap}{last}" if gap > 0 else first
    return [" " * (left + 2) + marks.axis * scale.cells, " " * (left + 2) + ends]


def _legend(words: Words, marks: Marks, columns: int) -> list[str]:
    interval = f"{marks.low}{marks.mean}{marks.high}"
    return ["", clip(f"{marks.point} {words.point}   {interval} {words.mean}", columns)]


def _order(picture: Picture, words: Words, columns: int) -> list[str]:
    """Return a grid: value upwards, order of record to the right, one mark for each arm."""
    values = [point.value for point in picture.points]
    low, high = min(values), max(values)
    labels = [six_digits(high), six_digits((low + high) / 2), six_digits(low)]
    left = max(len(label) for label in labels)
    across = Scale(1, max(len(values), 2), columns - left - 2)
    upwards = Scale(low, high, HEIGHT)
    grid = [[" "] * across.cells for _ in range(HEIGHT)]
    mark_of = {arm: ARM_MARKS[index % len(ARM_MARKS)] for index, arm in enumerate(picture.arms)}
    for point in picture.points:
        row, column = HEIGHT - 1 - upwards.at(point.value), across.at(point.order)
        mark = mark_of[point.arm]
        grid[row][column] = mark if grid[row][column] in (" ", mark) else SEVERAL
    named = {0: labels[0], HEIGHT // 2: labels[1], HEIGHT - 1: labels[2]}
    lines = [f"{named.get(index, ''):>{left}} |{''.join(row)}" for index, row in enumerate(grid)]
    lines.append(" " * (left + 1) + "+" + "-" * across.cells)
    lines.append(clip(" " * (left + 2) + words.order, columns))
    keys = [f"{mark} {clip(arm or words.no_arm, LEGEND_CHARACTERS)}" for arm, mark in mark_of.items()]
    if any(SEVERAL in row for row in grid):
        keys.append(f"{SEVERAL} 2+")
    return [*lines, "", *_wrapped(keys, columns)]


def _wrapped(keys: Sequence[str], columns: int) -> list[str]:
    lines = [""]
    for key in keys:
        candidate = f"{lines[-1]}   {key}" if lines[-1] else key
        if width_of(candidate) <= columns:
            lines[-1] = candidate
        else:
            lines.append(clip(key, columns))
    return lines
