"""The kinds of literature an archive holds, in the order in which they are listed."""

from frugal.api import Kind, KindVocabulary

KINDS = KindVocabulary(
    (
        Kind("finding", "befund"),
        Kind("method", "methode"),
        Kind("survey", "ueberblick"),
        Kind("resource", "werkzeug"),
        Kind("gap", "luecke"),
        Kind("lead", "spur", is_hidden=True),
        Kind("rejected", "verworfen", is_hidden=True),
    )
)

SOURCED = frozenset({"befund", "methode", "ueberblick", "werkzeug"})
"""Kinds, as stored, that should name a source and an evidence level."""

REJECTED = "verworfen"
"""As stored: refuted, or invented."""
