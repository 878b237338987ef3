"""export: everything in a file as JSONL that can be imported again, or as Markdown to read elsewhere."""

import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from tempfile import mkdtemp

from frugal import paths
from frugal.call import Client
from frugal.cli.command import Command, Option, Values
from frugal.cli.console import STDIN
from frugal.cli.contents import own_file, read_contents, refuse_mode
from frugal.cli.outcome import DONE, NOTHING, PARTIAL, Outcome, Problem
from frugal.cli.session import Session
from frugal.engine import Workspace
from frugal.errors import Conflict, UsageError
from frugal.model import resolve
from frugal.store import refuse_path_through_file
from frugal.strings import Catalogue
from frugal.transfer import Page, to_jsonl

JSONL, MARKDOWN = "jsonl", "markdown"
FORMATS = (JSONL, MARKDOWN)
FILE_MODE = 0o600


def build(session: Session) -> Command:
    """Return the command."""
    text = session.text
    names = text("cli.export.out.name"), text("cli.export.out.help")
    every = "--alle" if session.catalogue.language == "de" else "--all"
    return Command(
        session,
        "export",
        run,
        description=text("cli.commands.export.help"),
        options=[
            Option("format", ("--format",), "--format", text("cli.export.format"), "|".join(FORMATS)),
            Option("out", ("--out", "--ziel"), *names, text("cli.words.path")),
            Option("force", ("--force",), "--force", text("cli.export.force")),
            Option("all", ("--all", "--alle"), every, text("cli.export.all")),
        ],
    )


def run(session: Session, values: Values) -> Outcome:
    """Export the file of the chosen mode, or of every mode that has one; they are only read."""
    form = values.get("format") or JSONL
    if form not in FORMATS:
        raise UsageError("unknown_format", value=form[:60], known=", ".join(FORMATS))
    out = _path(session, values.get("out"))
    is_forced = bool(values["force"])
    if values["all"]:
        return _every_mode(session, form, out, is_forced=is_forced)
    mode = session.chosen_mode()
    refuse_mode(session, mode, "export")
    if out is None and form == MARKDOWN:
        raise UsageError("out_needed")
    if out is not None:
        _refuse_existing(out, is_folder=form == MARKDOWN, is_forced=is_forced)
    workspace = session.open(mode)
    session.tell_notices()
    own_file(session, workspace, "export")  # an owner's read would make it
    return _export(session.catalogue, workspace, form, out)


def _export(texts: Catalogue, workspace: Workspace, form: str, out: Path | None) -> Outcome:
    if form == MARKDOWN:
        assert out is not None
        return _markdown(texts, workspace, out)
    return _jsonl(texts, workspace, out)


def _every_mode(session: Session, form: str, out: Path | None, *, is_forced: bool) -> Outcome:
    """Export each file into the folder *out* under the name of its mode: `memory.jsonl`, or a folder `memory`."""
    if out is None:
        raise UsageError("out_needed_for_all")
    texts = session.catalogue  # each mode that is opened below brings its own, in its own language
    modes = [mode for mode in session.registry().modes if not mode.is_wrapper]
    found = [mode for mode in modes if session.open(mode).settings.path.exists()]
    there = [mode for mode in found if mode.transfer.records]
    left_out = [mode.name for mode in found if not mode.transfer.records]
    if out.exists() and not out.is_dir():
        raise Conflict("target_exists", path=paths.shown(out))
    targets = {mode.name: out / (mode.name if form == MARKDOWN else f"{mode.name}.{JSONL}") for mode in there}
    for target in targets.values():
        _refuse_existing(target, is_folder=form == MARKDOWN, is_forced=is_forced)
    outcomes = {mode.name: _export(texts, session.open(mode), form, targets[mode.name]) for mode in there}
    session.tell_notices()
    session.file = None
    if not found:
        return Outcome(exit_code=NOTHING, problem=Problem("no_file", texts.text("cli.export.none")))
    items = tuple({"mode": name, **outcome.counts} for name, outcome in outcomes.items())
    return Outcome(
        "\n".join(outcome.text for outcome in outcomes.values()),
        items=items,
        counts={"left_out": left_out},
        exit_code=PARTIAL if left_out else DONE,
        problem=_left_out(texts, left_out),
    )


def _left_out(texts: Catalogue, modes: list[str]) -> Problem | None:
    """Return what is said of *modes* that have a file but no export."""
    if not modes:
        return None
    return Problem("left_out", texts.text("cli.export.left_out", modes=", ".join(modes)))


def _path(session: Session, given: str | None) -> Path | None:
    if not given or given == STDIN:  # standard output, which is where it goes without a path
        return None
    return paths.expand_path(given, environ=session.environ, system=paths.system_name(session.environ))


def _refuse_existing(out: Path, *, is_folder: bool, is_forced: bool) -> None:
    """Raise an error if something is in the way; a file is never replaced by a folder, nor the reverse."""
    shown = paths.shown(out)
    if not os.path.lexists(out):
        refuse_path_through_file(out)
        return
    if is_folder and out.is_dir():
        if any(out.iterdir()) and not is_forced:
            raise Conflict("folder_not_empty", path=shown)
    elif is_folder or out.is_dir():
        raise Conflict("target_exists", path=shown)
    elif not is_forced:
        raise Conflict("target_needs_force", path=shown)


def _jsonl(texts: Catalogue, workspace: Workspace, out: Path | None) -> Outcome:
    contents = read_contents(workspace)
    data = to_jsonl(contents)
    counts: dict[str, object] = {"records": len(contents.records), "size_bytes": len(data)}
    if out is None:
        return Outcome(data.decode(), counts=counts)
    out.parent.mkdir(parents=True, exist_ok=True)
    write_file(out, data)
    shown = paths.shown(out)
    text = texts.text("cli.export.done", path=shown, count=len(contents.records), size=_kib(len(data)))
    return Outcome(text, counts={**counts, "target": shown})


def _kib(size_bytes: int) -> int:
    return -(-size_bytes // 1024)


def write_file(path: Path, data: bytes) -> None:
    """Write *data* to *path*, readable by its owner alone; whatever happens, the file is whole or as before."""
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        handle = os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, FILE_MODE)
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(handle)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def _markdown(texts: Catalogue, workspace: Workspace, out: Path) -> Outcome:
    call = workspace.new_call(Client())
    with workspace.store.read() as db:
        pages: Iterable[Page] = resolve(workspace.mode.transfer.pages)(call, db)
        items = _write_folder(out, pages)
    shown = paths.shown(out)
    text = texts.text("cli.export.pages", path=shown, count=len(items))
    return Outcome(text, items=items, counts={"files": len(items), "target": shown})


def _write_folder(out: Path, pages: Iterable[Page]) -> tuple[dict[str, object], ...]:
    """Write *pages* into the folder *out*, which appears with all of them; what lies there already stays beside them."""
    out.parent.mkdir(parents=True, exist_ok=True)
    unfinished = Path(mkdtemp(prefix=f".{out.name}.", suffix=".part", dir=out.parent))
    items: list[dict[str, object]] = []
    try:
        for page in pages:
            write_file(unfinished / page.name, page.text.encode())
            items.append({"file": page.name, "count": page.items})
        out.mkdir(mode=0o700, exist_ok=True)
        for item in items:
            (unfinished / str(item["file"])).replace(out / str(item["file"]))
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    return tuple(items)
