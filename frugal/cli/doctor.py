"""doctor: what is found about every file and what surrounds it; nothing is touched."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from frugal import paths
from frugal.cli.command import Command, Option, Values
from frugal.cli.outcome import NOTHING, Outcome, Problem
from frugal.cli.session import Session
from frugal.errors import UsageError
from frugal.model import Mode
from frugal.strings import Catalogue

if TYPE_CHECKING:
    from frugal.doctor import Item


def build(session: Session) -> Command:
    """Return the command."""
    text = session.text
    shown = "--alle" if session.catalogue.language == "de" else "--all"
    return Command(
        session,
        "doctor",
        run,
        description=text("cli.commands.doctor.help"),
        options=[Option("all", ("--all", "--alle"), shown, text("cli.doctor.all"))],
    )


def run(session: Session, values: Values) -> Outcome:
    """Examine the chosen mode's file and every other mode's that exists; with a flag or `--db` only the chosen one."""
    from frugal.cli.skill import FILE, SKILL, find_skill
    from frugal.doctor import State, examine_surroundings

    session.registry()
    is_one = (session.mode is not None and not values["all"]) or "db" in session.options
    chosen = session.chosen_mode()
    texts = session.open(chosen, is_guest=True).surface.catalogue  # each mode below brings its own
    others = [] if is_one else [mode for mode in session.registry().modes if mode != chosen]
    modes = [chosen, *(mode for mode in others if _has_file(session, mode))]
    items = [item for mode in modes for item in _of_file(session, mode)]
    session.mode, session.file = (chosen, session.file) if is_one else (None, None)
    installed = paths.home_folder(session.environ) / ".claude" / "skills" / SKILL / FILE
    items += examine_surroundings(
        session.engine, modes, texts.text, skill=find_skill() / FILE, installed=installed, is_one=is_one
    )
    counts = {state.value: sum(item.state is state for item in items) for state in State}
    told = tuple(
        {"id": item.id, "mode": item.mode, "state": item.state.value, "text": item.text, "hint": item.hint}
        for item in items
    )
    text = "\n".join(_lines(items, texts, counts))
    if not (failed := counts[State.FAIL.value]):
        return Outcome(text, items=told, counts={"counts": counts})
    problem = Problem("check_failed", texts.text("doctor.failed", count=failed))
    return Outcome(text, items=told, counts={"counts": counts}, exit_code=NOTHING, problem=problem)


def _has_file(session: Session, mode: Mode) -> bool:
    try:
        return (
            bool(mode.file_name) and not mode.is_wrapper and session.settings().for_mode(mode).path.exists()
        )
    except UsageError:  # settings of the mode's own that cannot be read; told with its sources
        return False


def _of_file(session: Session, mode: Mode) -> "Iterator[Item]":
    from frugal.doctor import examine_file

    yield from examine_file(session.open(mode, is_guest=True))


def _lines(items: "list[Item]", texts: Catalogue, counts: dict[str, int]) -> Iterator[str]:
    """Yield a heading for each mode, a line for each finding, what helps beneath it, and the sums."""
    heading: str | None = None
    unset = sum(item.is_default for item in items)
    for item in items:
        if item.is_default:
            continue
        if item.mode != heading:
            heading = item.mode
            yield heading or texts.text("doctor.around")
        yield f"  {texts.text(f'doctor.states.{item.state.value}'):<8} {item.text}"
        if item.hint:
            yield f"           {item.hint}"
    if unset:
        ok = texts.text("doctor.states.ok")
        yield f"  {ok:<8} {texts.text('doctor.unset', count=unset)}"
    key = "healthy" if not counts["fail"] and not counts["warn"] else "sums"
    yield texts.text(f"doctor.{key}", **counts)
