"""Memories of mem0: the export of OpenMemory (zip or unpacked), what `get_all` returns, and its local history."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from frugal.api import FrugalError, copied_rows
from frugal_modes.vault.readers.archives import Member, gunzip, is_zip, unpack
from frugal_modes.vault.readers.jsontext import Broken, Found, Table, is_of_others, lines_of, table_of
from frugal_modes.vault.readers.sniffing import archive, beginning, first_bytes
from frugal_modes.vault.readers.texts import (
    decoded,
    export_time,
    first_sentence,
    hash_id,
    storable,
    word_list,
)
from frugal_modes.vault.readers.walking import walk_exports
from frugal_modes.vault.records import LARGEST_EXPORT_BYTES, Card, Problem, Reading, Unit

HISTORY = "history.db"
TABLE, LINES = "memories.json", "memories.jsonl.gz"
ACTIVE, DELETED = "active", "deleted"
STATES_OPTION = "states"
SQLITE = b"SQLite format 3\0"
LISTS = ("memories", "results")

COLUMNS = "SELECT name FROM pragma_table_info('history') ORDER BY cid"
CALLED = {
    "text": ("new_memory", "new_value"),
    "is_deleted": ("is_deleted",),
    "created": ("created_at", "timestamp"),
    "updated": ("updated_at", "created_at", "timestamp"),
}
"""How the columns of a history are called, now and in the first releases of mem0."""
LAST_ROWS = """
    SELECT history.memory_id, {text}, history.event, {is_deleted}, {first_created}, {updated}
    FROM history JOIN (SELECT memory_id, max(rowid) AS last, min(rowid) AS first FROM history GROUP BY memory_id) AS ends
        ON ends.last = history.rowid
    JOIN history AS first ON first.rowid = ends.first
    ORDER BY ends.first
"""


@dataclass(frozen=True)
class Mem0:
    """One memory is one card; inactive ones are left out unless `states` names them, deleted ones always."""

    name: str = "mem0"
    option_names: tuple[str, ...] = (STATES_OPTION,)

    def defaults(self, environ: Mapping[str, str]) -> tuple[Path, ...]:
        """Return the history that the library keeps in the home folder."""
        home = environ.get("MEM0_DIR", "").strip()
        folder = Path(home).expanduser() if home else Path(environ.get("HOME") or Path.home()) / ".mem0"
        return (folder / HISTORY,)

    def recognise(self, path: Path) -> str | None:
        """Return the reason if a file, a zip or a folder holds memories of mem0."""
        if path.is_dir():
            units = self.units(path, {})
            found = (reason for unit in units if isinstance(unit, Unit) for reason in [_shape(unit.file)])
            return next((reason for reason in found if reason), None)
        return _shape(path)

    def units(self, root: Path, options: Mapping[str, str]) -> Iterable[Unit | Problem]:
        """Yield histories, zips, tables and packed lines; none is opened."""
        for unit in walk_exports(root, options, _may_hold):
            yield unit if isinstance(unit, Problem) else _with_others(unit)

    def read(self, unit: Unit, data: bytes, options: Mapping[str, str]) -> Reading:
        """Return the memories of one unit."""
        if unit.path.endswith(LINES) and _shape(unit.file.with_name(TABLE)):
            return Reading()  # an unpacked export holds each memory twice
        reading = _Reading(unit, _states(options))
        if data.startswith(SQLITE):
            reading.add_history()
        elif is_zip(data):
            reading.add_zip(data)
        elif data.startswith(b"\x1f\x8b"):
            reading.add_lines(Member("", data))
        else:
            reading.add_table(Member("", data))
        if unit.path and not reading.is_memory:
            return Reading()
        cards, problems = tuple(reading.cards.values()), tuple(reading.problems)
        return Reading(cards, problems, is_whole=not problems, left_out=reading.left_out)


def _states(options: Mapping[str, str]) -> frozenset[str]:
    given = frozenset(re.split(r"[,\s]+", options.get(STATES_OPTION, "").strip().lower())) - {""}
    return (given or frozenset({ACTIVE})) - {DELETED}


def _with_others(unit: Unit) -> Unit:
    """Return a unit with what its cards depend on besides: the log of a database, the table beside packed lines."""
    if unit.file.name.endswith(".db"):
        return replace(unit, also=(f"{unit.file.absolute()}-wal",))
    if unit.path.endswith(LINES):
        return replace(unit, also=(unit.path.removesuffix(LINES) + TABLE,))
    return unit


def _may_hold(path: str) -> bool:
    base = path.rpartition("/")[2].lower()
    return base in (LINES, HISTORY) or base.endswith((".zip", ".json"))


def _shape(file: Path) -> str | None:
    """Return what a file of mem0 is, None for any other."""
    start = first_bytes(file, 16)
    if start == SQLITE:
        return "shape.mem0.history" if _has_history(file) else None
    if start.startswith(b"PK"):
        members, _ = unpack(archive(file), "", _is_member)
        return "shape.mem0.zip" if any(_member_shape(member) for member in members) else None
    if start.startswith(b"\x1f\x8b"):
        packed = first_bytes(file, LARGEST_EXPORT_BYTES)
        return "shape.mem0.lines" if _member_shape(Member(LINES, packed)) else None
    return "shape.mem0.table" if _is_table(beginning(file)) else None


def _member_shape(member: Member) -> bool:
    if not member.name.endswith(".gz"):
        return _is_table(member.data[:1_000_000].decode("utf-8", "replace"))
    data = gunzip(member.data)
    text = "" if isinstance(data, str) else data[:1_000_000].decode("utf-8", "replace")
    return _first_is_memory(lines_of(text))


def _is_table(text: str) -> bool:
    if text.lstrip()[:1] not in ("[", "{") or not text.strip():
        return False
    return _first_is_memory(table_of(text, LISTS).records)


def _first_is_memory(records: Iterable[Found]) -> bool:
    first = next(iter(records), None)
    found = getattr(first, "value", None)
    if not isinstance(found, dict):
        return False
    is_exported = "content" in found and "state" in found
    return is_exported or (
        isinstance(found.get("memory"), str) and bool({"id", "hash", "user_id"} & set(found))
    )


def _is_member(name: str) -> bool:
    return name.rpartition("/")[2] in (TABLE, LINES)


def _last_rows(file: Path) -> str:
    """Return the statement for the last row of every memory, in the words of the release that wrote *file*."""
    present = {str(row[0]) for row in copied_rows(file, COLUMNS)}

    def value(part: str, table: str = "history") -> str:
        found = [f"{table}.{name}" for name in CALLED[part] if name in present]
        return f"coalesce({', '.join(found)}, NULL)" if found else "NULL"

    return LAST_ROWS.format(
        text=value("text"),
        is_deleted=value("is_deleted"),
        first_created=value("created", "first"),
        updated=value("updated"),
    )


HISTORY_TABLE = "SELECT name FROM sqlite_schema WHERE name = 'history' ORDER BY name"


def _has_history(file: Path) -> bool:
    try:
        return bool(copied_rows(file, HISTORY_TABLE))
    except FrugalError:
        return False


@dataclass
class _Reading:
    """Gathers the memories of one unit; the first of an id counts, since a zip holds each of them twice."""

    unit: Unit
    states: frozenset[str]
    cards: dict[str, Card] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    left_out: int = 0
    is_memory: bool = False

    def add_zip(self, data: bytes) -> None:
        """Take the table of each folder in a zip, its lines where there is no table or the table is another program's."""
        members, problems = unpack(data, self.unit.path, _is_member)
        self.problems += problems
        self.is_memory = self.is_memory or bool(problems)
        folders: dict[str, dict[str, Member]] = {}
        for member in members:
            folder, _, base = member.name.rpartition("/")
            folders.setdefault(folder, {})[base] = member
        for found in folders.values():
            if TABLE in found and (_member_shape(found[TABLE]) or LINES not in found):
                self.add_table(found[TABLE])
            else:
                self.add_lines(found[LINES])
        if not members and not problems and not self.unit.path:
            self.problems.append(Problem(self.unit.path, "nothing_inside"))

    def add_table(self, member: Member) -> None:
        """Take a JSON array, or an object with one."""
        text = decoded(member.data, self.unit.path, member.name)
        if isinstance(text, Problem):
            self.is_memory = True
            self.problems.append(text)
            return
        self.is_memory = self.is_memory or _is_table(text) or not is_of_others(self.unit, text)
        table = table_of(text, LISTS)
        self._add_all(member, table.records, _names(table))

    def add_lines(self, member: Member) -> None:
        """Take gzipped JSON lines."""
        self.is_memory = True
        data = gunzip(member.data)
        text = Problem(self.unit.path, data, member.name) if isinstance(data, str) else None
        found = text or decoded(
            bytes(data) if not isinstance(data, str) else b"", self.unit.path, member.name
        )
        if isinstance(found, Problem):
            self.problems.append(found)
            return
        self._add_all(member, lines_of(found), {})

    def add_history(self) -> None:
        """Take the last row of every memory in a history, which is read from a copy."""
        self.is_memory = True
        try:
            rows = copied_rows(self.unit.file, _last_rows(self.unit.file))
        except FrugalError as error:
            self.problems.append(Problem(self.unit.path, f"bad_database: {error.data.get('reason', '')}"))
            return
        for number, (memory_id, text, event, is_deleted, created, updated) in enumerate(rows, 1):
            if str(event).upper() == "DELETE" or is_deleted:
                self.left_out += 1
            elif not isinstance(text, str) or not text.strip():
                self.problems.append(Problem(self.unit.path, "broken_record: no text", f"row {number}"))
            else:
                self._keep(
                    Member("", b""), 0, str(memory_id), text, {"created_at": created, "updated_at": updated}
                )

    def _add_all(self, member: Member, records: Iterable[Found], names: Mapping[str, str]) -> None:
        for item in records:
            reason = (
                item.reason if isinstance(item, Broken) else self._add(member, item.line, item.value, names)
            )
            if reason:
                place = f"{member.name} line {item.line}".strip()
                self.problems.append(Problem(self.unit.path, f"broken_record: {reason}", place))

    def _add(self, member: Member, line: int, found: object, names: Mapping[str, str]) -> str:
        """Take one memory; return why it cannot be taken, "" if it was or is not to be."""
        if not isinstance(found, dict):
            return "no object"
        state = (storable(found.get("state")) or ACTIVE).lower()
        if state == DELETED or found.get("deleted_at") or state not in self.states:
            self.left_out += 1
            return ""
        text = found.get("content") if "content" in found else found.get("memory")
        if not isinstance(text, str) or not text.strip():
            return "no text"
        tags = word_list([names.get(str(key), "") for key in _items(found.get("category_ids"))])
        details = {**found, "tags": tags or word_list(_items(found.get("categories"))), "state": state}
        details["app"] = found.get("app") or names.get(str(found.get("app_id")), "")
        self._keep(member, line, str(found.get("id") or hash_id(text)), text, details)
        return ""

    def _keep(self, member: Member, line: int, memory_id: str, text: str, details: Mapping[str, Any]) -> None:
        body = storable(text)
        state = details.get("state", ACTIVE)
        self.cards.setdefault(
            memory_id,
            Card(
                native_id=storable(memory_id),
                path=self.unit.path,
                title=first_sentence(body),
                body=body,
                line=line,
                member=member.name,
                agent=storable(details.get("app")) or storable(details.get("agent_id")),
                status="" if state == ACTIVE else state,
                tags=details.get("tags", ()),
                created=export_time(details.get("created_at")),
                updated=export_time(details.get("updated_at")),
            ),
        )


def _items(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _names(table: Table) -> dict[str, str]:
    """Return the names of categories and programs by their ids."""
    listed = [*_items(table.fields.get("categories")), *_items(table.fields.get("apps"))]
    found = (item for item in listed if isinstance(item, dict))
    return {str(item.get("id")): storable(item.get("name")) for item in found}


READER = Mem0()
