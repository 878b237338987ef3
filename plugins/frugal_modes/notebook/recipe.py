"""recipe: how something was computed, so that it can be computed again."""

from collections.abc import Mapping
from dataclasses import dataclass

from frugal.api import Answer, Call
from frugal_modes.notebook.checks import Kept, credential_notices, fields_of, refuse, text_problems
from frugal_modes.notebook.index import reindex
from frugal_modes.notebook.journal import Journal, open_journal
from frugal_modes.notebook.numbering import highest
from frugal_modes.notebook.rowids import RECIPE, RowSpan, row_list, row_prefix
from frugal_modes.notebook.series import Series, find_series
from frugal_modes.notebook.supersession import Named, named_rows, supersede, supersede_problems
from frugal_modes.notebook.vocabulary import CLOSED, STATUSES, of_code

TOOL = "recipe"

ADD = """
    INSERT INTO recipe (series, event, arm, command, code, parameters, seed, machine, logs, note)
    VALUES (:series, :event, :arm, :command, :code, :parameters, :seed, :machine, :logs, :note)
"""


@dataclass(frozen=True)
class Recorded:
    """The row that was written, and the status of its series now."""

    number: int
    superseded: tuple[int, ...]
    status: str


def recipe(  # noqa: PLR0913 - as many fields as a recipe has
    call: Call,
    *,
    key: str,
    command: str,
    arm: str,
    code: str,
    parameters: str,
    seed: str,
    machine: str,
    logs: str,
    note: str,
    supersedes: tuple[RowSpan, ...],
) -> Answer:
    """Record a recipe; the first one of a planned series moves it to running."""
    texts = {
        "command": command,
        "arm": arm,
        "code": code,
        "parameters": parameters,
        "seed": seed,
        "machine": machine,
        "logs": logs,
        "note": note,
    }
    problems = [*call.problems, *text_problems(call, TOOL, fields_of(texts))]
    with call.store.write() as db:
        series = find_series(call, db, key, tool=TOOL, problems=problems)
        named = named_rows(db, RECIPE, supersedes, series)
        problems += supersede_problems(call, TOOL, RECIPE, named)
        refuse(problems)
        assert series is not None
        recorded = write_recipe(open_journal(call, db), series, texts, named)
        reindex(db, series.number)
    return _answer(call, series, texts, recorded)


def write_recipe(journal: Journal, series: Series, texts: Mapping[str, str], named: Named) -> Recorded:
    """Write the row and its event, supersede what it replaces, start a planned series."""
    db = journal.db
    number = highest(db, "recipe") + 1
    event = journal.record(series.number, "recipe", {"row": number, "supersedes": list(named.usable)})
    db.execute(ADD, {"series": series.number, "event": event, **texts})
    supersede(db, RECIPE, named.usable, event)
    return Recorded(number, named.usable, journal.start_running(series.number))


def _answer(call: Call, series: Series, texts: Mapping[str, str], recorded: Recorded) -> Answer:
    surface = call.surface
    prefix = row_prefix(surface)
    row = row_list(RECIPE, [recorded.number], prefix)
    arm = surface.text("recipe.arm", arm=texts["arm"]) if texts["arm"] else ""
    old = row_list(RECIPE, recorded.superseded, prefix)
    replaced = surface.text("recipe.supersedes", ids=old) if old else ""
    status = of_code(STATUSES, recorded.status)
    key = "recipe.closed" if status in CLOSED else "recipe.recorded"
    shown = status.shown(surface.language)
    lines = [surface.text(key, id=row, series=series.key, arm=arm, supersedes=replaced, status=shown)]
    kept = [Kept(f"{RECIPE}{recorded.number}", name, text) for name, text in texts.items() if text]
    lines += credential_notices(call, kept)
    item = {
        "id": f"{RECIPE}{recorded.number}",
        "key": series.key,
        "supersedes": [f"{RECIPE}{number}" for number in recorded.superseded],
        "status": status.code,
    }
    return Answer("\n".join(lines), items=(item,))
