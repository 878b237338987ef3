"""JSON as other programs leave it behind: several values on a line, lines cut short, arrays with one broken record."""

import json
import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from frugal_modes.vault.records import Unit

_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"[ \t\r\n]*")
_NEXT_ELEMENT = re.compile(r",[ \t\r\n]*(?=\{)")
_OBJECT = re.compile(r'\{[ \t]*"')
_REASON_CHARACTERS = 80
_MOST_ATTEMPTS = 1_000
"""How often a text is tried in vain where each time costs more the longer it is: a hostile file is not to take minutes."""

Object = dict[str, Any]


@dataclass(frozen=True)
class Value:
    """One decoded value and the line it begins on, from 1."""

    line: int
    value: object


@dataclass(frozen=True)
class Broken:
    """A stretch that is no JSON: the line it begins on, and what the decoder says."""

    line: int
    reason: str


Found = Value | Broken


@dataclass(frozen=True)
class Table:
    """The records of a JSON text, and the other fields of the object around them."""

    records: tuple[Found, ...] = ()
    fields: Object = field(default_factory=dict)

    @property
    def first(self) -> Object:
        """The first record that is an object, empty if there is none."""
        for item in self.records:
            if isinstance(item, Value) and isinstance(item.value, dict):
                return item.value
        return {}


class _Lines:
    """Line numbers of offsets that only grow."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._offset = 0
        self._line = 1

    def at(self, offset: int) -> int:
        """Return the line of *offset*, from 1."""
        if offset >= self._offset:
            self._line += self._text.count("\n", self._offset, offset)
        else:
            self._line = 1 + self._text.count("\n", 0, offset)
        self._offset = offset
        return self._line


def _decode(text: str, start: int) -> tuple[object, int] | str:
    """Return the value at *start* and where it ends, or why there is none."""
    try:
        return _DECODER.raw_decode(text, start)
    except ValueError as error:
        return getattr(error, "msg", str(error))[:_REASON_CHARACTERS]
    except RecursionError:
        return "nested too deep"


def lines_of(text: str, is_record: Callable[[Object], bool] = lambda _found: True) -> Iterator[Found]:
    """Yield the values of a text of JSON lines; several on a line come in turn.

    Behind a broken one the rest of its line is searched for objects that are records by *is_record*.
    """
    lines = _Lines(text)
    position = _skip(text, 0)
    failures = 0
    while position < len(text):
        end = _line_end(text, position)
        found = _moved(_decode(text[position:end], 0), position)
        if isinstance(found, str) and text[position] in "{[" and failures < _MOST_ATTEMPTS:
            found = _decode(text, position)  # it may go over lines
            failures += isinstance(found, str)
        if not isinstance(found, str):
            yield Value(lines.at(position), found[0])
            position = _skip(text, found[1])
            continue
        yield Broken(lines.at(position), found)
        salvaged = _salvage(text, position + 1, end, is_record)
        position = salvaged if salvaged is not None else _next_start(text, position, end)


def _moved(found: tuple[object, int] | str, offset: int) -> tuple[object, int] | str:
    return found if isinstance(found, str) else (found[0], found[1] + offset)


def _salvage(text: str, start: int, end: int, is_record: Callable[[Object], bool]) -> int | None:
    """Return where the next whole record of a broken line begins."""
    line = text[start:end]
    for opening in islice(_OBJECT.finditer(line), _MOST_ATTEMPTS):
        found = _decode(line, opening.start())
        if not isinstance(found, str) and isinstance(found[0], dict) and is_record(found[0]):
            return start + opening.start()
    return None


def _next_start(text: str, position: int, end: int) -> int:
    """Return where to go on behind a broken line; a broken object that goes over lines ends with its indented ones."""
    start = _skip(text, end)
    if text[position] not in "{[":
        return start
    while start < len(text) and (text[start] in "}]," or text[start - 1] in " \t"):
        start = _skip(text, _line_end(text, start))
    return start


def table_of(
    text: str, keys: Collection[str], is_record: Callable[[Object], bool] = lambda _found: True
) -> Table:
    """Return the records of *text*: an array, or the arrays that an object has under *keys*.

    A broken record costs itself: reading goes on at the next object that is a record by *is_record*.
    """
    reader = _TableReader(text, keys, is_record)
    reader.read()
    return Table(tuple(reader.records), reader.fields)


class _TableReader:
    """Reads one JSON text whose records are wanted one by one, each with its line."""

    def __init__(self, text: str, keys: Collection[str], is_record: Callable[[Object], bool]) -> None:
        self.records: list[Found] = []
        self.fields: Object = {}
        self._text = text
        self._keys = keys
        self._is_record = is_record
        self._lines = _Lines(text)
        self._failures = 0

    def read(self) -> None:
        """Read the whole text."""
        start = _skip(self._text, 0)
        opening = self._text[start : start + 1]
        if opening == "[":
            self._behind(self._elements(start))
        elif opening == "{":
            self._behind(self._members(start))
        else:
            self._break(start, "no array and no object")

    def _behind(self, end: int | None) -> None:
        if end is not None and (rest := _skip(self._text, end)) < len(self._text):
            self._break(rest, "more behind the end")

    def _members(self, start: int) -> int | None:
        """Read an object; return where it ends, None if it breaks off."""
        position = _skip(self._text, start + 1)
        while self._text[position : position + 1] != "}":
            key = _decode(self._text, position)
            if isinstance(key, str) or not isinstance(key[0], str):
                self._break(position, "no key")
                return None
            position = _skip(self._text, key[1])
            if self._text[position : position + 1] != ":":
                self._break(position, "no colon")
                return None
            end = self._member(key[0], _skip(self._text, position + 1))
            if end is None:
                return None
            position = _skip(self._text, end)
            if self._text[position : position + 1] == ",":
                position = _skip(self._text, position + 1)
            elif self._text[position : position + 1] != "}":
                self._break(position, "no comma")
                return None
        return position + 1

    def _member(self, key: str, start: int) -> int | None:
        if key in self._keys and self._text[start : start + 1] == "[":
            return self._elements(start)
        found = _decode(self._text, start)
        if isinstance(found, str):
            self._break(start, found)
            return None
        self.fields[key] = found[0]
        return found[1]

    def _elements(self, start: int) -> int | None:
        """Read an array of records; return where it ends, None if it breaks off."""
        position = _skip(self._text, start + 1)
        while self._text[position : position + 1] != "]":
            found = _decode(self._text, position)
            end = None
            if not isinstance(found, str):
                end = _skip(self._text, found[1])
                if self._text[end : end + 1] not in (",", "]") or end >= len(self._text):
                    found, end = "no comma", None
            if isinstance(found, str) or end is None:
                self._break(position, str(found))
                resumed = self._resume(position)
                if resumed is None:
                    return None
                position = resumed
                continue
            self.records.append(Value(self._lines.at(position), found[0]))
            position = _skip(self._text, end + 1) if self._text[end] == "," else end
        return position + 1

    def _resume(self, position: int) -> int | None:
        for gap in _NEXT_ELEMENT.finditer(self._text, position):
            if self._failures == _MOST_ATTEMPTS:
                return None
            self._failures += 1
            found = _decode(self._text, gap.end())
            if not isinstance(found, str) and isinstance(found[0], dict) and self._is_record(found[0]):
                return gap.end()
        return None

    def _break(self, position: int, reason: str) -> None:
        self.records.append(Broken(self._lines.at(min(position, len(self._text))), reason))


def _skip(text: str, start: int) -> int:
    match = _SPACE.match(text, start)
    return match.end() if match else start


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end < 0 else end


def is_of_others(unit: Unit, text: str) -> bool:
    """Tell whether a file without a record is another program's: one of a folder that is JSON from the start on.

    Such a file is no news; one that breaks off or was named by the user is.
    """
    first = next(lines_of(text), None) if unit.path else None
    return isinstance(first, Value)


def at_path(record: Object, path: str) -> object:
    """Return what stands in *record* under *path*, keys with dots between; None if nothing does."""
    value: object = record
    if path in record:
        return record[path]
    for key in path.split("."):
        value = value.get(key) if isinstance(value, dict) else None
    return value
