"""Events as lines in the reader's language: neutral codes become words."""

from collections.abc import Mapping
from typing import cast

from frugal.api import Surface, one_line
from frugal_modes.notebook.journal import NO_SUCCESSOR
from frugal_modes.notebook.moments import Moments
from frugal_modes.notebook.rowids import EVENT, LETTER_OF_EVENT, row_list, row_prefix
from frugal_modes.notebook.sheetdata import Event
from frugal_modes.notebook.vocabulary import STATUSES, VERDICTS, of_code

SHORT_CHARACTERS = 200


def rows_of(event: Event) -> tuple[str, list[int]]:
    """Return letter and numbers of the rows that *event* wrote, none for other events."""
    letter = LETTER_OF_EVENT.get(event.type, "")
    details = event.details
    if event.type == "measurements":
        return letter, list(range(cast(int, details["first"]), cast(int, details["last"]) + 1))
    return letter, [cast(int, details["row"])] if letter else []


def rows_written(event: Event, surface: Surface) -> str:
    """Return the ids of the rows that *event* wrote, "" for other events."""
    letter, numbers = rows_of(event)
    return row_list(letter, numbers, row_prefix(surface)) if numbers else ""


def superseded_note(event: Event | None, surface: Surface, moments: Moments) -> str:
    """Return `superseded by m5, 2026-11-30 14:05` for a row that *event* superseded."""
    if event is None:
        return surface.text("words.superseded")
    by = rows_written(event, surface) or one_line(event.text, 60)
    stamp = moments.shown(event.at)
    return surface.text("sheet.superseded_by", by=by or "-", stamp=stamp)


def event_line(event: Event, surface: Surface, moments: Moments, *, is_full: bool) -> str:
    """Return one event on one line, but for the note and the reason, which go on as written when *is_full*."""
    head = f"{row_prefix(surface)}{EVENT}{event.number} {moments.shown(event.at)}"
    parts = [head, _told(event, surface)]
    for key, text in (("", event.text), ("history.reason", event.reason)):
        if text:
            shown = text if is_full else one_line(" ".join(text.split()), SHORT_CHARACTERS)
            parts.append(surface.text(key, reason=shown) if key else shown)
    return " ".join(part for part in parts if part)


def _told(event: Event, surface: Surface) -> str:
    details = event.details
    key = f"history.{event.type}"
    if event.type == "status":
        return _status(details, surface)
    if event.type in LETTER_OF_EVENT:
        return _rows(event, surface)
    if event.type == "criterion":
        timing = str(details["timing"])
        told = surface.text(key, version=details["version"])
        return told if timing == "before" else f"{told} ({surface.text(f'timing.{timing}')})"
    if event.type == "erased":
        field = surface.text(f"fields.{details['field']}")
        return surface.text(key, row=details["row"], field=field)
    return surface.text(key, **_all_fields(details))


def _all_fields(details: Mapping[str, object]) -> dict[str, object]:
    """Return *details* under names that a template may use."""
    fields = {"from": "old", "to": "new", "key": "series"}
    return {fields.get(name, name): value for name, value in details.items()}


def _status(details: Mapping[str, object], surface: Surface) -> str:
    old = of_code(STATUSES, str(details["from"])).shown(surface.language)
    new = of_code(STATUSES, str(details["to"])).shown(surface.language)
    if was := details.get("was"):
        return told_successor(surface, "history", str(was), str(details["successor"]))
    if old == new:
        told = surface.text("history.status_same", status=new)
    else:
        told = surface.text("history.status", old=old, new=new)
    if successor := details.get("successor"):
        told += surface.text("history.successor", series=successor)
    return told


def told_successor(surface: Surface, table: str, was: str, new: str) -> str:
    """Return that a superseded series has another successor than before; *table* is `history` or `edit`."""
    key = "successor_named" if was == NO_SUCCESSOR else "successor_changed"
    fields = {"new": new} if was == NO_SUCCESSOR else {"old": was, "new": new}
    return surface.text(f"{table}.{key}", **fields)


def _rows(event: Event, surface: Surface) -> str:
    told = surface.text(f"history.{event.type}", ids=rows_written(event, surface))
    if verdict := event.details.get("verdict"):
        told += f" {of_code(VERDICTS, str(verdict)).shown(surface.language)}"
    old = cast(list[int], event.details.get("supersedes", []))
    if old:
        ids = row_list(LETTER_OF_EVENT[event.type], old, row_prefix(surface))
        told += surface.text("history.supersedes", ids=ids)
    return told
