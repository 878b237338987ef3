"""Records of any program: one JSON object a line, or an array of objects; options say which field is what."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from frugal_modes.vault.readers.jsontext import Broken, Found, Object, Value, at_path, lines_of, table_of
from frugal_modes.vault.readers.sniffing import beginning
from frugal_modes.vault.readers.texts import (
    Ids,
    decoded,
    export_time,
    first_sentence,
    hash_id,
    storable,
    word_list,
)
from frugal_modes.vault.readers.walking import walk_exports
from frugal_modes.vault.records import Card, Problem, Reading, Unit

FIELDS: Mapping[str, tuple[str, ...]] = {
    "text": ("text", "content", "body", "memory"),
    "title": ("title", "name", "summary"),
    "id": ("id", "uuid", "key"),
    "kind": ("kind", "type"),
    "created": ("created_at",),
    "updated": ("updated_at",),
    "tags": ("tags",),
}
"""What an option names, and the fields that are tried in turn without it."""

_SUFFIXES = (".jsonl", ".ndjson", ".json")


@dataclass(frozen=True)
class Jsonl:
    """One record is one card."""

    name: str = "jsonl"
    option_names: tuple[str, ...] = tuple(FIELDS)

    def defaults(self, environ: Mapping[str, str]) -> tuple[Path, ...]:
        """Return nothing: no program has this format for its own."""
        return ()

    def recognise(self, path: Path) -> str | None:
        """Return the reason if the first value of a file is an object, or an array of objects."""
        files = sorted(path.glob("*")) if path.is_dir() else [path]
        is_found = any(_has_object(file) for file in files if _may_hold(file.name))
        return "shape.jsonl" if is_found else None

    def units(self, root: Path, options: Mapping[str, str]) -> Iterable[Unit | Problem]:
        """Yield the file, or the files of a folder with the suffix of JSON or JSON lines."""
        return walk_exports(root, options, _may_hold)

    def read(self, unit: Unit, data: bytes, options: Mapping[str, str]) -> Reading:
        """Return one card a record, and a problem for every line that is none."""
        text = decoded(data, unit.path)
        if isinstance(text, Problem):
            return Reading(problems=(text,), is_whole=False)
        ids = Ids()
        cards: list[Card] = []
        problems: list[Problem] = []
        for item in _records(text):
            found = item.reason if isinstance(item, Broken) else _card(item, unit, options, ids)
            if isinstance(found, str):
                problems.append(Problem(unit.path, f"broken_record: {found}", f"line {item.line}"))
            else:
                cards.append(found)
        return Reading(tuple(cards), tuple(problems), is_whole=not problems)


def _may_hold(path: str) -> bool:
    return path.lower().endswith(_SUFFIXES)


def _has_object(file: Path) -> bool:
    text = beginning(file).lstrip()
    first = next(iter(_records(text)), None) if text[:1] in ("[", "{") and text else None
    return isinstance(first, Value) and isinstance(first.value, dict)


def _records(text: str) -> Iterable[Found]:
    return table_of(text, ()).records if text.lstrip().startswith("[") else lines_of(text)


def _card(item: Value, unit: Unit, options: Mapping[str, str], ids: Ids) -> Card | str:
    """Return the card of a record, or why it is none."""
    record = item.value
    if not isinstance(record, dict):
        return "no object"
    body = storable(_field(record, "text", options))
    if not body.strip():
        return "no text"
    given = _field(record, "id", options)
    is_given = isinstance(given, str | int) and not isinstance(given, bool) and str(given).strip()
    return Card(
        native_id=ids.distinct(storable(str(given)) if is_given else hash_id(body)),
        path=unit.path,
        title=" ".join(storable(_field(record, "title", options)).split()) or first_sentence(body),
        body=body,
        kind=storable(_field(record, "kind", options)).strip().lower() or "note",
        line=item.line,
        tags=word_list(_field(record, "tags", options)),
        created=export_time(_field(record, "created", options)),
        updated=export_time(_field(record, "updated", options)),
    )


def _field(record: Object, name: str, options: Mapping[str, str]) -> object:
    """Return the first of the fields that may be *name*; an option names one, dots between keys."""
    path = options.get(name, "").strip()
    if path:
        return at_path(record, path)
    return next((record[key] for key in FIELDS[name] if record.get(key) not in (None, "")), None)


READER = Jsonl()
