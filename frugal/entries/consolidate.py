"""consolidate: groups of entries that say nearly the same. It reads only; merging is the reader's judgement."""

from collections.abc import Sequence

from frugal import budget
from frugal.budget import Room
from frugal.call import Call
from frugal.entries.filters import Filter
from frugal.entries.lines import WIDTHS, Width, hit_line
from frugal.entries.storage import Entry, fetch
from frugal.forms import Limit
from frugal.model import Answer, Cap, Kind
from frugal.search import Restriction
from frugal.search.pairs import Cluster, Clusters, find_clusters
from frugal.store import Connection
from frugal.surface import Surface
from frugal.text.titles import one_line

LINES_A_GROUP = 12
CAP = Cap(8_000, 16 * 1024)


def consolidate(
    call: Call, *, tag: tuple[str, ...], kind: tuple[Kind, ...], threshold: float, groups: Limit
) -> Answer:
    """Return the largest groups of live near-duplicates within the filters, and the call that merges one."""
    restriction = Filter(call.mode.kinds, kind, tag).restriction()
    with call.store.read() as db:
        found = find_clusters(db, restriction, threshold, copies=identical_copies(db, restriction))
        shown = found.clusters[: groups.value]
        entries = fetch(db, [entry_id for cluster in shown for entry_id in cluster.ids])
    return Answer(
        _text(call.surface, found, shown, entries, threshold=threshold, limit=groups),
        items=tuple({"ids": list(cluster.ids), "similarity": round(cluster.best, 4)} for cluster in shown),
        counts={"entries": found.documents, "compared": found.compared, "groups": len(found.clusters)},
        is_empty=not found.clusters,
    )


COPIES = """
    SELECT group_concat(entry.id, ' ') FROM entry
    WHERE entry.id IN ({select})
    GROUP BY entry.identity HAVING count(*) > 1
"""


def identical_copies(db: Connection, restriction: Restriction) -> list[list[int]]:
    """Return the entries of *restriction* that have the same identity, group by group."""
    rows = db.execute(COPIES.format(select=restriction.select), dict(restriction.parameters))
    return [[int(part) for part in row[0].split()] for row in rows]


def _text(
    surface: Surface,
    found: Clusters,
    shown: Sequence[Cluster],
    entries: dict[int, Entry],
    *,
    threshold: float,
    limit: Limit,
) -> str:
    if found.documents < 2:
        return surface.text("consolidate.too_few", count=found.documents)
    head = surface.text(
        "consolidate.header",
        entries=found.documents,
        pairs=found.compared,
        groups=len(found.clusters),
        threshold=f"{threshold:g}",
    )
    if limit.was_lowered:
        name = surface.parameter_name("consolidate", "groups")
        head += "; " + surface.text("limit_lowered", name=name, most=limit.value)
    if not found.clusters:
        return head
    attempts = [(width, len(shown)) for width in WIDTHS]
    attempts += [(WIDTHS[-1], count) for count in range(len(shown) - 1, -1, -1)]
    for width, count in attempts:
        lines = [head, *(line for item in shown[:count] for line in _group(item, entries, surface, width))]
        lines += _ending(surface, shown[0], left=len(found.clusters) - count)
        if Room(CAP).fits(budget.total(lines)):
            break
    return "\n".join(lines)


def _group(cluster: Cluster, entries: dict[int, Entry], surface: Surface, width: Width) -> list[str]:
    best = f"{cluster.best * 100:.0f}"
    lines = ["", surface.text("consolidate.group", count=len(cluster.ids), best=best)]
    lines += [hit_line(entries[entry_id], surface, width) for entry_id in cluster.ids[:LINES_A_GROUP]]
    if rest := cluster.ids[LINES_A_GROUP:]:
        lines.append(surface.text("consolidate.rest", ids=one_line(surface.ids(rest), 300)))
    return lines


def _ending(surface: Surface, first: Cluster, *, left: int) -> list[str]:
    lines = [surface.text("consolidate.left", count=left)] if left else []
    ids = one_line(surface.id_argument(first.ids), 120)
    return [
        "",
        *lines,
        surface.text("consolidate.merge", call=surface.call("remember", "...", supersedes=ids)),
    ]
