"""The file of one mode: where it lies, who may read it, whether it is sound, what it holds, how it is kept."""

import os
import shutil
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from frugal import paths
from frugal.doctor import places
from frugal.doctor.items import Item, Scribe, State
from frugal.engine import Workspace
from frugal.errors import DamagedFile, StoreError
from frugal.model import Agreement, resolve
from frugal.search import is_outdated
from frugal.store import checks, newest_backup, read_record, takeovers_in
from frugal.takeovers import told

MOST_ROWS = 500
"""So many rows of the index are recomputed."""
SHOWN = 3
SIDE_FILES = ("", "-wal", "-shm")
OTHERS_MAY = stat.S_IRWXG | stat.S_IRWXO
OTHERS_MAY_WRITE = stat.S_IWGRP | stat.S_IWOTH
LITTLE_ROOM_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True)
class Patient:
    """The mode whose file is looked at, and how it is written about."""

    workspace: Workspace
    scribe: Scribe

    @property
    def path(self) -> Path:
        """The file."""
        return self.workspace.settings.path

    @property
    def flags(self) -> str:
        """What a command needs to mean this file: "", or a blank and the mode's flag, and the file if --db named it."""
        flags = "".join(f" {flag}" for flag in self.workspace.mode.flags[:1])
        is_named = self.workspace.settings.path_source == "--db"
        return f"{flags} --db {_quoted(self.path)}" if is_named else flags


def examine_file(workspace: Workspace) -> Iterator[Item]:
    """Yield what is found about the file of *workspace*; nothing is opened for writing or made."""
    patient = Patient(workspace, Scribe(workspace.surface.text, workspace.mode.name))
    is_there = True
    for item in _place(patient):
        is_there &= item.id != "file" or item.state is State.OK
        yield item
    if is_there:
        yield from _once(_contents(patient))
        yield from _care(patient)


def _once(items: Iterator[Item]) -> Iterator[Item]:
    """Yield *items* without repeating a failure: of a file that cannot be opened every check says the same."""
    told: set[str] = set()
    for item in items:
        if item.state is State.FAIL and item.text in told:
            continue
        told.add(item.text)
        yield item


# Place


def _place(patient: Patient) -> Iterator[Item]:
    """Say whether the file is there, whose it is, who may read it, how much room there is, and on what it lies."""
    scribe, path = patient.scribe, patient.path
    shown = {"path": paths.shown(path), "source": scribe.source(patient.workspace.settings.path_source)}
    try:
        status = path.stat()
    except FileNotFoundError:
        yield scribe.note("file", "absent", **shown)
        yield from _surface_of(patient, path.parent)
        return
    except OSError as error:
        yield scribe.fail("file", "no_access", **shown, reason=error.strerror or "")
        return
    if not stat.S_ISREG(status.st_mode):
        yield scribe.fail("file", "no_file", **shown)
        return
    if not os.access(path, os.R_OK):
        yield scribe.fail("file", "no_access", **shown, reason=os.strerror(13))
        return
    yield scribe.ok("file", "there", **shown)
    yield from _rights(patient, status)
    yield _room(patient, status.st_size)
    yield from _surface_of(patient, path)


def _rights(patient: Patient, status: os.stat_result) -> Iterator[Item]:
    scribe, path = patient.scribe, patient.path
    if not hasattr(os, "geteuid"):
        return
    if status.st_uid == os.geteuid():
        yield scribe.ok("owner", "own", owner=_user(status.st_uid))
    else:
        yield scribe.note("owner", "other", owner=_user(status.st_uid))
    wide = [
        place
        for end in SIDE_FILES
        if (place := path.with_name(path.name + end)).exists() and place.stat().st_mode & OTHERS_MAY
    ]
    backup = newest_backup(path)
    if backup is not None and backup.stat().st_mode & OTHERS_MAY:
        wide.append(backup)
    folder = path.resolve().parent
    is_open = folder.stat().st_mode & OTHERS_MAY_WRITE and not folder.stat().st_mode & stat.S_ISVTX
    if wide:
        shown = ", ".join(f"{paths.shown(place)} {place.stat().st_mode & 0o777:04o}" for place in wide)
        commands = " ".join(_quoted(place) for place in wide)
        yield scribe.warn("permissions", "wide", hint=f"chmod 600 {commands}", files=shown)
    if is_open:
        mode = f"{folder.stat().st_mode & 0o777:04o}"
        hint = f"chmod 700 {_quoted(folder)}"
        yield scribe.warn("permissions", "open_folder", hint=hint, folder=paths.shown(folder), mode=mode)
    if not wide and not is_open:
        yield scribe.ok("permissions", "private", mode=f"{status.st_mode & 0o777:04o}")


def _user(number: int) -> str:
    try:
        from pwd import getpwuid

        return getpwuid(number).pw_name
    except (ImportError, KeyError):
        return str(number)


def _quoted(path: Path) -> str:
    from shlex import quote

    return quote(paths.shown(path))


def _room(patient: Patient, size_bytes: int) -> Item:
    free = shutil.disk_usage(patient.path.parent).free
    fields = {"size": _mib(size_bytes), "free": _mib(free)}
    if free < max(size_bytes, LITTLE_ROOM_BYTES):
        return patient.scribe.note("space", "little", **fields)
    return patient.scribe.ok("space", "enough", **fields)


def _mib(size_bytes: int) -> str:
    return f"{size_bytes / 1024 / 1024:.1f} MiB"


def _surface_of(patient: Patient, path: Path) -> Iterator[Item]:
    """Say what the folder is: synced to other machines, or a disk of another one. SQLite trusts neither."""
    scribe, place = patient.scribe, Path(os.path.realpath(path))
    moved = scribe.hint("move", setting=f"{patient.workspace.mode.settings_prefix}_DB")
    if service := places.sync_service(path) or places.sync_service(place):
        yield scribe.warn("sync", "synced", hint=moved, service=service)
    if kind := places.network_type(place, places.read_mounts()):
        yield scribe.warn("network", "mounted", hint=moved, kind=kind)


# Contents


def _contents(patient: Patient) -> Iterator[Item]:
    """Say whether the file is sound, ours and current, and whether what is derived agrees with the texts."""
    yield from _checked(patient, "integrity", _integrity)
    yield from _checked(patient, "foreign_keys", _references)
    is_current = True
    for item in _checked(patient, "layout", _layout):
        is_current &= item.state is State.OK
        yield item
    if is_current:
        for name, look in (
            ("index", _index),
            ("language", _language),
            ("leftovers", _leftovers),
            ("takeover", _takeovers),
        ):
            yield from _checked(patient, name, look)


def _checked(patient: Patient, name: str, look: Callable[[Patient], Iterator[Item]]) -> Iterator[Item]:
    """Yield the findings of *look*; a file that cannot be asked is a finding of its own."""
    try:
        yield from list(look(patient))
    except StoreError as error:
        hint = _restoring(patient) if isinstance(error, DamagedFile) else ""
        yield patient.scribe.quote(State.FAIL, name, patient.workspace.surface.render(error), hint=hint)


def _restoring(patient: Patient) -> str:
    backup = newest_backup(patient.path)
    return (
        f"frugal-memory restore {_quoted(backup)}{patient.flags}"
        if backup
        else patient.scribe.hint("no_backup")
    )


def _integrity(patient: Patient) -> Iterator[Item]:
    messages = checks.damage(patient.path)
    if not messages:
        yield patient.scribe.ok("integrity", "sound")
        return
    reason = "; ".join(" ".join(message.split())[:120] for message in messages[:SHOWN])
    yield patient.scribe.fail("integrity", "damaged", hint=_restoring(patient), reason=reason)


def _references(patient: Patient) -> Iterator[Item]:
    rows = checks.broken(patient.path)
    if not rows:
        yield patient.scribe.ok("foreign_keys", "whole")
        return
    named = [f"{row.table} {'-' if row.rowid is None else row.rowid} -> {row.parent}" for row in rows[:SHOWN]]
    hint = _restoring(patient)
    yield patient.scribe.fail("foreign_keys", "broken", hint=hint, count=len(rows), rows=", ".join(named))


def _layout(patient: Patient) -> Iterator[Item]:
    """Say which migrations the file has seen; raise the refusal of one that is newer, foreign or too old."""
    scribe, store = patient.scribe, patient.workspace.store
    found = checks.finding(patient.path, store.expected)
    command = store.expected.command
    if found.is_fresh:
        yield scribe.note("layout", "empty")
    elif found.old is not None and not found.old.is_late:
        yield scribe.note("layout", "old", hint=command, layout=found.old.layout or "-")
    elif found.pending:
        pending = ", ".join(f"{step.set_name}/{step.name}" for step in found.pending)
        yield scribe.note("layout", "behind", hint=command, pending=pending)
    else:
        seen = checks.steps(patient.path)
        last = seen[-1]
        yield scribe.ok(
            "layout", "current", count=len(seen), name=last.name, at=last.at[:10], version=last.version
        )


def _index(patient: Patient) -> Iterator[Item]:
    reference = patient.workspace.mode.examine
    if not reference:
        return
    examine = resolve(reference)
    scribe = patient.scribe
    hint = f"frugal-memory upkeep{patient.flags}"
    if checks.ask(patient.path, is_outdated):
        yield scribe.fail("index", "outdated", hint=hint)
        return
    try:
        found: Agreement = checks.ask(patient.path, lambda db: examine(db, MOST_ROWS))
    except (LookupError, ValueError):  # rows that point to words which are not there
        yield scribe.fail("index", "torn", hint=hint)
        return
    fields = {"documents": found.documents, "examined": found.examined}
    if found.is_right:
        yield scribe.ok("index", "agrees", **fields)
        return
    if found.differing:
        rows = ", ".join(found.differing[:12]) + (", ..." if len(found.differing) > 12 else "")
        yield scribe.fail("index", "differs", hint=hint, **fields, count=len(found.differing), rows=rows)
    elif found.indexed is None:
        yield scribe.fail("index", "torn", hint=hint)
    else:
        yield scribe.fail("index", "miscounts", hint=hint, **fields, indexed=found.indexed)


def _language(patient: Patient) -> Iterator[Item]:
    recorded = checks.ask(patient.path, lambda db: read_record(db, "language"))
    used = patient.workspace.surface.language
    if recorded is not None:
        yield patient.scribe.ok("language", "recorded", recorded=recorded, used=used)
    else:
        yield patient.scribe.ok("language", "used", used=used)


def _leftovers(patient: Patient) -> Iterator[Item]:
    predecessor = patient.workspace.mode.predecessor
    names = checks.leftovers(patient.path, predecessor.table) if predecessor else ()
    if names:
        hint = patient.workspace.store.expected.command
        yield patient.scribe.warn("leftovers", "found", hint=hint, tables=", ".join(names))


def _takeovers(patient: Patient) -> Iterator[Item]:
    for noted in checks.ask(patient.path, takeovers_in):
        text = patient.scribe.text(
            "doctor.takeover.done", date=noted.at[:10], told=told(noted, patient.workspace.surface)
        )
        yield patient.scribe.quote(State.NOTE, "takeover", text)


# Care


def _care(patient: Patient) -> Iterator[Item]:
    """Say which backup is the newest, and who has the file open."""
    scribe = patient.scribe
    backup = newest_backup(patient.path)
    command = f"frugal-memory backup{patient.flags}"
    if backup is None:
        yield scribe.note("backup", "none", hint=command)
    else:
        made = datetime.fromtimestamp(backup.stat().st_mtime, UTC)
        yield scribe.ok("backup", "newest", path=paths.shown(backup), date=f"{made:%Y-%m-%d}")
    processes = places.openers(patient.path)
    if processes:
        yield scribe.note("processes", "open", processes=", ".join(processes))
    elif processes is not None:
        yield scribe.ok("processes", "nobody")
