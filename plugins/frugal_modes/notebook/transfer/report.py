"""What a merge did, as lines and counts."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from frugal.api import Merged, Surface

MOST_NAMED = 50


@dataclass(frozen=True)
class LeftOut:
    """A series that both notebooks have and that is not the same: *differs* names the fields."""

    key: str
    differs: tuple[str, ...]


@dataclass
class Report:
    """Counts, and the series that were left out."""

    series: int
    new: int = 0
    rows: int = 0
    events: int = 0
    superseded: int = 0
    left_out: list[LeftOut] = field(default_factory=list)


def render(report: Report, surface: Surface) -> Merged:
    """Return what is told: counts first, then each series that was left out."""
    counts: dict[str, object] = {
        "series": report.series,
        "new": report.new,
        "known": report.series - report.new - len(report.left_out),
        "rows": report.rows,
        "events": report.events,
        "superseded": report.superseded,
    }
    lines = [surface.text("transfer.merged", **counts)]
    lines += [_line(item, surface) for item in report.left_out[:MOST_NAMED]]
    if len(report.left_out) > MOST_NAMED:
        lines.append(surface.text("transfer.more_left_out", count=len(report.left_out) - MOST_NAMED))
    items: Sequence[dict[str, object]] = [
        {"key": item.key, "differs": list(item.differs)} for item in report.left_out
    ]
    return Merged(tuple(lines), items=tuple(items), counts=counts, left_out=len(report.left_out))


def _line(item: LeftOut, surface: Surface) -> str:
    fields = ", ".join(surface.text(f"fields.{name}") for name in item.differs)
    return surface.text("transfer.left_out", series=item.key, fields=fields)
