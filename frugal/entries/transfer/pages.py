"""Entries as Markdown: one file a tag, and in it each entry under front matter of its own.

An entry stands in the file of each of its tags. The front matter says how many characters follow, so that a text that
looks like front matter is no end of it.
"""

import json
from collections.abc import Iterator, Sequence

from frugal.call import Call
from frugal.entries import storage
from frugal.entries.storage import Entry
from frugal.entries.transfer.origins import shown_origin
from frugal.model import NO_KIND
from frugal.store import Connection
from frugal.surface import Surface
from frugal.text.filenames import file_names
from frugal.transfer import Page

ENTRIES_A_READ = 500

TAGGED = """
    SELECT entry_tag.folded, entry_tag.spelling, entry_tag.entry_id FROM entry_tag
    ORDER BY entry_tag.folded, entry_tag.entry_id
"""
UNTAGGED = """
    SELECT id FROM entry WHERE NOT EXISTS (SELECT 1 FROM entry_tag WHERE entry_tag.entry_id = entry.id) ORDER BY id
"""


def pages(call: Call, db: Connection) -> Iterator[Page]:
    """Yield a page for each tag, in the order of tags, the entries without a tag last; superseded ones included."""
    surface = call.surface
    spelled: dict[str, str] = {}
    groups: dict[str, list[int]] = {}
    for folded, spelling, entry_id in db.execute(TAGGED):
        spelled.setdefault(folded, spelling)
        groups.setdefault(folded, []).append(entry_id)
    untagged = [row[0] for row in db.execute(UNTAGGED)]
    names = file_names([*spelled.values(), surface.text("transfer.untagged")])
    for name, ids in zip(names, [*groups.values(), untagged], strict=True):
        if ids:
            yield Page(name, "".join(_blocks(db, ids, surface)), len(ids))


def _blocks(db: Connection, ids: Sequence[int], surface: Surface) -> Iterator[str]:
    for start in range(0, len(ids), ENTRIES_A_READ):
        batch = ids[start : start + ENTRIES_A_READ]
        entries = storage.fetch(db, batch)
        texts = storage.texts_of(db, batch)
        for entry_id in batch:
            text = texts[entry_id]
            yield f"{front_matter(entries[entry_id], len(text), surface)}\n{text}\n\n"


def front_matter(entry: Entry, characters: int, surface: Surface) -> str:
    """Return the YAML block above a text; keys are English, kinds in the language of the surface."""
    kind = surface.kinds.stored(entry.kind)
    lines = [f"id: {entry.id}", f"created: {_stamp(entry.created_at)}"]
    if kind is not NO_KIND:
        lines.append(f"kind: {surface.kind(kind)}")
    if entry.tags:
        lines.append(f"tags: [{', '.join(_quoted(tag) for tag in entry.tags)}]")
    if entry.also:
        lines.append(f"also: {_quoted(entry.also)}")
    if entry.evidence:
        lines.append(f"evidence: {_quoted(entry.evidence)}")
    if origin := shown_origin(entry.origin):
        lines.append(f"origin: {_quoted(origin)}")
    if entry.piece is not None:
        lines.append(f"part: {_quoted(f'{entry.piece.position}/{entry.piece.pieces}')}")
    lines += _hidden(entry)
    lines.append(f"characters: {characters}")
    return "\n".join(["---", *lines, "---", ""])


def _hidden(entry: Entry) -> list[str]:
    """Return when and why an entry was superseded or erased."""
    if entry.is_live:
        return []
    if entry.erased_at:
        return [f"erased: {_stamp(entry.erased_at)}"]
    why = entry.supersession
    if why is None:
        return ["superseded: true"]
    lines = [f"superseded: {_stamp(why.at)}"]
    if why.successor is not None:
        lines.append(f"superseded_by: {why.successor}")
    if why.reason:
        lines.append(f"reason: {_quoted(why.reason)}")
    return lines


def _stamp(stored: str) -> str:
    return f"{stored}Z"


def _quoted(text: str) -> str:
    """Return *text* as a double-quoted YAML scalar, which a JSON string is."""
    return json.dumps(text, ensure_ascii=False)
