"""erase: the text of an entry is removed for good. A dated stub stays, with the id and the log.

For what must not lie in the file, a credential above all. Everything else is done by superseding, which only hides.
"""

from collections.abc import Sequence

from frugal import paths
from frugal.call import Call
from frugal.entries import learned, storage
from frugal.entries.lines import id_list
from frugal.entries.storage import Entry
from frugal.model import Answer, resolve
from frugal.search import compact
from frugal.store import Connection, backups_holding
from frugal.surface import Surface
from frugal.text import credentials
from frugal.text.normalise import fold_tag, identity_hash

IDS_CHARACTERS = 400

STUB = "--- {date} ---"
"""What is left of a text, in no language; lines say in words what happened."""


def erase(call: Call, *, ids: tuple[int, ...]) -> Answer:
    """Remove the texts, titles and search words of *ids* from the file, its index and its log; name old backups."""
    with call.store.write() as db:
        entries = storage.fetch(db, ids)
        texts = dict(storage.texts_of(db, [entry.id for entry in entries.values() if not entry.erased_at]))
        for entry_id in texts:
            _erase_one(call, db, entries[entry_id])
        if texts:
            compact(db)
    # Also for what was erased before: that run may have been killed before it came here.
    is_log_empty = call.store.scrub() if entries else True
    holding, unreadable = backups_holding(call.store.path, texts.values())
    surface = call.surface
    before = [entry_id for entry_id in entries if entry_id not in texts]
    unknown = [entry_id for entry_id in ids if entry_id not in entries]
    lines = [
        *_ids_line(surface, "erase.done", list(texts)),
        *_ids_line(surface, "erase.before", before),
        *_ids_line(surface, "show.unknown", unknown),
        *([] if is_log_empty else [surface.text("erase.log_kept")]),
    ]
    shown = [paths.shown(path) for path in holding]
    shown += [surface.text("erase.backup_unreadable", path=paths.shown(path)) for path in unreadable]
    if shown:
        lines += [surface.text("erase.backups"), *shown]
    elif texts:
        lines.append(surface.text("erase.no_backups"))
    return Answer(
        "\n".join(lines),
        items=tuple({"id": entry_id} for entry_id in texts),
        counts={
            "before": before,
            "unknown": unknown,
            "backups": [str(path) for path in (*holding, *unreadable)],
        },
        is_empty=not entries,
    )


def _ids_line(surface: Surface, key: str, ids: Sequence[int]) -> list[str]:
    return [surface.text(key, ids=id_list(ids, surface, IDS_CHARACTERS))] if ids else []


OVERWRITE = """
    UPDATE entry SET text = :stub, title = :stub, also = '', identity = :identity WHERE id = :id
"""
HIDE = "UPDATE entry_state SET live = 0 WHERE entry_id = :id"
BLANK_SUBJECT = "UPDATE memo SET subject = '' WHERE id = :memo"


def _erase_one(call: Call, db: Connection, entry: Entry) -> None:
    """Overwrite one entry and everything that repeats its text, inside the transaction *db*."""
    stub = STUB.format(date=call.stamp()[:10])
    db.execute(OVERWRITE, {"id": entry.id, "stub": stub, "identity": identity_hash(stub)})
    db.execute(HIDE, {"id": entry.id})
    if entry.piece is not None:
        db.execute(BLANK_SUBJECT, {"memo": entry.piece.memo})
    for tag in entry.tags:
        if credentials.scan(tag):
            _drop_tag(db, entry.id, tag)
    learned.PAIRS.forget(db, [entry.id])
    if hook := call.mode.entry_rules.erase_hook:
        resolve(hook)(call, db, entry.id)
    storage.log(db, entry.id, "erased", at=call.stamp())
    storage.reindex(db, storage.fetch(db, [entry.id])[entry.id])


DROP_TAG = "DELETE FROM entry_tag WHERE entry_id = :id AND folded = :folded"
DROP_UNUSED_TAG = """
    DELETE FROM tag_directory
    WHERE folded = :folded AND NOT EXISTS (SELECT 1 FROM entry_tag WHERE entry_tag.folded = :folded)
"""
FORGET_SITTING_TAGS = """
    UPDATE sitting SET tags_key = '' WHERE id = (SELECT sitting_id FROM entry WHERE id = :id)
"""
REDACT_EVENTS = "UPDATE event SET detail = NULL WHERE entry_id = :id AND action = 'tags'"


def _drop_tag(db: Connection, entry_id: int, tag: str) -> None:
    """Take a tag that is itself a likely credential off an entry, and out of all that repeats it."""
    key = {"id": entry_id, "folded": fold_tag(tag)}
    db.execute(DROP_TAG, key)
    db.execute(DROP_UNUSED_TAG, {"folded": key["folded"]})
    db.execute(FORGET_SITTING_TAGS, {"id": entry_id})
    db.execute(REDACT_EVENTS, {"id": entry_id})
