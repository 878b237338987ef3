"""remember: one fact is stored, in one transaction with everything that belongs to it; hints come after it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from frugal.call import Call
from frugal.entries import storage
from frugal.entries.forms import known_kinds
from frugal.entries.lines import hit_line, id_list, tag_list
from frugal.entries.storage import Entry, NewEntry
from frugal.entries.transfer.origins import note_name
from frugal.model import NO_KIND, Answer, Kind, resolve
from frugal.store import Connection
from frugal.surface import Surface
from frugal.text.normalise import fold_tag

SITTING_GAP = timedelta(minutes=30)
"""Entries of one process with the same tags belong together while each follows the one before within this."""
ALSO_CHARACTERS = 600
"""The most search words of an entry that was stored again and again with others."""
SEPARATOR = " | "
"""What stands between search words given at different times."""
TAGS_CHARACTERS = 200
IDS_CHARACTERS = 240
NAMED_ALONE = 5
MEMOS_NAMED = 2


@dataclass(frozen=True)
class Draft:
    """What the caller wants stored."""

    text: str
    tags: tuple[str, ...]
    kind: Kind
    supersedes: tuple[int, ...]
    also: str


@dataclass
class Outcome:
    """What the transaction did."""

    entry: Entry
    is_new: bool
    added_tags: tuple[str, ...] = ()
    has_new_also: bool = False
    is_also_full: bool = False
    new_kind: Kind | None = None
    kept_kind: Kind | None = None
    hidden_twin: Entry | None = None
    superseded: list[int] = field(default_factory=list)
    unknown: list[int] = field(default_factory=list)
    already: list[tuple[int, int | None]] = field(default_factory=list)
    still_live: list[int] = field(default_factory=list)
    is_own_id_skipped: bool = False
    memo_siblings: list[tuple[int, ...]] = field(default_factory=list)


def remember(
    call: Call, *, text: str, tags: tuple[str, ...], kind: Kind, supersedes: tuple[int, ...], also: str
) -> Answer:
    """Store *text*, or count it once more if the same text is live already; hide what it supersedes."""
    from frugal.entries import hints  # which knows drafts and outcomes

    draft = Draft(text, tags, kind, supersedes, also)
    hints.refuse_credentials(call, draft)
    with call.store.write() as db:
        outcome = store(call, db, draft)
    surface = call.surface
    found = hints.gather(call, draft, outcome)
    hints.mask_outcome(call, draft, outcome)
    front = [_stored_line(outcome, surface), *_added_lines(outcome, surface), *_kind_lines(outcome, surface)]
    return Answer(
        hints.fit([*front, *found.notices], _supersession_lines(outcome, surface), found, surface),
        items=({"id": outcome.entry.id, "is_new": outcome.is_new, "superseded": list(outcome.superseded)},),
        counts={
            "unknown": list(outcome.unknown),
            "times_stored": outcome.entry.times_stored,
            "similar": [item.entry.id for item in found.similar],
            "same_headline": [found.headline.id] if found.headline else [],
        },
    )


def store(call: Call, db: Connection, draft: Draft) -> Outcome:
    """Do everything that belongs to one fact, inside the transaction *db*."""
    known = storage.states(db, draft.supersedes)
    twin, hidden = storage.find_identical(db, draft.text)
    if twin is not None:
        outcome = _store_again(call, db, draft, twin)
    else:
        outcome = _store_new(call, db, draft)
        outcome.hidden_twin = storage.fetch(db, [hidden])[hidden] if hidden else None
    _supersede(call, db, draft, outcome, known)
    return outcome


def _store_new(call: Call, db: Connection, draft: Draft) -> Outcome:
    stamp = call.stamp()
    tags = storage.known_spellings(db, draft.tags)
    new = NewEntry(
        text=draft.text,
        kind=draft.kind.stored,
        tags=tags,
        created_at=stamp,
        also=draft.also,
        sitting=_sitting(call, db, tags),
        kind_at=stamp if draft.kind is not NO_KIND else None,
    )
    entry_id = storage.insert(db, new)
    note_name(call, db)
    if hook := call.mode.entry_rules.store_hook:
        resolve(hook)(call, db, entry_id, draft.text)
    return Outcome(storage.fetch(db, [entry_id])[entry_id], is_new=True)


COUNT_AGAIN = "UPDATE entry_state SET times_stored = times_stored + 1 WHERE entry_id = :id"


def _store_again(call: Call, db: Connection, draft: Draft, entry_id: int) -> Outcome:
    """Count the text once more; add the tags and search words it lacks, give it a kind if it has none."""
    db.execute(COUNT_AGAIN, {"id": entry_id})
    before = storage.fetch(db, [entry_id])[entry_id]
    outcome = Outcome(before, is_new=False)
    known = {fold_tag(tag) for tag in before.tags}
    missing = tuple(tag for tag in draft.tags if fold_tag(tag) not in known)
    if missing:
        outcome.added_tags = storage.known_spellings(db, missing)
        storage.write_tags(db, entry_id, outcome.added_tags, start=len(before.tags))
        storage.log(db, entry_id, "tags", at=call.stamp(), detail=" ".join(outcome.added_tags))
    _add_search_words(call, db, draft, outcome)
    _settle_kind(call, db, draft, outcome)
    outcome.entry = storage.fetch(db, [entry_id])[entry_id]
    if outcome.added_tags or outcome.has_new_also:
        storage.reindex(db, outcome.entry)
    return outcome


def _add_search_words(call: Call, db: Connection, draft: Draft, outcome: Outcome) -> None:
    entry = outcome.entry
    if not draft.also or draft.also in entry.also.split(SEPARATOR):
        return
    also = f"{entry.also}{SEPARATOR}{draft.also}" if entry.also else draft.also
    outcome.is_also_full = len(also) > ALSO_CHARACTERS
    if not outcome.is_also_full:
        storage.set_also(db, entry.id, also, at=call.stamp())
        outcome.has_new_also = True


def _settle_kind(call: Call, db: Connection, draft: Draft, outcome: Outcome) -> None:
    kept = call.surface.kinds.stored(outcome.entry.kind)
    if draft.kind in (NO_KIND, kept):
        return
    if kept is NO_KIND:
        storage.set_kind(db, outcome.entry.id, draft.kind.stored, at=call.stamp())
        outcome.new_kind = draft.kind
    else:
        outcome.kept_kind = kept


LATEST_SITTING = """
    SELECT id, last_at FROM sitting WHERE process_key = :process AND tags_key = :tags ORDER BY id DESC LIMIT 1
"""
TOUCH_SITTING = "UPDATE sitting SET last_at = :at WHERE id = :id"


def _sitting(call: Call, db: Connection, tags: tuple[str, ...]) -> int:
    """Return the sitting this entry belongs to, a new one if the last is too long ago."""
    tags_key = " ".join(sorted(fold_tag(tag) for tag in tags))
    at = call.stamp()
    row = db.execute(LATEST_SITTING, {"process": call.process_key, "tags": tags_key}).fetchone()
    if row and datetime.fromisoformat(at) - datetime.fromisoformat(row[1]) <= SITTING_GAP:
        db.execute(TOUCH_SITTING, {"id": row[0], "at": at})
        return int(row[0])
    return storage.new_sitting(db, call.process_key, tags_key, at=at)


def _supersede(call: Call, db: Connection, draft: Draft, outcome: Outcome, known: dict[int, bool]) -> None:
    """Hide what the new entry replaces. *known* was looked up before the entry had an id."""
    own = outcome.entry.id
    entries = storage.fetch(db, known)
    for entry_id in draft.supersedes:
        if entry_id == own and not outcome.is_new:
            outcome.is_own_id_skipped = True
        elif entry_id not in known:
            outcome.unknown.append(entry_id)
        elif known[entry_id]:
            storage.supersede(db, entry_id, successor=own, reason=None, at=call.stamp())
            outcome.superseded.append(entry_id)
        else:
            _supersede_again(call, db, entries[entry_id], outcome)
    outcome.memo_siblings = memo_siblings(db, [entries[entry_id] for entry_id in outcome.superseded])


def _supersede_again(call: Call, db: Connection, entry: Entry, outcome: Outcome) -> None:
    successor = entry.supersession.successor if entry.supersession else None
    outcome.already.append((entry.id, successor))
    if successor == outcome.entry.id:
        return
    storage.log(db, entry.id, "superseded", at=call.stamp(), successor=outcome.entry.id)
    if successor is not None and storage.states(db, [successor]).get(successor):
        outcome.still_live.append(successor)


MEMO_PIECES = """
    SELECT entry_id FROM entry_state WHERE memo_id = :memo AND live = 1 ORDER BY memo_position
"""


def memo_siblings(db: Connection, hidden: list[Entry]) -> list[tuple[int, ...]]:
    """Return, for each memo of which pieces were hidden, the pieces that are still live."""
    memos = dict.fromkeys(entry.piece.memo for entry in hidden if entry.piece)
    groups = [tuple(row[0] for row in db.execute(MEMO_PIECES, {"memo": memo})) for memo in memos]
    return [group for group in groups if group]


def _stored_line(outcome: Outcome, surface: Surface) -> str:
    entry = outcome.entry
    if not outcome.is_new:
        times = ordinal(entry.times_stored, surface)
        return surface.text("remember.again", hit=hit_line(entry, surface), times=times)
    kind = surface.kind(surface.kinds.stored(entry.kind))
    tags = f" ({tag_list(entry.tags, TAGS_CHARACTERS)})" if entry.tags else ""
    return surface.text("remember.stored", id=surface.id(entry.id), kind=kind, tags=tags)


def ordinal(number: int, surface: Surface) -> str:
    """Return `3rd` or `3.`."""
    if surface.language != "en":
        return surface.text("remember.ordinal", number=number)
    suffix = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{suffix}"


def _added_lines(outcome: Outcome, surface: Surface) -> list[str]:
    lines: list[str] = []
    if outcome.added_tags:
        lines.append(surface.text("remember.tags_added", tags=tag_list(outcome.added_tags, TAGS_CHARACTERS)))
    if outcome.has_new_also:
        lines.append(surface.text("remember.also_added"))
    if outcome.is_also_full:
        lines.append(surface.text("remember.also_full", most=ALSO_CHARACTERS))
    if outcome.new_kind:
        lines.append(surface.text("remember.kind_set", kind=surface.kind(outcome.new_kind)))
    if outcome.hidden_twin:
        lines.append(surface.text("remember.hidden_twin", hit=hit_line(outcome.hidden_twin, surface)))
    return lines


def _kind_lines(outcome: Outcome, surface: Surface) -> list[str]:
    entry = outcome.entry
    call = surface.call("classify", surface.id_argument([entry.id]), "...")
    kind = surface.kinds.stored(entry.kind)
    if kind in surface.kinds.hidden and (outcome.is_new or outcome.new_kind):
        argument = surface.argument("recall", "kind", surface.kind(kind))
        return [surface.text("remember.hidden_kind", tool=surface.tool_name("recall"), argument=argument)]
    if outcome.kept_kind:
        return [surface.text("remember.kind_kept", kind=surface.kind(outcome.kept_kind), call=call)]
    if kind is NO_KIND and surface.kinds.kinds:
        return [surface.text("remember.no_kind", call=call, known=known_kinds(surface))]
    return []


def _supersession_lines(outcome: Outcome, surface: Surface) -> list[str]:
    lines: list[str] = []

    def name(key: str, ids: Sequence[int]) -> None:
        if ids:
            lines.append(surface.text(f"remember.{key}", ids=id_list(ids, surface, IDS_CHARACTERS)))

    name("superseded", outcome.superseded)
    if outcome.is_own_id_skipped:
        lines.append(surface.text("remember.own_id", id=surface.id(outcome.entry.id)))
    name("unknown", outcome.unknown)
    for entry_id, successor in outcome.already[:NAMED_ALONE]:
        own = successor == outcome.entry.id
        key = "already_own" if own else "already_by" if successor else "already"
        new = surface.id(outcome.entry.id)
        lines.append(
            surface.text(f"remember.{key}", id=surface.id(entry_id), by=surface.id(successor or 0), new=new)
        )
    name("already_more", [entry_id for entry_id, _ in outcome.already[NAMED_ALONE:]])
    live = [item for item in dict.fromkeys(outcome.still_live) if item not in outcome.superseded]
    if live:
        ids = id_list(live, surface, IDS_CHARACTERS)
        argument = surface.argument("remember", "supersedes", surface.id_argument(live))
        lines.append(surface.text("remember.still_live", ids=ids, count=len(live), argument=argument))
    for rest in outcome.memo_siblings[:MEMOS_NAMED]:
        name("memo_rest", rest)
    return lines
