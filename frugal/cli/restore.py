"""restore: a backup becomes the contents of the file; what was in it is backed up first."""

from pathlib import Path

from frugal import paths
from frugal.cli.command import Argument, Command, Option, Values
from frugal.cli.contents import about_given, refuse_guest
from frugal.cli.jsonl import looks_like_export
from frugal.cli.outcome import Outcome
from frugal.cli.session import Session
from frugal.engine import Workspace, utc_now
from frugal.errors import PathIsFolder, UsageError
from frugal.store import name_of_backup
from frugal.store.restore import Restored, plan_restore, restore_file


def build(session: Session) -> Command:
    """Return the command."""
    text = session.text
    shown = "--trocken" if session.catalogue.language == "de" else "--dry-run"
    return Command(
        session,
        "restore",
        run,
        description=text("cli.commands.restore.help"),
        arguments=[Argument("backup", text("cli.words.file"), text("cli.restore.backup"))],
        options=[Option("dry_run", ("--dry-run", "--trocken"), shown, text("cli.restore.dry_run"))],
    )


def run(session: Session, values: Values) -> Outcome:
    """Restore the file of the chosen mode."""
    mode = session.chosen_mode()
    refuse_guest(session, "restore")
    backup = _given(session, values["backup"])
    workspace = session.open(mode)
    session.tell_notices()
    path = workspace.settings.path
    if path.is_dir():
        raise PathIsFolder(path=str(path))
    if path.exists() and path.samefile(backup):
        raise UsageError("same_file", path=paths.shown(backup))
    is_dry = bool(values["dry_run"])
    with about_given(backup):
        restored = _restore(workspace, backup, is_dry=is_dry)
    return _outcome(session, path, backup, restored, is_dry=is_dry)


def _given(session: Session, word: str) -> Path:
    """Return the backup that the line names."""
    backup = paths.expand_path(word, environ=session.environ, system=paths.system_name(session.environ))
    if not backup.exists():
        raise UsageError("nothing_there", path=paths.shown(backup))
    if looks_like_export(backup):
        raise UsageError("export_is_no_backup", path=paths.shown(backup))
    return backup


def _restore(workspace: Workspace, backup: Path, *, is_dry: bool) -> Restored:
    act, moment = plan_restore if is_dry else restore_file, utc_now()
    keep_as = name_of_backup(workspace.settings.path, moment)
    return act(backup, workspace.store.expected, keep_as=keep_as, moment=moment)


def _outcome(session: Session, path: Path, backup: Path, restored: Restored, *, is_dry: bool) -> Outcome:
    def line(key: str, **fields: str) -> str:
        return session.text(f"cli.restore.would.{key}" if is_dry else f"cli.restore.{key}", **fields)

    lines = [session.text("cli.merge.dry")] if is_dry else []
    lines.append(line("done", path=paths.shown(path), backup=paths.shown(backup)))
    kept = {name: place and paths.shown(place) for name, place in restored._asdict().items()}
    lines += [line(name, **{name: place}) for name, place in kept.items() if place]
    return Outcome("\n".join(lines), counts={"backup": paths.shown(backup), **kept, "dry_run": is_dry})
