"""forget: hide entries that nothing replaces, or bring hidden ones back; nothing is ever deleted."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from frugal.call import Call
from frugal.entries import caps, storage
from frugal.entries.hints import credential_places, secret_policy
from frugal.entries.lines import fit_answer, id_list
from frugal.entries.remember import memo_siblings
from frugal.entries.storage import Entry
from frugal.errors import Refusal
from frugal.model import Answer
from frugal.store import Connection
from frugal.surface import Surface

DONE_CHARACTERS = 400
NAMED_CHARACTERS = 240
NAMED_ALONE = 6
"""Entries that stayed as they were and get a date or a successor of their own; the others are named in a list."""
UNDO_CHARACTERS = 500
MEMOS_NAMED = 2


@dataclass
class Outcome:
    """What the transaction did; `memos` are the live rests of memos of which pieces were hidden."""

    done: list[int] = field(default_factory=list)
    unchanged: list[Entry] = field(default_factory=list)
    unknown: list[int] = field(default_factory=list)
    erased: list[int] = field(default_factory=list)
    staying: list[tuple[int, int]] = field(default_factory=list)
    has_new_reason: bool = False
    memos: list[tuple[int, ...]] = field(default_factory=list)


def forget(call: Call, *, ids: tuple[int, ...], reason: str, undo: bool) -> Answer:
    """Hide the live ones among *ids*; with *undo* bring the hidden ones back. The answer ends with the way back."""
    places = credential_places(call, reason)
    if places and secret_policy(call) == "refuse":
        raise Refusal(
            "secret_refused", places=places, parameter=call.surface.parameter_word("forget", "reason")
        )
    with call.store.write() as db:
        outcome = bring_back(call, db, ids, reason) if undo else hide(call, db, ids, reason)
    surface = call.surface
    lines = _lines_of_undo(outcome, surface) if undo else _lines(outcome, surface)
    if places and secret_policy(call) != "off":
        lines.append(surface.text("forget.credential", places=places))
    way_back = _redo_line(outcome, surface) if undo else _undo_line(outcome, surface)
    return Answer(
        fit_answer(lines, caps.CHANGE, surface, last=way_back),
        items=tuple({"id": entry_id} for entry_id in outcome.done),
        counts={"unchanged": [entry.id for entry in outcome.unchanged], "unknown": outcome.unknown},
        is_empty=not outcome.done,
    )


def hide(call: Call, db: Connection, ids: Sequence[int], reason: str) -> Outcome:
    """Mark live entries superseded without successor; a hidden one gets a further note for a new reason only."""
    outcome = Outcome()
    entries = storage.fetch(db, ids)
    for entry_id in ids:
        entry = entries.get(entry_id)
        if entry is None:
            outcome.unknown.append(entry_id)
        elif entry.erased_at:
            outcome.erased.append(entry_id)
        elif entry.is_live:
            storage.supersede(db, entry_id, successor=None, reason=reason or None, at=call.stamp())
            outcome.done.append(entry_id)
        else:
            outcome.unchanged.append(entry)
            outcome.has_new_reason |= _note_reason(call, db, entry, reason)
    outcome.memos = memo_siblings(db, [entries[entry_id] for entry_id in outcome.done])
    return outcome


def _note_reason(call: Call, db: Connection, entry: Entry, reason: str) -> bool:
    why = entry.supersession
    if not reason or (why and why.reason == reason):
        return False
    successor = why.successor if why else None
    storage.log(db, entry.id, "superseded", at=call.stamp(), successor=successor, reason=reason)
    return True


def bring_back(call: Call, db: Connection, ids: Sequence[int], reason: str) -> Outcome:
    """Make hidden entries live again, replaced ones too; what replaced them stays as it is."""
    outcome = Outcome()
    entries = storage.fetch(db, ids)
    for entry_id in ids:
        entry = entries.get(entry_id)
        if entry is None:
            outcome.unknown.append(entry_id)
        elif entry.is_live:
            outcome.unchanged.append(entry)
        elif entry.erased_at:
            outcome.erased.append(entry_id)
        else:
            storage.restore(db, entry_id, reason=reason or None, at=call.stamp())
            outcome.done.append(entry_id)
            if entry.supersession and entry.supersession.successor:
                outcome.staying.append((entry.supersession.successor, entry_id))
    return outcome


def _lines(outcome: Outcome, surface: Surface) -> list[str]:
    lines: list[str] = []
    if outcome.done:
        lines.append(surface.text("forget.hidden", ids=id_list(outcome.done, surface, DONE_CHARACTERS)))
    lines += [
        surface.text("remember.memo_rest", ids=id_list(rest, surface, NAMED_CHARACTERS // 2))
        for rest in outcome.memos[:MEMOS_NAMED]
    ]
    alone = outcome.unchanged[:NAMED_ALONE]
    lines += [_unchanged_line(entry, surface) for entry in alone]
    if more := [entry.id for entry in outcome.unchanged[len(alone) :]]:
        lines.append(surface.text("forget.unchanged", ids=id_list(more, surface, NAMED_CHARACTERS)))
    if outcome.has_new_reason:
        lines.append(surface.text("forget.reason_added"))
    return [*lines, *_other_lines(outcome, surface)]


def _unchanged_line(entry: Entry, surface: Surface) -> str:
    why = entry.supersession
    date = why.at[:10] if why else ""
    if why and why.successor:
        by = surface.id(why.successor)
        return surface.text("forget.unchanged_by", id=surface.id(entry.id), date=date, by=by)
    return surface.text("forget.unchanged_alone", id=surface.id(entry.id), date=date)


def _undo_line(outcome: Outcome, surface: Surface) -> str:
    """Return the call that takes this one back; ids that are too many for a line stand in the call just made."""
    ids = outcome.done or [entry.id for entry in outcome.unchanged]
    if not ids:
        return ""
    argument = surface.id_argument(ids)
    if len(argument) <= UNDO_CHARACTERS:
        return surface.text("forget.undo", call=surface.call("forget", argument, undo=True))
    key = "forget.undo_same_more" if outcome.done and outcome.unchanged else "forget.undo_same"
    return surface.text(key, call=surface.call("forget", "...", undo=True), count=len(outcome.unchanged))


def _redo_line(outcome: Outcome, surface: Surface) -> str:
    if not outcome.done:
        return ""
    argument = surface.id_argument(outcome.done)
    if len(argument) > UNDO_CHARACTERS:
        argument = "..."
    return surface.text("forget.redo", call=surface.call("forget", argument))


def _lines_of_undo(outcome: Outcome, surface: Surface) -> list[str]:
    lines: list[str] = []
    if outcome.done:
        lines.append(surface.text("forget.back", ids=id_list(outcome.done, surface, DONE_CHARACTERS)))
    alone = outcome.staying[:NAMED_ALONE]
    for successor, entry_id in alone:
        lines.append(surface.text("forget.staying", by=surface.id(successor), id=surface.id(entry_id)))
    if more := list(dict.fromkeys(successor for successor, _ in outcome.staying[len(alone) :])):
        lines.append(surface.text("forget.staying_more", ids=id_list(more, surface, NAMED_CHARACTERS)))
    if live := [entry.id for entry in outcome.unchanged]:
        lines.append(surface.text("forget.was_live", ids=id_list(live, surface, NAMED_CHARACTERS)))
    return [*lines, *_other_lines(outcome, surface)]


def _other_lines(outcome: Outcome, surface: Surface) -> list[str]:
    """Name the entries of which only a stub is left, and unknown ids."""
    named = (("erase.before", outcome.erased), ("show.unknown", outcome.unknown))
    return [surface.text(key, ids=id_list(ids, surface, NAMED_CHARACTERS)) for key, ids in named if ids]
