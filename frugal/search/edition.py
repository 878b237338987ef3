"""Which analysis an index was made with: what another one calls differently is missed until `upkeep` makes it anew."""

from frugal.store import Connection, put_record, read_record
from frugal.text.analysis import ANALYSIS_VERSION

ANALYSIS = "analysis"
"""The record of the file."""


def note_analysis(db: Connection) -> None:
    """Record that the whole index is of today's analysis."""
    put_record(db, ANALYSIS, str(ANALYSIS_VERSION))


def is_outdated(db: Connection) -> bool:
    """Whether documents may be indexed with another analysis than today's."""
    return read_record(db, ANALYSIS) not in (None, str(ANALYSIS_VERSION))
