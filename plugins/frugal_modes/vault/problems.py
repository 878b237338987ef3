"""What could not be read of a source, told in words."""

from collections.abc import Callable

from frugal.api import Surface
from frugal_modes.vault.records import Problem
from frugal_modes.vault.secrecy import masked

CODES = frozenset(
    {"not_utf8", "name_not_utf8", "too_large", "unreadable", "reader_failed", "broken_record"}
    | {"link_leaves_root", "link_leads_nowhere", "nothing_inside", "conversations_skipped", "skipped_raw"}
    | {"bad_archive", "unsafe_member", "unpacked_too_large", "packed_too_tightly", "bad_database"}
    | {"front_matter_not_yaml", "front_matter_too_long", "duplicate_key", "bad_ttl", "bad_priority"}
)
"""The reasons that have a text, `vault.problems.CODE`; another one, of a foreign reader, is told as it is."""

NOTES = frozenset({"conversations_skipped", "skipped_raw"})
"""Reasons that only say what a source leaves to others."""


def why(text: Callable[..., str], problem: Problem) -> str:
    """Return the reason of *problem* in words; *text* gives those of a key. Likely credentials are masked."""
    code, _, about = problem.reason.partition(": ")
    return masked(text(f"vault.problems.{code}", about=about) if code in CODES else problem.reason)


def told(surface: Surface, problem: Problem) -> str:
    """Return *problem* on one line: where, then why."""
    where = " ".join(part for part in (problem.path, problem.place) if part)
    reason = why(surface.text, problem)
    return f"{masked(where)}: {reason}" if where else reason
