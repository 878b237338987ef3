"""consolidate: groups of entries that say nearly the same. It reads only; merging is the reader's judgement."""

from collections.abc import Iterator, Mapping, Sequence

from frugal import budget
from frugal.budget import Room
from frugal.call import Call
from frugal.entries import caps
from frugal.entries.filters import Filter
from frugal.entries.lines import WIDTHS, Width, hit_line, id_list
from frugal.entries.storage import Entry, fetch
from frugal.forms import Limit
from frugal.model import EVERY_KIND, Answer, Kind
from frugal.search import Restriction
from frugal.search.pairs import Cluster, Clusters, find_clusters
from frugal.store import Connection
from frugal.surface import Surface

LINES_A_GROUP = 12
FURTHER_CHARACTERS = 300
CALL_CHARACTERS = 120
MOST_SUPERSEDED = 100


def consolidate(
    call: Call, *, tag: tuple[str, ...], kind: tuple[Kind, ...], threshold: float, groups: Limit
) -> Answer:
    """Return the largest groups of live near-duplicates within the filters, and the call that merges one."""
    restriction = Filter(call.mode.kinds, kind or (EVERY_KIND,), tag).restriction()
    with call.store.read() as db:
        found = find_clusters(db, restriction, threshold, copies=identical_copies(db, restriction))
        shown = found.clusters[: groups.value]
        entries = fetch(db, [entry_id for cluster in shown for entry_id in cluster.ids])
    head = _head(call.surface, found, threshold=threshold, limit=groups)
    return Answer(
        _text(call.surface, head, found, shown, entries) if shown else head,
        items=tuple({"ids": list(cluster.ids), "similarity": round(cluster.best, 4)} for cluster in shown),
        counts={"entries": found.documents, "compared": found.compared, "groups": len(found.clusters)},
        is_empty=not shown,
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


def _head(surface: Surface, found: Clusters, *, threshold: float, limit: Limit) -> str:
    if found.documents < 2:
        return surface.text("consolidate.too_few", count=found.documents)
    counts = {"entries": found.documents, "pairs": found.compared, "groups": len(found.clusters)}
    head = surface.text("consolidate.header", **counts, threshold=f"{threshold:g}")
    if limit.was_lowered:
        name = surface.parameter_word("consolidate", "groups")
        head += "; " + surface.text("limit_lowered", name=name, most=limit.value)
    return head


def _text(
    surface: Surface, head: str, found: Clusters, shown: Sequence[Cluster], entries: Mapping[int, Entry]
) -> str:
    """Return the answer within its cap: titles and tags give way first, then whole groups from the end."""
    attempts = [(width, len(shown)) for width in WIDTHS]
    attempts += [(WIDTHS[-1], count) for count in range(len(shown) - 1, -1, -1)]
    for width, count in attempts:
        lines = [head]
        for cluster in shown[:count]:
            lines += ["", *_group(cluster, entries, surface, width)]
        lines += ["", *_ending(surface, shown[0], left=len(found.clusters) - count)]
        if Room(caps.CONSOLIDATE).fits(budget.total(lines)):
            break
    return "\n".join(lines)


def _group(cluster: Cluster, entries: Mapping[int, Entry], surface: Surface, width: Width) -> Iterator[str]:
    best = int(cluster.best * 100 + 1e-9)
    yield surface.text("consolidate.group", count=len(cluster.ids), best=best)
    for entry_id in cluster.ids[:LINES_A_GROUP]:
        yield hit_line(entries[entry_id], surface, width)
    if rest := cluster.ids[LINES_A_GROUP:]:
        yield surface.text("consolidate.rest", ids=id_list(rest, surface, FURTHER_CHARACTERS))


def _ending(surface: Surface, first: Cluster, *, left: int) -> Iterator[str]:
    if left:
        yield surface.text("consolidate.left", count=left)
    ids = first.ids[:MOST_SUPERSEDED]
    while len(surface.id_argument(ids)) > CALL_CHARACTERS:
        ids = ids[:-1]
    call = surface.call("remember", "...", supersedes=surface.id_argument(ids))
    yield surface.text("consolidate.merge", call=call)
