"""edit_series: change the state of a series; one call is one transaction, each change one event."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from frugal.api import Answer, BadValue, Call, Connection, Refusal
from frugal_modes.notebook import plans
from frugal_modes.notebook.checks import Kept, credential_notices, fields_of, refuse, text_problems
from frugal_modes.notebook.criteria import add_criterion, current_criterion, has_measurement
from frugal_modes.notebook.history import told_successor
from frugal_modes.notebook.index import reindex
from frugal_modes.notebook.journal import NO_SUCCESSOR, Journal, open_journal
from frugal_modes.notebook.links import (
    Link,
    add_link,
    is_linked,
    removal_problems,
    remove_link,
    resolve_links,
)
from frugal_modes.notebook.moments import Moments, local_moments
from frugal_modes.notebook.new_series import started_problems
from frugal_modes.notebook.series import Series, find_series
from frugal_modes.notebook.transitions import Transition, plan_transition
from frugal_modes.notebook.vocabulary import Word

TOOL = "edit_series"

SET_STARTED = "UPDATE series SET started_on = :started WHERE number = :series"


@dataclass(frozen=True)
class Wish:
    """What a call asks for; "" and None = not given."""

    status: Word | None
    criterion: str
    reason: str
    note: str
    plan: str
    superseded_by: str
    started: date | None
    builds_on: tuple[str, ...]

    @property
    def is_empty(self) -> bool:
        """Whether nothing but a reason was given."""
        texts = (self.criterion, self.note, self.plan, self.superseded_by, self.builds_on)
        return not (any(texts) or self.status or self.started)


@dataclass(frozen=True)
class Change:
    """One thing done or found to be so already, as told; *event* is 0 where nothing had to be recorded."""

    told: str
    event: int = 0
    kept: tuple[str, str] | None = None


@dataclass(frozen=True)
class Edit:
    """A checked call about to be carried out."""

    call: Call
    journal: Journal
    series: Series
    wish: Wish
    transition: Transition | None
    links: tuple[Link, ...]
    moments: Moments


def edit_series(  # noqa: PLR0913 - as many fields as can be changed
    call: Call,
    *,
    key: str,
    status: Word | None,
    criterion: str,
    reason: str,
    note: str,
    plan: str,
    superseded_by: str,
    started: date | None,
    builds_on: tuple[str, ...],
) -> Answer:
    """Carry out every change of the call, or none."""
    wish = Wish(status, criterion, reason, note, plan, superseded_by, started, builds_on)
    texts = {"criterion": criterion, "reason": reason, "note": note, "plan": plan}
    problems = [*call.problems, *_emptiness(call, wish), *text_problems(call, TOOL, fields_of(texts))]
    moments = local_moments(call.now())
    with call.store.write() as db:
        series = find_series(call, db, key, tool=TOOL, problems=problems)
        edit = _checked(call, db, series, wish, moments, problems) if series else None
        refuse(problems)
        assert edit is not None
        changes = list(_carry_out(edit))
        if wish.reason and not any(change.event for change in changes):
            refuse([_bare_reason(call)])
        reindex(db, edit.series.number)
    return _answer(call, edit.series, changes, wish)


def _emptiness(call: Call, wish: Wish) -> list[Refusal]:
    if not wish.is_empty or call.problems:
        return []
    if wish.reason:
        return [_bare_reason(call)]
    names = ("status", "criterion", "note", "plan", "superseded_by", "started", "builds_on")
    known = ", ".join(call.surface.parameter_word(TOOL, name) for name in names)
    return [BadValue("nothing_to_change", known=known)]


def _bare_reason(call: Call) -> Refusal:
    return BadValue("bare_reason", parameter=call.surface.parameter_word(TOOL, "reason"))


def _checked(
    call: Call, db: Connection, series: Series, wish: Wish, moments: Moments, problems: list[Refusal]
) -> Edit:
    """Return the call ready to be carried out, adding to *problems* what forbids it."""
    transition = plan_transition(
        call,
        db,
        series,
        status=wish.status,
        superseded_by=wish.superseded_by,
        reason=wish.reason,
        problems=problems,
    )
    problems += started_problems(
        call, wish.started, moments=moments, is_backfilled=series.is_backfilled, tool=TOOL
    )
    problems += _criterion_problems(call, db, series, wish)
    links = resolve_links(call, db, wish.builds_on, own=series.folded, tool=TOOL, problems=problems)
    problems += removal_problems(call, db, series.number, links, TOOL)
    journal = open_journal(call, db, wish.reason)
    return Edit(call, journal, series, wish, transition, tuple(links), moments)


def _criterion_problems(call: Call, db: Connection, series: Series, wish: Wish) -> list[Refusal]:
    """Return the refusal of a criterion that comes after a measurement without a reason."""
    if not wish.criterion or wish.reason or not has_measurement(db, series.number):
        return []
    present = current_criterion(db, series.number)
    if present and present.text == wish.criterion:
        return []
    surface = call.surface
    parameter = surface.parameter_word(TOOL, "criterion")
    reason = surface.parameter_word(TOOL, "reason")
    return [Refusal("late_criterion_needs_reason", parameter=parameter, reason=reason)]


def _carry_out(edit: Edit) -> Iterator[Change]:
    """Record the changes in a fixed order; what is so already is told and not recorded."""
    wish = edit.wish
    if wish.criterion:
        yield _set_criterion(edit)
    if wish.plan:
        yield _set_plan(edit)
    if wish.started:
        yield _set_started(edit, wish.started)
    for link in edit.links:
        yield _set_link(edit, link)
    if wish.note:
        event = edit.journal.record(edit.series.number, "note", text=wish.note)
        yield Change(edit.call.surface.text("edit.note"), event, ("note", wish.note))
    if edit.transition:
        yield _set_status(edit, edit.transition)


def _set_criterion(edit: Edit) -> Change:
    surface, number = edit.call.surface, edit.series.number
    present = current_criterion(edit.journal.db, number)
    if present and present.text == edit.wish.criterion:
        return Change(surface.text("edit.criterion_same", version=present.version))
    new = add_criterion(edit.journal, number, edit.wish.criterion)
    stamp = edit.moments.shown(new.at)
    key = "edit.criterion_late" if new.is_late else "edit.criterion"
    told = surface.text(key, version=new.version, stamp=stamp)
    return Change(told, new.event, ("criterion", new.text))


def _set_plan(edit: Edit) -> Change:
    surface, number = edit.call.surface, edit.series.number
    if plans.current_plan(edit.journal.db, number) == edit.wish.plan:
        return Change(surface.text("edit.plan_same"))
    event = plans.add_plan(edit.journal, number, edit.wish.plan)
    return Change(surface.text("edit.plan"), event, ("plan", edit.wish.plan))


def _set_started(edit: Edit, started: date) -> Change:
    surface, series = edit.call.surface, edit.series
    if series.started_on == started.isoformat():
        return Change(surface.text("edit.started_same", date=started))
    details = {"from": series.started_on, "to": started.isoformat()}
    event = edit.journal.record(series.number, "started", details)
    edit.journal.db.execute(SET_STARTED, {"series": series.number, "started": started.isoformat()})
    return Change(surface.text("edit.started", old=series.started_on, new=started), event)


def _set_link(edit: Edit, link: Link) -> Change:
    surface, number = edit.call.surface, edit.series.number
    if link.is_removal:
        return Change(surface.text("edit.unlinked", series=link.key), remove_link(edit.journal, number, link))
    if is_linked(edit.journal.db, number, link):
        return Change(surface.text("edit.link_same", series=link.key))
    key = "edit.linked" if link.target else "edit.linked_unknown"
    return Change(surface.text(key, series=link.key), add_link(edit.journal, number, link))


def _set_status(edit: Edit, transition: Transition) -> Change:
    surface, series = edit.call.surface, edit.series
    old = series.status.shown(surface.language)
    new = transition.status.shown(surface.language)
    if transition.is_same and not edit.wish.reason:
        return Change(surface.text("edit.status_same", status=new))
    is_renamed = transition.status is series.status and not transition.is_same
    was = (series.successor_key or NO_SUCCESSOR) if is_renamed else None
    event = edit.journal.set_status(
        series.number,
        series.status_code,
        transition.status,
        (transition.successor.number, transition.successor.key) if transition.successor else None,
        was=was,
    )
    if was and transition.successor:
        return Change(told_successor(surface, "edit", was, transition.successor.key), event)
    key = "edit.status_same" if transition.is_same else "edit.status"
    told = surface.text(key, old=old, new=new, status=new)
    if transition.successor:
        told += surface.text("edit.successor", series=transition.successor.key)
    return Change(told, event)


def _answer(call: Call, series: Series, changes: list[Change], wish: Wish) -> Answer:
    lines = [f"{series.key}: " + "; ".join(change.told for change in changes) + "."]
    kept = [Kept(f"h{change.event}", *change.kept) for change in changes if change.kept and change.event]
    recorded = [change.event for change in changes if change.event]
    if wish.reason and recorded:
        kept.append(Kept(f"h{recorded[0]}", "reason", wish.reason))
    lines += credential_notices(call, kept)
    status = wish.status.code if wish.status else None
    item = {"key": series.key, "events": recorded, "status": status}
    return Answer("\n".join(lines), items=(item,))
