"""The second opinion on similar entries while a fact is stored: asked of the configured model, never an error."""

import time
from collections.abc import Sequence

from frugal.call import Call
from frugal.entries.factcheck import read_settings
from frugal.entries.opinion import Source, source_of
from frugal.errors import Refusal
from frugal.text import credentials
from frugal.text.normalise import identity_text


def notes_on(call: Call, new: str, similar: Sequence[tuple[int, str]]) -> dict[int, list[str]]:
    """Return for each similar entry (id, text) the verdict on it, or why it was not asked about.

    Nothing is asked unless the fact check is set up, nor about identical texts or likely credentials.
    """
    source = _source(call)
    if source is None or not similar:
        return {}
    text = call.surface.text
    deadline = time.monotonic() + read_settings(call.settings).budget_s
    is_secret = bool(credentials.scan(new))
    notes: dict[int, list[str]] = {}
    for entry_id, old in similar:
        if identity_text(old) == identity_text(new):
            notes[entry_id] = [text("hints.identical")]
        elif is_secret or credentials.scan(old):
            notes[entry_id] = [text("hints.withheld")]
        elif verdict := source.ask(new, old, deadline=deadline):
            notes[entry_id] = [text(f"verdicts.hint_{verdict.value}")]
    return notes


def _source(call: Call) -> Source | None:
    try:
        return source_of(call)
    except Refusal:  # an address that may not be used: `check` says so in words
        return None
