"""restore: a backup becomes the contents of the file; what was in it is backed up first."""

from frugal import paths
from frugal.cli.command import Argument, Command, Values
from frugal.cli.contents import about_given, refuse_guest
from frugal.cli.jsonl import looks_like_export
from frugal.cli.outcome import Outcome
from frugal.cli.session import Session
from frugal.engine import utc_now
from frugal.errors import PathIsFolder, UsageError
from frugal.store import name_of_backup
from frugal.store.restore import restore_file


def build(session: Session) -> Command:
    """Return the command."""
    text = session.text
    return Command(
        session,
        "restore",
        run,
        description=text("cli.commands.restore.help"),
        arguments=[Argument("backup", text("cli.words.file"), text("cli.restore.backup"))],
    )


def run(session: Session, values: Values) -> Outcome:
    """Restore the file of the chosen mode."""
    mode = session.chosen_mode()
    refuse_guest(session, "restore")
    system = paths.system_name(session.environ)
    backup = paths.expand_path(values["backup"], environ=session.environ, system=system)
    if not backup.exists():
        raise UsageError("nothing_there", path=paths.shown(backup))
    if looks_like_export(backup):
        raise UsageError("export_is_no_backup", path=paths.shown(backup))
    workspace = session.open(mode)
    session.tell_notices()
    path = workspace.settings.path
    if path.is_dir():
        raise PathIsFolder(path=str(path))
    if path.exists() and path.samefile(backup):
        raise UsageError("same_file", path=paths.shown(backup))
    moment = utc_now()
    with about_given(backup):
        restored = restore_file(
            backup, workspace.store.expected, keep_as=name_of_backup(path, moment), moment=moment
        )
    text = session.text
    lines = [text("cli.restore.done", path=paths.shown(path), backup=paths.shown(backup))]
    counts: dict[str, object] = {"backup": paths.shown(backup), "kept": None, "damaged": None}
    for key, place in restored._asdict().items():
        if place is not None:
            counts[key] = paths.shown(place)
            lines.append(text(f"cli.restore.{key}", **{key: paths.shown(place)}))
    return Outcome("\n".join(lines), counts=counts)
