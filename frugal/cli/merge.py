"""merge: take in another file of the same mode, which is only read."""

from pathlib import Path

from frugal import paths
from frugal.cli.command import Argument, Command, Option, Values
from frugal.cli.contents import (
    command_line,
    copy_of,
    read_contents,
    refuse_guest,
    refuse_mode,
    take_in,
    with_name,
)
from frugal.cli.jsonl import looks_like_export
from frugal.cli.outcome import Outcome
from frugal.cli.session import Session
from frugal.engine import Workspace
from frugal.errors import DamagedExport, PathIsFolder, StoreError, UsageError
from frugal.transfer import Contents


def build(session: Session) -> Command:
    """Return the command."""
    text = session.text
    shown = "--trocken" if session.catalogue.language == "de" else "--dry-run"
    return Command(
        session,
        "merge",
        run,
        description=text("cli.commands.merge.help"),
        arguments=[Argument("other", text("cli.words.file"), text("cli.merge.other"))],
        options=[Option("dry_run", ("--dry-run", "--trocken"), shown, text("cli.merge.dry_run"))],
    )


def run(session: Session, values: Values) -> Outcome:
    """Merge another file into that of the chosen mode."""
    mode = session.chosen_mode()
    refuse_guest(session, "merge")
    refuse_mode(session, mode, "merge")
    system = paths.system_name(session.environ)
    other = paths.expand_path(values["other"], environ=session.environ, system=system)
    if other.is_dir():
        raise PathIsFolder(path=paths.shown(other))
    if not other.is_file():
        raise UsageError("nothing_there", path=paths.shown(other))
    if looks_like_export(other):
        line = command_line("import", other)
        raise UsageError("export_to_import", path=paths.shown(other), line=line)
    workspace = session.open(mode)
    session.tell_notices()
    own = workspace.settings.path
    if own.exists() and own.samefile(other):
        raise UsageError("same_file", path=paths.shown(other))
    contents = read_other(workspace, other)
    try:
        return take_in(session, workspace, contents, is_dry=bool(values["dry_run"]), may_load=False)
    except DamagedExport as error:
        raise DamagedExport(error.key, **{**error.data, "path": paths.shown(other)}) from None


def read_other(workspace: Workspace, other: Path) -> Contents:
    """Return what the file *other* holds, read from a copy, which may be upgraded first."""
    try:
        with copy_of(workspace, other) as copy:
            return with_name(workspace, read_contents(copy), other)
    except StoreError as error:
        error.data["path"] = str(other)  # not that of the copy
        error.is_given = True
        raise
