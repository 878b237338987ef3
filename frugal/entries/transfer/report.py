"""What a merge did, as lines and counts."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from frugal.entries.lines import id_list
from frugal.surface import Surface
from frugal.transfer import Merged

IDS_CHARACTERS = 400
MOST_DIFFERING = 50


@dataclass(frozen=True)
class Differing:
    """An entry to which the other file gives another kind; both as stored."""

    id: int
    ours: str
    theirs: str


@dataclass
class Report:
    """Counts, and the entries of this file that took something."""

    entries: int
    new: int = 0
    known: int = 0
    erased: int = 0
    events: int = 0
    memos: int = 0
    learned: int = 0
    tagged: list[int] = field(default_factory=list)
    classified: list[int] = field(default_factory=list)
    superseded: list[int] = field(default_factory=list)
    restored: list[int] = field(default_factory=list)
    without_words: list[int] = field(default_factory=list)
    differing: list[Differing] = field(default_factory=list)

    @property
    def counts(self) -> dict[str, object]:
        """The counts for `--json`."""
        return {
            "entries": self.entries,
            "new": self.new,
            "known": self.known,
            "erased": self.erased,
            "events": self.events,
            "memos": self.memos,
            "learned": self.learned,
            "tagged": len(self.tagged),
            "classified": len(self.classified),
            "superseded": len(self.superseded),
            "restored": len(self.restored),
            "kinds_differ": len(self.differing),
        }


def render(report: Report, surface: Surface) -> Merged:
    """Return what is told: counts first, then each thing that happened, with ids."""
    lines = [surface.text("transfer.merged", **report.counts)]
    if report.erased:
        lines.append(surface.text("transfer.erased", count=report.erased))
    for name in ("tagged", "classified", "superseded", "restored", "without_words"):
        ids: Sequence[int] = list(dict.fromkeys(getattr(report, name)))
        if ids:
            lines.append(surface.text(f"transfer.{name}", ids=id_list(ids, surface, IDS_CHARACTERS)))
    lines += [_differing_line(item, surface) for item in report.differing[:MOST_DIFFERING]]
    if len(report.differing) > MOST_DIFFERING:
        lines.append(surface.text("lines.left_out", count=len(report.differing) - MOST_DIFFERING))
    return Merged(tuple(lines), items=_items(report, surface), counts=report.counts)


def _differing_line(item: Differing, surface: Surface) -> str:
    ours, theirs = (surface.kind(surface.kinds.stored(kind)) for kind in (item.ours, item.theirs))
    return surface.text("transfer.kind_differs", id=surface.id(item.id), ours=ours, theirs=theirs)


def _items(report: Report, surface: Surface) -> tuple[dict[str, object], ...]:
    return tuple(
        {
            "id": item.id,
            "kind": surface.kinds.stored(item.ours).english,
            "kind_there": surface.kinds.stored(item.theirs).english,
        }
        for item in report.differing
    )
