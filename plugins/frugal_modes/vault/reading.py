"""memory_get: one card, a window of its text; what is wrong with it comes first."""

import json
from dataclasses import replace
from pathlib import Path

from frugal.api import Answer, Call, Connection, Refusal, StoreBusy, echo, one_line
from frugal_modes.vault import forks, freshness, learned, shelf
from frugal_modes.vault.cardtext import read_card
from frugal_modes.vault.hits import Row, rows_of
from frugal_modes.vault.kinds import kind_of_path
from frugal_modes.vault.moments import to_stamp
from frugal_modes.vault.reading_forms import Clamped
from frugal_modes.vault.reading_text import Shown, Window, counts_of, fitted, item_of, say
from frugal_modes.vault.secrecy import masked
from frugal_modes.vault.shelf import Known
from frugal_modes.vault.trash import read_trash
from frugal_modes.vault.visible import milliseconds

WINDOW_CHARACTERS = 20_000
DELETED = "delete"
COUNT_WAIT_S = 0.1


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
    text, window = fitted(call, shown, window, full=full)
    if known.state != "gone":
        _count_read(call, known)
        learned.note_get(call, known.number, shown.tags)
    return Answer(text, items=(item_of(shown),), counts=counts_of(shown, window))


SHOWN_NAMESAKES = 5


def _find(call: Call, reference: str) -> Known:
    with call.store.read() as db:
        known = shelf.find(db, reference, at=call.clock())
        named = (known,) if known else shelf.called(db, reference.strip(), at=call.clock())
    if len(named) == 1:
        return named[0]
    surface, value = call.surface, echo(masked(reference))
    if not named:
        tool = surface.tool_word("memory_search")
        raise Refusal("card_unnamed", parameter="id", value=value, tool=tool)
    cards = [f"{surface.id(card.number)} {echo(masked(card.ref))}" for card in named[:SHOWN_NAMESAKES]]
    cards += ["..."] if len(named) > SHOWN_NAMESAKES else []
    raise Refusal("card_ambiguous", parameter="id", value=value, count=len(named), cards=", ".join(cards))


COPIES = """
    SELECT source.name, card.native_id FROM card JOIN source ON source.id = card.source
    JOIN unit ON unit.id = card.unit
    WHERE card.body_hash = :hash AND card.number <> :number AND unit.is_missing = 0
        AND source.state NOT IN ('detached', 'removed')
    ORDER BY source.place, card.native_id LIMIT 20
"""
MORE = """
    SELECT card.line, card.member, card.status, card.secrets, card.metadata, coalesce(access.reads, 0)
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
            return replace(shown, warnings=(say(call, key), *shown.warnings))
    return shown


def _shown(call: Call, db: Connection, known: Known, row: Row) -> Shown:
    more = db.execute(MORE, {"number": known.number}).fetchone()
    line, member, status, secrets, metadata, reads = more
    return Shown(
        known,
        title=row.title,
        body=row.body,
        kind=row.kind,
        agent=row.agent,
        status=status,
        tags=row.tags,
        created=row.created,
        updated=row.updated,
        expires=row.expires,
        invalid_at=row.invalid_at,
        reads=reads,
        line=line,
        member=member,
        secrets=tuple(json.loads(secrets)),
        copies=(*_copies(db, known.number, row), *row.also),
        is_foreign_instruction=row.kind == "instruction",
        state=row.state or ("unreachable" if row.source_state == "unreachable" else ""),
        warnings=_warnings(call, db, known, row),
        metadata=tuple((key, value) for key, value in json.loads(metadata)),
    )


def _copies(db: Connection, number: int, row: Row) -> list[str]:
    """Return the refs of other cards with the same text; an empty one has no copies."""
    if not row.body.strip():
        return []
    found = db.execute(COPIES, {"hash": row.body_hash, "number": number})
    return [f"{source}:{native_id}" for source, native_id in found]


def _warnings(call: Call, db: Connection, known: Known, row: Row) -> tuple[str, ...]:
    """Return what makes the card stale, in words."""
    found: list[str] = []
    if row.state == "superseded" and known.successor is not None:
        end = shelf.chain_end(db, known.number, at=call.clock())
        card = call.surface.id(end.number)
        found.append(say(call, "superseded_by", card=card, path=one_line(masked(end.path), 200)))
    elif row.state:
        since = {"expired": row.expires, "invalid": row.invalid_at, "superseded": row.invalid_at}
        state = call.surface.text(f"vault.states.{row.state}")
        found.append(say(call, "state", state=state, since=since.get(row.state, "") or "-"))
    found += forks.warnings(db, call.surface, known.number, at=call.clock())
    if row.source_state == "unreachable":
        found.append(say(call, "unreachable", source=row.source))
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
        title=found.title,
        body=found.body,
        kind=found.kind,
        agent=found.agent,
        status=found.status,
        tags=found.tags,
        created=found.created,
        updated=found.updated,
        expires=found.expires,
        invalid_at=found.invalid_at,
        state="trash",
        secrets=_classes(found.title, found.body),
        warnings=(say(call, "in_trash", since=since, undo=_undo(call, known)),),
    )


def _undo(call: Call, known: Known) -> str:
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
