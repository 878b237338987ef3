"""`--map text=body,sent_at=ts`: which fields of a source stand for ours; names are never guessed."""

from collections.abc import Iterable, Mapping
from typing import Any

from frugal.api import Refusal, echo

CONVERSATION = ("id", "name", "type")
SENDER = ("id", "name", "type", "organization")
PLAIN = (
    "text",
    "sent_at",
    "id",
    "conversation",
    "sender",
    "thread_id",
    "reply_to",
    "workspace",
    "subtype",
    "edited_at",
    "deleted",
)
FIELDS = (
    *PLAIN,
    *(f"conversation.{part}" for part in CONVERSATION),
    *(f"sender.{part}" for part in SENDER),
)


def read_mapping(text: str) -> dict[str, str]:
    """Return ours -> theirs for `ours=theirs,...`; raise `Refusal` for a field of ours that does not exist."""
    found: dict[str, str] = {}
    for pair in filter(None, (part.strip() for part in text.split(","))):
        ours, equals, theirs = (part.strip() for part in pair.partition("="))
        if not equals or not theirs or ours not in FIELDS or ours in found:
            raise Refusal("import_map", value=echo(pair), known=", ".join(FIELDS))
        found[ours] = theirs
    return found


def nested(cells: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object in which `sender.name` stands as field `name` of `sender`; a later value replaces an earlier."""
    found: dict[str, Any] = {}
    for name, value in cells:
        put(found, name, value)
    return found


def put(record: dict[str, Any], name: str, value: Any) -> None:
    """Set *name* in *record*; a plain sender beside `sender.name` counts as its id."""
    first, dot, rest = name.partition(".")
    if not dot:
        inner = record.get(name)
        if isinstance(inner, dict) and isinstance(value, str) and name in ("sender", "conversation"):
            inner.setdefault("id", value)
        else:
            record[name] = value
        return
    inner = record.get(first)
    if not isinstance(inner, dict):
        inner = {} if inner is None else {"id": inner}
        record[first] = inner
    inner[rest] = value


def mapped(record: dict[str, Any], mapping: Mapping[str, str]) -> dict[str, Any]:
    """Return *record* with the fields of *mapping* taken from where it says."""
    taken = {ours: _at(record, theirs) for ours, theirs in mapping.items()}
    theirs = {name.partition(".")[0] for name in mapping.values()}
    ours = {name for name in mapping if "." not in name}
    found = {name: value for name, value in record.items() if name not in theirs and name not in ours}
    for name, value in taken.items():
        if value is not None:
            put(found, name, value)
    return found


def _at(record: Any, path: str) -> Any:
    """Return what stands at *path*, a key as it is written first, then as steps."""
    if isinstance(record, dict) and path in record:
        return record[path]
    for step in path.split("."):
        if not isinstance(record, dict):
            return None
        record = record.get(step)
    return record
