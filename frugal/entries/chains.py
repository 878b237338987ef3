"""Memo chains that nobody recorded: neighbours that an import once cut apart, in files older than the record."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from frugal.store import Connection
from frugal.text.cuts import LONGEST, SHORTEST
from frugal.text.pieces import goes_on
from frugal.text.titles import title

MOST_APART = 3
"""Ids of neighbours differ by at most this much."""
_OPEN_ENDS = frozenset(",-–—(/&+[{")
_LISTED = """
    a an the and or but of to in on at for with from by without into than that which because if when while
    der die das den dem des ein eine einen einem einer eines und oder aber von vom zu zum zur im am auf für mit aus
    bei beim ohne durch dass weil wenn als sowie
"""
_LEADING_ON = frozenset(_LISTED.split())
"""Words after which more has to come, in either language."""

# The entries of one first tag in order, each with its neighbour; superseded ones and those of a memo are left out.
CANDIDATES = """
    WITH candidate AS (
        SELECT entry.id, entry.text, entry_tag.folded AS tag,
               entry.sitting_id IS NOT NULL AND instr(entry.origin, 'file:') = 0 AS is_remembered
        FROM entry
        JOIN entry_state ON entry_state.entry_id = entry.id
        JOIN entry_tag ON entry_tag.entry_id = entry.id AND entry_tag.position = 0
        WHERE entry_state.memo_id IS NULL AND entry_state.live = 1
          AND length(entry.text) BETWEEN :shortest AND :longest
    )
    SELECT id, text, is_remembered, next_id, next_text FROM (
        SELECT id, text, is_remembered,
               lead(id) OVER neighbours AS next_id, lead(text) OVER neighbours AS next_text
        FROM candidate WINDOW neighbours AS (PARTITION BY tag ORDER BY id)
    )
    WHERE next_id - id <= :apart ORDER BY id
"""


@dataclass(frozen=True)
class Chain:
    """The pieces of one memo in order, and its subject."""

    ids: tuple[int, ...]
    subject: str


def find_chains(db: Connection) -> list[Chain]:
    """Return the chains of live entries by the rule of the import: same first tag, ids at most 3 apart, the first
    without final punctuation, the next beginning in lower case or with a closing bracket.

    A fact that was stored by itself with `remember` is whole; it counts as a piece only if it visibly breaks off.
    """
    nexts: dict[int, int] = {}
    titles: dict[int, str] = {}
    limits = {"shortest": SHORTEST, "longest": LONGEST, "apart": MOST_APART}
    for entry_id, text, is_remembered, next_id, next_text in db.execute(CANDIDATES, limits):
        if goes_on(text, next_text) and (not is_remembered or _breaks_off(text)):
            nexts[entry_id] = next_id
            titles[entry_id] = title(text)
    followers = set(nexts.values())
    starts = [entry_id for entry_id in nexts if entry_id not in followers]
    return [Chain(tuple(_walk(start, nexts)), titles[start]) for start in starts]


def _walk(start: int, nexts: dict[int, int]) -> Iterator[int]:
    current: int | None = start
    while current is not None:
        yield current
        current = nexts.get(current)


def _breaks_off(text: str) -> bool:
    """Tell whether *text* ends in the middle of a phrase."""
    words = text[-SHORTEST:].split()
    return bool(words) and (words[-1][-1] in _OPEN_ENDS or words[-1].casefold() in _LEADING_ON)


STILL_FREE = """
    SELECT count(*) FROM entry_state
    WHERE entry_id IN (SELECT value FROM json_each(:ids)) AND memo_id IS NULL AND live = 1
"""


def is_free(db: Connection, ids: Sequence[int]) -> bool:
    """Tell whether all of *ids* are still live and in no memo."""
    return bool(db.execute(STILL_FREE, {"ids": str(list(ids))}).fetchone()[0] == len(ids))
