"""memory_get: one card, a window of its text; what is wrong with it comes first."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from frugal.api import Answer, Call, Connection, Refusal, Room, StoreBusy, cost, cut, echo, one_line
from frugal_modes.vault import freshness, learned, shelf
from frugal_modes.vault.cardtext import read_card
from frugal_modes.vault.hits import Row, rows_of
from frugal_modes.vault.kinds import kind_of_path
from frugal_modes.vault.moments import to_stamp
from frugal_modes.vault.reading_forms import Clamped
from frugal_modes.vault.secrecy import masked
from frugal_modes.vault.shelf import Known
from frugal_modes.vault.tools_reading import get_cap
from frugal_modes.vault.trash import Trashed, read_trash
from frugal_modes.vault.visible import milliseconds

WINDOW_CHARACTERS = 20_000
SHOWN_TAGS = 30
LEAST_MARKER = 8
DELETED = "delete"
COUNT_WAIT_S = 0.1


@dataclass(frozen=True)
class Shown:
    """Everything that is told of one card. *secrets* are classes of likely credentials in it."""

    known: Known
    title: str
    body: str
    kind: str
    agent: str = ""
    status: str = ""
    tags: tuple[str, ...] = ()
    created: str = ""
    updated: str = ""
    expires: str = ""
    invalid_at: str = ""
    reads: int = 0
    last_read: str = ""
    line: int = 0
    member: str = ""
    secrets: tuple[str, ...] = ()
    copies: tuple[str, ...] = ()
    is_foreign_instruction: bool = False
    state: str = ""
    warnings: tuple[str, ...] = ()
    metadata: tuple[tuple[str, str], ...] = field(default=())


@dataclass(frozen=True)
class Window:
    """A stretch of the body: *text* from *offset* on; *next_offset* is None at the end."""

    text: str
    offset: int
    length: int

    @property
    def next_offset(self) -> int | None:
        """Where the next window begins."""
        end = self.offset + len(self.text)
        return end if end < self.length else None


def memory_get(
    call: Call,
    *,
    id: str,  # noqa: A002  # what a client calls it
    offset: Clamped | None,
    max_chars: Clamped | None,
    full: bool,  # the tool's own word
) -> Answer:
    """Return the card *id*: a stale warning first, what it is, then a window of its text between marker lines."""
    shelf.refresh(call)
    known = _find(call, id)
    shown = _trashed(call, known) if known.state == "gone" else _stored(call, known)
    start = 0 if full or offset is None else min(offset.value, len(shown.body))
    most = WINDOW_CHARACTERS if max_chars is None else max_chars.value
    end = len(shown.body) if full or most <= 0 else min(start + most, len(shown.body))
    window = Window(shown.body[start:end], start, len(shown.body))
    text, window = _fitted(call, shown, window, full=full)
    if known.state != "gone":
        _count_read(call, known)
        learned.note_get(call, known.number, shown.tags)
    return Answer(text, items=(_item(call, shown),), counts=_counts(call, shown, window))


def _find(call: Call, reference: str) -> Known:
    with call.store.read() as db:
        known = shelf.find(db, reference, at=call.clock())
    if known is None:
        tool = call.surface.tool_name("memory_search")
        raise Refusal("card_unknown", parameter="id", value=echo(masked(reference)), tool=tool)
    return known


COPIES = """
    SELECT source.name, card.native_id FROM card JOIN source ON source.id = card.source
    JOIN unit ON unit.id = card.unit
    WHERE card.body_hash = :hash AND card.number <> :number AND unit.is_missing = 0
        AND source.state NOT IN ('detached', 'removed')
    ORDER BY source.place, card.native_id LIMIT 20
"""
MORE = """
    SELECT card.line, card.member, card.status, card.secrets, card.metadata,
        coalesce(access.reads, 0), coalesce(access.last_read, '')
    FROM card LEFT JOIN access ON access.source = card.source AND access.native_id = card.native_id
    WHERE card.number = :number
"""


def _stored(call: Call, known: Known) -> Shown:
    """Return the card as the index has it, after its file was looked at once more."""
    for attempt in range(3):
        with call.store.read() as db:
            row = rows_of(db, [known.number], at=milliseconds(call.clock())).get(known.number)
            if row is None:
                return _trashed(call, replace(known, state="gone"))
            changed = freshness.differing(db, [row.unit])
            shown = _shown(call, db, known, row)
        if not changed:
            return shown
        if call.is_guest or attempt == 2 or not freshness.renew(call, changed):
            key = "vanished" if row.unit in changed.gone else "changed"
            return replace(shown, warnings=(_say(call, key), *shown.warnings))
    return shown


def _shown(call: Call, db: Connection, known: Known, row: Row) -> Shown:
    line, member, status, secrets, metadata, reads, last_read = db.execute(
        MORE, {"number": known.number}
    ).fetchone()
    copies = (
        [
            f"{source}:{native_id}"
            for source, native_id in db.execute(COPIES, {"hash": row.body_hash, "number": known.number})
        ]
        if row.body.strip()
        else []
    )
    return Shown(
        known,
        row.title,
        row.body,
        row.kind,
        row.agent,
        status,
        row.tags,
        row.created,
        row.updated,
        row.expires,
        row.invalid_at,
        reads,
        last_read,
        line,
        member,
        tuple(json.loads(secrets)),
        (*copies, *row.also),
        row.kind == "instruction",
        row.state or ("unreachable" if row.source_state == "unreachable" else ""),
        _warnings(call, db, known, row),
        tuple((key, value) for key, value in json.loads(metadata)),
    )


def _say(call: Call, key: str, /, **fields: object) -> str:
    return call.surface.text(f"vault.get.{key}", **fields)


def _warnings(call: Call, db: Connection, known: Known, row: Row) -> tuple[str, ...]:
    """Return what makes the card stale, in words."""
    found: list[str] = []
    if row.state == "superseded" and known.successor is not None:
        end = shelf.chain_end(db, known.number, at=call.clock())
        card = call.surface.id(end.number)
        found.append(_say(call, "superseded_by", card=card, path=one_line(masked(end.path), 200)))
    elif row.state:
        since = {"expired": row.expires, "invalid": row.invalid_at, "superseded": row.invalid_at}
        state = call.surface.text(f"vault.states.{row.state}")
        found.append(_say(call, "state", state=state, since=since.get(row.state, "") or "-"))
    if row.source_state == "unreachable":
        found.append(_say(call, "unreachable", source=row.source))
    return tuple(found)


def _trashed(call: Call, known: Known) -> Shown:
    """Return the newest copy of a deleted card from the trash; raise `Refusal` if there is none."""
    from frugal_modes.vault.places import places_of

    vault = places_of(call.settings).vault.path
    copies = [
        item
        for item in (read_trash(vault) if known.is_in_vault else ())
        if item.number == known.number or (item.original == known.path and not item.number)
    ]
    chosen = next((item for item in copies if item.reason == DELETED), copies[0] if copies else None)
    card = call.surface.id(known.number)
    text = _text_of(vault / chosen.path) if chosen else None
    if chosen is None or text is None:
        raise Refusal("card_without_file", card=card, path=masked(known.path))
    found = read_card(text, path=known.path, kind=kind_of_path(known.path)).cards[0]
    since = chosen.time or "-"
    return Shown(
        known,
        found.title,
        found.body,
        found.kind,
        found.agent,
        found.status,
        found.tags,
        found.created,
        found.updated,
        found.expires,
        found.invalid_at,
        state="trash",
        secrets=_classes(found.title, found.body),
        warnings=(_say(call, "in_trash", since=since, undo=_undo(call, known, chosen)),),
    )


def _undo(call: Call, known: Known, _copy: Trashed) -> str:
    if call.is_guest or call.surface.find_tool(call.surface.tool_name("memory_delete")) is None:
        return "-"
    return call.surface.call("memory_delete", str(known.number), undo=True)


def _text_of(path: Path) -> str | None:
    try:
        return path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return None


def _classes(*texts: str) -> tuple[str, ...]:
    from frugal.api import scan_credentials

    return tuple(dict.fromkeys(found.kind for text in texts for found in scan_credentials(text)))


COUNT_READ = """
    INSERT INTO access (source, native_id, reads, last_read)
    SELECT source, native_id, 1, :at FROM card WHERE number = :number
    ON CONFLICT (source, native_id) DO UPDATE SET reads = reads + 1, last_read = excluded.last_read
"""


def _count_read(call: Call, known: Known) -> None:
    """Count this read; a guest's is none. Nobody waits for a lock: then it is counted behind a later answer."""
    if call.is_guest or not call.store.is_writable():
        return
    at = to_stamp(call.clock())

    def job(wait_s: float = 0.0) -> None:
        with call.store.write(wait_s=wait_s) as db:
            db.execute(COUNT_READ, {"number": known.number, "at": at})

    try:
        job(COUNT_WAIT_S)
    except StoreBusy:
        call.later(job)


# --- the text ---


def _fitted(call: Call, shown: Shown, window: Window, *, full: bool) -> tuple[str, Window]:
    """Return the answer with as much of *window* as the cap allows, and that window."""
    room = Room(get_cap({"full": full}))
    head, last = _head(call, shown), _last(call, shown.body, 10**9, 10**9)
    frame = "\n".join(
        [*head, _span(call, Window("", 10**9, 10**9)), *_markers(call, shown, window.text), last, ""]
    )
    kept = cut(window.text, room.less(cost(frame)))
    window = Window(kept, window.offset, window.length)
    start, end = _markers(call, shown, kept)
    lines = [*head, _span(call, window), start, kept, end]
    if window.next_offset is not None:
        lines.append(_last(call, shown.body, window.length - window.next_offset, window.next_offset))
    return "\n".join(lines), window


def _last(call: Call, _body: str, count: int, next_offset: int) -> str:
    return _say(call, "more", count=count, next_offset=next_offset)


def _span(call: Call, window: Window) -> str:
    end = window.offset + len(window.text)
    return _say(call, "window", start=window.offset, end=end, length=window.length)


def _markers(call: Call, shown: Shown, text: str) -> tuple[str, str]:
    """Return the lines around a text, longer than any row of the same sign at the beginning of a line in it."""
    size = LEAST_MARKER
    for line in text.splitlines():
        size = max(size, len(line) - len(line.lstrip("=")) + 1)
    rule = "=" * min(size, 200)
    origin = f"{call.surface.id(shown.known.number)} {one_line(masked(shown.known.ref), 200)}"
    key = "begin_foreign" if shown.is_foreign_instruction else "begin"
    return f"{rule} {_say(call, key, origin=origin)}", f"{rule} {_say(call, 'end', origin=origin)}"


def _head(call: Call, shown: Shown) -> list[str]:
    surface = call.surface
    place = f":{shown.line}" if shown.line else ""
    member = f" ({one_line(shown.member, 100)})" if shown.member else ""
    first = f"{surface.id(shown.known.number)} {one_line(masked(shown.title), 200)}"
    parts = [
        f"{one_line(masked(shown.known.ref), 300)}{place}{member}",
        _named(call, "kind", shown.kind),
        _named(call, "agent", masked(shown.agent)),
        _named(call, "status", shown.status),
        _named(call, "tags", _tags(shown.tags)),
    ]
    dates = [
        _named(call, name, getattr(shown, name)) for name in ("created", "updated", "expires", "invalid_at")
    ]
    counts = [_named(call, "reads", str(shown.reads)), _named(call, "length", str(len(shown.body)))]
    copies = ", ".join(one_line(masked(ref), 200) for ref in shown.copies[:5])
    lines = [*shown.warnings, first, " · ".join(part for part in parts if part)]
    lines.append(" · ".join(part for part in [*dates, *counts, _named(call, "copies", copies)] if part))
    if shown.secrets:
        lines.append(_say(call, "secrets", classes=", ".join(shown.secrets)))
    return lines


def _named(call: Call, name: str, value: str) -> str:
    return _say(call, name, value=one_line(value, 600)) if value else ""


def _tags(tags: Sequence[str]) -> str:
    shown = ", ".join(masked(tag) for tag in tags[:SHOWN_TAGS])
    return f"{shown}, +{len(tags) - SHOWN_TAGS}" if len(tags) > SHOWN_TAGS else shown


# --- for `--json` ---


def _item(call: Call, shown: Shown) -> dict[str, object]:
    known = shown.known
    return {
        "id": known.number,
        "ref": masked(known.ref),
        "path": masked(known.path),
        "title": masked(shown.title),
        "kind": shown.kind,
        "source": known.source,
        "agent": masked(shown.agent),
        "status": shown.status,
        "tags": [masked(tag) for tag in shown.tags],
        "created": shown.created,
        "updated": shown.updated,
        "invalid_at": shown.invalid_at,
        "expires_at": shown.expires,
        "state": shown.state,
        "superseded_by": known.successor,
        "supersedes": list(known.supersedes),
        "reads": shown.reads,
        "copies": [masked(ref) for ref in shown.copies],
        "secrets": list(shown.secrets),
        "line": shown.line,
        "metadata": dict(shown.metadata),
    }


def _counts(call: Call, shown: Shown, window: Window) -> dict[str, object]:
    return {
        **_item(call, shown),
        "text": window.text,
        "offset": window.offset,
        "length": window.length,
        "returned": len(window.text),
        "truncated": len(window.text) < window.length,
        "has_more": window.next_offset is not None,
        "next_offset": window.next_offset,
        "warnings": list(shown.warnings),
    }
