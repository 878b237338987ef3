"""Whether the search index says what the cards say, and making it anew where it does not. No file is read."""

from collections.abc import Callable, Iterator
from itertools import islice

from frugal.api import Agreement, Answer, Call, Connection, Document, count_indexed, out_of_step
from frugal_modes.vault.rebuild import COUNT, documents, rebuild

AT_ONCE = 500
SHOWN_IDS = 12

Progress = Callable[[int, int], None]


def no_progress(_done: int, _total: int) -> None:
    """Tell nobody."""


def upkeep(call: Call, *, is_dry_run: bool = False, progress: Progress = no_progress) -> Answer:
    """Compare every card with the index and make it anew if any differs; a dry run writes nothing."""
    with call.store.read() as db:
        total = int(db.execute(COUNT).fetchone()[0])
        is_whole = count_indexed(db) == total
        differing = list(_differing(db, progress, total))
    surface = call.surface
    lines = [surface.text("vault.upkeep.dry")] if is_dry_run else []
    lines.append(surface.text("vault.upkeep.totals", count=total))
    shown = ", ".join(f"#{number}" for number in differing[:SHOWN_IDS])
    shown += ", ..." if len(differing) > SHOWN_IDS else ""
    lines.append(surface.text("vault.upkeep.index", count=len(differing), ids=shown or "-"))
    if (differing or not is_whole) and not is_dry_run:
        lines.append(surface.text("vault.index.rebuilt", count=rebuild(call, progress)))
    item = {"item": "index", "count": len(differing), "ids": differing[:SHOWN_IDS]}
    counts = {"cards": total, "dry_run": is_dry_run, "changes": len(differing) or int(not is_whole)}
    return Answer("\n".join(lines), items=(item,), counts=counts)


def _differing(db: Connection, progress: Progress, total: int) -> Iterator[int]:
    done = 0
    every = documents(db)
    while batch := list(islice(every, AT_ONCE)):
        yield from out_of_step(db, batch)
        done += len(batch)
        progress(min(done, total), total)


def examine(db: Connection, most: int) -> Agreement:
    """Return how well the index agrees with at most *most* cards, the first ones."""
    total = int(db.execute(COUNT).fetchone()[0])
    chosen: list[Document] = list(islice(documents(db), most))
    differing = tuple(f"#{number}" for number in out_of_step(db, chosen))
    return Agreement(total, count_indexed(db), len(chosen), differing)
