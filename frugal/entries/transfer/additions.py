"""What an entry that both files have takes from the other one: tags, search words, a kind it lacks, its state."""

from collections.abc import Sequence

from frugal.call import Call
from frugal.entries import storage
from frugal.entries.remember import ALSO_CHARACTERS, SEPARATOR
from frugal.entries.storage import Entry
from frugal.entries.transfer.parse import EntryRow
from frugal.entries.transfer.report import Differing, Report
from frugal.model import NO_KIND
from frugal.store import Connection
from frugal.text.normalise import fold_tag


def add_to(call: Call, db: Connection, row: EntryRow, entry_id: int, report: Report) -> None:
    """Add to the entry *entry_id* what *row*, the same entry of the other file, has beside it."""
    before = storage.fetch(db, [entry_id])[entry_id]
    has_new_tags = _add_tags(call, db, row.tags, before)
    has_new_words = _add_search_words(call, db, row.also, before, report)
    _settle_kind(db, row, before, report)
    _count(db, row, entry_id)
    if has_new_tags:
        report.tagged.append(entry_id)
    if has_new_tags or has_new_words:
        storage.reindex(db, storage.fetch(db, [entry_id])[entry_id])


LAST_POSITION = "SELECT max(position) FROM entry_tag WHERE entry_id = :id"


def _add_tags(call: Call, db: Connection, tags: Sequence[str], entry: Entry) -> bool:
    known = {fold_tag(tag) for tag in entry.tags}
    missing = storage.known_spellings(db, [tag for tag in tags if fold_tag(tag) not in known])
    if not missing:
        return False
    last = db.execute(LAST_POSITION, {"id": entry.id}).fetchone()[0]
    storage.write_tags(db, entry.id, missing, start=0 if last is None else last + 1)
    storage.log(db, entry.id, "tags", at=call.stamp(), detail=" ".join(missing))
    return True


def _add_search_words(call: Call, db: Connection, also: str, entry: Entry, report: Report) -> bool:
    known = entry.also.split(SEPARATOR) if entry.also else []
    missing = [words for words in also.split(SEPARATOR) if words and words not in known]
    united = SEPARATOR.join([*known, *missing])
    if not missing:
        return False
    if len(united) > ALSO_CHARACTERS:
        report.without_words.append(entry.id)
        return False
    storage.set_also(db, entry.id, united, at=call.stamp())
    return True


def _settle_kind(db: Connection, row: EntryRow, entry: Entry, report: Report) -> None:
    """Take their kind where ours has none; of two kinds ours stays."""
    if row.kind in (entry.kind, NO_KIND.stored):
        return
    if entry.kind != NO_KIND.stored:
        report.differing.append(Differing(entry.id, entry.kind, row.kind))
        return
    storage.set_kind(db, entry.id, row.kind, at=row.kind_at or row.created_at)
    report.classified.append(entry.id)


COUNT = """
    UPDATE entry_state SET times_stored = :times WHERE entry_id = :id AND times_stored < :times
"""


def _count(db: Connection, row: EntryRow, entry_id: int) -> None:
    """Keep the larger count: their sum would grow with every merge."""
    db.execute(COUNT, {"id": entry_id, "times": row.times_stored})


def set_state(db: Connection, entry_id: int, is_live: bool, report: Report) -> None:
    """Hide an entry or bring it back, as its united log has it; two live entries never have the same text."""
    if is_live and storage.find_identical(db, storage.texts_of(db, [entry_id])[entry_id])[0] is not None:
        return
    storage.write_live(db, entry_id, is_live=is_live)
    (report.restored if is_live else report.superseded).append(entry_id)
