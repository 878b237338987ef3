"""Changes of status by hand: what is allowed, and who succeeds whom without a circle."""

from dataclasses import dataclass

from frugal.api import Call, Connection, Refusal, echo
from frugal_modes.notebook.series import Series, matching, not_one
from frugal_modes.notebook.vocabulary import ABORTED, EVALUATED, SUPERSEDED, Word

TOOL = "edit_series"

SUCCESSORS = """
    WITH RECURSIVE chain (number) AS (
        SELECT :start UNION SELECT s.successor FROM series AS s JOIN chain USING (number)
        WHERE s.successor IS NOT NULL
    )
    SELECT EXISTS (SELECT 1 FROM chain WHERE number = :series)
"""


@dataclass(frozen=True)
class Transition:
    """The status a series is to have; *is_same*: it has it already."""

    status: Word
    successor: Series | None = None
    is_same: bool = False


def plan_transition(
    call: Call,
    db: Connection,
    series: Series,
    *,
    status: Word | None,
    superseded_by: str,
    reason: str,
    problems: list[Refusal],
) -> Transition | None:
    """Return the change that is asked for, None if none is or it is refused; refusals go to *problems*."""
    if superseded_by:
        return _supersession(call, db, series, status, superseded_by, problems)
    if status is None:
        return None
    if status is series.status:
        kept = _present_successor(db, series)
        return Transition(status, kept, is_same=True)
    problem = _forbidden(call, status, reason)
    if problem:
        problems.append(problem)
    return None if problem else Transition(status)


def _forbidden(call: Call, status: Word, reason: str) -> Refusal | None:
    """Return why *status* cannot be set by hand like this, None if it can."""
    surface = call.surface
    fields = {"parameter": surface.parameter_word(TOOL, "status"), "value": status.shown(surface.language)}
    if status is EVALUATED:
        return Refusal("evaluated_by_hand", **fields, tool=surface.tool_word("result"))
    if status is SUPERSEDED:
        needed = surface.parameter_word(TOOL, "superseded_by")
        return Refusal("superseded_needs_successor", **fields, needed=needed)
    if status is ABORTED and not reason:
        needed = surface.parameter_word(TOOL, "reason")
        return Refusal("aborted_needs_reason", **fields, needed=needed)
    return None


def _supersession(
    call: Call,
    db: Connection,
    series: Series,
    status: Word | None,
    text: str,
    problems: list[Refusal],
) -> Transition | None:
    surface = call.surface
    parameter = surface.parameter_word(TOOL, "superseded_by")
    before = len(problems)
    if status is not None and status is not SUPERSEDED:
        shown = status.shown(surface.language)
        other = surface.parameter_word(TOOL, "status")
        problems.append(Refusal("successor_with_status", parameter=parameter, value=shown, other=other))
    found = matching(db, text)
    if len(found) != 1:
        problems.append(not_one(call, db, text, found, parameter=parameter, is_writing=True))
        return None
    successor = found[0]
    if successor.number == series.number:
        problems.append(Refusal("superseded_by_itself", parameter=parameter, value=echo(text)))
    elif db.execute(SUCCESSORS, {"start": successor.number, "series": series.number}).fetchone()[0]:
        problems.append(
            Refusal("successor_circle", parameter=parameter, value=successor.key, series=series.key)
        )
    if len(problems) > before:
        return None
    is_same = series.status is SUPERSEDED and series.successor == successor.number
    return Transition(SUPERSEDED, successor, is_same)


def _present_successor(db: Connection, series: Series) -> Series | None:
    return matching(db, series.successor_key)[0] if series.successor_key else None
