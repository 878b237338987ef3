"""new_series: a question and a criterion, recorded before the first run."""

from dataclasses import dataclass
from datetime import date

from frugal.api import Answer, Call, Connection, Refusal
from frugal_modes.notebook import plans
from frugal_modes.notebook.checks import Kept, credential_notices, fields_of, refuse, text_problems
from frugal_modes.notebook.criteria import Criterion, add_criterion
from frugal_modes.notebook.index import reindex
from frugal_modes.notebook.journal import Journal, open_journal
from frugal_modes.notebook.keys import Key
from frugal_modes.notebook.links import Link, add_link, meet, resolve_links
from frugal_modes.notebook.moments import Moments, local_moments
from frugal_modes.notebook.numbering import highest
from frugal_modes.notebook.series import BY_KEY
from frugal_modes.notebook.vocabulary import PLANNED

TOOL = "new_series"

ADD = """
    INSERT INTO series (
        key, folded, project, short, question, backfill, started_on, status,
        created_at, created_event, moved_at, moved_event
    ) VALUES (
        :key, :folded, :project, :short, :question, :backfill, :started_on, 'planned', :at, :event, :at, :event
    )
"""


@dataclass(frozen=True)
class Draft:
    """What is to be created."""

    key: Key
    question: str
    criterion: str
    plan: str
    backfill: str
    started: date


@dataclass(frozen=True)
class Created:
    """What was created; *plan_event* is 0 without a plan."""

    number: int
    criterion: Criterion | None
    plan_event: int


def new_series(
    call: Call,
    *,
    key: Key,
    question: str,
    criterion: str,
    plan: str,
    builds_on: tuple[str, ...],
    backfill: str,
    started: date | None,
) -> Answer:
    """Create a series; a key that exists is refused."""
    moments = local_moments(call.now())
    draft = Draft(key, question, criterion, plan, backfill, started or moments.today())
    texts = {"question": question, "criterion": criterion, "plan": plan, "backfill": backfill}
    stored = {"key": key.written, **texts}
    problems = [*call.problems, *text_problems(call, TOOL, fields_of(stored))]
    problems += started_problems(call, started, moments=moments, is_backfilled=bool(backfill), tool=TOOL)
    with call.store.write() as db:
        if key.written and db.execute(BY_KEY, {"folded": key.folded}).fetchone():
            problems.append(_exists(call, key))
        links = resolve_links(call, db, builds_on, own=key.folded, tool=TOOL, problems=problems)
        refuse(problems)
        created = create(open_journal(call, db), draft, links)
        reindex(db, created.number)
    return _answer(call, draft, created, links, moments)


def started_problems(
    call: Call, started: date | None, *, moments: Moments, is_backfilled: bool, tool: str
) -> list[Refusal]:
    """Return why a start date cannot stand: only a backfilled series has one of its own, and none is in the future."""
    if started is None:
        return []
    surface = call.surface
    parameter = surface.parameter_word(tool, "started")
    problems = []
    if not is_backfilled:
        name = surface.parameter_word("new_series", "backfill")
        problems.append(
            Refusal("started_without_backfill", parameter=parameter, value=started, backfill=name)
        )
    if started > moments.today():
        problems.append(
            Refusal("started_in_future", parameter=parameter, value=started, today=moments.today())
        )
    return problems


def _exists(call: Call, key: Key) -> Refusal:
    surface = call.surface
    parameter = surface.parameter_word(TOOL, "key")
    return Refusal(
        "key_exists", parameter=parameter, value=key.written, tool=surface.tool_word("edit_series")
    )


def create(journal: Journal, draft: Draft, links: list[Link]) -> Created:
    """Write the series, its criterion, plan and links, each an event."""
    db: Connection = journal.db
    row = {
        "key": draft.key.written,
        "folded": draft.key.folded,
        "project": draft.key.project,
        "short": draft.key.short,
        "question": draft.question,
        "backfill": draft.backfill,
        "started_on": draft.started.isoformat(),
        "at": journal.at,
        "event": highest(db, "event") + 1,
    }
    number = int(db.execute(ADD, row).lastrowid or 0)
    journal.record(number, "created", {"started": draft.started.isoformat()})
    criterion = add_criterion(journal, number, draft.criterion) if draft.criterion else None
    plan_event = plans.add_plan(journal, number, draft.plan) if draft.plan else 0
    for link in links:
        add_link(journal, number, link)
    meet(db, number, draft.key.folded)
    return Created(number, criterion, plan_event)


def _answer(call: Call, draft: Draft, created: Created, links: list[Link], moments: Moments) -> Answer:
    surface = call.surface
    key = draft.key.written
    status = PLANNED.shown(surface.language)
    if created.criterion:
        stamp = moments.shown(created.criterion.at)
        lines = [surface.text("new_series.created", series=key, status=status, stamp=stamp)]
    else:
        lines = [surface.text("new_series.without_criterion", series=key, status=status)]
    if draft.backfill:
        lines.append(surface.text("new_series.backfilled", date=draft.started))
    unknown = [link.key for link in links if link.target is None]
    if unknown:
        lines.append(surface.text("notes.unknown_keys", keys=", ".join(unknown)))
    kept = [Kept(key, "question", draft.question), Kept(key, "backfill", draft.backfill)]
    if created.criterion:
        kept.append(Kept(f"h{created.criterion.event}", "criterion", draft.criterion))
    if created.plan_event:
        kept.append(Kept(f"h{created.plan_event}", "plan", draft.plan))
    lines += credential_notices(call, kept)
    item = {
        "key": key,
        "status": PLANNED.code,
        "started": draft.started.isoformat(),
        "criterion_version": created.criterion.version if created.criterion else None,
    }
    return Answer("\n".join(lines), items=(item,))
