"""Saved memories of ChatGPT: a zip or array of records that can be switched off, or plain text, one memory a line."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from frugal_modes.vault.readers.archives import Member, is_zip, member_names, unpack
from frugal_modes.vault.readers.claude_export import CONVERSATIONS
from frugal_modes.vault.readers.jsontext import Broken, is_of_others, table_of
from frugal_modes.vault.readers.sniffing import archive, beginning
from frugal_modes.vault.readers.texts import Ids, decoded, export_time, first_sentence, hash_id, storable
from frugal_modes.vault.readers.walking import walk_exports
from frugal_modes.vault.records import Card, Problem, Reading, Unit

LISTS = ("memories",)
TEXT_SUFFIX = ".txt"
_CREATED = ("created_at", "create_time", "created_timestamp", "created")
_UPDATED = ("updated_at", "update_time", "updated_timestamp", "updated")
_BULLETS = "-*• \t"


@dataclass(frozen=True)
class ChatGpt:
    """One memory is one card; a disabled one is archived."""

    name: str = "chatgpt"
    option_names: tuple[str, ...] = ()

    def defaults(self, environ: Mapping[str, str]) -> tuple[Path, ...]:
        """Return nothing: an export lies where it was saved."""
        return ()

    def recognise(self, path: Path) -> str | None:
        """Return the reason if *path* holds records of `content` that are enabled or dated, or is a plain text file."""
        if path.is_dir():
            found = any(_holds(file) for file in sorted(path.glob("*")) if _may_hold(file.name))
            return "shape.chatgpt.records" if found else None
        if path.suffix.lower() == TEXT_SUFFIX:
            return "shape.chatgpt.text" if beginning(path).strip() else None
        return "shape.chatgpt.records" if _holds(path) else None

    def units(self, root: Path, options: Mapping[str, str]) -> Iterable[Unit | Problem]:
        """Yield the file, or the files and zips of a folder that may hold memories; none is opened."""
        return walk_exports(root, options, _may_hold)

    def read(self, unit: Unit, data: bytes, options: Mapping[str, str]) -> Reading:
        """Return the memories of one unit."""
        members: tuple[Member, ...] = (Member("", data),)
        problems: tuple[Problem, ...] = ()
        notes: tuple[Problem, ...] = ()
        if is_zip(data):
            members, problems = unpack(data, unit.path, _is_member)
            skipped = (name for name in member_names(data) if name.rpartition("/")[2] == CONVERSATIONS)
            notes = tuple(Problem(unit.path, "conversations_skipped", name) for name in skipped)
        reading = _Reading(unit)
        for member in members:
            reading.add(member)
        if unit.path and not reading.cards and not reading.is_memory and not problems:
            return Reading()
        problems = (*problems, *reading.problems)
        return Reading(tuple(reading.cards), (*problems, *notes), is_whole=not problems)


def _may_hold(name: str) -> bool:
    base = name.rpartition("/")[2].lower()
    return base.endswith((".json", ".zip")) and base != CONVERSATIONS


def _is_member(name: str) -> bool:
    """Tell whether a member of a zip may hold memories; what else an export holds is known by its name."""
    base = name.rpartition("/")[2].lower()
    return base.endswith(".json") and "memor" in base


def _holds(file: Path) -> bool:
    if file.suffix.lower() == ".json":
        return _has_shape(beginning(file))
    data = archive(file) if file.suffix.lower() == ".zip" else b""
    members, _ = unpack(data, "", _is_member) if data else ((), ())
    return any(_has_shape(member.data[:1_000_000].decode("utf-8", "replace")) for member in members)


def _has_shape(text: str) -> bool:
    if text.lstrip()[:1] not in ("[", "{") or not text.strip():
        return False
    first = table_of(text, LISTS).first
    return "content" in first and "state" not in first and any(key in first for key in ("enabled", *_CREATED))


class _Reading:
    """Gathers the memories of one unit."""

    def __init__(self, unit: Unit) -> None:
        self.cards: list[Card] = []
        self.problems: list[Problem] = []
        self.is_memory = False
        self._unit = unit
        self._ids = Ids()

    def add(self, member: Member) -> None:
        """Take in one file of memories."""
        text = decoded(member.data, self._unit.path, member.name)
        if isinstance(text, Problem):
            self.is_memory = True
            self.problems.append(text)
        elif self._unit.path and not _has_shape(text) and is_of_others(self._unit, text):
            return
        elif self._is_json(member, text):
            self._add_records(member, text)
        else:
            for number, line in enumerate(text.splitlines(), 1):
                if any(char.isalnum() for char in line):
                    self._keep(member, number, line.strip(_BULLETS), {})

    def _is_json(self, member: Member, text: str) -> bool:
        """Tell whether a text is meant as records; one that broke must not become memories line by line."""
        suffix = self._unit.file.suffix.lower()
        if member.name or suffix in (".json", TEXT_SUFFIX):
            return suffix != TEXT_SUFFIX
        return text.lstrip().startswith(("[", "{"))

    def _add_records(self, member: Member, text: str) -> None:
        self.is_memory = True
        for item in table_of(text, LISTS).records:
            reason = item.reason if isinstance(item, Broken) else self._record(member, item.line, item.value)
            if reason:
                place = f"{member.name} line {item.line}".strip()
                self.problems.append(Problem(self._unit.path, f"broken_record: {reason}", place))

    def _record(self, member: Member, line: int, found: object) -> str:
        if not isinstance(found, dict):
            return "no object"
        text = found.get("content")
        if not isinstance(text, str) or not text.strip():
            return "no text"
        self._keep(member, line, text, found)
        return ""

    def _keep(self, member: Member, line: int, text: str, found: Mapping[str, object]) -> None:
        body = storable(text).strip()
        given = found.get("id")
        native_id = str(given) if isinstance(given, str | int) and str(given).strip() else hash_id(body)
        self.cards.append(
            Card(
                native_id=self._ids.distinct(storable(native_id)),
                path=self._unit.path,
                title=first_sentence(body),
                body=body,
                line=line,
                member=member.name,
                agent="chatgpt",
                created=_first_time(found, _CREATED),
                updated=_first_time(found, _UPDATED),
                state="archived" if found.get("enabled") is False else "",
            )
        )


def _first_time(found: Mapping[str, object], keys: Iterable[str]) -> str:
    return next((time for key in keys if (time := export_time(found.get(key)))), "")


READER = ChatGpt()
