"""skill: the rules for the assistant, copied to where Claude Code looks for skills."""

from pathlib import Path
from typing import NamedTuple

from frugal import paths
from frugal.cli.command import Command, Option, Values
from frugal.cli.outcome import DONE, PARTIAL, Outcome, Problem
from frugal.cli.session import Session
from frugal.errors import UsageError

SKILL = "frugal-memory"
FILE = "SKILL.md"
BACKUP = "SKILL.md.bak"


def build(session: Session) -> Command:
    """Return the command."""
    text = session.text
    target = Option(
        "target",
        ("--target", "--ziel"),
        text("cli.skill.target.name"),
        text("cli.skill.target.help"),
        text("cli.words.folder"),
    )
    force = Option("force", ("--force",), "--force", text("cli.skill.force.help"))
    description = text("cli.commands.skill.help")
    return Command(session, "skill", install, description=description, options=[target, force])


def install(session: Session, values: Values) -> Outcome:
    """Copy the skill; a different one is left alone unless it is forced, and then kept beside it."""
    source = find_skill()
    target = _target(session, values.get("target"))
    data = {"path": paths.shown(target)}
    session.file = paths.shown(target)
    new = (source / FILE).read_bytes()
    old = target.read_bytes() if target.is_file() else None
    state = copy(new, target, old=old, is_forced=bool(values["force"]))
    text = session.text(f"cli.skill.{state.key}", **data)
    counts: dict[str, object] = {"state": state.key, "target": session.file}
    if state.exit_code == DONE:
        return Outcome(text, counts=counts)
    words = "skill " if session.script == "frugal-memory" else ""
    hint = session.text("cli.skill.force_hint", command=f"{session.script} {words}--force")
    return Outcome(counts=counts, exit_code=state.exit_code, problem=Problem("skill_differs", text, hint))


class State(NamedTuple):
    """What was found or done, and its exit code."""

    key: str
    exit_code: int = DONE


def copy(new: bytes, target: Path, *, old: bytes | None, is_forced: bool) -> State:
    """Write *new* to *target* where *old* lies, unless that is different and not to be replaced."""
    if old == new:
        return State("equal")
    if old is not None and not is_forced:
        return State("different", PARTIAL)
    target.parent.mkdir(parents=True, exist_ok=True)
    if old is not None:
        target.with_name(BACKUP).write_bytes(old)
    unfinished = target.with_name(FILE + ".new")
    unfinished.write_bytes(new)
    unfinished.replace(target)
    return State("installed" if old is None else "replaced")


def _target(session: Session, given: str | None) -> Path:
    """Return the file to write: *given* is the folder of all skills, or the folder of this one by its name."""
    system = paths.system_name(session.environ)
    if given:
        folder = paths.expand_path(given, environ=session.environ, system=system)
    else:
        folder = paths.home_folder(session.environ) / ".claude" / "skills"
    return (folder if folder.name == SKILL else folder / SKILL) / FILE


def find_skill() -> Path:
    """Return the folder of the skill: inside the installed package, or in the checkout beside it."""
    package = Path(__file__).resolve().parents[1]
    for folder in (package / "skills" / SKILL, package.parent / "skills" / SKILL):
        if (folder / FILE).is_file():
            return folder
    raise UsageError("no_skill", path=str(package))
