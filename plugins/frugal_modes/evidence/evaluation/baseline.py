"""What reading everything would cost: one reply with every matching row in full."""

import json
from collections.abc import Mapping

from frugal.api import Call
from frugal_modes.evidence.budgets import counted, minified
from frugal_modes.evidence.export import ROWS, in_order, record_of
from frugal_modes.evidence.query import read_query
from frugal_modes.evidence.scanning import Limits, Population, scan

COLUMNS = (
    "ref", "corpus", "conversation_id", "conversation", "conversation_type", "sender_id", "sender", "sender_type",
    "organization", "thread", "reply_to", "sent_at", "text",
)  # fmt: skip
PATIENT = Limits(seconds=600)


def baseline_bytes(call: Call, query: Mapping[str, object]) -> int:
    """Return the size of a reply with every row that *query* matches, its columns in both copies."""
    with call.store.read() as db:
        found = scan(db, read_query(query, db, ()), PATIENT)
        assert isinstance(found, Population)
        rows = [
            record_of(row)
            for block in in_order(found)
            for row in db.execute(ROWS, {"numbers": json.dumps(block)})
        ]
    body = {"rows": [{name: row[name] for name in COLUMNS} for row in rows]}
    return counted(body, minified(body))


def rows_examined(call: Call, query: Mapping[str, object]) -> int:
    """Return how many candidates a scan of *query* looks at."""
    with call.store.read() as db:
        return scan(db, read_query(query, db, ()), PATIENT).candidates
