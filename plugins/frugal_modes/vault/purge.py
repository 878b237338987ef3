"""purge: what lies in the trash is removed for good, one copy or many; a card that is live is refused."""

from collections.abc import Sequence

from frugal.api import Answer, BadValue, Call, Connection, Refusal
from frugal_modes.vault.moments import start_of
from frugal_modes.vault.outcome import SHOWN_CARDS, Outcome
from frugal_modes.vault.restore import copies_of, inside
from frugal_modes.vault.scribe import Scribe, writing
from frugal_modes.vault.secrecy import echoed, masked
from frugal_modes.vault.trash import Trashed, read_trash
from frugal_modes.vault.validity import duration
from frugal_modes.vault.writing import sync_folder


def purge(call: Call, *, which: str, older_than: str, all: bool, yes: bool) -> Answer:  # noqa: A002  # an option's name
    """Remove one copy, or with *yes* those older than a span of time, or all."""
    if sum((bool(which), bool(older_than), all)) != 1:
        raise BadValue("purge_what")
    with writing(call) as scribe:
        if which:
            return _purge(scribe, [_one(scribe, which)], unknown=[])
        entries = read_trash(scribe.vault)
        chosen, unknown = (list(entries), []) if all else _older(scribe, entries, older_than)
        if chosen and not yes:
            size = sum(item.size_bytes for item in chosen)
            raise Refusal("purge_needs_yes", count=len(chosen), size=size)
        return _purge(scribe, chosen, unknown=unknown)


def _one(scribe: Scribe, which: str) -> Trashed:
    """Return the one copy that *which* names; raise `Refusal` for a live card, and for several copies."""
    copies = copies_of(scribe, which)
    is_exact = len(copies) == 1 and copies[0].path == which.strip().removeprefix("./")
    known = scribe.find(which)
    if known is not None and known.state != "gone" and not is_exact:
        surface = scribe.call.surface
        raise Refusal(
            "purge_live",
            card=surface.id(known.number),
            path=masked(known.path),
            call=surface.call("memory_delete", known.number),
        )
    if not copies:
        raise Refusal("not_in_trash", value=echoed(which))
    if len(copies) > 1:
        shown = ", ".join(masked(item.path) for item in copies[:SHOWN_CARDS])
        raise Refusal("several_copies", value=echoed(which), count=len(copies), copies=shown)
    return copies[0]


def _older(scribe: Scribe, entries: Sequence[Trashed], age: str) -> tuple[list[Trashed], list[Trashed]]:
    """Return the copies put away longer ago than *age*, and those whose time nobody knows."""
    span = duration(age)
    assert span is not None, "the form reads nothing else"
    before = scribe.now - span
    times = [(item, start_of(item.time)) for item in entries]
    older = [item for item, time in times if time and time < before]
    return older, [item for item, time in times if not time]


def _purge(scribe: Scribe, chosen: Sequence[Trashed], *, unknown: Sequence[Trashed]) -> Answer:
    outcome = Outcome(scribe.call, "purged" if chosen else "unchanged")
    for item in chosen:
        target = inside(scribe.vault, item.path, is_trash=True)
        if target is None:
            raise Refusal("restore_outside", path=masked(item.path))
        target.unlink(missing_ok=True)
        sync_folder(target.parent)
    outcome.fields["purged"] = len(chosen)
    outcome.fields["bytes"] = sum(item.size_bytes for item in chosen)
    outcome.fields["forgotten"] = _forget(scribe, chosen)
    if unknown:
        shown = ", ".join(item.path for item in unknown[:SHOWN_CARDS])
        outcome.note("unknown_time", count=len(unknown), paths=shown)
    return outcome.answer()


GONE = """
    SELECT identity.number FROM identity JOIN source ON source.id = identity.source
    WHERE source.name = 'vault' AND identity.path = :path AND identity.gone_since <> ''
"""
DROP_LEARNED = "DELETE FROM learned WHERE number = :number"
DROP_FORMER = "DELETE FROM former_id WHERE number = :number"
DROP_ACCESS = """
    DELETE FROM access WHERE (source, native_id) IN (SELECT source, native_id FROM identity WHERE number = :number)
"""
DROP_IDENTITY = "DELETE FROM identity WHERE number = :number"


def _forget(scribe: Scribe, chosen: Sequence[Trashed]) -> int:
    """Drop numbers and counts of the cards whose last copy went; return how many."""
    left = {item.original for item in read_trash(scribe.vault)}
    paths = sorted({item.original for item in chosen} - left)
    with scribe.call.store.write() as db:
        numbers = [row[0] for path in paths for row in db.execute(GONE, {"path": path}).fetchall()]
        for number in numbers:
            _drop(db, number)
    return len(numbers)


def _drop(db: Connection, number: int) -> None:
    for statement in (DROP_LEARNED, DROP_FORMER, DROP_ACCESS, DROP_IDENTITY):
        db.execute(statement, {"number": number})
