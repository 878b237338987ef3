"""memory_delete: a card goes to the trash, and comes back with undo."""

from collections.abc import Sequence

from frugal.api import Answer, Call, Refusal
from frugal_modes.vault.outcome import Outcome
from frugal_modes.vault.restore import bring_back
from frugal_modes.vault.scribe import Scribe, card_named, hash_on_disk, writing
from frugal_modes.vault.shelf import Known
from frugal_modes.vault.trash import DELETED, put_away, read_trash

REMINDER_FROM = 10
"""Deleted cards in the trash from which on purging is mentioned."""


def delete(call: Call, *, id: str, undo: bool) -> Answer:  # noqa: A002  # the name that the tool has
    """Move a card to the trash; again: `unchanged`. Its number and its counts stay."""
    with writing(call) as scribe:
        if undo:
            return bring_back(scribe, id, force=False)
        known = card_named(scribe, id)
        if not known.is_in_vault:
            tool = call.surface.tool_word("memory_supersede")
            raise Refusal(
                "card_read_only", card=call.surface.id(known.number), source=known.source, tool=tool
            )
        if known.state == "gone" or not (scribe.vault / known.path).is_file():
            return _unchanged(scribe, known)
        outcome = Outcome(call, "deleted", {"id": known.number, "path": known.path})
        outcome.fields["trash"] = put_away(
            scribe.vault,
            known.path,
            time=scribe.stamp,
            number=known.number,
            content_hash=hash_on_disk(scribe, known.path),
        )
        scribe.place(known.path)
        if (left := scribe.find(str(known.number))) is not None and left.state != "gone":
            outcome.note("not_indexed", path=known.path)
        _tell_superseded(scribe, outcome, known.supersedes)
        _remind(scribe, outcome)
    return outcome.answer()


def _tell_superseded(scribe: Scribe, outcome: Outcome, numbers: Sequence[int]) -> None:
    """Name what the deleted card superseded: hidden still where its own file says so, else seen again."""
    surface = scribe.call.surface
    found = [known for number in numbers if (known := scribe.find(str(number))) is not None]
    hidden = [known.number for known in found if known.state == "superseded" and known.is_in_vault]
    shown = [known.number for known in found if known.is_live]
    if hidden:
        undo = surface.call("memory_update", hidden[0], revive=True)
        outcome.note("still_hidden", cards=surface.ids(hidden), call=undo)
    if shown:
        outcome.note("seen_again", cards=surface.ids(shown))


def _unchanged(scribe: Scribe, known: Known) -> Answer:
    outcome = Outcome(scribe.call, "unchanged", {"id": known.number, "path": known.path})
    entry = next((item for item in read_trash(scribe.vault) if item.original == known.path), None)
    outcome.fields["trash"] = entry.path if entry else ""
    outcome.note("deleted_before", card=scribe.call.surface.id(known.number))
    return outcome.answer()


def _remind(scribe: Scribe, outcome: Outcome) -> None:
    count = sum(1 for item in read_trash(scribe.vault) if item.reason == DELETED)
    if count >= REMINDER_FROM:
        surface = scribe.call.surface
        command = "frugal-memory vault purge --older-than 30d"
        if surface.shell:
            command = surface.call("vault_purge", older_than="30d")
        outcome.note("trash_reminder", count=count, command=command)
