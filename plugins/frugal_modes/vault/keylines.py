"""Front matter that is no YAML, line by line: `key: value`, lists in either form, what is indented below a key."""

import json
import re

from frugal_modes.vault.yamlevents import Field, Value

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|\Z)")
_KEY = re.compile(
    r"""(?P<indent>[ \t]*) (?P<key> "[^"]*" | '[^']*' | [^\s\#"':-][^:]* | -[^\s:][^:]* ) :
    (?: [ \t]+ (?P<value>.*) )? \Z""",
    re.VERBOSE,
)
_ITEM = re.compile(r"[ \t]*-(?:[ \t]+(?P<value>.*))?\Z")
_COMMENT = re.compile(r"(?<![ \t])[ \t]+#.*\Z")
_BLOCK_SCALAR = re.compile(r"[|>][+-]?[0-9]?[+-]?\Z")
_FIRST_LINE = 2


def read_key_lines(block: str, *, offset: int = 0) -> tuple[Field, ...]:
    """Return the fields of *block*, which begins at *offset* of its file, on the second line; never fails."""
    fields: list[Field] = []
    current: _Key | None = None
    position, number = 0, _FIRST_LINE
    while position < len(block):
        match = _LINE.match(block, position)
        assert match is not None
        line = match[0].rstrip()
        found = _KEY.match(line)
        if found and not found["indent"]:
            fields += [current.field()] if current else []
            current = _Key(_unquoted(found["key"]), found["value"] or "", offset + position, number)
        elif current and line and not line.lstrip().startswith("#"):
            current.below.append(line)
        position, number = match.end(), number + 1
    return (*fields, current.field()) if current else tuple(fields)


class _Key:
    """One key and the lines below it that belong to it."""

    def __init__(self, key: str, value: str, position: int, line: int) -> None:
        self.key, self.written, self.position, self.line = key, value.strip(), position, line
        self.below: list[str] = []

    def field(self) -> Field:
        """Return what the lines say."""
        value, nested = self._value()
        return Field(
            self.key, value, self.position, self.position, self.line, "line", nested, 0, self.position
        )

    def _value(self) -> tuple[Value, tuple[tuple[str, Value], ...]]:
        if _BLOCK_SCALAR.match(self.written):
            return "\n".join(line.strip() for line in self.below), ()
        if self.written.startswith("[") and not self.written.startswith("[["):
            return _flow_items(" ".join([self.written, *(line.strip() for line in self.below)])), ()
        text = _unquoted(self.written)
        if text or not self.below:
            return " ".join([text, *(line.strip() for line in self.below)]).strip(), ()
        items = [_ITEM.match(line) for line in self.below]
        if all(items):
            return tuple(_unquoted((item["value"] or "").strip()) for item in items if item), ()
        return self._nested()

    def _nested(self) -> tuple[str, tuple[tuple[str, Value], ...]]:
        pairs = [_KEY.match(line) for line in self.below]
        nested = tuple(
            (f"{self.key}.{_unquoted(pair['key'])}", _unquoted((pair["value"] or "").strip()))
            for pair in pairs
            if pair
        )
        return " ".join(line.strip() for line in self.below), nested


def _unquoted(text: str) -> str:
    """Return a scalar without its quotes, or without the comment behind it."""
    text = text.strip()
    inner = text[1:-1]
    if len(text) > 1 and text[0] == text[-1] == "'":
        return inner.replace("''", "'") if "'" not in inner.replace("''", "") else text
    if len(text) > 1 and text[0] == text[-1] == '"':
        try:
            return str(json.loads(text))
        except ValueError:
            return inner if '"' not in inner else text  # "one", "two" are two
    return "" if text.startswith("#") else _COMMENT.sub("", text)


def _flow_items(text: str) -> tuple[str, ...]:
    """Cut `[a, "b, c"]` at the commas outside quotes and brackets."""
    inner = _COMMENT.sub("", text).rstrip().removeprefix("[").removesuffix("]")
    parts: list[str] = []
    depth, start, quote = 0, 0, ""
    for index, char in enumerate(inner):
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'" and not inner[start:index].strip():
            quote = char
        elif char in "[]":
            depth += 1 if char == "[" else -1
        elif char == "," and depth <= 0:
            parts.append(inner[start:index])
            start = index + 1
    parts.append(inner[start:])
    return tuple(item for part in parts if (item := _unquoted(part)))
