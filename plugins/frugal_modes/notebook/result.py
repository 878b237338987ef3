"""result: the verdict on a series, measured against the criterion that stood before the numbers."""

from collections.abc import Mapping
from dataclasses import dataclass

from frugal.api import Answer, Call, Refusal
from frugal_modes.notebook.checks import Kept, credential_notices, fields_of, refuse, text_problems
from frugal_modes.notebook.criteria import Criterion, current_criterion
from frugal_modes.notebook.index import reindex
from frugal_modes.notebook.journal import Journal, open_journal
from frugal_modes.notebook.moments import local_moments
from frugal_modes.notebook.numbering import highest
from frugal_modes.notebook.rowids import RESULT, row_list, row_prefix
from frugal_modes.notebook.series import Series, find_series
from frugal_modes.notebook.supersession import live_result, supersede
from frugal_modes.notebook.vocabulary import EVALUATED, SUPERSEDED, WITHOUT_CRITERION, Word, listed

TOOL = "result"
REASON_CHARACTERS = 120

ADD = """
    INSERT INTO result (series, event, verdict, conclusion, open_questions, file)
    VALUES (:series, :event, :verdict, :conclusion, :open_questions, :file)
"""
STATE = """
    SELECT
        EXISTS (SELECT 1 FROM measurement WHERE series = :series AND superseded_event IS NULL),
        EXISTS (SELECT 1 FROM recipe WHERE series = :series)
"""


@dataclass(frozen=True)
class Recorded:
    """The row that was written, and what is worth a note."""

    number: int
    superseded: int | None
    criterion: Criterion | None
    has_measurement: bool
    has_recipe: bool


def result(
    call: Call, *, key: str, verdict: Word | None, conclusion: str, open_questions: str, file: str
) -> Answer:
    """Record a result; it supersedes the live one and closes the series."""
    texts = {"conclusion": conclusion, "open_questions": open_questions, "file": file}
    problems = [*call.problems, *text_problems(call, TOOL, fields_of(texts))]
    with call.store.write() as db:
        series = find_series(call, db, key, tool=TOOL, problems=problems)
        if (
            series
            and verdict
            and verdict not in WITHOUT_CRITERION
            and current_criterion(db, series.number) is None
        ):
            problems.append(_without_criterion(call, series, verdict))
        refuse(problems)
        assert series is not None
        assert verdict is not None
        recorded = write_result(open_journal(call, db), series, verdict, texts)
        reindex(db, series.number)
    return _answer(call, series, verdict, texts, recorded)


def _without_criterion(call: Call, series: Series, verdict: Word) -> Refusal:
    surface = call.surface
    return Refusal(
        "verdict_without_criterion",
        parameter=surface.parameter_word(TOOL, "verdict"),
        value=verdict.shown(surface.language),
        known=listed(WITHOUT_CRITERION, surface.language),
        series=series.key,
    )


def write_result(journal: Journal, series: Series, verdict: Word, texts: Mapping[str, str]) -> Recorded:
    """Write the row and its event, supersede the live result, set the status."""
    db = journal.db
    live = live_result(db, series.number)
    old = [] if live is None else [live]
    number = highest(db, "result") + 1
    event = journal.record(
        series.number, "result", {"row": number, "verdict": verdict.code, "supersedes": old}
    )
    supersede(db, RESULT, old, event)
    db.execute(ADD, {"series": series.number, "event": event, "verdict": verdict.code, **texts})
    if series.status not in (EVALUATED, SUPERSEDED):
        journal.set_status(series.number, series.status_code, EVALUATED)
    has_measurement, has_recipe = db.execute(STATE, {"series": series.number}).fetchone()
    criterion = current_criterion(db, series.number)
    return Recorded(number, live, criterion, bool(has_measurement), bool(has_recipe))


def _answer(
    call: Call, series: Series, verdict: Word, texts: Mapping[str, str], recorded: Recorded
) -> Answer:
    surface = call.surface
    prefix = row_prefix(surface)
    replaced = ""
    if recorded.superseded is not None:
        replaced = surface.text("result.supersedes", id=row_list(RESULT, [recorded.superseded], prefix))
    lines = [
        surface.text(
            "result.recorded",
            id=row_list(RESULT, [recorded.number], prefix),
            series=series.key,
            verdict=verdict.shown(surface.language),
            supersedes=replaced,
        )
    ]
    lines += _notes(call, series, recorded)
    kept = [Kept(f"{RESULT}{recorded.number}", name, text) for name, text in texts.items() if text]
    lines += credential_notices(call, kept)
    item = {
        "id": f"{RESULT}{recorded.number}",
        "key": series.key,
        "verdict": verdict.code,
        "supersedes": None if recorded.superseded is None else f"{RESULT}{recorded.superseded}",
    }
    return Answer("\n".join(lines), items=(item,))


def _notes(call: Call, series: Series, recorded: Recorded) -> list[str]:
    surface = call.surface
    lines = []
    if not recorded.has_measurement:
        lines.append(surface.text("notes.no_measurement"))
    criterion = recorded.criterion
    if criterion and criterion.is_late:
        stamp = local_moments(call.now()).shown(criterion.at)
        reason = " ".join(criterion.reason.split())
        if len(reason) > REASON_CHARACTERS:
            reason = reason[:REASON_CHARACTERS] + "..."
        lines.append(surface.text("notes.late_criterion", stamp=stamp, reason=reason or "-"))
    if not recorded.has_recipe and not series.is_backfilled:
        lines.append(surface.text("notes.no_recipe"))
    return lines
