"""Filters of kind, tag and state as one SQL restriction: they select first, ranking sees what is left."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from frugal.entries.forms import UNTAGGED
from frugal.entries.marks import States, read_states
from frugal.model import EVERY_KIND, Kind, KindVocabulary
from frugal.search import Grouping, Marks, Restriction
from frugal.store import Connection
from frugal.text.normalise import fold_tag

MEMOS = Grouping("SELECT entry_id AS id, memo_id AS unit FROM entry_state WHERE memo_id IS NOT NULL")
"""Pieces of one memo take one slot."""

# A tag matches a filter that it equals or continues with `-` or `/`; the bounds are the characters behind those.
TAGGED = """
    SELECT entry_id FROM entry_tag WHERE folded = :{name}
    UNION ALL SELECT entry_id FROM entry_tag WHERE folded >= :{name} || '-' AND folded < :{name} || '.'
    UNION ALL SELECT entry_id FROM entry_tag WHERE folded >= :{name} || '/' AND folded < :{name} || '0'
"""
NOT_TAGGED = """
    SELECT entry_id FROM entry_state AS bare
    WHERE NOT EXISTS (SELECT 1 FROM entry_tag WHERE entry_tag.entry_id = bare.entry_id)
"""


@dataclass(frozen=True)
class Filter:
    """What a search may see. No *kinds*: all but the hidden ones. No *tags*: every tag."""

    vocabulary: KindVocabulary
    kinds: tuple[Kind, ...] = ()
    tags: tuple[str, ...] = ()
    includes_superseded: bool = False

    def with_kind(self, kind: Kind) -> "Filter":
        """Return the same filter asking for *kind*."""
        return replace(self, kinds=(kind,))

    def without_tags(self) -> "Filter":
        """Return the same filter over every tag."""
        return replace(self, tags=())

    def with_superseded(self) -> "Filter":
        """Return the same filter with superseded entries."""
        return replace(self, includes_superseded=True)

    def restriction(self) -> Restriction:
        """Return the filter as SQL with named parameters."""
        conditions: list[str] = []
        parameters: dict[str, str | int] = {}
        if not self.includes_superseded:
            conditions.append("live = 1")
        conditions += self._kinds(parameters)
        if self.tags:
            conditions.append(f"entry_id IN ({tag_select(self.tags, parameters)})")
        where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
        select = f"SELECT entry_id AS id FROM entry_state{where}"
        return Restriction(select, parameters, is_small=bool(self.tags))

    def allowed(self, states: States) -> bytes:
        """Return the bytes of the entries whose kind and state the filter lets through."""
        if EVERY_KIND in self.kinds:
            chosen = set(states.kinds)
        elif self.kinds:
            chosen = {kind.stored for kind in self.kinds}
        else:
            chosen = states.kinds.keys() - {kind.stored for kind in self.vocabulary.hidden}
        return states.bytes_of(chosen, with_superseded=self.includes_superseded)

    def _kinds(self, parameters: dict[str, str | int]) -> list[str]:
        if EVERY_KIND in self.kinds:
            return []
        chosen = self.kinds or self.vocabulary.hidden
        if not chosen:
            return []
        names = []
        for index, kind in enumerate(chosen):
            parameters[f"kind_{index}"] = kind.stored
            names.append(f":kind_{index}")
        return [f"kind {'IN' if self.kinds else 'NOT IN'} ({', '.join(names)})"]


class Snapshot:
    """The states of all entries in one transaction: restrictions made here cost a search no look at any entry."""

    def __init__(self, db: Connection) -> None:
        self._db = db
        self._states = read_states(db)
        self._tagged: dict[tuple[str, ...], States] = {}

    def restriction(self, wanted: Filter) -> Restriction:
        """Return the filter *wanted* as SQL and, where the file allows it, as marks."""
        restriction = wanted.restriction()
        if self._states is None:
            return restriction
        states = self._under(wanted.tags, self._states) if wanted.tags else self._states
        return replace(restriction, marks=Marks(states.marks, states.present, wanted.allowed(states)))

    def _under(self, tags: tuple[str, ...], states: States) -> States:
        if tags not in self._tagged:
            parameters: dict[str, str | int] = {}
            rows = self._db.execute(tag_select(tags, parameters), parameters)
            self._tagged[tags] = states.only(row[0] for row in rows)
        return self._tagged[tags]


def tag_select(filters: Sequence[str], parameters: dict[str, str | int]) -> str:
    """Return SQL for the ids under any of *filters* and put its parameters into *parameters*."""
    parts: list[str] = []
    for index, text in enumerate(filters):
        if text == UNTAGGED:
            parts.append(NOT_TAGGED)
            continue
        name = f"tag_{index}"
        parameters[name] = fold_tag(text)
        parts.append(TAGGED.format(name=name))
    return " UNION ALL ".join(parts)
