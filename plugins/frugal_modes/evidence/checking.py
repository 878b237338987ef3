"""The command `evidence check`."""

from frugal.api import Answer, Call
from frugal_modes.evidence.check import check
from frugal_modes.evidence.desk import new_desk

FAILED = 1


def check_corpora(call: Call, *, all: bool) -> Answer:  # noqa: A002 - the name of the flag
    """Compare the index with the texts, the fingerprints with the messages, and list rows that point to nothing."""
    with new_desk(call).reading() as (db, scope):
        checked = check(db, scope, is_all=all)
    surface = call.surface
    lines = [
        surface.text(f"check.{finding.what}", rows=finding.rows, numbers=", ".join(map(str, finding.numbers)))
        for finding in checked.findings
    ]
    key = "check.unsound" if lines else "check.sound"
    lines.append(surface.text(key, messages=checked.messages, corpora=checked.corpora))
    items = tuple(
        {"what": one.what, "rows": one.rows, "numbers": list(one.numbers)} for one in checked.findings
    )
    counts = {"messages": checked.messages, "corpora": checked.corpora, "findings": len(items)}
    return Answer("\n".join(lines), items=items, counts=counts, exit_code=FAILED if items else None)
