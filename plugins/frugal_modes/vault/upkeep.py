"""Whether the search index says what the cards say, and making it anew where it does not; what was learned and nobody
confirmed for a year goes. No file is read.
"""

from collections.abc import Iterator
from itertools import islice

from frugal.api import (
    Agreement,
    Answer,
    Call,
    Connection,
    Document,
    Progress,
    count_indexed,
    is_outdated,
    no_progress,
    note_analysis,
    out_of_step,
)
from frugal_modes.vault import learned
from frugal_modes.vault.rebuild import COUNT, documents, rebuild

AT_ONCE = 500
SHOWN_IDS = 12


def upkeep(call: Call, *, is_dry_run: bool = False, progress: Progress = no_progress) -> Answer:
    """Compare every card with the index and make it anew if any differs, and drop learned questions that are too old.

    A dry run writes nothing.
    """
    now = call.clock()
    pairs = learned.pairs(now)
    with call.store.read() as db:
        total = int(db.execute(COUNT).fetchone()[0])
        is_whole = count_indexed(db) == total
        is_old = is_outdated(db)
        differing = list(_differing(db, progress, total))
        unconfirmed = pairs.unconfirmed(db, now)
    surface = call.surface
    lines = [surface.text("vault.upkeep.dry")] if is_dry_run else []
    lines.append(surface.text("vault.upkeep.totals", count=total))
    if differing:
        lines.append(surface.text("vault.upkeep.index", count=len(differing), ids=_shown(differing)))
    else:
        lines.append(surface.text("vault.upkeep.agrees" if is_whole else "vault.upkeep.uneven"))
    if (differing or not is_whole) and not is_dry_run:
        lines.append(surface.text("vault.index.rebuilt", count=rebuild(call, progress)))
    if not is_dry_run and is_old:
        with call.store.write() as db:
            note_analysis(db)
    if unconfirmed:
        lines.append(surface.text("vault.upkeep.learned", count=len(unconfirmed), ids=_shown(unconfirmed)))
        if not is_dry_run:
            with call.store.write() as db:
                pairs.drop_unconfirmed(db, now)
    items = tuple(
        {"item": name, "count": len(numbers), "ids": numbers[:SHOWN_IDS]}
        for name, numbers in (("index", differing), ("learned", unconfirmed))
    )
    changes = (len(differing) or int(not is_whole)) + len(unconfirmed)
    return Answer(
        "\n".join(lines), items=items, counts={"cards": total, "dry_run": is_dry_run, "changes": changes}
    )


def _shown(numbers: list[int]) -> str:
    shown = ", ".join(f"#{number}" for number in numbers[:SHOWN_IDS])
    return shown + (", ..." if len(numbers) > SHOWN_IDS else "")


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
