"""A picture through matplotlib: SVG whose bytes depend on the data alone, or PNG. The only module that imports it."""

import io
import logging
import re
import warnings
from collections.abc import Sequence
from typing import Any, Literal

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from frugal.api import one_line
from frugal_modes.notebook.plot import Picture, Point, Words

PIXELS_PER_INCH = 150
WIDTH_INCHES, HEIGHT_INCHES = 7.2, 4.4
MOST_HEIGHT_INCHES = 30.0
ARM_INCHES = 0.36
"""What an arm takes in a list of arms down the page."""
UPRIGHT_ARMS, UPRIGHT_CHARACTERS = 6, 14
"""So many arms with names no longer than that stand side by side; else they are listed down the page."""
LABEL_CHARACTERS = 28
LEGEND_ARMS = 24
TITLE_CHARACTERS = 90
Place = Literal["outside lower center", "outside right upper"]

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8c564b")
"""Okabe and Ito's palette, told apart by colour-blind readers too; marks differ as well."""
MARKS = "osD^vPX<>*hp"
SPREAD = 0.11
"""Half the width over which the points of an arm are spread, in arms."""

POINT_STYLE: Any = {
    "linestyle": "",
    "alpha": 0.65,
    "markersize": 5.5,
    "markeredgewidth": 0,
    "zorder": 3,
}
MEAN_STYLE: Any = {
    "fmt": "D",
    "markersize": 6.5,
    "markeredgecolor": "white",
    "capsize": 5,
    "linewidth": 1.8,
    "zorder": 4,
}
SETTINGS: Any = {
    "svg.hashsalt": "frugal-memory",
    "svg.fonttype": "none",
    "text.parse_math": False,
    "axes.unicode_minus": True,
    "font.family": ["DejaVu Sans", "Noto Sans CJK SC", "Microsoft YaHei", "PingFang SC", "Arial Unicode MS"],
    "font.size": 10,
    "path.simplify": False,
}
_DOCTYPE = re.compile(rb"<!DOCTYPE[^>]*>\s*", re.DOTALL)
_METADATA = re.compile(rb"\s*<metadata>.*?</metadata>", re.DOTALL)
_POINT = re.compile(rb'(<g id="(m[0-9]+)">)')
_UNDRAWABLE = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def draw_picture(picture: Picture, words: Words, *, kind: str, form: str) -> bytes:
    """Return *picture* as `svg` or `png`; *kind* is `arms` or `order`."""
    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)
    with mpl.rc_context(SETTINGS), warnings.catch_warnings():
        # Letters that the font lacks are drawn as boxes; nobody can mend that here.
        warnings.simplefilter("ignore")
        figure = _figure(picture, words, kind)
        stream = io.BytesIO()
        unsaid = ("Software",) if form == "png" else ("Date", "Creator", "Format", "Type")
        figure.savefig(stream, format=form, metadata=dict.fromkeys(unsaid))
    return stream.getvalue() if form == "png" else _cleaned(stream.getvalue())


def _cleaned(svg: bytes) -> bytes:
    """Return *svg* without outside references, each point with its id as title."""
    svg = _METADATA.sub(b"", _DOCTYPE.sub(b"", svg))
    return _POINT.sub(rb"\1<title>\2</title>", svg)


def _figure(picture: Picture, words: Words, kind: str) -> Figure:
    is_list = kind == "arms" and _is_list(picture, words)
    height = HEIGHT_INCHES
    if is_list:
        height = min(max(HEIGHT_INCHES, 1.6 + ARM_INCHES * len(picture.arms)), MOST_HEIGHT_INCHES)
    figure = Figure(figsize=(WIDTH_INCHES, height), dpi=PIXELS_PER_INCH, layout="constrained")
    axes = figure.subplots()
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="x" if is_list else "y", color="#dddddd", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.set_title(_shown(words.title, TITLE_CHARACTERS), loc="left", fontsize=11, pad=18)
    notes = _shown("; ".join(words.notes), 120)
    axes.annotate(
        notes, (0, 1), (0, 5), "axes fraction", textcoords="offset points", fontsize=8, color="#666666"
    )
    if kind == "order":
        _draw_order(axes, picture, words)
    elif is_list:
        _draw_list(axes, picture, words)
    else:
        _draw_arms(axes, picture, words)
    return figure


def _is_list(picture: Picture, words: Words) -> bool:
    names = _names(picture, words)
    return len(names) > UPRIGHT_ARMS or max(map(len, names)) > UPRIGHT_CHARACTERS


def _names(picture: Picture, words: Words) -> list[str]:
    return [_shown(arm, LABEL_CHARACTERS) or words.no_arm for arm in picture.arms]


def _shown(text: str, limit: int) -> str:
    return one_line(_UNDRAWABLE.sub(" ", text), limit)


def _draw_arms(axes: Axes, picture: Picture, words: Words) -> None:
    """Draw the arms side by side: points, spread a little, and the mean with its 95 % interval beside them."""
    for place, arm in enumerate(picture.arms):
        points = picture.of_arm(arm)
        for point, x in zip(points, _spread(len(points), place - 0.08), strict=True):
            _draw_point(axes, point, x, point.value, colour=_colour(place))
        mean, bounds = _mean(picture, arm)
        axes.errorbar([place + 0.14], [mean], yerr=bounds, color=_colour(place), **MEAN_STYLE)
    counts = [len(picture.of_arm(arm)) for arm in picture.arms]
    pairs = zip(_names(picture, words), counts, strict=True)
    axes.set_xticks(range(len(counts)), [f"{name}\nn = {count}" for name, count in pairs])
    axes.set_xlim(-0.6, len(counts) - 0.4)
    axes.set_xlabel(words.arm)
    axes.set_ylabel(_shown(words.value, 60))
    _legend_of_marks(axes, words)


def _draw_list(axes: Axes, picture: Picture, words: Words) -> None:
    """Draw the arms down the page, each on a line of its own: points, and below them mean and interval."""
    for place, arm in enumerate(picture.arms):
        for point in picture.of_arm(arm):
            _draw_point(axes, point, point.value, place - 0.12, colour=_colour(place))
        mean, bounds = _mean(picture, arm)
        axes.errorbar([mean], [place + 0.18], xerr=bounds, color=_colour(place), **MEAN_STYLE)
    counts = [len(picture.of_arm(arm)) for arm in picture.arms]
    pairs = zip(_names(picture, words), counts, strict=True)
    axes.set_yticks(range(len(counts)), [f"{name} (n = {count})" for name, count in pairs])
    axes.set_ylim(len(counts) - 0.4, -0.6)
    axes.set_ylabel(words.arm)
    axes.set_xlabel(_shown(words.value, 60))
    _legend_of_marks(axes, words)


def _colour(place: int) -> str:
    return COLOURS[place % len(COLOURS)]


def _mean(picture: Picture, arm: str) -> tuple[float, list[list[float]] | None]:
    """Return the mean of *arm* and how far its interval reaches to both sides, None for one value alone."""
    summary = picture.summary(arm)
    interval = summary.interval
    if interval is None:
        return summary.mean, None
    return summary.mean, [[summary.mean - interval.low], [interval.high - summary.mean]]


def _legend_of_marks(axes: Axes, words: Words) -> None:
    point = Line2D([], [], color="#555555", marker="o", linestyle="", alpha=0.65, label=words.point)
    mean = Line2D([], [], color="#555555", marker="D", markersize=6.5, linewidth=1.8, label=words.mean)
    _legend(axes, [point, mean], place="outside lower center", columns=2)


def _spread(count: int, centre: float) -> list[float]:
    """Return the places of *count* points around *centre*, the same for the same count."""
    if count == 1:
        return [centre]
    width = min(SPREAD, 0.03 * count)
    return [centre - width + 2 * width * index / (count - 1) for index in range(count)]


def _draw_point(axes: Axes, point: Point, x: float, y: float, *, colour: str, mark: str = "o") -> None:
    """Draw one value as an artist of its own, so that the SVG can title it."""
    (artist,) = axes.plot([x], [y], marker=mark, color=colour, **POINT_STYLE)
    artist.set_gid(f"m{point.row}")


def _draw_order(axes: Axes, picture: Picture, words: Words) -> None:
    """Draw the values in their order of record, one colour and mark for each arm."""
    handles = []
    for place, name in enumerate(_names(picture, words)):
        colour, mark = _colour(place), MARKS[place % len(MARKS)]
        points = picture.of_arm(picture.arms[place])
        orders, values = [point.order for point in points], [point.value for point in points]
        axes.plot(orders, values, color=colour, linewidth=0.8, alpha=0.35, zorder=2)
        for point in points:
            _draw_point(axes, point, point.order, point.value, colour=colour, mark=mark)
        handles.append(Line2D([], [], color=colour, marker=mark, linestyle="", label=name))
    axes.set_xlabel(words.order)
    axes.set_ylabel(_shown(words.value, 60))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    if len(handles) > LEGEND_ARMS:
        rest = Line2D([], [], linestyle="", label=f"+{len(handles) - LEGEND_ARMS}")
        handles = [*handles[:LEGEND_ARMS], rest]
    if _is_list(picture, words):
        _legend(axes, handles, place="outside right upper", columns=1, title=words.arm)
    else:
        _legend(axes, handles, place="outside lower center", columns=len(handles), title=words.arm)


def _legend(axes: Axes, handles: Sequence[Line2D], *, place: Place, columns: int, title: str = "") -> None:
    legend = axes.figure.legend(
        handles=list(handles), loc=place, ncols=columns, frameon=False, fontsize=9, title=title or None
    )
    for text in legend.get_texts():
        text.set_parse_math(False)
