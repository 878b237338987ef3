"""What the shell adds to an answer that finds nothing: words that no message has, values that a filter could have had.

Programs do not get it: their answers are counted by the byte, and names of the corpus stand only in its own fields.
"""

import json
from collections.abc import Iterator, Mapping

from frugal.api import Connection, Surface
from frugal_modes.evidence.clauses import Wanted, wanted_of
from frugal_modes.evidence.corpus import Scope
from frugal_modes.evidence.cuts import name_for_client
from frugal_modes.evidence.proposals import proposal_of
from frugal_modes.evidence.query import Query

MOST_WORDS = 16
MOST_VALUES = 12

HAS_CANDIDATE = """
    SELECT EXISTS (
        SELECT 1 FROM word_index AS w JOIN message AS m ON m.number = w.rowid
        WHERE w.word_index MATCH :expression AND m.corpus IN (SELECT value FROM json_each(:corpora))
    )
"""
_SENDER = "SELECT DISTINCT {} FROM sender WHERE {} <> '' AND corpus IN (SELECT value FROM json_each(:corpora)) ORDER BY 1"
_CONVERSATION = (
    "SELECT DISTINCT {} FROM conversation WHERE corpus IN (SELECT value FROM json_each(:corpora)) ORDER BY 1"
)
VALUES: Mapping[str, str] = {
    "sender_types": _SENDER.format("type", "type"),
    "sender_ids": _SENDER.format("name", "name"),
    "organizations": _SENDER.format("organization", "organization"),
    "conversation_types": _CONVERSATION.format("type"),
    "conversation_ids": _CONVERSATION.format("name"),
    "workspaces": """
        SELECT DISTINCT name FROM workspace WHERE corpus IN (SELECT value FROM json_each(:corpora)) ORDER BY name
    """,
}
"""How the values that occur are found; those of threads are too many and mean nothing to a reader."""


def asides(surface: Surface, db: Connection, query: Query, *, is_nothing: bool) -> tuple[str, ...]:
    """Return the lines that the shell adds to the answer to *query*; *is_nothing* if no message matched."""
    return (
        *(_nowhere(surface, db, query) if is_nothing else ()),
        *_values(surface, db, query),
    )


def _nowhere(surface: Surface, db: Connection, query: Query) -> Iterator[str]:
    named = dict.fromkeys((clause.match, word) for clause in query.clauses for word in clause.text.split())
    found = [word for match, word in [*named][:MOST_WORDS] if _is_nowhere(db, query.scope, match, word)]
    if found:
        yield "! " + surface.text("shell.nowhere", words=_listed(dict.fromkeys(found)))


def _is_nowhere(db: Connection, scope: Scope, match: str, word: str) -> bool:
    """Tell whether the index, which proposes every match, proposes none for *word*."""
    wanted = wanted_of("literal" if match == "phrase" else match, word)
    if not isinstance(wanted, Wanted):
        return False
    values = {"expression": proposal_of([[wanted]]), "corpora": json.dumps(scope.numbers)}
    return not db.execute(HAS_CANDIDATE, values).fetchone()[0]


def _values(surface: Surface, db: Connection, query: Query) -> Iterator[str]:
    for name, _ in query.warnings:
        if name == "corpora":
            known = [corpus.name for corpus in query.scope.corpora]
        elif name in VALUES:
            corpora = {"corpora": json.dumps(query.scope.numbers)}
            known = [str(row[0]) for row in db.execute(VALUES[name], corpora).fetchmany(MOST_VALUES + 1)]
        else:
            continue
        if known:
            yield "! " + surface.text("shell.values", field=name, values=_listed(known))


def _listed(names: "list[str] | dict[str, None]") -> str:
    """Return names of a corpus in a line; nothing in them reaches the terminal as a command."""
    shown = [name_for_client(" ".join(name.split())) for name in [*names][:MOST_VALUES]]
    plain = ["".join(char if char.isprintable() else "\ufffd" for char in name) for name in shown]
    return ", ".join([*plain, *(["..."] if len(names) > MOST_VALUES else [])])
