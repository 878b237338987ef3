"""Records into a file that may hold the same entries: what it lacks is added, what it has stays, twice is once.

Nothing is rewritten: texts stay, new entries get new numbers, and their origin says which number they had.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from frugal.call import Call
from frugal.entries import storage
from frugal.entries.hints import secret_policy
from frugal.entries.transfer import additions, belongings, writing
from frugal.entries.transfer.erased import Erased
from frugal.entries.transfer.histories import events_of, lacking, twin_of, write_log
from frugal.entries.transfer.matching import Twin, plan
from frugal.entries.transfer.origins import origin_at, shown_origin
from frugal.entries.transfer.parse import EntryRow, EventRow, Parts, parse
from frugal.entries.transfer.report import Report, render
from frugal.entries.transfer.secrets import refuse_secrets
from frugal.store import Connection
from frugal.text.normalise import identity_hash, identity_text
from frugal.transfer import Contents, Merged, Progress, no_progress

TEXTS_AT_ONCE = 200
PAUSE_S = 0.05
"""Between two transactions: whoever waits for the lock asks for it about ten times a second."""


@dataclass(frozen=True)
class Theirs:
    """What is to be merged: its parts, by entry its row, log and state, and the name of the memory it comes from."""

    parts: Parts
    rows: Mapping[int, EntryRow]
    logs: Mapping[int, Sequence[EventRow]]
    twins: Mapping[int, Twin]
    name: str


@dataclass
class Merging:
    """A merge on its way: *ours* gives the number here of each entry of theirs, *erased* those that were erased here."""

    call: Call
    theirs: Theirs
    sittings: belongings.Sittings
    report: Report
    ours: dict[int, int] = field(default_factory=dict)
    erased: frozenset[int] = frozenset()


def merge(call: Call, contents: Contents, *, progress: Progress = no_progress) -> Merged:
    """Add what the file lacks of *contents*; done again it changes nothing.

    Transactions are short, so that servers go on. One that was interrupted is completed by the next run.
    """
    theirs = _read(call, contents)
    report = Report(entries=len(theirs.parts.entries))
    merging = Merging(call, theirs, belongings.Sittings(theirs.parts), report)
    with call.store.write() as db:
        _find_erased(merging, db)
        known = _known_here(merging, db) if secret_policy(call) == "refuse" else set()
    refuse_secrets(call, theirs.parts, is_new=lambda entry: entry not in known)
    groups = list(_by_text(merging).items())
    for start in range(0, len(groups), TEXTS_AT_ONCE):
        if start:
            time.sleep(PAUSE_S)
        with call.store.write() as db:
            _merge_entries(merging, db, groups[start : start + TEXTS_AT_ONCE])
        progress(min(start + TEXTS_AT_ONCE, len(groups)), len(groups))
    with call.store.write() as db:
        kept = _without_erased(merging)
        report.events = _merge_logs(merging, db)
        report.memos = belongings.merge_memos(db, kept, merging.ours)
        report.learned = belongings.merge_learned(db, kept, merging.ours)
    return render(report, call.surface)


def _read(call: Call, contents: Contents) -> Theirs:
    parts = parse(contents, call.mode.kinds)
    logs: dict[int, list[EventRow]] = {}
    for event in parts.events:
        logs.setdefault(event.entry, []).append(event)
    rows = {row.id: row for row in parts.entries}
    twins = {
        row.id: twin_of(
            row.id,
            row.created_at,
            row.live,
            logs.get(row.id, ()),
            shown_origin(origin_at(contents.name, row.id, row.origin)),
        )
        for row in parts.entries
    }
    return Theirs(parts, rows, logs, twins, contents.name)


SAME_IDENTITY = """
    SELECT entry.id, entry.text, entry.created_at, entry_state.live, entry.origin
    FROM entry JOIN entry_state ON entry_state.entry_id = entry.id
    WHERE entry.identity = :identity ORDER BY entry.id
"""


def _find_erased(merging: Merging, db: Connection) -> None:
    """Note the entries that were taken in before, or copied with the file, and erased here: their text stays away."""
    theirs = merging.theirs
    known = Erased(db)
    for row in theirs.parts.entries:
        process = merging.sittings.process(row.sitting)
        here = known.find(row, origin_at(theirs.name, row.id, row.origin), process)
        if here is not None and not _is_erased(theirs, row.id):
            merging.ours[row.id] = here
    merging.erased = frozenset(merging.ours)
    merging.report.erased = len(merging.erased)


def _known_here(merging: Merging, db: Connection) -> set[int]:
    """Return the entries of theirs whose text is here already, or was erased here."""
    groups = list(_by_text(merging).items())
    known = {twin.id for group, ours in _with_ours(db, groups) if ours for twin in group}
    return known | merging.erased


def _is_erased(theirs: Theirs, entry_id: int) -> bool:
    return any(event.action == "erased" for event in theirs.logs.get(entry_id, ()))


def _without_erased(merging: Merging) -> Parts:
    """Return their parts without the entries that were erased here and what belongs to them."""
    parts, erased = merging.theirs.parts, merging.erased
    return replace(
        parts,
        entries=tuple(row for row in parts.entries if row.id not in erased),
        learned=tuple(row for row in parts.learned if row.entry not in erased),
    )


def _by_text(merging: Merging) -> dict[str, list[Twin]]:
    """Return their entries by text, in the order of their numbers."""
    groups: dict[str, list[Twin]] = {}
    for row in merging.theirs.parts.entries:
        if row.id not in merging.erased:
            groups.setdefault(identity_text(row.text), []).append(merging.theirs.twins[row.id])
    return groups


def _with_ours(
    db: Connection, groups: Sequence[tuple[str, list[Twin]]]
) -> Iterator[tuple[list[Twin], list[Twin]]]:
    """Yield for each text theirs and ours."""
    for text, group in groups:
        rows = db.execute(SAME_IDENTITY, {"identity": identity_hash(text)}).fetchall()
        ours = [
            twin_of(entry_id, created_at, bool(live), events_of(db, entry_id), shown_origin(origin))
            for entry_id, stored, created_at, live, origin in rows
            if identity_text(stored) == text
        ]
        yield group, ours


def _merge_entries(merging: Merging, db: Connection, groups: Sequence[tuple[str, list[Twin]]]) -> None:
    """Store the entries of some texts that are new, and add to the others what they lack."""
    chosen = plan(_with_ours(db, groups))
    ours, report = merging.ours, merging.report
    ours.update(chosen.known)
    for entry_id in chosen.new:
        ours[entry_id] = _store_new(merging, db, merging.theirs.rows[entry_id])
    ours.update({entry_id: ours[other] for entry_id, other in chosen.stands_for.items()})
    for entry_id in (*chosen.known, *chosen.stands_for):
        additions.add_to(merging.call, db, merging.theirs.rows[entry_id], ours[entry_id], report)
    report.new += len(chosen.new)
    report.known += len(chosen.known) + len(chosen.stands_for)


def _store_new(merging: Merging, db: Connection, row: EntryRow) -> int:
    """Store an entry of theirs under a new number; its log and its memo come later."""
    new = replace(
        row,
        origin=origin_at(merging.theirs.name, row.id, row.origin),
        tags=storage.known_spellings(db, row.tags),
        sitting=merging.sittings.here(db, row.sitting, merging.ours),
        memo=None,
        memo_position=None,
    )
    is_erased = _is_erased(merging.theirs, row.id)
    return writing.insert_entry(merging.call, db, new, is_erased=is_erased)


def _merge_logs(merging: Merging, db: Connection) -> int:
    """Unite the logs, then let the later state of each entry count; return how many lines were added."""
    ours = merging.ours
    twins = {
        entry_id: twin for entry_id, twin in merging.theirs.twins.items() if entry_id not in merging.erased
    }
    before = {entry_id: _state(db, ours[entry_id]) for entry_id in twins}
    added = 0
    for entry_id in twins:
        log = [_moved(event, ours) for event in merging.theirs.logs.get(entry_id, ())]
        own = events_of(db, ours[entry_id]) if log else []
        if new := lacking(own, log):
            write_log(db, ours[entry_id], own, new)
            added += len(new)
    for entry_id, twin in twins.items():
        own_twin = before[entry_id]
        if twin.is_live != own_twin.is_live and twin.outlives(own_twin):
            additions.set_state(db, own_twin.id, twin.is_live, merging.report)
    return added


def _moved(event: EventRow, ours: Mapping[int, int]) -> EventRow:
    """Return *event* with the number that its successor has here."""
    return event if event.successor is None else replace(event, successor=ours[event.successor])


STATE = """
    SELECT entry.created_at, entry_state.live
    FROM entry JOIN entry_state ON entry_state.entry_id = entry.id WHERE entry.id = :id
"""


def _state(db: Connection, entry_id: int) -> Twin:
    created_at, live = db.execute(STATE, {"id": entry_id}).fetchone()
    return twin_of(entry_id, created_at, bool(live), events_of(db, entry_id))
