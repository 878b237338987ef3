"""What remember does and says beside storing: sources are noted, entries of the same source are named."""

from frugal.api import Call, Connection, entry_lines, set_evidence
from frugal_modes.archive.evidence import evidence_level
from frugal_modes.archive.kinds import SOURCED
from frugal_modes.archive.sources import SourceKey, source_keys
from frugal_modes.archive.storage import add_sources, sharing

MOST_LINES = 8
REJECTED = "verworfen"


def note_sources(_call: Call, db: Connection, entry_id: int, text: str) -> None:
    """Note the sources and the evidence level of a new entry, inside its transaction."""
    add_sources(db, entry_id, source_keys(text))
    if level := evidence_level(text):
        set_evidence(db, entry_id, level)


def source_lines(call: Call, db: Connection, entry_id: int, text: str) -> list[str]:
    """Return the entries that name a source of *text*, then what the note itself lacks."""
    keys = source_keys(text)
    lines = _known(call, db, entry_id, keys)
    if _kind(db, entry_id) in SOURCED:
        if not keys:
            lines.append(call.surface.text("archive.no_source"))
        if not evidence_level(text):
            lines.append(call.surface.text("archive.no_evidence"))
    return lines


KIND = "SELECT kind FROM entry_state WHERE entry_id = :entry"


def _kind(db: Connection, entry_id: int) -> str:
    row = db.execute(KIND, {"entry": entry_id}).fetchone()
    return str(row[0])


def _known(call: Call, db: Connection, entry_id: int, keys: tuple[SourceKey, ...]) -> list[str]:
    surface = call.surface
    shown: dict[int, SourceKey] = {}
    rejected: list[int] = []
    hidden = 0
    for key in keys:
        live, superseded = sharing(db, key, besides=entry_id, first_kind=REJECTED)
        hidden += superseded
        for other in live:
            shown.setdefault(other, key)
            if _kind(db, other) == REJECTED and other not in rejected:
                rejected.append(other)
    if not shown and not hidden:
        return []
    ordered = [*rejected, *(other for other in shown if other not in rejected)]
    lines = [surface.text("archive.known")] if shown else []
    for other, line in zip(ordered, entry_lines(call, db, ordered[:MOST_LINES]), strict=False):
        mark = surface.text("archive.rejected") + " " if other in rejected else ""
        lines.append(f"{mark}{line} {shown[other].type}:{shown[other].key[:80]}")
    if len(ordered) > MOST_LINES:
        lines.append(surface.text("archive.more", count=len(ordered) - MOST_LINES))
    if hidden:
        lines.append(surface.text("archive.superseded", count=hidden))
    return lines
