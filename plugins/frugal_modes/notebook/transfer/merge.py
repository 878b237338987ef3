"""Records into a file that may hold the same series: what it lacks is added, what it has stays, twice is once.

Series are the same by key, rows by all fields and stamp. Nothing is rewritten; new rows get new numbers. One transaction:
series lead to each other, and a notebook is small.
"""

from frugal.api import Call, Connection, Contents, Merged, Progress, no_progress
from frugal_modes.notebook.index import reindex
from frugal_modes.notebook.links import meet
from frugal_modes.notebook.numbering import highest
from frugal_modes.notebook.supersession import supersede
from frugal_modes.notebook.transfer import standing, writing
from frugal_modes.notebook.transfer.parse import parse
from frugal_modes.notebook.transfer.plan import Plan, pair_up, plan, removed_links
from frugal_modes.notebook.transfer.records import records
from frugal_modes.notebook.transfer.report import LeftOut, Report, render
from frugal_modes.notebook.transfer.rows import parts_of
from frugal_modes.notebook.transfer.secrets import refuse_secrets
from frugal_modes.notebook.transfer.units import Book, agree, books_of

TABLES = ("series", "event", "link", "recipe", "measurement", "result")
REMOVE_LINK = "UPDATE link SET removed_event = :event WHERE number = :number AND removed_event IS NULL"


def merge(call: Call, contents: Contents, *, progress: Progress = no_progress) -> Merged:
    """Add what the file lacks of *contents*; done again it changes nothing.

    A series whose current criterion, question or evidence differs is left out and named.
    """
    theirs = books_of(parse(contents))
    report = Report(series=len(theirs))
    with call.store.write() as db:
        ours = books_of(parts_of(records(db)))
        pairs = []
        for folded, book in theirs.items():
            if differs := _differences(book, ours.get(folded)):
                report.left_out.append(LeftOut(book.series.key, differs))
            else:
                pairs.append(pair_up(book, ours.get(folded)))
        made = plan(pairs, {table: highest(db, table) for table in TABLES})
        refuse_secrets(call, made.parts)
        changed = _write(db, made)
        keys = {book.series.number: folded for folded, book in theirs.items()}
        here = {folded: book.series.number for folded, book in ours.items()}
        here |= {row.folded: row.number for row in made.parts.series}
        changed |= standing.name_successors(db, made, keys, here)
        for done, number in enumerate(sorted(changed), 1):
            reindex(db, number)
            progress(done, len(changed))
    report.new = len(made.parts.series)
    report.rows = len(made.parts.rows)
    report.events = len(made.parts.events)
    report.superseded = len(made.superseded)
    return render(report, call.surface)


def _differences(theirs: Book, ours: Book | None) -> tuple[str, ...]:
    """Return in which fields two series of one key contradict each other."""
    if ours is None:
        return ()
    pairs = {
        "criterion": (theirs.criterion, ours.criterion),
        "question": (theirs.series.question, ours.series.question),
        "backfill": (theirs.series.backfill, ours.series.backfill),
    }
    return tuple(
        name
        for name, (there, here) in pairs.items()
        if there != here and (there is None or here is None or not agree(there, here))
    )


def _write(db: Connection, made: Plan) -> set[int]:
    """Write what was planned and return the series that have something new."""
    parts = made.parts
    writing.insert_series(db, parts.series)
    for series in parts.series:
        meet(db, series.number, series.folded)
    writing.insert_events(db, parts.events)
    writing.insert_versions(db, parts.criteria, parts.plans)
    for link, event in removed_links(made):
        db.execute(REMOVE_LINK, {"number": link, "event": event})
    writing.insert_links(db, parts.links)
    for letter, number, event in made.superseded:
        supersede(db, letter, [number], event)
    writing.insert_rows(db, parts.rows)
    changed = standing.settle(db, made)
    changed |= {row.number for row in parts.series} | {event.series for event in parts.events}
    return changed | {made.numbers[item.theirs.series.number] for item in made.pairs if made.superseded}
