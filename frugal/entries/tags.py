"""What the store knows about its tags: how many live entries each has, of which kinds, and how new they are."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from frugal.entries.forms import UNTAGGED
from frugal.model import NO_KIND, KindVocabulary
from frugal.search import Restriction
from frugal.store import Connection
from frugal.text.normalise import fold_tag

NEAR_TAGS = 8
NEAR_RATIO = 0.7


@dataclass(frozen=True)
class Tally:
    """A number of live entries: *name* is the tag as spelled ("" = none), *kinds* as stored with their counts.

    *newest* is the stamp of the newest entry, "" if there is none.
    """

    name: str
    kinds: tuple[tuple[str, int], ...]
    newest: str

    @property
    def count(self) -> int:
        """How many entries."""
        return sum(count for _, count in self.kinds)


# Whole columns, each in one piece: joined and grouped row by row the same takes SQLite three times as long.
TAGGED = (
    "SELECT folded, min(entry_id), json_group_array(entry_id) FROM entry_tag GROUP BY folded ORDER BY folded"
)
LIVE = "SELECT kind, json_group_array(entry_id) FROM entry_state WHERE live = 1 GROUP BY kind ORDER BY kind"
STAMPS = "SELECT json_group_array(id), json_group_array(created_at) FROM entry"
SPELLING = "SELECT spelling FROM entry_tag WHERE folded = :folded AND entry_id = :first"


def board(db: Connection) -> list[Tally]:
    """Return every tag of a live entry, most entries first, then by name; tags equal but for case are one."""
    kinds = {entry_id: kind for kind, ids in db.execute(LIVE) for entry_id in json.loads(ids)}
    stamps = dict(zip(*map(json.loads, db.execute(STAMPS).fetchone()), strict=True))
    rows: list[Tally] = []
    for folded, first, ids in db.execute(TAGGED).fetchall():
        live = [entry_id for entry_id in json.loads(ids) if entry_id in kinds]
        if live:
            counts = sorted(Counter(map(kinds.__getitem__, live)).items())
            spelling = db.execute(SPELLING, {"folded": folded, "first": first}).fetchone()[0]
            rows.append(Tally(spelling, tuple(counts), max(map(stamps.__getitem__, live))))
    return sorted(rows, key=lambda row: (-row.count, fold_tag(row.name)))


def _tally(name: str, group: Iterable[tuple[str, int, str]]) -> Tally:
    rows = list(group)
    kinds = tuple((kind, count) for kind, count, _ in rows)
    return Tally(name, kinds, max((newest for _, _, newest in rows), default=""))


UNTAGGED_TALLY = """
    SELECT entry_state.kind, count(*), max(entry.created_at)
    FROM entry_state JOIN entry ON entry.id = entry_state.entry_id
    WHERE entry_state.live = 1
      AND NOT EXISTS (SELECT 1 FROM entry_tag WHERE entry_tag.entry_id = entry_state.entry_id)
    GROUP BY entry_state.kind
"""


def untagged(db: Connection) -> Tally | None:
    """Return the live entries without a tag, None if there are none."""
    rows = db.execute(UNTAGGED_TALLY).fetchall()
    return _tally("", rows) if rows else None


COUNT_LIVE = "SELECT count(*) FROM entry_state WHERE live = 1"
ANY_ENTRY = "SELECT 1 FROM entry_state LIMIT 1"


def count_live(db: Connection) -> int:
    """Return how many entries are live."""
    return int(db.execute(COUNT_LIVE).fetchone()[0])


def has_entries(db: Connection) -> bool:
    """Tell whether there is any entry, hidden or live."""
    return db.execute(ANY_ENTRY).fetchone() is not None


KINDS_WITHIN = """
    SELECT kind, count(*), '' FROM entry_state WHERE entry_id IN ({select}) GROUP BY kind ORDER BY kind
"""


def tally_within(db: Connection, wanted: Restriction) -> Tally:
    """Return the entries of a restriction, counted by kind."""
    statement = KINDS_WITHIN.replace("{select}", wanted.select)
    return _tally("", db.execute(statement, dict(wanted.parameters)))


TAGS_WITHIN = """
    SELECT min(spelling), folded, count(*) FROM entry_tag WHERE entry_id IN ({select})
    GROUP BY folded ORDER BY count(*) DESC, folded
"""


def sub_tags(db: Connection, wanted: Restriction, filters: Sequence[str]) -> list[tuple[str, int]]:
    """Return the tags that continue one of *filters* with `-` or `/`, and how many entries of *wanted* have each."""
    heads = tuple(fold_tag(text) + joint for text in filters if text != UNTAGGED for joint in ("-", "/"))
    exact = {fold_tag(text) for text in filters}
    rows = db.execute(TAGS_WITHIN.replace("{select}", wanted.select), dict(wanted.parameters))
    return [
        (spelling, count)
        for spelling, folded, count in rows
        if heads and folded.startswith(heads) and folded not in exact
    ]


IDS_WITHIN = """
    SELECT entry.id, entry_state.kind
    FROM entry JOIN entry_state ON entry_state.entry_id = entry.id
    WHERE entry.id IN ({select})
    ORDER BY entry.created_at DESC, entry.id DESC
    LIMIT :rows OFFSET :start
"""


def newest_ids(db: Connection, wanted: Restriction, *, rows: int, start: int) -> list[int]:
    """Return the ids of a restriction, newest first (stamp, then id): *rows* of them from *start* on."""
    values = {**wanted.parameters, "rows": rows, "start": start}
    return [row[0] for row in db.execute(IDS_WITHIN.replace("{select}", wanted.select), values)]


def ids_by_kind(db: Connection, wanted: Restriction, vocabulary: KindVocabulary) -> list[int]:
    """Return every id of a restriction, grouped by kind in listing order, newest first in each group."""
    listed = [*(kind.stored for kind in vocabulary.kinds), NO_KIND.stored]
    places = {stored: place for place, stored in enumerate(listed)}
    values = {**wanted.parameters, "rows": -1, "start": 0}
    rows = db.execute(IDS_WITHIN.replace("{select}", wanted.select), values).fetchall()
    return [row[0] for row in sorted(rows, key=lambda row: places.get(row[1], len(listed)))]


def is_under(folded: str, filter_text: str) -> bool:
    """Tell whether a filter takes the tag folded as *folded*: equal, or continued with `-` or `/`."""
    wanted = fold_tag(filter_text)
    return folded == wanted or folded.startswith((wanted + "-", wanted + "/"))


def near(name: str, rows: Sequence[Tally]) -> list[Tally]:
    """Return at most 8 of *rows* whose tag contains *name*, lies in it or is spelled like it, the likest first."""
    wanted = fold_tag(name)
    matcher = SequenceMatcher(autojunk=False)
    matcher.set_seq2(wanted)
    found: list[tuple[float, Tally]] = []
    for row in rows:
        folded = fold_tag(row.name)
        matcher.set_seq1(folded)
        contains = wanted in folded or folded in wanted
        if not contains and (matcher.real_quick_ratio() < NEAR_RATIO or matcher.quick_ratio() < NEAR_RATIO):
            continue
        ratio = matcher.ratio()
        if contains or ratio >= NEAR_RATIO:
            found.append((ratio, row))
    found.sort(key=lambda pair: (-pair[0], -pair[1].count, pair[1].name))
    return [row for _, row in found[:NEAR_TAGS]]
