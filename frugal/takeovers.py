"""A takeover of the predecessor's file in words: one line, for stderr and for whoever asks later."""

from collections.abc import Sequence

from frugal.store import Noted
from frugal.surface import Surface

SHOWN_ROWS = 6


def told(noted: Noted, surface: Surface) -> str:
    """Return what was taken over: from where, the counts, what was set apart, the backup, the zone if there was one."""
    text = surface.text
    counts = [text(f"takeover.counts.{key}", count=count) for key, count in noted.counts.items()]
    apart = [
        text(f"takeover.apart.{key}", count=len(rows), rows=_rows(rows)) for key, rows in noted.apart.items()
    ]
    parts = [text("takeover.line", source=_source(noted, surface), counts=", ".join(counts)), *apart]
    if noted.zone:
        parts.append(text("takeover.zone", zone=noted.zone))
    parts.append(text("takeover.backup", backup=noted.backup))
    return " ".join(parts)


def _source(noted: Noted, surface: Surface) -> str:
    if noted.is_late:
        return surface.text("takeover.late")
    return (
        surface.text("takeover.layout", layout=noted.layout) if noted.layout else surface.text("takeover.old")
    )


def _rows(rows: Sequence[str]) -> str:
    shown = ", ".join(rows[:SHOWN_ROWS])
    return f"{shown}, ..." if len(rows) > SHOWN_ROWS else shown
