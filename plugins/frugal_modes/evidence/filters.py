"""Filters of a query: names resolved to rows, what restricts nothing left out, as conditions of SQL."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from frugal.api import Connection
from frugal_modes.evidence.corpus import Scope, thread_number
from frugal_modes.evidence.form import fold
from frugal_modes.evidence.refs import THREAD, digest, ref_of

MOST_VALUES = 100
MOST_TOLD = 200
"""Rows that a canonical form lists; a type of senders may have a hundred thousand."""

CONVERSATIONS = """
    SELECT c.number, c.corpus, c.id, c.folded, c.type FROM conversation AS c
    WHERE c.corpus IN (SELECT value FROM json_each(:corpora)) ORDER BY c.number
"""
SENDERS = """
    SELECT s.number, s.corpus, s.id, s.folded, s.type, s.organization FROM sender AS s
    WHERE s.corpus IN (SELECT value FROM json_each(:corpora)) ORDER BY s.number
"""
WORKSPACES = """
    SELECT w.number, w.corpus, w.name, w.folded FROM workspace AS w
    WHERE w.corpus IN (SELECT value FROM json_each(:corpora)) ORDER BY w.number
"""
WITHOUT_WORKSPACE = """
    SELECT EXISTS (
        SELECT 1 FROM message WHERE workspace IS NULL AND corpus IN (SELECT value FROM json_each(:corpora))
    )
"""
THREADS_OF_SOURCE = """
    SELECT t.number FROM thread AS t JOIN conversation AS c ON c.number = t.conversation
    WHERE t.id = :id AND c.corpus IN (SELECT value FROM json_each(:corpora)) ORDER BY t.number
"""
THREAD_REFS = """
    SELECT mark, rest, ref_length FROM thread WHERE number IN (SELECT value FROM json_each(:numbers)) ORDER BY number
"""

# The unary plus leaves the choice of an index to the scan, which knows how much there is.
CONDITIONS = {
    "corpora": "+m.corpus IN (SELECT value FROM json_each(:corpora))",
    "conversations": "+m.conversation IN (SELECT value FROM json_each(:conversations))",
    "senders": "+m.sender IN (SELECT value FROM json_each(:senders))",
    "threads": "+m.thread IN (SELECT value FROM json_each(:threads))",
    "workspaces": "+m.workspace IN (SELECT value FROM json_each(:workspaces))",
    "from": "m.sent_at >= :from_at",
    "to": "m.sent_at < :to_at",
}


class _Bearer(NamedTuple):
    """A row that values may mean: by its *id* as it is, or by its *folded* name; *key* is its corpus and id."""

    number: int
    id: str
    folded: str
    key: tuple[int, str]


@dataclass(frozen=True)
class Filters:
    """What a message must be, row numbers of the file; None restricts nothing. Times are ms, *to_at* is exclusive."""

    corpora: tuple[int, ...] = ()
    conversations: tuple[int, ...] | None = None
    senders: tuple[int, ...] | None = None
    threads: tuple[int, ...] | None = None
    workspaces: tuple[int, ...] | None = None
    from_at: int | None = None
    to_at: int | None = None
    canonical: Mapping[str, object] = field(default_factory=dict, compare=False)
    unknown: Mapping[str, int] = field(default_factory=dict, compare=False)
    """How many values of a list are unknown, by its name."""

    @property
    def is_empty(self) -> bool:
        """True if no message can pass."""
        return () in (self.corpora, self.conversations, self.senders, self.threads, self.workspaces)

    def conditions(self) -> tuple[str, dict[str, object]]:
        """Return the condition on the message *m*, and its values."""
        lists = {
            name: rows
            for name in ("corpora", "conversations", "senders", "threads", "workspaces")
            if (rows := getattr(self, name)) is not None
        }
        values: dict[str, object] = {name: json.dumps(rows) for name, rows in lists.items()}
        wanted = list(lists)
        for name, moment in (("from", self.from_at), ("to", self.to_at)):
            if moment is not None:
                wanted.append(name)
                values[f"{name}_at"] = moment
        return " AND ".join(CONDITIONS[name] for name in wanted), values


@dataclass
class _Resolving:
    """Collects what is selected: of conversations and senders several lists meet."""

    db: Connection
    scope: Scope
    canonical: dict[str, object] = field(default_factory=dict)
    unknown: dict[str, int] = field(default_factory=dict)

    @property
    def corpora(self) -> dict[str, object]:
        return {"corpora": json.dumps(self.scope.numbers)}

    def told(self, keys: Iterable[tuple[int, str]]) -> object:
        """Return rows as a canonical form has them: corpus and id of each, of very many their number and a hash."""
        corpora = {corpus.number: corpus.name for corpus in self.scope.corpora}
        rows = sorted((corpora[corpus], name) for corpus, name in keys)
        if len(rows) <= MOST_TOLD:
            return rows
        return f"{len(rows)} {digest(*(part for row in rows for part in row)).hex()}"

    def note(self, name: str, values: Iterable[str], known: Callable[[str], bool]) -> None:
        """Count the values that nothing bears."""
        if missing := sum(not known(value) for value in values):
            self.unknown[name] = missing


def resolve(
    lists: Mapping[str, Sequence[str]],
    *,
    from_at: int | None,
    to_at: int | None,
    db: Connection,
    scope: Scope,
) -> Filters:
    """Return the filters for *lists* of values by name; a list that names everything there is restricts nothing."""
    resolving = _Resolving(db, scope)
    first, last = scope.first_at, scope.last_at
    if from_at is not None and (first is None or from_at > first):
        resolving.canonical["from"] = from_at
    if to_at is not None and (last is None or to_at <= last):
        resolving.canonical["to"] = to_at
    return Filters(
        corpora=_corpora(resolving, lists),
        conversations=_conversations(resolving, lists),
        senders=_senders(resolving, lists),
        threads=_threads(resolving, lists),
        workspaces=_workspaces(resolving, lists),
        from_at=from_at if "from" in resolving.canonical else None,
        to_at=to_at if "to" in resolving.canonical else None,
        canonical=resolving.canonical,
        unknown=resolving.unknown,
    )


def _corpora(resolving: _Resolving, lists: Mapping[str, Sequence[str]]) -> tuple[int, ...]:
    if "corpora" not in lists:
        return resolving.scope.numbers
    wanted = {fold(value) for value in lists["corpora"]}
    names = {corpus.name: corpus.number for corpus in resolving.scope.corpora}
    resolving.note("corpora", wanted, lambda value: value in names)
    chosen = sorted(name for name in names if name in wanted)
    if len(chosen) < len(names):
        resolving.canonical["corpora"] = chosen
    return tuple(sorted(names[name] for name in chosen))


def _conversations(resolving: _Resolving, lists: Mapping[str, Sequence[str]]) -> tuple[int, ...] | None:
    if not {"conversation_ids", "conversation_types"} & set(lists):
        return None
    rows = resolving.db.execute(CONVERSATIONS, resolving.corpora).fetchall()
    bearers = {
        "conversation_ids": [_Bearer(row[0], row[2], row[3], (row[1], row[2])) for row in rows],
        "conversation_types": [_Bearer(row[0], row[4], "", (row[1], row[2])) for row in rows],
    }
    return _met(resolving, lists, bearers, "conversations")


def _senders(resolving: _Resolving, lists: Mapping[str, Sequence[str]]) -> tuple[int, ...] | None:
    if not {"sender_ids", "sender_types", "organizations"} & set(lists):
        return None
    rows = resolving.db.execute(SENDERS, resolving.corpora).fetchall()
    bearers = {
        "sender_ids": [_Bearer(row[0], row[2], row[3], (row[1], row[2])) for row in rows],
        "sender_types": [_Bearer(row[0], row[4], "", (row[1], row[2])) for row in rows],
        "organizations": [_Bearer(row[0], "", fold(row[5].strip()), (row[1], row[2])) for row in rows],
    }
    return _met(resolving, lists, bearers, "senders")


def _met(
    resolving: _Resolving,
    lists: Mapping[str, Sequence[str]],
    bearers: Mapping[str, Sequence[_Bearer]],
    name: str,
) -> tuple[int, ...] | None:
    """Return the rows that every given list selects, None if that is all of them."""
    every = {row.number: row.key for rows in bearers.values() for row in rows}
    chosen = set(every)
    for list_name, rows in bearers.items():
        if list_name in lists:
            chosen &= _selected(resolving, list_name, lists[list_name], rows)
    if len(chosen) == len(every) and every:
        return None
    resolving.canonical[name] = resolving.told(every[number] for number in chosen)
    return tuple(sorted(chosen))


def _selected(
    resolving: _Resolving, name: str, values: Sequence[str], bearers: Sequence[_Bearer]
) -> set[int]:
    """Return the rows that *values* mean, and count the values that mean none."""
    wanted = {value: fold(value.strip()) for value in values}
    folded = {*wanted.values()} - {""}
    chosen = [row for row in bearers if row.id in wanted or row.folded in folded]
    known = {name for row in chosen for name in (row.id, row.folded)}
    resolving.note(name, wanted, lambda value: value in known or wanted[value] in known & folded)
    return {row.number for row in chosen}


def _threads(resolving: _Resolving, lists: Mapping[str, Sequence[str]]) -> tuple[int, ...] | None:
    if "thread_ids" not in lists:
        return None
    found: dict[str, list[int]] = {}
    for value in lists["thread_ids"]:
        number = thread_number(resolving.db, value, resolving.scope)
        rows = resolving.db.execute(THREADS_OF_SOURCE, {"id": value, **resolving.corpora})
        found[value] = [number] if number is not None else [int(row[0]) for row in rows]
    resolving.note("thread_ids", found, lambda value: bool(found[value]))
    chosen = sorted({number for numbers in found.values() for number in numbers})
    marks = resolving.db.execute(THREAD_REFS, {"numbers": json.dumps(chosen)})
    resolving.canonical["threads"] = sorted(ref_of(THREAD, *mark) for mark in marks)
    return tuple(chosen)


def _workspaces(resolving: _Resolving, lists: Mapping[str, Sequence[str]]) -> tuple[int, ...] | None:
    if "workspaces" not in lists:
        return None
    rows = resolving.db.execute(WORKSPACES, resolving.corpora).fetchall()
    bearers = [_Bearer(row[0], row[2], row[3], (row[1], row[2])) for row in rows]
    chosen = _selected(resolving, "workspaces", lists["workspaces"], bearers)
    if (
        len(chosen) == len(rows)
        and rows
        and not resolving.db.execute(WITHOUT_WORKSPACE, resolving.corpora).fetchone()[0]
    ):
        return None
    resolving.canonical["workspaces"] = resolving.told(row.key for row in bearers if row.number in chosen)
    return tuple(sorted(chosen))
