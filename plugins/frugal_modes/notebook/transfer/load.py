"""Records into a file that holds none: numbers, stamps and history as they were."""

from frugal.api import Call, Connection, Contents, Merged, Progress, no_progress
from frugal_modes.notebook.index import reindex
from frugal_modes.notebook.transfer import writing
from frugal_modes.notebook.transfer.parse import parse
from frugal_modes.notebook.transfer.secrets import refuse_secrets


def load(call: Call, db: Connection, contents: Contents, *, progress: Progress = no_progress) -> Merged:
    """Store *contents* inside the transaction *db*; an export of the result gives the same bytes again."""
    parts = parse(contents)
    refuse_secrets(call, parts)
    writing.insert_series(db, parts.series)
    for series in parts.series:
        if series.successor is not None:
            writing.set_successor(db, series.number, series.successor)
    writing.insert_events(db, parts.events)
    writing.insert_versions(db, parts.criteria, parts.plans)
    writing.insert_links(db, parts.links)
    writing.insert_rows(db, parts.rows)
    for done, series in enumerate(parts.series, 1):
        reindex(db, series.number)
        progress(done, len(parts.series))
    counts: dict[str, object] = {
        "series": len(parts.series),
        "new": len(parts.series),
        "known": 0,
        "rows": len(parts.rows),
        "events": len(parts.events),
    }
    return Merged((call.surface.text("transfer.loaded", **counts),), counts=counts)
