"""The statistics of one series: a row for each quantity, unit and arm."""

from collections.abc import Sequence
from dataclasses import dataclass

from frugal.api import Answer, Cap, Room, Surface, cost
from frugal_modes.notebook.figures import Interval, Pooled, Summary, pool, six_digits, summarise
from frugal_modes.notebook.keys import fold
from frugal_modes.notebook.paging import fill
from frugal_modes.notebook.sheetdata import Measurement

ROWS = 100
NAME_CHARACTERS = 80
LARGEST_PAGE = 100_000


@dataclass(frozen=True)
class Group:
    """The live values of one quantity, unit and arm; *summary* is None where none of them is an exact number."""

    quantity: str
    unit: str
    arm: str
    summary: Summary | None
    pooled: Pooled | None
    not_used: int


def groups_of(rows: Sequence[Measurement]) -> list[Group]:
    """Return the groups of the live *rows*, in order of first appearance by quantity, then unit, then arm.

    A value that is no exact number counts as not used, in the group of its unit and arm (no unit where unread).
    """
    grouped: dict[tuple[str, str, str], list[Measurement]] = {}
    order: dict[str, int] = {}
    for row in rows:
        if row.superseded is None:
            quantity = fold(row.quantity)
            order.setdefault(quantity, len(order))
            grouped.setdefault((quantity, row.unit, row.arm), []).append(row)
    places = {key: place for place, key in enumerate(grouped)}
    units: dict[tuple[str, str], int] = {}
    for quantity, unit, _ in grouped:
        units.setdefault((quantity, unit), len(units))
    keys = sorted(grouped, key=lambda key: (order[key[0]], units[key[:2]], places[key]))
    return [_group(grouped[key]) for key in keys]


def _group(rows: Sequence[Measurement]) -> Group:
    numbers = [row.value_number for row in rows if row.is_exact and row.value_number is not None]
    ratios = [(row.k, row.out_of) for row in rows if row.k is not None and row.out_of is not None]
    return Group(
        quantity=rows[0].quantity,
        unit=rows[0].unit,
        arm=rows[0].arm,
        summary=summarise(numbers) if numbers else None,
        pooled=pool(ratios),
        not_used=len(rows) - len(numbers),
    )


def table_lines(groups: Sequence[Group], surface: Surface) -> list[str]:
    """Return the table as Markdown: heading, ruler, one line a group; pooled ratios only where there are some."""
    names = ["quantity", "unit", "arm", "n", "mean", "sd", "min", "max", "interval", "not_used"]
    has_ratios = any(group.pooled for group in groups)
    if has_ratios:
        names.append("pooled")
    heading = [surface.text(f"columns.{name}") for name in names]
    lines = [_row(heading), _row(["---"] * len(names))]
    for group in groups:
        cells = [_cell(group.quantity), _cell(group.unit) or "-", _cell(group.arm) or "-", *_figures(group)]
        lines.append(_row([*cells, str(group.not_used), *([_pooled(group.pooled)] if has_ratios else [])]))
    return lines


def _figures(group: Group) -> list[str]:
    summary = group.summary
    if summary is None:
        return ["0", "-", "-", "-", "-", "-"]
    return [
        str(summary.n),
        six_digits(summary.mean),
        "-" if summary.sd is None else six_digits(summary.sd),
        six_digits(summary.low),
        six_digits(summary.high),
        _interval(summary.interval),
    ]


def _interval(interval: Interval | None) -> str:
    return f"{six_digits(interval.low)} .. {six_digits(interval.high)}" if interval else "-"


def _pooled(pooled: Pooled | None) -> str:
    if pooled is None:
        return "-"
    share = six_digits(pooled.k / pooled.of)
    return f"{pooled.k}/{pooled.of} = {share} ({_interval(pooled.interval)})"


def _cell(text: str) -> str:
    shown = text if len(text) <= NAME_CHARACTERS else text[:NAME_CHARACTERS] + "..."
    return shown.replace("|", r"\|")


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def statistics_answer(
    key: str, rows: Sequence[Measurement], surface: Surface, *, page: int, cap: Cap
) -> Answer:
    """Return a page of the statistics table of a series."""
    groups = groups_of(rows)
    if not groups:
        return Answer(surface.text("statistics.none", series=key), is_empty=True)
    head, ruler, *lines = table_lines(groups, surface)
    live = sum(row.superseded is None for row in rows)
    title = surface.text("statistics.head", series=key, groups=len(groups), values=live)
    call = surface.call("series", key=key, table=True, page=LARGEST_PAGE)
    rest = surface.text("statistics.rest", count=len(groups), call=call)
    room = Room(cap).less(cost("\n".join([title, head, ruler, rest, ""])))
    most = ROWS if cap.size_bytes <= 16 * 1024 else len(lines)
    start = 0
    for _ in range(1, page):
        start = fill(lines, start, room, most)
    end = fill(lines, start, room, most)
    if start >= end:
        again = surface.call("series", key=key, table=True)
        text = surface.text("list.beyond", page=page, total=len(groups), call=again)
        return Answer(text, is_empty=True)
    shown = [title, head, ruler, *lines[start:end]]
    if end < len(groups):
        call = surface.call("series", key=key, table=True, page=page + 1)
        shown.append(surface.text("statistics.rest", count=len(groups) - end, call=call))
    items = tuple(as_item(group) for group in groups[start:end])
    return Answer("\n".join(shown), items=items, counts={"key": key, "groups": len(groups)})


def as_item(group: Group) -> dict[str, object]:
    """Return a group for `--json`."""
    summary, pooled = group.summary, group.pooled
    interval = summary.interval if summary else None
    wilson = pooled.interval if pooled else None
    return {
        "quantity": group.quantity,
        "unit": group.unit,
        "arm": group.arm,
        "n": summary.n if summary else 0,
        "mean": summary.mean if summary else None,
        "sd": summary.sd if summary else None,
        "min": summary.low if summary else None,
        "max": summary.high if summary else None,
        "interval_95": [interval.low, interval.high] if interval else None,
        "not_used": group.not_used,
        "pooled": {"k": pooled.k, "of": pooled.of, "wilson_95": [wilson.low, wilson.high] if wilson else None}
        if pooled
        else None,
    }
