"""import: folders of Markdown notes become entries."""

import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from frugal import paths
from frugal.cli import console
from frugal.cli.command import Argument, Command, Option, Values
from frugal.cli.contents import command_line, is_database
from frugal.cli.outcome import DONE, NOTHING, PARTIAL, Outcome, Problem
from frugal.cli.session import Session
from frugal.errors import Refusal, Refused, StoreError, UsageError
from frugal.model import Mode

if TYPE_CHECKING:
    from frugal.entries.cards import CardSource
    from frugal.entries.importing import Choice, Found, LeftOut, Report
    from frugal.surface import Surface

KINDS = ("auto", "notes", "jsonl")
"""What can be read without a plugin."""
OF_CURRENT_FOLDER = frozenset({"auto", "notes", "claude-memory", "claude-code"})
"""Without a path these read what Claude Code keeps for the current folder."""

SHOWN_LEFT_OUT = 50
SHOWN_OUTDATED = 20
SHOWN_FLAWS = 20


def build(session: Session) -> Command:
    """Return the command."""
    text = session.text
    word, folder = text("cli.words.text"), text("cli.words.folder")

    def option(key: str, names: tuple[str, ...], metavar: str = "", *, is_list: bool = False) -> Option:
        shown = names[-1] if session.catalogue.language == "de" else names[0]
        return Option(key, names, shown, text(f"cli.import.{key}"), metavar, is_list=is_list)

    return Command(
        session,
        "import",
        run,
        description=text("cli.commands.import.help"),
        arguments=[Argument("path", folder, text("cli.import.path"), is_required=False)],
        options=[
            option("source", ("--from", "--von"), "|".join((*KINDS, "..."))),
            option("dry_run", ("--dry-run", "--trocken")),
            option("with_index", ("--with-index", "--mit-index")),
            option("recursive", ("--recursive", "--rekursiv")),
            option("tag", ("--tag", "--marke"), word, is_list=True),
            option("kind", ("--kind", "--art"), word),
        ],
    )


def run(session: Session, values: Values) -> Outcome:
    """Import a folder of notes, or one note, into the chosen mode."""
    mode = session.chosen_mode()
    if session.is_guest:
        raise UsageError("guest_writes", command="import")
    kind = values.get("source") or "auto"
    refuse_kind(session, kind)
    if export := _export(session, values.get("path"), kind):
        from frugal.cli.jsonl import import_export

        return import_export(session, export, values)
    refuse_mode(session, mode)
    is_dry = bool(values["dry_run"])
    cards = _cards(session, values.get("path"), kind)
    place = _notes_place(session, values.get("path")) if cards is None else None
    # A dry run reads like a guest: it neither makes nor upgrades a file.
    workspace = session.open(mode, is_guest=is_dry)
    session.tell_notices()
    from frugal.call import Client
    from frugal.entries.cards import import_cards
    from frugal.entries.importing import Found, import_notes

    choice = _choice(values, workspace.surface, is_dry=is_dry)
    found = Found(()) if place is None else _find(place, values)
    call = workspace.new_call(Client())
    with _progress(session, is_dry=is_dry) as progress:
        if cards is not None:
            report = import_cards(call, cards, choice, progress=progress)
        else:
            report = import_notes(call, found.files, choice, progress=progress)
    workspace.close()  # the log goes into the file, whose size is told
    path = workspace.settings.path
    size_bytes = path.stat().st_size if path.exists() else 0
    surface = workspace.shown_surface(from_shell=True)
    return outcome_of(report, found, session, surface, size_bytes=size_bytes, is_dry=is_dry, cards=cards)


@contextmanager
def _progress(session: Session, *, is_dry: bool) -> Iterator[Callable[[int, int], None]]:
    """Yield what is told after each file; if it ends before the last one, say what is stored."""
    done = total = 0
    bar = console.Progress(session.text("cli.import.progress"))

    def told(now: int, most: int) -> None:
        nonlocal done, total
        done, total = now, most
        bar(now, most)

    try:
        yield told
    except (StoreError, KeyboardInterrupt):
        bar.close()
        if done and not is_dry:
            console.tell(session.text("cli.import.stopped", done=done, total=total))
        raise
    finally:
        bar.close()


def refuse_mode(session: Session, mode: Mode) -> None:
    """Raise `UsageError` unless *mode* keeps entries."""
    if not _has_entries(mode):
        known = ", ".join(other.name for other in session.registry().modes if _has_entries(other)) or "-"
        raise UsageError("import_needs_entries", mode=mode.name, known=known)


def _has_entries(mode: Mode) -> bool:
    return "entries" in mode.migration_sets


def refuse_kind(session: Session, kind: str) -> None:
    """Raise `UsageError` unless *kind* is something that can be read."""
    if kind in KINDS:
        return
    from frugal.cli.cards import kinds_of

    known = [*KINDS, *(other for other in kinds_of(session) if other not in KINDS)]
    if kind not in known:
        raise UsageError("unknown_import_kind", value=kind[:60], known=", ".join(known))


def _cards(session: Session, given: str | None, kind: str) -> "CardSource | None":
    """Return the cards of another system that are to be imported, None if it is notes."""
    if kind == "notes" or (kind == "auto" and not given):
        return None
    from frugal.cli.cards import find_cards

    is_current = not given and kind in OF_CURRENT_FOLDER
    place = _current_notes(session) if is_current else _given_place(session, given) if given else None
    return find_cards(session, kind, place)


def _export(session: Session, given: str | None, kind: str) -> Path | None:
    """Return the export to import, None if it is something else."""
    if not given or kind not in ("auto", "jsonl"):
        if kind == "jsonl":
            raise UsageError("missing_value", parameter=session.text("cli.words.file"))
        return None
    from frugal.cli.jsonl import looks_like_export

    place = paths.expand_path(given, environ=session.environ, system=paths.system_name(session.environ))
    if kind == "jsonl" and not place.is_file():
        raise UsageError("export_is_folder" if place.is_dir() else "nothing_there", path=paths.shown(place))
    if looks_like_export(place):
        return place
    return place if kind == "jsonl" and not _is_of_others(session, place) else None


def _is_of_others(session: Session, place: Path) -> bool:
    """Tell whether a JSONL file that is no export holds records that a plugin reads."""
    from frugal.cli.cards import find_cards

    try:
        return find_cards(session, "jsonl", place) is not None
    except UsageError:
        return False


def _given_place(session: Session, given: str) -> Path:
    """Return the folder or file that the line names."""
    place = paths.expand_path(given, environ=session.environ, system=paths.system_name(session.environ))
    if not place.exists():
        raise UsageError("nothing_there", path=paths.shown(place))
    return place


def _notes_place(session: Session, given: str | None) -> Path:
    """Return the folder of notes to import, or the one note."""
    place = _given_place(session, given) if given else _current_notes(session)
    if is_database(place):
        raise UsageError("database_to_merge", path=paths.shown(place), line=command_line("merge", place))
    if place.is_file() and not place.name.lower().endswith(".md"):
        raise UsageError("no_notes_file", path=paths.shown(place))
    return place


def _current_notes(session: Session) -> Path:
    """Return the notes Claude Code keeps for the current folder."""
    projects = paths.home_folder(session.environ) / ".claude" / "projects"
    place = projects / project_name(Path.cwd()) / "memory"
    if place.is_dir():
        return place
    others = sorted(folder for folder in projects.glob("*/memory") if folder.is_dir())
    if not others:
        raise UsageError("no_project_notes", path=paths.shown(place))
    commands = "".join(f"\n  frugal-memory import {shlex.quote(paths.shown(folder))}" for folder in others)
    raise UsageError("other_project_notes", path=paths.shown(place), commands=commands)


def project_name(folder: Path) -> str:
    """Return the name Claude Code gives the project in *folder*."""
    return re.sub("[^A-Za-z0-9]", "-", str(folder))


def _choice(values: Values, surface: "Surface", *, is_dry: bool) -> "Choice":
    from frugal.entries.forms import OneKind, Tags
    from frugal.entries.importing import Choice
    from frugal.surface import with_parameter

    try:
        parameter = "--tag"
        tags = Tags().read(list(values["tag"] or ()), surface)
        parameter = "--kind"
        kind = OneKind().read(values.get("kind") or "", surface)
    except Refused as refused:
        raise Refused([with_parameter(problem, parameter) for problem in refused.problems]) from None
    except Refusal as problem:
        raise with_parameter(problem, parameter) from None
    return Choice(tags, kind, is_dry=is_dry)


def _find(place: Path, values: Values) -> "Found":
    from frugal.entries.importing import Found, find_notes

    if place.is_file():
        return Found((place,))
    return find_notes(place, is_recursive=bool(values["recursive"]), with_index=bool(values["with_index"]))


def outcome_of(
    report: "Report",
    found: "Found",
    session: Session,
    surface: "Surface",
    *,
    size_bytes: int,
    is_dry: bool,
    cards: "CardSource | None" = None,
) -> Outcome:
    """Return the report in the user's language; something left out makes it partial."""
    text = session.text
    left_out = (*found.left_out, *report.left_out)
    reasons = [text(f"import.reasons.{item.reason}", **item.data) for item in left_out]
    counts = _counts(report, left_out, size_bytes=size_bytes, is_dry=is_dry)
    lines = [text("import.dry")] if is_dry else []
    if cards is not None:
        counts["kind"] = cards.kind
        lines.append(text("import.kind", kind=cards.kind))
    lines.append(text("import.done", **counts))
    lines += _remarks(counts, found, session, hints=() if cards is None else cards.hints)
    lines += [*_flaws(report, session), *_outdated(report, surface), *_named(left_out, reasons, session)]
    size = -(-size_bytes // 1024)
    lines.append(text("import.total", path=session.file, total=report.total, size=size))
    items = _items(report) + tuple(
        {"file": paths.shown(item.path), "left_out": item.reason, "reason": reason}
        for item, reason in zip(left_out, reasons, strict=True)
    )
    code = DONE if report.files else NOTHING
    if not left_out:
        return Outcome("\n".join(lines), items=items, counts=counts, exit_code=code)
    problem = Problem("left_out", text("import.partial", count=len(left_out)))
    return Outcome("\n".join(lines), items=items, counts=counts, exit_code=PARTIAL, problem=problem)


COUNTED = ("pieces", "new", "known", "repeated", "erased", "chains", "not_live")


def _counts(
    report: "Report", left_out: Sequence["LeftOut"], *, size_bytes: int, is_dry: bool
) -> dict[str, object]:
    return {
        "files": len(report.files),
        **{key: report.sum(key) for key in COUNTED},
        "left_out": len(left_out),
        "total": report.total,
        "size_bytes": size_bytes,
        "dry_run": is_dry,
    }


def _named(left_out: Sequence["LeftOut"], reasons: Sequence[str], session: Session) -> list[str]:
    """Return a line for each of what was *left_out*, and how many more there are."""
    lines = [
        session.text("import.left_out", file=paths.shown(item.path), reason=reason)
        for item, reason in zip(left_out[:SHOWN_LEFT_OUT], reasons, strict=False)
    ]
    if more := len(left_out) - len(lines):
        lines.append(session.text("import.more_left_out", count=more))
    return lines


def _remarks(
    counts: Mapping[str, object], found: "Found", session: Session, *, hints: Sequence[str]
) -> list[str]:
    """Return the lines about what is there and was not imported on purpose."""
    text = session.text
    lines = []
    if counts["repeated"]:
        lines.append(text("import.repeated", count=counts["repeated"]))
    if counts["not_live"]:
        lines.append(text("import.not_live", count=counts["not_live"]))
    lines += [text("import.hint", hint=hint) for hint in hints]
    if counts["erased"]:
        lines.append(text("import.erased", count=counts["erased"]))
    if found.indexes:
        lines.append(text("import.index"))
    if found.folders:
        lines.append(text("import.folders", count=found.folders))
    return lines


def _flaws(report: "Report", session: Session) -> list[str]:
    """Return a line for each file whose front matter is no YAML, and how many more there are."""
    flawed = [file for file in report.files if file.flaw_line]
    lines = [
        session.text("import.flaw", file=paths.shown(file.path), line=file.flaw_line)
        for file in flawed[:SHOWN_FLAWS]
    ]
    if more := len(flawed) - len(lines):
        lines.append(session.text("import.more_flaws", count=more))
    return lines


def _outdated(report: "Report", surface: "Surface") -> list[str]:
    """Return the line about entries of earlier versions of the files, which stay beside what is new."""
    numbers = sorted({number for file in report.files for number in file.outdated})
    if not numbers:
        return []
    shown = numbers[:SHOWN_OUTDATED]
    more = surface.text("lines.and_more", count=len(numbers) - len(shown)) if numbers[len(shown) :] else ""
    call = surface.call("forget", surface.id_argument(numbers))
    return [surface.text("import.outdated", count=len(numbers), ids=surface.ids(shown) + more, call=call)]


def _items(report: "Report") -> tuple[dict[str, object], ...]:
    return tuple(
        {
            "file": paths.shown(file.path),
            "pieces": file.pieces,
            "new": file.new,
            "known": file.known,
            "repeated": file.repeated,
            "outdated": list(file.outdated),
            "erased": file.erased,
            "chains": file.chains,
            "not_live": file.not_live,
            "flaw_line": file.flaw_line,
        }
        for file in report.files
        if file.pieces or not file.left_out
    )
