"""upkeep: everything that can be recomputed is recomputed, and what differed is reported. Twice is the same as once.

Texts, ids and dates never change. Transactions are short, so that servers go on, and each leaves a correct file.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from frugal.call import Call
from frugal.entries import chains, derived, learned
from frugal.entries.lines import id_list
from frugal.entries.memos import record_memo
from frugal.errors import DamagedFile, StoreFailed
from frugal.model import Answer, resolve
from frugal.search import Indexer, agreement, is_outdated, note_analysis
from frugal.search.edition import ANALYSIS
from frugal.store import Connection, put_record, read_record
from frugal.transfer import Progress, no_progress

SHOWN_IDS = 12
IDS_CHARACTERS = 400
CHAINS_AT_ONCE = 100
LANGUAGE = "language"
LANGUAGE_SOURCES = ("MEMORY_LANG", "--lang")
"""Only these change the recorded language; a config file speaks for this machine alone."""

ITEMS = ("titles", "identities", "tags", "index", "directories", "chains", "learned", "analysis", "language")
MODE_ITEM = "sources"
"""What the mode itself derives from texts; listed for modes that do."""


@dataclass
class Changes:
    """What differed, by item: how much, and the ids of the entries where there are such."""

    counts: dict[str, int]
    ids: dict[str, list[int]]

    @classmethod
    def none_of(cls, items: Sequence[str]) -> "Changes":
        """Return no changes of *items*."""
        return cls(dict.fromkeys(items, 0), {item: [] for item in items})

    def add(self, item: str, ids: Iterable[int]) -> None:
        """Count *ids*, each once; an item that is not listed has none."""
        if item not in self.ids:
            return
        known = self.ids[item]
        known += dict.fromkeys(ids)
        self.counts[item] = len(known)

    @property
    def total(self) -> int:
        """How many changes there are."""
        return sum(self.counts.values())


def upkeep(call: Call, *, is_dry_run: bool = False, progress: Progress = no_progress) -> Answer:
    """Recompute everything derived and report the changes; a dry run computes the same and writes nothing."""
    hook = _hook(call)
    changes = Changes.none_of([*ITEMS, *([MODE_ITEM] if hook else [])])
    with call.store.read() as db:
        before = _count(db)
        if is_dry_run:
            for batch in _batches(db, before, progress, hook):
                _note(changes, batch)
            changes.counts["directories"] = derived.compare_directories(db).count
            changes.add("chains", (piece for chain in chains.find_chains(db) for piece in chain.ids))
            changes.add("learned", learned.PAIRS.unconfirmed(db, call.now()))
            changes.counts |= dict.fromkeys(_outdated_records(call, db), 1)
    if is_dry_run:
        return _answer(call, changes, before=before, after=before, is_dry_run=True)
    _mend_entries(call, changes, before, progress)
    _mend_directories(call, changes)
    _record_chains(call, changes)
    _mend_rest(call, changes)
    with call.store.read() as db:
        after = _count(db)
    return _answer(call, changes, before=before, after=after, is_dry_run=False)


def _hook(call: Call) -> derived.Hook | None:
    reference = call.mode.entry_rules.derive_hook
    found: derived.Hook | None = resolve(reference) if reference else None
    return found


COUNT = "SELECT count(*) FROM entry"


def _count(db: Connection) -> int:
    return int(db.execute(COUNT).fetchone()[0])


def _batches(
    db: Connection, total: int, progress: Progress, hook: derived.Hook | None
) -> Iterator[derived.Batch]:
    done = after = 0
    comparison = agreement.Comparison()
    while (batch := derived.look(db, after, hook, comparison)).documents:
        yield batch
        after = batch.last
        done += len(batch.documents)
        progress(min(done, total), total)


def _note(changes: Changes, batch: derived.Batch) -> None:
    changes.add("titles", batch.titles)
    changes.add("identities", batch.identities)
    changes.add("tags", (entry_id for entry_id, _, _ in batch.tags))
    changes.add("index", batch.index)
    changes.add(MODE_ITEM, batch.mode)


def _mend_entries(call: Call, changes: Changes, total: int, progress: Progress) -> None:
    """Mend batch after batch, a transaction each, and only where something differs."""
    done = after = 0
    hook = _hook(call)
    comparison, indexer = agreement.Comparison(), Indexer()
    while True:
        with call.store.read() as db:
            batch = derived.look(db, after, hook, comparison)
        if not batch.documents:
            return
        if not batch.is_right:
            batch = _mend_batch(call, after, hook, indexer)
            _note(changes, batch)
        after = batch.last
        done += len(batch.documents)
        progress(min(done, total), total)


def _mend_batch(call: Call, after: int, hook: derived.Hook | None, indexer: Indexer) -> derived.Batch:
    """Look at the batch again, now under the write lock, and mend it."""
    try:
        with indexer, call.store.write() as db:
            batch = derived.look(db, after, hook)
            derived.mend(db, batch, hook, indexer)
    except (StoreFailed, DamagedFile, LookupError, ValueError):
        # The index is so far from the texts that single rows cannot be taken out of it.
        with indexer, call.store.write() as db:
            batch = derived.look(db, after, hook)
            derived.rebuild_index(db)
            derived.mend(db, batch, hook, indexer)
    return batch


def _mend_directories(call: Call, changes: Changes) -> None:
    with call.store.read() as db:
        found = derived.compare_directories(db)
    if found.count:
        with call.store.write() as db:
            found = derived.compare_directories(db)
            derived.mend_directories(db, found)
    changes.counts["directories"] = found.count


def _record_chains(call: Call, changes: Changes) -> None:
    with call.store.read() as db:
        found = chains.find_chains(db)
    for start in range(0, len(found), CHAINS_AT_ONCE):
        with call.store.write() as db:
            for chain in found[start : start + CHAINS_AT_ONCE]:
                if chains.is_free(db, chain.ids):
                    record_memo(db, chain.ids, subject=chain.subject)
                    changes.add("chains", chain.ids)


def _mend_rest(call: Call, changes: Changes) -> None:
    """Drop what was learned and not confirmed for a year; record the language that is set and today's analysis."""
    with call.store.read() as db:
        changes.add("learned", learned.PAIRS.unconfirmed(db, call.now()))
        changed = _outdated_records(call, db)
        changes.counts |= dict.fromkeys(changed, 1)
        is_new = read_record(db, ANALYSIS) is None
    if changes.counts["learned"] or changed or is_new:
        with call.store.write() as db:
            learned.PAIRS.drop_unconfirmed(db, call.now())
            note_analysis(db)
            if LANGUAGE in changed:
                put_record(db, LANGUAGE, call.settings.language)


def _outdated_records(call: Call, db: Connection) -> tuple[str, ...]:
    """Return which of the file's records differ: the language, if one is set; the analysis, if one is recorded."""
    found = []
    settings = call.settings
    if settings.language_source in LANGUAGE_SOURCES and read_record(db, LANGUAGE) != settings.language:
        found.append(LANGUAGE)
    if is_outdated(db):
        found.append(ANALYSIS)
    return tuple(found)


def _answer(call: Call, changes: Changes, *, before: int, after: int, is_dry_run: bool) -> Answer:
    surface = call.surface
    lines = [surface.text("upkeep.dry")] if is_dry_run else []
    lines.append(surface.text("upkeep.entries", before=before, after=after))
    for item in changes.counts:
        line = surface.text(
            "upkeep.item", name=surface.text(f"upkeep.items.{item}"), count=changes.counts[item]
        )
        ids = changes.ids[item]
        if ids:
            line += ": " + id_list(ids[:SHOWN_IDS], surface, IDS_CHARACTERS)
        if len(ids) > SHOWN_IDS:
            line += surface.text("lines.and_more", count=len(ids) - SHOWN_IDS)
        lines.append(line)
    return Answer(
        "\n".join(lines),
        items=tuple(
            {"item": item, "count": changes.counts[item], "ids": changes.ids[item][:SHOWN_IDS]}
            for item in changes.counts
        ),
        counts={"before": before, "after": after, "changes": changes.total, "dry_run": is_dry_run},
    )
