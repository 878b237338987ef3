"""backup: a whole, checked copy of a file while others go on using it."""

from pathlib import Path

from frugal import paths
from frugal.cli.command import Argument, Command, Option, Values
from frugal.cli.console import STDIN
from frugal.cli.contents import own_file, refuse_guest
from frugal.cli.outcome import NOTHING, Outcome, Problem
from frugal.cli.session import Session
from frugal.engine import utc_now
from frugal.errors import Conflict, UsageError
from frugal.model import Mode, resolve
from frugal.store import copy_to, name_of_backup
from frugal.strings import Catalogue


def build(session: Session) -> Command:
    """Return the command."""
    text = session.text
    shown = "--alle" if session.catalogue.language == "de" else "--all"
    return Command(
        session,
        "backup",
        run,
        description=text("cli.commands.backup.help"),
        arguments=[Argument("target", text("cli.words.file"), text("cli.backup.target"), is_required=False)],
        options=[Option("all", ("--all", "--alle"), shown, text("cli.backup.all"))],
    )


def run(session: Session, values: Values) -> Outcome:
    """Back up the file of the chosen mode, or of every mode that has one."""
    refuse_guest(session, "backup")
    given = values.get("target")
    if values["all"]:
        if given:
            raise UsageError("target_and_all")
        return _every_mode(session)
    if given == STDIN:
        raise UsageError("no_stdout", value=given, command="backup")
    path = own_file(session, session.open(session.chosen_mode()), "backup")
    session.tell_notices()
    system = paths.system_name(session.environ)
    target = paths.expand_path(given, environ=session.environ, system=system) if given else None
    item = {**back_up(path, target), **_kept_in(session, session.chosen_mode())}
    return Outcome(_line(session.catalogue, item), items=(item,), counts={"target": item["target"]})


def _every_mode(session: Session) -> Outcome:
    texts = session.catalogue  # each mode that is opened below brings its own, in its own language
    modes = [mode for mode in session.registry().modes if not mode.is_wrapper]
    files = [(mode, session.open(mode).settings.path) for mode in modes]
    items = [
        {"mode": mode.name, **back_up(path, None), **_kept_in(session, mode)}
        for mode, path in files
        if path.exists()
    ]
    session.tell_notices()
    session.file = None
    if not items:
        return Outcome(exit_code=NOTHING, problem=Problem("no_file", texts.text("cli.backup.none")))
    return Outcome("\n".join(_line(texts, item) for item in items), items=tuple(items))


def back_up(path: Path, target: Path | None) -> dict[str, object]:
    """Copy *path* to *target*, or to a new file in the folder of backups, and return what was done."""
    target = target or name_of_backup(path, utc_now())
    try:
        copy_to(path, target)
    except FileExistsError:
        raise Conflict("target_exists", path=paths.shown(target)) from None
    return {"file": paths.shown(path), "target": paths.shown(target), "size_bytes": target.stat().st_size}


def _kept_in(session: Session, mode: Mode) -> dict[str, object]:
    """Return where that lies which is not in the copy, because the file of *mode* is only an index of it."""
    if not mode.kept_in:
        return {}
    folder: Path = resolve(mode.kept_in)(session.open(mode).settings)
    return {"kept_in": paths.shown(folder)}


def _line(texts: Catalogue, item: dict[str, object]) -> str:
    size = -(-int(str(item["size_bytes"])) // 1024)
    done = texts.text("cli.backup.done", path=item["file"], target=item["target"], size=size)
    if "kept_in" not in item:
        return done
    return f"{done}\n  {texts.text('cli.backup.index_only', folder=item['kept_in'])}"
