"""YAML read from its events: every scalar as text, keys in order, and where each value stands in the file."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import yaml

Value = str | tuple[str, ...]
"""One value: text, or the items of a list."""

DEEPEST = 20
_STANDARD_TAG = "tag:yaml.org,2002:"
_PLAIN_TYPES = frozenset({"str", "int", "float", "bool", "null", "timestamp", "binary", "seq", "map", "set"})
_Loader: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_FIRST_LINE = 2
"""The block begins on the second line of its file."""


class NotYaml(ValueError):
    """The block cannot be read: *line* of the file, and why in the words of the library."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line
        self.reason = " ".join(reason.split())[:120]


@dataclass(frozen=True)
class Field:
    """One key of the front matter, its *value* with everything below as `(dotted name, value)` in *below*.

    *start* to *end* is the value in the file, *key_start* and *line* are where the key stands. *style*: `plain`, `'`,
    `"`, `|`, `>`, `flow` or `block` for lists, `map`, `line` if it was not read as YAML. *indent* is the column of the
    items of a block list.
    """

    key: str
    value: Value
    start: int
    end: int
    line: int
    style: str = "plain"
    below: tuple[tuple[str, Value], ...] = ()
    indent: int = 0
    key_start: int = 0

    def flat(self) -> tuple[tuple[str, Value], ...]:
        """Return the value under its key, or what is below it under dotted names."""
        return self.below or ((self.key, self.value),)


@dataclass(frozen=True)
class _Node:
    """A value as read: *end* is where its last character stands, *below* is set for a mapping."""

    value: Value
    start: int
    end: int
    style: str
    below: tuple[tuple[str, Value], ...] = ()
    indent: int = 0
    is_sequence: bool = False


def read_yaml(block: str, *, offset: int = 0) -> tuple[Field, ...]:
    """Return the fields of *block*, which begins at *offset* of its file, on the second line.

    Raise `NotYaml` for what is no YAML, no mapping, has an anchor, an alias or the tag of an object, or goes too deep.
    """
    reading = _Reading(block)
    try:
        return tuple(
            Field(
                key,
                node.value,
                offset + node.start,
                offset + node.end,
                line + _FIRST_LINE,
                node.style,
                tuple((f"{key}.{name}", value) for name, value in node.below),
                node.indent,
                offset + key_start,
            )
            for key, line, key_start, node in reading.root()
        )
    except yaml.YAMLError as error:
        raise NotYaml(_line_of(error, block), _reason_of(error)) from None


def _line_of(error: yaml.YAMLError, block: str) -> int:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    if mark is not None:
        return int(mark.line) + _FIRST_LINE
    position = getattr(error, "position", 0)
    return block.count("\n", 0, position) + _FIRST_LINE


def _reason_of(error: yaml.YAMLError) -> str:
    return str(getattr(error, "problem", None) or getattr(error, "reason", None) or type(error).__name__)


def _refused(event: Any, reason: str) -> NotYaml:
    return NotYaml(_line(event) + _FIRST_LINE, reason)


def _line(event: Any) -> int:
    line: int = event.start_mark.line
    return line


def _start(event: Any) -> int:
    index: int = event.start_mark.index
    return index


def _end(event: Any) -> int:
    index: int = event.end_mark.index
    return index


class _Reading:
    """The events of one block, taken one after another."""

    def __init__(self, block: str) -> None:
        self.block = block
        self.events: Iterator[Any] = yaml.parse(block, Loader=_Loader)

    def _next(self) -> Any:
        event = next(self.events)
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise _refused(event, "anchor")
        tag = getattr(event, "tag", None)
        if isinstance(tag, str) and tag not in ("", "!") and not _is_plain(tag):
            raise _refused(event, "tag")
        return event

    def root(self) -> list[tuple[str, int, int, _Node]]:
        """Return the keys of the document with their lines and values."""
        event = self._next()
        while isinstance(event, yaml.StreamStartEvent | yaml.DocumentStartEvent):
            event = self._next()
        if not isinstance(event, yaml.MappingStartEvent):
            raise _refused(event, "mapping")
        fields = self._pairs(1)
        for rest in self.events:
            if isinstance(rest, yaml.DocumentStartEvent):
                raise _refused(rest, "document")
        return fields

    def _pairs(self, depth: int) -> list[tuple[str, int, int, _Node]]:
        pairs: list[tuple[str, int, int, _Node]] = []
        event = self._next()
        while not isinstance(event, yaml.MappingEndEvent):
            if not isinstance(event, yaml.ScalarEvent):
                raise _refused(event, "key")
            at = event.value, _line(event), _start(event)
            pairs.append((*at, self._node(self._next(), depth + 1)))
            event = self._next()
        self._closed_at = _end(event)
        return pairs

    def _node(self, event: Any, depth: int) -> _Node:
        if depth > DEEPEST:
            raise _refused(event, "depth")
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event)
        if isinstance(event, yaml.SequenceStartEvent):
            return self._sequence(event, depth)
        start = event.start_mark.index
        pairs = self._pairs(depth)
        end = self._closed_at if event.flow_style else max((node.end for *_, node in pairs), default=start)
        below = tuple(
            (f"{key}.{name}" if name else key, value)
            for key, *_, node in pairs
            for name, value in (node.below or (("", node.value),))
        )
        text = ", ".join(f"{name}: {_as_text(value)}" for name, value in below)
        return _Node(text, start, end, "map", below)

    def _scalar(self, event: Any) -> _Node:
        start, end = event.start_mark.index, event.end_mark.index
        style = event.style or "plain"
        if style in "|>":
            end = start + len(self.block[start:end].rstrip())
        return _Node(event.value, start, end, style)

    def _sequence(self, event: Any, depth: int) -> _Node:
        start = event.start_mark.index
        items: list[_Node] = []
        item = self._next()
        while not isinstance(item, yaml.SequenceEndEvent):
            items.append(self._node(item, depth + 1))
            item = self._next()
        if not event.flow_style:
            end = max((node.end for node in items), default=start)
            values = tuple(_as_text(node.value) for node in items)
            return _Node(values, start, end, "block", indent=event.start_mark.column, is_sequence=True)
        end = _end(item)
        written = self.block[start:end]
        if len(items) == 1 and items[0].is_sequence and _is_link(written):
            return _Node(written, start, end, "plain")
        return _Node(tuple(_as_text(node.value) for node in items), start, end, "flow", is_sequence=True)


def _is_plain(tag: str) -> bool:
    return tag.startswith(_STANDARD_TAG) and tag.removeprefix(_STANDARD_TAG) in _PLAIN_TYPES


def _is_link(written: str) -> bool:
    """Tell whether an unquoted `[[x]]`, to YAML a list in a list, is meant as a link."""
    return written.startswith("[[") and written.endswith("]]") and "\n" not in written


def _as_text(value: Value) -> str:
    return value if isinstance(value, str) else ", ".join(value)
