"""upkeep: everything that can be recomputed is recomputed, and what changed is told."""

from dataclasses import replace
from typing import TYPE_CHECKING

from frugal.cli import console
from frugal.cli.command import Command, Option, Values
from frugal.cli.contents import own_file
from frugal.cli.outcome import NOTHING, Outcome, Problem
from frugal.cli.session import Session
from frugal.errors import UsageError
from frugal.model import Mode, resolve

if TYPE_CHECKING:
    from frugal.model import Answer


def build(session: Session) -> Command:
    """Return the command."""
    text = session.text
    is_german = session.catalogue.language == "de"

    def option(key: str, *names: str) -> Option:
        return Option(key, names, names[-1] if is_german else names[0], text(f"cli.upkeep.{key}"))

    return Command(
        session,
        "upkeep",
        run,
        description=text("cli.commands.upkeep.help"),
        options=[option("dry_run", "--dry-run", "--probe"), option("all", "--all", "--alle")],
    )


def run(session: Session, values: Values) -> Outcome:
    """Do the upkeep of the chosen mode's file, or of every mode that has one."""
    if session.is_guest:
        raise UsageError("guest_writes", command="upkeep")
    is_dry = bool(values["dry_run"])
    if values["all"]:
        return _every_mode(session, is_dry=is_dry)
    mode = session.chosen_mode()
    if not mode.upkeep:
        known = ", ".join(other.name for other in session.registry().modes if other.upkeep) or "-"
        raise UsageError("no_upkeep", mode=mode.name, known=known)
    answer = _upkeep(session, mode, is_dry=is_dry)
    return Outcome(answer.text, items=answer.items, counts=answer.counts)


def _every_mode(session: Session, *, is_dry: bool) -> Outcome:
    texts = session.catalogue  # of the default mode: each mode that is opened below brings its own
    modes = [mode for mode in session.registry().modes if mode.upkeep]
    there = [mode for mode in modes if session.open(mode).settings.path.exists()]
    answers = {mode.name: _upkeep(session, mode, is_dry=is_dry) for mode in there}
    session.file = None
    if not answers:
        return Outcome(exit_code=NOTHING, problem=Problem("no_file", texts.text("cli.upkeep.none")))
    return Outcome(
        "\n\n".join(f"{name}\n{answer.text}" for name, answer in answers.items()),
        items=tuple({"mode": name, **item} for name, answer in answers.items() for item in answer.items),
    )


def _upkeep(session: Session, mode: Mode, *, is_dry: bool) -> "Answer":
    from frugal.call import Client

    # A dry run reads like a guest: it neither makes nor upgrades a file. Its ids are those of the owner all the same.
    workspace = session.open(mode, is_guest=is_dry)
    session.tell_notices()
    own_file(session, workspace, "upkeep")
    call = workspace.new_call(Client())
    call = replace(call, surface=replace(call.surface, prints_names=mode.names is not None))
    progress = console.Progress(session.text("cli.upkeep.progress"))
    try:
        answer: Answer = resolve(mode.upkeep)(call, is_dry_run=is_dry, progress=progress)
    finally:
        progress.close()
    return answer
