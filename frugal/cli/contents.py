"""What commands share that move a mode's contents: which modes can, reading all of a file, and taking it in."""

import shlex
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from frugal import paths
from frugal.call import Client
from frugal.cli import console
from frugal.cli.outcome import DONE, PARTIAL, Outcome, Problem
from frugal.cli.session import Session
from frugal.engine import Workspace
from frugal.errors import PathIsFolder, StoreError, UsageError
from frugal.model import Mode, resolve
from frugal.settings import NAME, host_name
from frugal.shellwords import PROGRAM
from frugal.store import copy_to, read_record
from frugal.transfer import Contents, Merged, Progress, no_progress

LANGUAGE = "language"
NAME_RECORD = "name"
OTHER = "other"
DATABASE = b"SQLite format 3\0"


def refuse_mode(session: Session, mode: Mode, command: str) -> None:
    """Raise `UsageError` unless *mode* says how its contents move."""
    if not mode.transfer.records:
        can = [other.name for other in session.registry().modes if other.transfer.records]
        raise UsageError("no_transfer", mode=mode.name, command=command, known=", ".join(can) or "-")


def refuse_guest(session: Session, command: str) -> None:
    """Raise `UsageError` for a guest: the command writes."""
    if session.is_guest:
        raise UsageError("guest_writes", command=command)


def command_line(command: str, path: Path) -> str:
    """Return the line that calls *command* with the file *path*."""
    return f"{PROGRAM} {command} {shlex.quote(paths.shown(path))}"


def is_database(path: Path) -> bool:
    """Tell whether the file *path* begins as a database does."""
    if not path.is_file():
        return False
    with path.open("rb") as stream:
        return stream.read(len(DATABASE)) == DATABASE


def own_file(session: Session, workspace: Workspace, command: str) -> Path:
    """Return the file of *workspace*; raise an error if there is none to read."""
    path = workspace.settings.path
    if path.is_dir():
        raise PathIsFolder(path=str(path))
    if not path.exists():
        raise UsageError("no_file_yet", path=session.file, command=command)
    return path


def read_contents(workspace: Workspace) -> Contents:
    """Return everything in the file of *workspace*, from one snapshot."""
    with workspace.store.read() as db:
        records = tuple(resolve(workspace.mode.transfer.records)(db))
        language = read_record(db, LANGUAGE) if workspace.mode.records_language else None
    return Contents(workspace.mode.name, language, records)


def with_name(workspace: Workspace, contents: Contents, path: Path) -> Contents:
    """Return *contents* of the file *path* with the name that its numbers have beside those of *workspace*.

    That is the name recorded in it, else one made from the file's; never one that means this file.
    """
    recorded = next((str(record.id) for record in contents.records if record.type == NAME_RECORD), "")
    taken = workspace.settings.names
    for name in (recorded, host_name(path.stem), OTHER):
        if NAME.fullmatch(name) and name.casefold() not in taken:
            return replace(contents, name=name)
    return replace(contents, name=f"{OTHER}-2")


@contextmanager
def about_given(path: Path) -> Iterator[None]:
    """Let what the store says of the file *path*, which the line named, be told as of that one."""
    try:
        yield
    except StoreError as error:
        if error.data.get("path") == str(path):
            error.is_given = True
        raise


class Elsewhere(Workspace):
    """A mode over a copy of a file, of which nobody needs to hear what is done to it."""

    def report(self, key: str, data: Mapping[str, object]) -> None:
        """Say nothing."""


@contextmanager
def copy_of(workspace: Workspace, path: Path) -> Iterator[Workspace]:
    """Yield a workspace over a copy of the file *path*, or over no file if there is none; *path* is only read.

    The copy may be upgraded and written to, and is removed at the end.
    """
    with TemporaryDirectory(prefix="frugal-memory-", ignore_cleanup_errors=True) as folder:
        place = Path(folder) / path.name
        if path.exists():
            copy_to(path, place)
        settings = replace(workspace.settings, path=place)
        copy = Elsewhere(
            workspace.engine, workspace.mode, settings, workspace.surface.language, is_guest=False
        )
        try:
            yield copy
        finally:
            copy.close()


def take_in(
    session: Session, workspace: Workspace, contents: Contents, *, is_dry: bool, may_load: bool
) -> Outcome:
    """Load *contents* into an empty file, if that is allowed, or else merge them; tell what came of it.

    A dry run does the same with a copy.
    """
    progress = console.Progress(session.text("cli.merge.progress"))
    target = copy_of(workspace, workspace.settings.path) if is_dry else nullcontext(workspace)
    try:
        with target as opened:
            merged = store_contents(opened, contents, may_load=may_load, progress=progress)
    finally:
        progress.close()
    return _outcome(session, merged, is_dry=is_dry)


def store_contents(
    workspace: Workspace, contents: Contents, *, may_load: bool, progress: Progress = no_progress
) -> Merged:
    """Load *contents* into an empty file, if that is allowed, or else merge them."""
    transfer = workspace.mode.transfer
    call = workspace.new_call(Client())
    merged: Merged
    if may_load:
        with workspace.store.write() as db:
            if not any(True for _ in resolve(transfer.records)(db)):
                merged = resolve(transfer.load)(call, db, contents, progress=progress)
                return merged
    merged = resolve(transfer.merge)(call, contents, progress=progress)
    return merged


def _outcome(session: Session, merged: Merged, *, is_dry: bool) -> Outcome:
    lines = [session.text("cli.merge.dry")] if is_dry else []
    text = "\n".join([*lines, *merged.lines])
    counts = {**merged.counts, "left_out": merged.left_out, "dry_run": is_dry}
    if not merged.left_out:
        return Outcome(text, items=merged.items, counts=counts, exit_code=DONE)
    problem = Problem("left_out", session.text("cli.merge.partial", count=merged.left_out))
    return Outcome(text, items=merged.items, counts=counts, exit_code=PARTIAL, problem=problem)
