"""Whether what is derived from the entries is what it would be today: counts, and some entries recomputed."""

import json

from frugal.model import Agreement
from frugal.search import Document
from frugal.search.sampling import count_indexed, out_of_step
from frugal.store import Connection
from frugal.text.normalise import fold_tag, identity_hash
from frugal.text.titles import title

COUNTS = "SELECT (SELECT count(*) FROM entry), (SELECT count(*) FROM entry_state)"
IDS = "SELECT entry_id FROM entry_state ORDER BY entry_id"
ENTRIES = """
    SELECT entry.id, entry.text, entry.title, entry.also, entry.identity, entry.sitting_id, entry_state.live
    FROM entry JOIN entry_state ON entry_state.entry_id = entry.id
    WHERE entry.id IN (SELECT value FROM json_each(:ids)) ORDER BY entry.id
"""
TAGS = """
    SELECT entry_id, spelling, folded FROM entry_tag
    WHERE entry_id IN (SELECT value FROM json_each(:ids)) ORDER BY entry_id, position
"""


def examine(db: Connection, most: int) -> Agreement:
    """Return how well title, identity, tags and index agree with the texts of at most *most* entries, spread evenly."""
    entries, states = db.execute(COUNTS).fetchone()
    indexed = count_indexed(db) if entries == states else None
    ids = _spread([row[0] for row in db.execute(IDS)], most)
    asked = {"ids": json.dumps(ids)}
    tags: dict[int, list[str]] = {}
    wrong: set[int] = set()
    for entry_id, spelling, folded in db.execute(TAGS, asked):
        tags.setdefault(entry_id, []).append(spelling)
        if folded != fold_tag(spelling):
            wrong.add(entry_id)
    documents: list[Document] = []
    for entry_id, text, head, also, identity, sitting, live in db.execute(ENTRIES, asked):
        right = title(text)
        own = tuple(tags.get(entry_id, ()))
        documents.append(Document(entry_id, right, text, own, also, sitting, bool(live)))
        if (head, identity) != (right, identity_hash(text)):
            wrong.add(entry_id)
    differing = sorted(wrong | set(out_of_step(db, documents)))
    return Agreement(entries, indexed, len(documents), tuple(f"#{number}" for number in differing))


def _spread(ids: list[int], most: int) -> list[int]:
    """Return at most *most* of *ids*, the first and the last among them."""
    if len(ids) <= most:
        return ids
    return [ids[place * (len(ids) - 1) // (most - 1)] for place in range(most)]
