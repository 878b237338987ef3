"""What remember does and says beside storing: sources are noted, entries of the same source are named."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from frugal.api import Call, Connection, entry_lines, masked_text, one_line, set_evidence
from frugal_modes.archive.evidence import evidence_level
from frugal_modes.archive.kinds import REJECTED, SOURCED
from frugal_modes.archive.sources import SourceKey, source_keys
from frugal_modes.archive.storage import add_sources, drop_sources, kind_of, noted, sharing

MOST_LINES = 8
MOST_NAMED = 50
LINES_CHARACTERS = 1_200
KEY_CHARACTERS = 60


def note_sources(_call: Call, db: Connection, entry_id: int, text: str) -> None:
    """Note the sources and the evidence level of a new entry, inside its transaction."""
    add_sources(db, entry_id, source_keys(text))
    if level := evidence_level(text):
        set_evidence(db, entry_id, level)


def forget_sources(_call: Call, db: Connection, entry_id: int) -> None:
    """Forget what was taken from the text of an entry that is being erased."""
    drop_sources(db, entry_id)
    set_evidence(db, entry_id, "")


def derive_sources(db: Connection, entry_id: int, text: str, *, is_dry_run: bool) -> bool:
    """Tell whether what is noted of an entry differs from what its text says today; note it anew unless dry."""
    keys, level = source_keys(text), evidence_level(text)
    if noted(db, entry_id) == (frozenset(keys), level):
        return False
    if not is_dry_run:
        drop_sources(db, entry_id)
        add_sources(db, entry_id, keys)
        set_evidence(db, entry_id, level)
    return True


def entries_named(db: Connection, query: str) -> list[int]:
    """Return the entries that name a source of *query*: live ones first, then newest first."""
    found = {other.entry_id: other for key in source_keys(query) for other in sharing(db, key, besides=0)}
    ordered = sorted(found.values(), key=lambda other: (not other.is_live, -other.entry_id))
    return [other.entry_id for other in ordered[:MOST_NAMED]]


def source_lines(call: Call, db: Connection, entry_id: int, text: str) -> list[str]:
    """Return the entries that name a source of *text*, then what the note itself lacks."""
    keys = source_keys(text)
    lines = _known_lines(call, _known(db, entry_id, keys), db, text)
    if kind_of(db, entry_id) in SOURCED:
        if not keys:
            lines.append(call.surface.text("archive.no_source"))
        if not evidence_level(text):
            lines.append(call.surface.text("archive.no_evidence"))
    return lines


@dataclass(frozen=True)
class Known:
    """Entries of the same sources: live ones with the source, rejected ones first, and how many are superseded."""

    live: Mapping[int, SourceKey]
    rejected: frozenset[int]
    superseded: int


def _known(db: Connection, entry_id: int, keys: Sequence[SourceKey]) -> Known:
    live: dict[int, SourceKey] = {}
    rejected: set[int] = set()
    superseded: set[int] = set()
    for key in keys:
        for other in sharing(db, key, besides=entry_id):
            if not other.is_live:
                superseded.add(other.entry_id)
                continue
            live.setdefault(other.entry_id, key)
            if other.kind == REJECTED:
                rejected.add(other.entry_id)
    ordered = sorted(live, key=lambda other: other not in rejected)
    return Known({other: live[other] for other in ordered}, frozenset(rejected), len(superseded))


def _known_lines(call: Call, known: Known, db: Connection, text: str) -> list[str]:
    surface = call.surface
    lines: list[str] = []
    if known.live:
        lines.append(surface.text("archive.known"))
        shown = list(known.live)[:MOST_LINES]
        # A key that is not found once credentials are blanked out holds one.
        showable = frozenset(source_keys(masked_text(call, text)))
        room = LINES_CHARACTERS - len(shown) * KEY_CHARACTERS
        for other, line in zip(shown, entry_lines(call, db, shown, characters=room), strict=False):
            mark = surface.text("archive.rejected") + " " if other in known.rejected else ""
            key = known.live[other]
            lines.append(f"{mark}{line} {_shown(key) if key in showable else key.type}")
        if left := len(known.live) + 1 - len(lines):
            lines.append(surface.text("archive.more", count=left))
    if known.superseded:
        lines.append(surface.text("archive.superseded", count=known.superseded))
    return lines


def _shown(key: SourceKey) -> str:
    """Return `doi:10.1000/123`."""
    return one_line(f"{key.type}:{key.key}", KEY_CHARACTERS)
