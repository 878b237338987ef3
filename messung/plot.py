"""Line plots as hand-written SVG, both axes logarithmic: growth is the slope."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 720, 440
LEFT, RIGHT, TOP, BOTTOM = 70, 210, 40, 60
COLOURS = ("#1b6ca8", "#c8452d", "#3a8f4d", "#7a4fa3", "#8a6d1d", "#555555")


@dataclass(frozen=True)
class Line:
    """One series: points (x, y), both above 0; *is_dashed* sets a second figure of the same thing apart."""

    label: str
    points: tuple[tuple[float, float], ...]
    colour: int = 0
    is_dashed: bool = False


@dataclass(frozen=True)
class Axis:
    """A logarithmic axis from a whole power of ten to a whole power of ten, in pixels from *start* to *end*."""

    low: int
    high: int
    start: float
    end: float

    def at(self, value: float) -> float:
        """Return the pixel of *value*."""
        share = (math.log10(value) - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    @property
    def ticks(self) -> list[float]:
        """The powers of ten on it."""
        return [10.0**power for power in range(self.low, self.high + 1)]


def _axis(values: Sequence[float], start: float, end: float) -> Axis:
    low = math.floor(math.log10(min(values)) + 1e-9)
    high = math.ceil(math.log10(max(values)) - 1e-9)
    return Axis(low, max(high, low + 1), start, end)


def growth(title: str, *, x_label: str, y_label: str, lines: Sequence[Line]) -> str:
    """Return the plot as an SVG document."""
    points = [point for line in lines for point in line.points]
    x = _axis([point[0] for point in points], LEFT, WIDTH - RIGHT)
    y = _axis([point[1] for point in points], HEIGHT - BOTTOM, TOP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        _text(LEFT, TOP - 16, title, size=15),
        *_grid(x, y),
        _text((x.start + x.end) / 2, HEIGHT - 16, x_label, anchor="middle"),
        _text(16, TOP - 16 + 34, y_label, anchor="start", turn=True, y_centre=(y.start + y.end) / 2),
        *(part for row, line in enumerate(lines) for part in _series(line, x, y, row)),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _text(
    x: float,
    y: float,
    text: str,
    *,
    size: int = 12,
    anchor: str = "start",
    turn: bool = False,
    y_centre: float = 0,
) -> str:
    if turn:
        place = f'transform="translate({x:.0f} {y_centre:.0f}) rotate(-90)" text-anchor="middle"'
        return f'<text {place} fill="#333">{escape(text)}</text>'
    return f'<text x="{x:.0f}" y="{y:.0f}" font-size="{size}" text-anchor="{anchor}" fill="#333">{escape(text)}</text>'


def _grid(x: Axis, y: Axis) -> list[str]:
    parts = []
    for value in x.ticks:
        at = x.at(value)
        parts.append(f'<line x1="{at:.1f}" y1="{y.start}" x2="{at:.1f}" y2="{y.end}" stroke="#ddd"/>')
        parts.append(_text(at, y.start + 18, f"{value:,.0f}", anchor="middle"))
    for value in y.ticks:
        at = y.at(value)
        parts.append(f'<line x1="{x.start}" y1="{at:.1f}" x2="{x.end}" y2="{at:.1f}" stroke="#ddd"/>')
        parts.append(_text(x.start - 6, at + 4, f"{value:g}", anchor="end"))
    return parts


def _series(line: Line, x: Axis, y: Axis, row: int) -> list[str]:
    colour = COLOURS[line.colour % len(COLOURS)]
    dash = ' stroke-dasharray="6 4"' if line.is_dashed else ""
    path = " ".join(f"{x.at(a):.1f},{y.at(b):.1f}" for a, b in line.points)
    top = TOP + 10 + 20 * row
    parts = [f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>']
    parts += [
        f'<circle cx="{x.at(a):.1f}" cy="{y.at(b):.1f}" r="3" fill="{colour}"/>' for a, b in line.points
    ]
    start = x.end + 12
    parts.append(
        f'<line x1="{start}" y1="{top}" x2="{start + 24}" y2="{top}" stroke="{colour}" stroke-width="2"{dash}/>'
    )
    parts.append(_text(start + 30, top + 4, line.label))
    return parts
