"""What the index keeps of the sources: told, or dropped for one that is not registered any more."""

from typing import NamedTuple

from frugal.api import Call
from frugal_modes.vault import rows
from frugal_modes.vault.moments import to_stamp
from frugal_modes.vault.registered import registered
from frugal_modes.vault.rows import Changes
from frugal_modes.vault.writer import Writer


class Kept(NamedTuple):
    """What the index has of one source: *state* as it was found last, when it was read without an error last."""

    state: str
    last_good: str
    cards: int
    problems: int


KEPT = """
    SELECT source.name, source.state, source.last_good,
        (SELECT count(*) FROM card WHERE card.source = source.id),
        (SELECT count(*) FROM problem WHERE problem.source = source.id)
    FROM source ORDER BY source.name
"""


def kept(call: Call) -> dict[str, Kept]:
    """Return what the index keeps, by the names of the sources."""
    with call.store.read() as db:
        return {row[0]: Kept(*row[1:]) for row in db.execute(KEPT)}


FIND = "SELECT id FROM source WHERE name = :name AND state = 'removed'"
UNITS = "SELECT id FROM unit WHERE source = :source ORDER BY id"
COUNT = "SELECT count(*) FROM identity WHERE source = :source"
DROP = (
    "DELETE FROM learned WHERE number IN (SELECT number FROM identity WHERE source = :source)",
    "DELETE FROM access WHERE source = :source",
    """DELETE FROM former_id
    WHERE source = :source OR number IN (SELECT number FROM identity WHERE source = :source)""",
    "DELETE FROM identity WHERE source = :source",
    "DELETE FROM problem WHERE source = :source",
    "DELETE FROM source WHERE id = :source",
)


def forget_source(call: Call, name: str) -> int:
    """Forget the removed source *name* in one transaction; return how many numbers went, 0 if nothing is known."""
    writer = Writer(call, registered(call), wait_s=None)
    with writer.transaction() as db:
        found = db.execute(FIND, {"name": name}).fetchone()
        if found is None:
            return 0
        source = {"source": found[0]}
        changes = Changes()
        for (unit,) in db.execute(UNITS, source).fetchall():
            rows.take_out_unit(db, unit, at=to_stamp(call.clock()), changes=changes)
        (count,) = db.execute(COUNT, source).fetchone()
        for statement in DROP:
            db.execute(statement, source)
        writer.changes.is_lineage_touched = True
    return int(count)


KNOWN = "SELECT 1 FROM source WHERE name = :name AND state = 'removed'"


def is_known(call: Call, name: str) -> bool:
    """Tell whether the index keeps something of a removed source *name*."""
    with call.store.read() as db:
        return db.execute(KNOWN, {"name": name}).fetchone() is not None
