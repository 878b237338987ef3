"""The knowledge graph of the MCP reference server `memory`: JSON lines of entities and relations.

Two processes that write at once leave two objects on a line, or one object inside another.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from frugal_modes.vault.readers.jsontext import Broken, Found, Value, is_of_others, lines_of, table_of
from frugal_modes.vault.readers.sniffing import beginning
from frugal_modes.vault.readers.texts import decoded, export_time, storable, word_list
from frugal_modes.vault.readers.walking import walk_exports
from frugal_modes.vault.records import Card, Fact, Problem, Reading, Unit

_LISTS = ("entities", "relations")
_SUFFIXES = (".json", ".jsonl")


@dataclass
class _Entity:
    """An entity as its lines add up; a name that comes twice is one entity."""

    name: str
    line: int = 0
    types: dict[str, None] = field(default_factory=dict)
    observations: dict[str, None] = field(default_factory=dict)
    relations: dict[tuple[str, str], None] = field(default_factory=dict)
    created: str = ""
    updated: str = ""


@dataclass(frozen=True)
class ServerMemory:
    """One entity is one card; its observations and relations are lines and facts."""

    name: str = "server-memory"
    option_names: tuple[str, ...] = ()

    def defaults(self, environ: Mapping[str, str]) -> tuple[Path, ...]:
        """Return the file that MEMORY_FILE_PATH names."""
        given = environ.get("MEMORY_FILE_PATH", "").strip()
        return (Path(given).expanduser(),) if given else ()

    def recognise(self, path: Path) -> str | None:
        """Return the reason if the first object is an entity, a relation or the graph of both."""
        for file in _files(path):
            text = beginning(file)
            first = next(iter(lines_of(text, _is_record)), None) if text.lstrip()[:1] == "{" else None
            if isinstance(first, Value) and isinstance(first.value, dict) and _is_record(first.value):
                return "shape.server_memory.lines"
            if text.lstrip()[:1] == "{" and _is_graph(table_of(text, _LISTS, _is_record).records):
                return "shape.server_memory.graph"
        return None

    def units(self, root: Path, options: Mapping[str, str]) -> Iterable[Unit | Problem]:
        """Yield the file, or the files of a folder that may hold a graph; none is opened."""
        return walk_exports(root, options, _may_be_graph)

    def read(self, unit: Unit, data: bytes, options: Mapping[str, str]) -> Reading:
        """Return one card an entity, and a problem a broken line."""
        text = decoded(data, unit.path)
        if isinstance(text, Problem):
            return Reading(problems=(text,), is_whole=False)
        entities: dict[str, _Entity] = {}
        problems: list[Problem] = []
        for item in _records(text):
            reason = item.reason if isinstance(item, Broken) else _add(entities, item)
            if reason:
                problems.append(Problem(unit.path, f"broken_record: {reason}", f"line {item.line}"))
        if not entities and is_of_others(unit, text):
            return Reading()
        cards = tuple(_card(entity, unit) for entity in entities.values())
        return Reading(cards, tuple(problems), is_whole=not problems)


def _files(path: Path) -> list[Path]:
    if path.is_dir():
        return [path / name for name in ("memory.jsonl", "memory.json")]
    return [path] if path.suffix.lower() in _SUFFIXES else []


def _may_be_graph(path: str) -> bool:
    return path.lower().endswith(_SUFFIXES)


def _is_record(found: Mapping[str, Any]) -> bool:
    kind = found.get("type")
    return (kind == "entity" and "name" in found) or (kind == "relation" and "from" in found)


def _is_graph(records: Iterable[Found]) -> bool:
    return any(isinstance(item, Value) and _of_graph(item) is not None for item in records)


def _of_graph(item: Value) -> Value | None:
    """Return a record of the two lists with the type that the lines have."""
    found = item.value
    if not isinstance(found, dict):
        return None
    if "entityType" in found or "observations" in found:
        return Value(item.line, {**found, "type": "entity"})
    return Value(item.line, {**found, "type": "relation"}) if "relationType" in found else None


def _records(text: str) -> Iterable[Found]:
    """Return the records of JSON lines, or of one object with the two lists."""
    items = tuple(lines_of(text, _is_record))
    is_whole = len(items) == 1 and isinstance(items[0], Value) and not _is_line(items[0])
    if not is_whole and any(isinstance(item, Value) and _is_line(item) for item in items):
        return items
    table = table_of(text, _LISTS)
    if not any(key in text for key in ('"entities"', '"relations"')):
        return items
    return [(_of_graph(item) or item) if isinstance(item, Value) else item for item in table.records]


def _is_line(item: Value) -> bool:
    return isinstance(item.value, dict) and _is_record(item.value)


def _add(entities: dict[str, _Entity], item: Value) -> str:
    """Add a record to its entity; return why it cannot be, "" if it could."""
    found = item.value
    if not isinstance(found, dict) or not _is_record(found):
        return "no entity and no relation"
    is_entity = found["type"] == "entity"
    name = storable(found.get("name" if is_entity else "from")).strip()
    if not name:
        return "without a name"
    observations = found.get("observations") or []
    if is_entity and not isinstance(observations, list):
        return "observations are no list"
    target = " ".join(storable(found.get("to")).split())
    if not is_entity and not target:
        return "relation without a target"
    entity = entities.setdefault(name, _Entity(name, item.line))
    if is_entity:
        entity.types.update(dict.fromkeys(word_list([found.get("entityType")])))
        entity.observations.update(dict.fromkeys(text for one in observations if (text := _line(one))))
        entity.created = entity.created or export_time(found.get("createdAt", found.get("created_at")))
        entity.updated = export_time(found.get("updatedAt", found.get("updated_at"))) or entity.updated
        return ""
    entity.relations[" ".join(storable(found.get("relationType")).split()), target] = None
    return ""


def _line(observation: object) -> str:
    if isinstance(observation, dict):  # forks of the server keep a date beside the text
        observation = observation.get("content") or observation.get("text")
    return " ".join(storable(observation).split())


def _card(entity: _Entity, unit: Unit) -> Card:
    types = tuple(entity.types)
    relations = [" ".join(words).strip() for words in entity.relations]
    tags = word_list([entity.name, *types])
    return Card(
        native_id=f"entity:{entity.name}",
        path=unit.path,
        title=entity.name,
        body="\n".join([*entity.observations, *relations]),
        line=entity.line,
        tags=types,
        links=tuple(dict.fromkeys(target for _, target in entity.relations)),
        created=entity.created,
        updated=entity.updated,
        metadata=tuple(("entityType", word) for word in types),
        facts=tuple(Fact(f"{entity.name}: {text}", tags) for text in [*entity.observations, *relations]),
    )


READER = ServerMemory()
