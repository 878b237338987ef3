"""What a command came to, and how it is told: text or one JSON object, and an exit code."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

DONE = 0
NOTHING = 1
"""No result, refused by a rule, or a check failed."""
USAGE = 2
"""Usage, settings or environment."""
PARTIAL = 3
"""Conflict, or something was left out."""
INTERRUPTED = 130


class Problem(NamedTuple):
    """Why something was refused or failed: a stable *code*, the text, and what helps ("" = the text says it)."""

    code: str
    message: str
    hint: str = ""


class Outcome(NamedTuple):
    """What a command came to: *text* for a reader, *items* and *counts* for `--json`, whose keys are English.

    With a *problem* the envelope says `"ok": false`; a text beside it is what was done all the same.
    *is_told* says that the command has spoken for itself, as a server does.
    """

    text: str = ""
    items: tuple[Mapping[str, object], ...] = ()
    counts: Mapping[str, object] = MappingProxyType({})
    exit_code: int = DONE
    problem: Problem | None = None
    is_told: bool = False


class Finished(Exception):
    """Leave the parser with an outcome."""

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome
        super().__init__()


def envelope(outcome: Outcome, *, command: str, mode: str | None, file: str | None) -> dict[str, object]:
    """Return the one object of `--json`."""
    found: dict[str, object] = {"ok": outcome.problem is None, "command": command, "mode": mode, "file": file}
    if outcome.problem is None or outcome.text or outcome.items:
        # A mode whose answer frames a text (a card between marker lines) gives the bare text here.
        found |= {"text": outcome.counts.get("text", outcome.text), "items": list(outcome.items)}
    if outcome.problem is not None:
        problem = outcome.problem
        found["error"] = {"code": problem.code, "message": problem.message, "hint": problem.hint}
    return found | {key: value for key, value in outcome.counts.items() if key not in found}
