"""restore: what lies in the trash goes back to where it came from."""

from pathlib import Path, PurePosixPath

from frugal.api import Answer, Call, Refusal
from frugal_modes.vault.outcome import SHOWN_CARDS, Outcome
from frugal_modes.vault.scribe import Scribe, hash_on_disk, writing
from frugal_modes.vault.secrecy import echoed, masked
from frugal_modes.vault.slugs import fold_name
from frugal_modes.vault.trash import TRASH, Trashed, put_away, read_trash
from frugal_modes.vault.writing import move


def restore(call: Call, *, which: str, force: bool) -> Answer:
    """Put the newest copy of a card back; *which* is its id, its path, or the path of the copy in the trash."""
    with writing(call) as scribe:
        return bring_back(scribe, which, force=force)


def bring_back(scribe: Scribe, which: str, *, force: bool) -> Answer:
    """Put a copy back; raise `Refusal` if there is none, its place is taken or lies outside the vault."""
    call = scribe.call
    copies = copies_of(scribe, which)
    if not copies:
        raise Refusal("not_in_trash", value=echoed(which))
    chosen, others = copies[0], copies[1:]
    target = inside(scribe.vault, chosen.original)
    if target is None or inside(scribe.vault, chosen.path, is_trash=True) is None:
        raise Refusal("restore_outside", path=masked(chosen.original))
    occupant = _occupant(target)
    outcome = Outcome(call, "restored")
    if occupant is not None:
        if not force:
            raise Refusal("place_taken", path=masked(chosen.original), trash=masked(chosen.path))
        outcome.note("occupant_trashed", path=_trash_occupant(scribe, occupant))
    try:
        move(scribe.vault / chosen.path, target)
    except FileExistsError:
        raise Refusal("place_taken", path=masked(chosen.original), trash=masked(chosen.path)) from None
    outcome.card(scribe.place(chosen.original), chosen.original)
    outcome.fields["trash"] = chosen.path
    if others:
        shown = ", ".join(f"{item.path} ({item.reason} {item.time or '?'})" for item in others[:SHOWN_CARDS])
        outcome.note("other_copies", count=len(others), copies=shown)
    return outcome.answer()


def copies_of(scribe: Scribe, which: str) -> list[Trashed]:
    """Return what in the trash *which* names, newest first: one copy by its path there, all of a card by id or path."""
    entries = read_trash(scribe.vault)
    wanted = which.strip().replace("\\", "/").removeprefix("./")
    if exact := [item for item in entries if item.path == wanted]:
        return exact
    known = scribe.find(which)
    if known is not None and known.is_in_vault:
        return [item for item in entries if item.original == known.path or item.number == known.number]
    return [item for item in entries if item.original == wanted]


def inside(vault: Path, path: str, *, is_trash: bool = False) -> Path | None:
    """Return where *path* lies if that is in the vault, outside its trash (or with *is_trash* inside); else None."""
    root = vault.resolve()
    target = (root / path).resolve()
    if not target.is_relative_to(root) or target == root or ".." in PurePosixPath(path).parts:
        return None
    parts = target.relative_to(root).parts
    return target if (parts[0].casefold() == TRASH) == is_trash else None


def _occupant(target: Path) -> Path | None:
    """Return the file that has the name of *target* already, in any case."""
    if not target.parent.is_dir():
        return None
    wanted = fold_name(target.name)
    return next((item for item in sorted(target.parent.iterdir()) if fold_name(item.name) == wanted), None)


def _trash_occupant(scribe: Scribe, occupant: Path) -> str:
    path = occupant.relative_to(scribe.vault.resolve()).as_posix()
    known = scribe.find(path)
    number = known.number if known and known.is_in_vault else 0
    return put_away(
        scribe.vault, path, time=scribe.stamp, number=number, content_hash=hash_on_disk(scribe, path)
    )
