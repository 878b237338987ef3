"""memory_reindex, in the shell `index`: read every source again, make the index anew, drop what is missing for good."""

from frugal.api import Answer, Call, Refusal, Room, cost, echo, one_line
from frugal_modes.vault.problems import told
from frugal_modes.vault.rebuild import rebuild as make_anew
from frugal_modes.vault.records import Problem
from frugal_modes.vault.registered import registered
from frugal_modes.vault.rows import Changes, take_out_unit
from frugal_modes.vault.sync import SourceState, Sync, reindex
from frugal_modes.vault.tools_reading import STATS_CAP
from frugal_modes.vault.writer import Writer

SHOWN_PROBLEMS = 10
LISTED_PROBLEMS = 200
"""For `--json`; `problem_count` has the number of all."""
COUNTED = ("inserted", "updated", "unchanged", "moved", "removed", "missing", "problems")
PROBLEMS = """
    SELECT source.name, problem.path, problem.reason, problem.place
    FROM problem JOIN source ON source.id = problem.source
    WHERE source.state NOT IN ('detached', 'removed')
    ORDER BY source.place, problem.path, problem.id
"""


def memory_reindex(call: Call, *, rebuild: bool, source: str = "", prune: str = "") -> Answer:
    """Bring the index up to date, whatever time it takes; with *rebuild* everything is read and indexed anew."""
    _check(call, source)
    _check(call, prune)
    with call.progress(call.surface.text("vault.index.reading")) as report:
        sync = reindex(call, only=source, is_forced=rebuild, report=report)
    pruned = _prune(call, prune) if prune else 0
    indexed = 0
    if rebuild:
        with call.progress(call.surface.text("vault.index.indexing")) as report:
            indexed = make_anew(call, report)
    return _answer(call, sync, pruned=pruned, indexed=indexed if rebuild else None)


def _check(call: Call, name: str) -> None:
    known = [source.name for source in registered(call)]
    if name and name not in known:
        raise Refusal("unknown_source", value=echo(name), known=", ".join(known))


MISSING_UNITS = """
    SELECT unit.id FROM unit JOIN source ON source.id = unit.source
    WHERE source.name = :source AND unit.is_missing = 1 ORDER BY unit.id
"""
SET_OK = "UPDATE source SET state = 'ok' WHERE name = :source AND state = 'missing'"


def _prune(call: Call, name: str) -> int:
    """Remove the cards of a source whose files are all gone at once; numbers and counts stay. Return how many."""
    changes = Changes()
    writer = Writer(call, registered(call), wait_s=None)
    with writer.transaction() as db:
        for (unit,) in db.execute(MISSING_UNITS, {"source": name}).fetchall():
            take_out_unit(db, unit, at=writer.at, changes=changes)
        db.execute(SET_OK, {"source": name})
        writer.changes.is_lineage_touched = changes.is_lineage_touched
    return len(changes.removed)


def _answer(call: Call, sync: Sync, *, pruned: int, indexed: int | None) -> Answer:
    surface = call.surface
    counts: dict[str, object] = {name: getattr(sync, name) for name in COUNTED}
    if pruned:
        counts["missing"] = max(sync.missing - pruned, 0)
        counts["removed"] = sync.removed + pruned
    lines = [surface.text("vault.index.counts", **counts)]
    if indexed is not None:
        lines.append(surface.text("vault.index.rebuilt", count=indexed))
    lines += [_state_line(call, source) for source in sync.sources]
    problems = _problems(call)
    text = _with_problems(call, lines, problems)
    items = tuple(
        {"source": name, "path": problem.path, "place": problem.place, "reason": problem.reason}
        for name, problem in problems[:LISTED_PROBLEMS]
    )
    states = [
        {"name": source.name, "kind": source.kind, "state": source.state, "units": source.units}
        for source in sync.sources
    ]
    shown = [told(surface, problem) for _, problem in problems[:LISTED_PROBLEMS]]
    counts |= {"problem_count": sync.problems, "problems": shown, "sources": states, "pruned": pruned}
    return Answer(text, items=items, counts=counts)


def _state_line(call: Call, source: SourceState) -> str:
    if source.state == "unread":  # only the default vault can be looked for and not be there yet
        state, reason = call.surface.text("vault.sources.states.not_made"), ""
    else:
        state = call.surface.text(f"vault.index.states.{source.state}")
        reason = f" ({one_line(source.reason, 80)})" if source.reason else ""
    return call.surface.text(
        "vault.index.source", name=source.name, kind=source.kind, state=state + reason, count=source.units
    )


def _problems(call: Call) -> list[tuple[str, Problem]]:
    with call.store.read() as db:
        rows = db.execute(PROBLEMS).fetchall()
    return [(name, Problem(path, reason, place)) for name, path, reason, place in rows]


def _with_problems(call: Call, lines: list[str], problems: list[tuple[str, Problem]]) -> str:
    """Return *lines* and the first problems that fit, at most 10, and how many more there are."""
    first = problems[:SHOWN_PROBLEMS]
    shown = [f"{name}: {one_line(told(call.surface, problem), 240)}" for name, problem in first]
    for count in range(len(shown), -1, -1):
        rest = len(problems) - count
        more = [call.surface.text("vault.index.more", count=rest)] if rest else []
        text = "\n".join([*lines, *shown[:count], *more])
        if count == 0 or Room(STATS_CAP).fits(cost(text)):
            return text
    return "\n".join(lines)
