"""What Claude's data export holds of memory: one text about all conversations, one a project."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from frugal_modes.vault.readers.archives import Member, is_zip, member_names, unpack
from frugal_modes.vault.readers.jsontext import Broken, is_of_others, table_of
from frugal_modes.vault.readers.sections import section_id, sections
from frugal_modes.vault.readers.sniffing import archive, beginning
from frugal_modes.vault.readers.texts import Ids, decoded, export_time, first_sentence, storable
from frugal_modes.vault.readers.walking import walk_exports
from frugal_modes.vault.records import Card, Problem, Reading, Unit

KEYS = ("conversations_memory", "project_memories")
CONVERSATIONS = "conversations.json"


@dataclass(frozen=True)
class ClaudeExport:
    """One section of a memory text is one card."""

    name: str = "claude-export"
    option_names: tuple[str, ...] = ()

    def defaults(self, environ: Mapping[str, str]) -> tuple[Path, ...]:
        """Return nothing: an export lies where it was saved."""
        return ()

    def recognise(self, path: Path) -> str | None:
        """Return the reason if a file, a zip or a folder holds `conversations_memory` or `project_memories`."""
        files = _files_of(path) if path.is_dir() else (path,)
        return "shape.claude_export" if any(self._holds(file) for file in files) else None

    def _holds(self, file: Path) -> bool:
        if file.suffix.lower() == ".json":
            return _has_shape(beginning(file))
        data = archive(file) if file.suffix.lower() == ".zip" else b""
        members, _ = unpack(data, "", _is_wanted) if data else ((), ())
        return any(_has_shape(member.data[:1_000_000].decode("utf-8", "replace")) for member in members)

    def units(self, root: Path, options: Mapping[str, str]) -> Iterable[Unit | Problem]:
        """Yield the file, or the files and zips of a folder that may hold memories; none is opened."""
        return walk_exports(root, options, _may_hold)

    def read(self, unit: Unit, data: bytes, options: Mapping[str, str]) -> Reading:
        """Return the sections of every memory text."""
        members: tuple[Member, ...] = (Member("", data),)
        problems: tuple[Problem, ...] = ()
        if is_zip(data):
            members, problems = unpack(data, unit.path, _is_wanted)
            if not members and not problems and not unit.path:
                problems = (Problem(unit.path, "nothing_inside"),)
        reading = _Reading(unit, Ids())
        for member in members:
            reading.add(member)
        if unit.path and not reading.cards and not reading.is_memory and not problems:
            return Reading()
        is_whole = not problems and not reading.problems
        notes = _conversations(data, unit)
        return Reading(tuple(reading.cards), (*problems, *reading.problems, *notes), is_whole=is_whole)


def _conversations(data: bytes, unit: Unit) -> tuple[Problem, ...]:
    names = member_names(data) if is_zip(data) else ()
    return tuple(
        Problem(unit.path, "conversations_skipped", name) for name in names if _base(name) == CONVERSATIONS
    )


def _files_of(folder: Path) -> Iterator[Path]:
    yield folder / "memories.json"
    for pattern in ("memories/*.json", "memories-*.zip", "data-*.zip"):
        yield from sorted(folder.glob(pattern))


def _base(name: str) -> str:
    return name.rpartition("/")[2]


def _is_wanted(name: str) -> bool:
    folder, _, base = name.rpartition("/")
    is_of_account = folder.rpartition("/")[2] == "memories" and base.endswith(".json")
    return base == "memories.json" or is_of_account


def _may_hold(path: str) -> bool:
    base = _base(path)
    return (
        _is_wanted(path)
        or (base.startswith(("memories-", "data-")) and base.endswith(".zip"))
        or ("/" not in path and base.lower().endswith((".json", ".zip")) and base != CONVERSATIONS)
    )


def _has_shape(text: str) -> bool:
    start = text.lstrip()[:1]
    return start in ("[", "{") and bool(start) and any(f'"{key}"' in text for key in KEYS)


class _Reading:
    """Gathers the cards of one unit."""

    def __init__(self, unit: Unit, ids: Ids) -> None:
        self.cards: list[Card] = []
        self.problems: list[Problem] = []
        self.is_memory = False
        self._unit = unit
        self._ids = ids

    def add(self, member: Member) -> None:
        """Take in one file of memories."""
        text = decoded(member.data, self._unit.path, member.name)
        if isinstance(text, Problem):
            self.is_memory = True
            self.problems.append(text)
            return
        self.is_memory = self.is_memory or _has_shape(text) or not is_of_others(self._unit, text)
        table = table_of(text, ())
        records = table.records
        accounts: list[tuple[int, Any]] = []
        if table.fields:
            accounts.append((1, table.fields))
        for item in records:
            if isinstance(item, Broken):
                self._report(member, item.line, item.reason)
            else:
                accounts.append((item.line, item.value))
        for line, account in accounts:
            if not isinstance(account, dict) or not any(key in account for key in KEYS):
                self._report(member, line, "no memories")
                continue
            self._account(member, line, account)

    def _report(self, member: Member, line: int, reason: str) -> None:
        place = f"{member.name} line {line}".strip()
        self.problems.append(Problem(self._unit.path, f"broken_record: {reason}", place))

    def _account(self, member: Member, line: int, account: Mapping[str, Any]) -> None:
        updated = export_time(account.get("updated_at"))
        created = export_time(account.get("created_at"))
        texts = {"conversations": account.get("conversations_memory")}
        projects = account.get("project_memories") or {}
        if not isinstance(projects, dict):
            self._report(member, line, "project_memories is no object")
            projects = {}
        texts.update({f"project:{storable(key)}": value for key, value in projects.items()})
        for prefix, text in texts.items():
            if text is not None and not isinstance(text, str):
                self._report(member, line, f"{prefix} is no text")
                continue
            for section in sections(storable(text)):
                self.cards.append(
                    Card(
                        native_id=self._ids.distinct(section_id(prefix, section.chain)),
                        path=self._unit.path,
                        title=section.title or first_sentence(section.text),
                        body=section.text,
                        line=line,
                        member=member.name,
                        agent="claude",
                        headings=section.chain,
                        created=created,
                        updated=updated,
                    )
                )


READER = ClaudeExport()
