"""Hits: what a search found, with everything a line of the answer says."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from frugal.api import Connection, Scored, groups_of
from frugal_modes.vault.records import VAULT
from frugal_modes.vault.visible import HIDDEN


@dataclass(frozen=True)
class Row:
    """One card as a hit needs it; *state* is why it is hidden at the moment asked, "" if it is not."""

    number: int
    source: str
    native_id: str
    path: str
    title: str
    kind: str
    agent: str
    tags: tuple[str, ...]
    aliases: tuple[str, ...]
    headings: tuple[str, ...]
    priority: int
    created: str
    updated: str
    expires: str
    invalid_at: str
    body: str
    body_hash: str
    state: str
    source_state: str
    source_place: int
    unit: int
    also: tuple[str, ...] = ()

    @property
    def ref(self) -> str:
        """`source:native_id`."""
        return f"{self.source}:{self.native_id}"

    @property
    def fields(self) -> tuple[str, ...]:
        """The texts that a query is compared with."""
        name = self.path.rpartition("/")[2]
        return (self.title, *self.aliases, *self.tags, *self.headings, self.body, name)

    @property
    def changed(self) -> str:
        """When it was last said to be changed."""
        return self.updated or self.created


@dataclass(frozen=True)
class Hit:
    """A card in its place of the answer; *others* are duplicates that it speaks for."""

    row: Row
    score: float
    others: tuple[Row, ...] = ()

    @property
    def rows(self) -> tuple[Row, ...]:
        """The card and its duplicates."""
        return (self.row, *self.others)

    def without(self, units: frozenset[int]) -> "Hit | None":
        """Return the hit as it is without the cards of *units*, None if no other is left."""
        left = tuple(row for row in self.rows if row.unit not in units)
        return replace(self, row=left[0], others=left[1:]) if left else None

    @property
    def also_in(self) -> tuple[str, ...]:
        """The refs and places of the same text elsewhere."""
        places = [place for row in (self.row, *self.others) for place in row.also]
        return tuple(dict.fromkeys([*(row.ref for row in self.others), *places]))


ENDED = """
    CASE WHEN card.invalid_at = '' AND card.ended_ms > 0
        THEN strftime('%Y-%m-%dT%H:%M:%fZ', card.ended_ms / 1000.0, 'unixepoch') ELSE card.invalid_at END
"""
"""Since when a card is invalid: as it says itself, else as follows from the card that supersedes it."""
ROWS = f"""
    SELECT card.number, source.name, card.native_id, card.path, card.title, card.kind, card.agent, card.tags,
        card.aliases, card.headings, card.priority, card.created, card.updated, card.expires, {ENDED},
        card_text.body, card.body_hash, {HIDDEN}, source.state, source.place, card.unit, unit.also
    FROM json_each(:numbers) AS wanted
    CROSS JOIN card ON card.number = wanted.value
    JOIN card_text ON card_text.number = card.number
    JOIN source ON source.id = card.source JOIN unit ON unit.id = card.unit
"""


def rows_of(db: Connection, numbers: Iterable[int], *, at: int) -> dict[int, Row]:
    """Return the cards *numbers* as they are at the moment *at* (milliseconds)."""
    found: dict[int, Row] = {}
    for row in db.execute(ROWS, {"numbers": json.dumps(list(numbers)), "at": at}):
        values = list(row)
        for place in (7, 8, 9, 21):
            values[place] = tuple(json.loads(values[place]))
        found[row[0]] = Row(*values)
    return found


def in_order(scored: Sequence[Scored], rows: Mapping[int, Row]) -> list[Hit]:
    """Return *scored* as hits: equal scores by priority, then the newer, the order of sources, the native id."""
    ordered: list[Hit] = []
    run: list[Hit] = []
    for hit in scored:
        if hit.id not in rows:
            continue
        if run and run[-1].score != hit.score:
            ordered += _settled(run)
            run = []
        run.append(Hit(rows[hit.id], hit.score))
    return ordered + _settled(run)


def _settled(run: list[Hit]) -> list[Hit]:
    run.sort(key=lambda hit: (hit.row.source_place, hit.row.native_id))
    run.sort(key=lambda hit: hit.row.changed, reverse=True)
    run.sort(key=lambda hit: -hit.row.priority)
    return run


def grouped(hits: Sequence[Hit], limit: int) -> list[Hit]:
    """Return the first *limit* groups of duplicates, a hit each: the card of the vault, else the newest, where the best
    of them stood.
    """
    keys = [hit.row.body_hash if hit.row.body.strip() else "" for hit in hits]
    groups = groups_of([hit.row.body for hit in hits], keys, limit)
    found: list[Hit] = []
    for places in groups:
        members = [hits[place] for place in places]
        if len(members) == 1:
            found.append(members[0])
            continue
        ranked = sorted(members, key=lambda hit: hit.row.changed, reverse=True)
        ranked.sort(key=lambda hit: hit.row.source != VAULT)
        best = ranked[0]
        others = tuple(hit.row for hit in members if hit is not best)
        found.append(replace(best, score=members[0].score, others=others))
    return found
