"""Entries under one bold headline: two texts about the same thing, however little their words have in common."""

import json
from collections.abc import Collection

from frugal.store import Connection
from frugal.text.titles import title

MARKS = ("**", "__")
NEWEST = 20
"""Of so many entries under one headline, superseded ones among them, the newest live one is looked for."""

# The condition on the text is that of the index; without it SQLite would read every entry.
SAME_HEADLINE = """
    SELECT twin.id FROM (
        SELECT id FROM entry
        WHERE title = :title AND substr(text, 1, 2) IN ('**', '__')
        ORDER BY id DESC LIMIT :newest
    ) twin JOIN entry_state state ON state.entry_id = twin.id
    WHERE state.live = 1 AND twin.id NOT IN (SELECT value FROM json_each(:left_out))
    ORDER BY twin.id DESC LIMIT 1
"""


def same_headline(db: Connection, text: str, left_out: Collection[int]) -> int | None:
    """Return the newest live entry, but for *left_out*, under the bold headline with which *text* begins."""
    if not text.startswith(MARKS):
        return None
    values = {"title": title(text), "newest": NEWEST, "left_out": json.dumps(sorted(left_out))}
    row = db.execute(SAME_HEADLINE, values).fetchone()
    return None if row is None else int(row[0])
