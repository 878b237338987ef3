"""backup: a whole, checked copy of a file while others go on using it."""

from pathlib import Path

from frugal import paths
from frugal.cli.command import Argument, Command, Option, Values
from frugal.cli.console import STDIN
from frugal.cli.contents import own_file, refuse_guest
from frugal.cli.outcome import DONE, NOTHING, PARTIAL, Outcome, Problem
from frugal.cli.session import Session
from frugal.engine import Workspace, utc_now
from frugal.errors import Conflict, StoreError, UsageError
from frugal.model import Mode, resolve
from frugal.store import copy_to, name_of_backup, refuse_stranger
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
    workspace = session.open(session.chosen_mode())
    own_file(session, workspace, "backup")
    session.tell_notices()
    system = paths.system_name(session.environ)
    target = paths.expand_path(given, environ=session.environ, system=system) if given else None
    item = {**back_up(workspace, target), **_kept_in(session, session.chosen_mode())}
    return Outcome(_line(session.catalogue, item), items=(item,), counts={"target": item["target"]})


def _every_mode(session: Session) -> Outcome:
    """Back up every file that is there; one that cannot be backed up keeps no other from it."""
    texts = session.catalogue  # each mode that is opened below brings its own, in its own language
    items: list[dict[str, object]] = []
    refused: dict[str, StoreError] = {}
    for mode in session.registry().modes:
        if mode.is_wrapper or not (workspace := session.open(mode)).settings.path.exists():
            continue
        try:
            own_file(session, workspace, "backup")
            items.append({"mode": mode.name, **back_up(workspace, None), **_kept_in(session, mode)})
        except StoreError as error:
            refused[session.render(error)] = error
    session.tell_notices()
    session.file = None
    if not items:
        for refusal in refused.values():
            raise refusal
        return Outcome(exit_code=NOTHING, problem=Problem("no_file", texts.text("cli.backup.none")))
    return Outcome(
        "\n".join(_line(texts, item) for item in items),
        items=tuple(items),
        exit_code=PARTIAL if refused else DONE,
        problem=Problem("left_out", "\n".join(refused)) if refused else None,
    )


def back_up(workspace: Workspace, target: Path | None) -> dict[str, object]:
    """Copy the file of *workspace* to *target*, or to a new one in the folder of backups, and return what was done.

    Raise a `StoreError` if it is another mode's or another program's.
    """
    path = workspace.settings.path
    refuse_stranger(workspace.store.expected)
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
