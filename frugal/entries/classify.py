"""classify: give entries a kind; neither text nor tags nor state change."""

from dataclasses import dataclass, field

from frugal.call import Call
from frugal.entries import caps, storage
from frugal.entries.lines import fit_answer, id_list
from frugal.model import NO_KIND, Answer, Kind
from frugal.store import Connection

LIST_CHARACTERS = 500


@dataclass
class Outcome:
    """What the transaction did; *unsorted* = live entries of the whole store still without a kind."""

    done: list[int] = field(default_factory=list)
    already: list[int] = field(default_factory=list)
    unknown: list[int] = field(default_factory=list)
    unsorted: int = 0


COUNT_UNSORTED = "SELECT count(*) FROM entry_state WHERE live = 1 AND kind = :kind"


def classify(call: Call, *, ids: tuple[int, ...], kind: Kind) -> Answer:
    """Give the entries *ids* the kind *kind*; the answer names what had it already and what is unknown."""
    with call.store.write() as db:
        outcome = _set_kinds(call, db, ids, kind)
    surface = call.surface
    word = surface.kind(kind)
    lines: list[str] = []
    if outcome.done:
        lines.append(f"{word}: {id_list(outcome.done, surface, LIST_CHARACTERS)}.")
    if outcome.already:
        named = id_list(outcome.already, surface, LIST_CHARACTERS)
        lines.append(surface.text("classify.already", kind=word, ids=named))
    if outcome.unknown:
        lines.append(surface.text("show.unknown", ids=id_list(outcome.unknown, surface, LIST_CHARACTERS)))
    if outcome.unsorted:
        lines.append(surface.text("classify.unsorted", count=outcome.unsorted, kind=surface.kind(NO_KIND)))
    return Answer(
        fit_answer(lines, caps.CHANGE, surface),
        items=tuple({"id": entry_id, "kind": kind.english} for entry_id in outcome.done),
        counts={"already": outcome.already, "unknown": outcome.unknown, "unsorted": outcome.unsorted},
        is_empty=not outcome.done and not outcome.already,
    )


def _set_kinds(call: Call, db: Connection, ids: tuple[int, ...], kind: Kind) -> Outcome:
    outcome = Outcome()
    kinds = storage.kinds_of(db, ids)
    for entry_id in ids:
        if entry_id not in kinds:
            outcome.unknown.append(entry_id)
        elif kinds[entry_id] == kind.stored:
            outcome.already.append(entry_id)
        else:
            storage.set_kind(db, entry_id, kind.stored, at=call.stamp())
            outcome.done.append(entry_id)
    outcome.unsorted = int(db.execute(COUNT_UNSORTED, {"kind": NO_KIND.stored}).fetchone()[0])
    return outcome
