"""plot: one quantity of a series, as text on the terminal or as SVG or PNG in a file."""

import shutil
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from frugal.api import Answer, Call, Refusal, UsageError, echo
from frugal_modes.notebook.figures import Summary, summarise
from frugal_modes.notebook.keys import fold
from frugal_modes.notebook.series import empty_notebook, read_series
from frugal_modes.notebook.sheetdata import Measurement, load_measurements
from frugal_modes.notebook.targets import STDOUT, check_target, target_path, write_target

TOOL = "series_plot"
TEXT_COLUMNS = 72
ENDINGS = (".svg", ".png")


@dataclass(frozen=True)
class Point:
    """One drawn value: *row* is the number of its measurement, *order* its place in the order of record."""

    row: int
    arm: str
    value: float
    order: int


@dataclass(frozen=True)
class Picture:
    """What is drawn: one quantity in one unit; arms in order of first appearance; and what is left out."""

    key: str
    quantity: str
    unit: str
    points: tuple[Point, ...]
    arms: tuple[str, ...]
    other_units: int
    unread: int

    def of_arm(self, arm: str) -> list[Point]:
        """Return the points of *arm*."""
        return [point for point in self.points if point.arm == arm]

    def summary(self, arm: str) -> Summary:
        """Return mean and interval of *arm*."""
        return summarise([point.value for point in self.of_arm(arm)])


@dataclass(frozen=True)
class Words:
    """The texts around a picture, in the reader's language."""

    title: str
    notes: tuple[str, ...]
    value: str
    arm: str
    order: str
    point: str
    mean: str
    no_arm: str


LARGEST = 1e150
"""Beyond this, squares and spans of numbers are no numbers any more, and there is nothing to draw to scale."""


def plot(
    call: Call,
    *,
    key: str,
    quantity: str,
    kind: str,
    out: str,
    width: int,
    ascii: bool,  # noqa: A002 - the name of the parameter
    force: bool,
) -> Answer:
    """Return a text plot, or write the picture to *out*."""
    path = target_path(out) if out not in ("", STDOUT) else None
    if path and path.suffix.lower() not in ENDINGS:
        raise UsageError("plot_ending", value=echo(out))
    if path:
        check_target(path, has_force=force)
    if empty := empty_notebook(call):
        return empty
    picture = _picture(call, key, quantity)
    words = words_for(call, picture)
    items = tuple({"id": f"m{point.row}", "arm": point.arm, "value": point.value} for point in picture.points)
    counts = {"quantity": picture.quantity, "unit": picture.unit, "arms": list(picture.arms)}
    if path is None:
        from frugal_modes.notebook.textplot import text_plot

        columns = width or shutil.get_terminal_size((TEXT_COLUMNS, 24)).columns
        text = text_plot(picture, words, kind=kind, columns=max(columns, 40), is_ascii=ascii)
        return Answer(text, items=items, counts=counts)
    content = draw(picture, words, kind=kind, ending=path.suffix.lower())
    write_target(path, content, has_force=force)
    text = call.surface.text("plot.written", path=path, count=len(picture.points))
    return Answer("\n".join([text, *words.notes[1:]]), items=items, counts={**counts, "path": str(path)})


def _picture(call: Call, key: str, quantity: str) -> Picture:
    """Return what is to be drawn; raise `Refusal` if there is nothing, or nothing that can be drawn to scale."""
    with call.store.read() as db:
        series = read_series(call, db, key, tool=TOOL)
        rows = load_measurements(db, series)
    picture = choose(series.key, rows, quantity)
    if picture is None:
        wanted = f" ({echo(quantity)})" if quantity else ""
        raise Refusal("plot_nothing", series=series.key, quantity=wanted)
    if any(abs(point.value) > LARGEST for point in picture.points):
        raise Refusal("plot_too_large", series=series.key, most=f"{LARGEST:g}")
    return picture


def draw(picture: Picture, words: Words, *, kind: str, ending: str) -> bytes:
    """Return the picture as a file; raise `UsageError` with the install line if matplotlib is missing."""
    try:
        from frugal_modes.notebook.drawing import draw_picture
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("matplotlib", "numpy"):
            raise
        raise UsageError("plot_extra") from None
    return draw_picture(picture, words, kind=kind, form=ending.removeprefix("."))


def choose(key: str, rows: Sequence[Measurement], wanted: str) -> Picture | None:
    """Return what is to be drawn: *wanted*, else the quantity with the most exact numbers, in its commonest unit."""
    live = [row for row in rows if row.superseded is None]
    counts = Counter(fold(row.quantity) for row in live if row.is_exact)
    quantity = fold(wanted) if wanted else max(counts, key=lambda name: counts[name], default="")
    own = [row for row in live if fold(row.quantity) == quantity]
    exact = [row for row in own if row.is_exact]
    if not exact:
        return None
    units = Counter(row.unit for row in exact)
    unit = max(units, key=lambda name: units[name])
    drawn = [row for row in exact if row.unit == unit]
    points = tuple(
        Point(row.number, row.arm, row.value_number or 0.0, order) for order, row in enumerate(drawn, start=1)
    )
    return Picture(
        key=key,
        quantity=drawn[0].quantity,
        unit=unit,
        points=points,
        arms=tuple(dict.fromkeys(point.arm for point in points)),
        other_units=len(exact) - len(drawn),
        unread=len(own) - len(exact),
    )


def words_for(call: Call, picture: Picture) -> Words:
    """Return the texts around *picture*."""
    surface = call.surface
    unit = f" [{picture.unit}]" if picture.unit else ""
    notes = [surface.text("plot.count", count=len(picture.points))]
    reasons = []
    if picture.other_units:
        reasons.append(surface.text("plot.other_units", count=picture.other_units))
    if picture.unread:
        reasons.append(surface.text("plot.unread", count=picture.unread))
    if reasons:
        count = picture.other_units + picture.unread
        notes.append(surface.text("plot.not_drawn", count=count, reasons=", ".join(reasons)))
    return Words(
        title=surface.text("plot.title", quantity=picture.quantity, unit=unit, series=picture.key),
        notes=tuple(notes),
        value=f"{picture.quantity}{unit}",
        arm=surface.text("plot.axis_arm"),
        order=surface.text("plot.axis_order"),
        point=surface.text("plot.points"),
        mean=surface.text("plot.mean"),
        no_arm=surface.text("plot.no_arm"),
    )
