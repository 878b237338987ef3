"""Which cards may be seen at a moment, as SQL: the one place that decides it.

A card is seen at T if it was created by T, is neither invalid nor expired at T, its status does not hide it, and its
source and file are there. Times are milliseconds since 1970.
"""

from datetime import UTC, datetime

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

ABSENT = """
    CASE WHEN source.state IN ('detached', 'removed') THEN source.state
        WHEN unit.is_missing = 1 THEN 'missing' ELSE '' END
"""
"""Why no file of a card is there, "" if it is; needs `source`, `unit` and `card`."""

OUT_OF_DATE = """
    CASE WHEN card.created_ms > :at THEN 'future'
        WHEN card.ended_ms <= :at AND (card.successor IS NOT NULL OR card.superseded_by <> '[]') THEN 'superseded'
        WHEN card.ended_ms <= :at THEN 'invalid'
        WHEN card.expires_ms <= :at THEN 'expired'
        WHEN lower(card.status) IN ('archived', 'rejected') THEN lower(card.status)
        WHEN card.state = 'archived' THEN 'archived'
        ELSE '' END
"""
"""Why a card does not hold at the moment `:at`, "" if it does."""

HIDDEN = f"coalesce(nullif({ABSENT}, ''), {OUT_OF_DATE})"
"""Why a card is not to be seen at the moment `:at`, "" if it is."""

HIDING = ("superseded", "invalid", "expired", "archived", "rejected", "future", "missing")
"""The reasons that answers name, in their order; cards of sources that are not in use any more are not told of."""


def milliseconds(moment: datetime) -> int:
    """Return *moment* as milliseconds since 1970."""
    span = moment - EPOCH
    return (span.days * 86_400 + span.seconds) * 1000 + span.microseconds // 1000
