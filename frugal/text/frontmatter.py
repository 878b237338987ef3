"""Front matter of Markdown notes, read line by line: enough for dates and tags, without a YAML library.

What cannot be read is never lost: a block that is no front matter is body, and so is one with lines that are no part
of any field.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from types import MappingProxyType

Value = str | tuple[str, ...]
"""One value: text, or the items of a list."""

Fields = Mapping[str, Value]
"""Fields by lower-case key; what stands below another key has both in its name, `metadata.date`."""

DATE_KEYS = ("modified", "updated", "date", "created")
TAG_KEYS = ("tags", "tag")
ALIAS_KEYS = ("aliases", "alias")
LONGEST_BLOCK = 64 * 1024
"""Characters; what is longer was meant as text between two rules."""

_BELOW = "metadata"
_DEEPEST = 4

_BOM = "\ufeff"
_LINE = re.compile(r"[^\r\n]*+(?:\r\n|\r|\n|\Z)")
_KEY = re.compile(r"""(?P<quote>["']?)(?P<key>\w[\w .-]{0,60}?)(?P=quote)[ \t]*:(?:[ \t]+(?P<value>.*))?\Z""")
_ITEM = re.compile(r"-(?:[ \t]+(?P<value>.*))?\Z")
_BLOCK_SCALAR = re.compile(r"[|>][+-]?[0-9]?[+-]?(?:[ \t]+\#.*)?\Z")
_COMMENT = re.compile(r"[ \t]#[ \t].*\Z|[ \t]#\Z")
_ESCAPE = re.compile(r'\\(["\\/])')
_QUOTED = re.compile(r"""(?:"(?:[^"\\]|\\.)*+"|'(?:[^']|'')*+')(?:[ \t]+\#.*)?\Z""")
_CLOSING = {"[": "]", "{": "}"}
_NO_SCALAR = ("@", "`", "%")


@dataclass(frozen=True)
class Note:
    """A note taken apart: *body* is `text[body_start:]` of the text that was split."""

    fields: Fields
    body: str
    body_start: int


def split(text: str) -> Note:
    """Return the fields and the body of *text*; a byte order mark is no part of the body.

    Front matter begins with `---` on the first line and ends with `---` or `...`, all at column 0, and has a
    `key:` line. A block with other lines in it gives its fields and stays in the body; one over LONGEST_BLOCK is body.
    """
    start = len(_BOM) if text.startswith(_BOM) else 0
    found = _block(text, start)
    if found is None:
        return Note(MappingProxyType({}), text[start:], start)
    lines, end = found
    fields, is_whole = _read(lines)
    if not fields or not is_whole:
        end = start
    return Note(MappingProxyType(fields), text[end:], end)


def note_date(fields: Fields) -> datetime | None:
    """Return the date of a note in UTC: modified, updated, date, created, also under `metadata`.

    A time without a zone is taken as UTC, a bare date as its first moment; what is no date is passed over.
    """
    for key in DATE_KEYS:
        for name in (key, f"{_BELOW}.{key}"):
            value = fields.get(name)
            if isinstance(value, str) and (moment := _moment(value)) is not None:
                return moment
    return None


def note_tags(fields: Fields) -> tuple[str, ...]:
    """Return the tags of a note, also under `metadata`, each once whatever its case, blanks inside as hyphens.

    A list (also JSON as text), text with commas, else text with blanks between the tags; a leading `#` goes.
    """
    found: dict[str, str] = {}
    for key in TAG_KEYS:
        for name in (key, f"{_BELOW}.{key}"):
            for item in _items(fields.get(name, ())):
                tag = "-".join(item.split()).lstrip("#")
                if tag:
                    found.setdefault(tag.casefold(), tag)
    return tuple(found.values())


def note_title(fields: Fields) -> str:
    """Return the title of a note, "" without one."""
    value = fields.get("title", "")
    return value.strip() if isinstance(value, str) else ""


def note_words(fields: Fields) -> tuple[str, ...]:
    """Return what else a note may be looked for by: its aliases (a list, or text with commas), then its description."""
    found: dict[str, None] = {}
    for key in (*ALIAS_KEYS, "description"):
        value = fields.get(key, ())
        if isinstance(value, str):
            value = tuple(value.split(",")) if key in ALIAS_KEYS else (value,)
        found.update(dict.fromkeys(" ".join(item.split()) for item in value))
    return tuple(word for word in found if word)


def flaw_line(text: str) -> int:
    """Return the first line of *text* (from 1) where its front matter is no YAML, 0 if it is sound or there is none."""
    start = len(_BOM) if text.startswith(_BOM) else 0
    found = _block(text, start)
    if found is None:
        return 1 if _is_open(text, start) else 0
    lines = found[0]
    if not _read(lines)[0]:
        return 0
    has_key = False
    for index, line in enumerate(lines):
        is_below = not line or line[0] in " \t#]}" or _ITEM.match(line) is not None
        match = None if is_below else _KEY.match(line)
        if match is not None:
            has_key = True
            if not _is_sound((match["value"] or "").strip(), lines[index + 1 :]):
                return index + 2
        elif not is_below or (not has_key and line and line[0] != "#"):
            return index + 2
    return 0


def _is_open(text: str, start: int) -> bool:
    """Tell whether front matter begins and never ends: `---`, then a key that notes have."""
    lines = text[start : start + LONGEST_BLOCK].splitlines()[:2]
    if len(lines) < 2 or lines[0].rstrip() != "---" or (match := _KEY.match(lines[1])) is None:
        return False
    return match["key"].lower() in {*DATE_KEYS, *TAG_KEYS, *ALIAS_KEYS, "title", "description"}


def _is_sound(value: str, behind: list[str]) -> bool:
    """Tell whether *value*, which may go on in indented lines *behind* it, is a YAML value."""
    if not value or value.startswith("#") or _BLOCK_SCALAR.match(value):
        return True
    if value[0] not in "\"'[{":
        plain = _COMMENT.sub("", value).rstrip()
        return not (": " in plain or plain.endswith(":") or plain.startswith(_NO_SCALAR))
    parts = [value]
    for line in behind:
        if line and line[0] not in " \t#]}":
            break
        parts.append(line.strip())
    whole = " ".join(parts).rstrip()
    if value[0] in _CLOSING:
        return _COMMENT.sub("", whole).rstrip().endswith(_CLOSING[value[0]])
    return _QUOTED.match(whole) is not None


def _items(value: Value) -> list[str]:
    if isinstance(value, str):
        is_list = value.startswith("[") and not value.startswith("[[")
        if not is_list and "," not in value:
            return value.split()
        value = _flow_items(value) if is_list else (value,)
    return [part for item in value for part in item.split(",")]


# The block


def _block(text: str, start: int) -> tuple[list[str], int] | None:
    """Return the lines between the markers and the offset behind the second one, None without both."""
    first = _LINE.match(text, start)
    if first is None or first[0].rstrip() != "---" or first.end() == len(text):
        return None
    lines: list[str] = []
    for line in _LINE.finditer(text, first.end()):
        content = line[0].rstrip()
        if content in ("---", "..."):
            return lines, line.end()
        if line.end() > start + LONGEST_BLOCK:
            break
        lines.append(content)
    return None


def _read(lines: list[str], level: int = 0) -> tuple[dict[str, Value], bool]:
    """Return the fields, and whether every line belongs to one (or is blank or a comment)."""
    fields: dict[str, Value] = {}
    is_whole = True
    for key, rest in _groups(lines):
        if key is None:
            is_whole = False
            continue
        match = _KEY.match(key)
        if match is not None:
            fields.update(_field(match["key"].strip().lower(), match["value"] or "", rest, level))
    return fields, is_whole


def _groups(lines: list[str]) -> Iterator[tuple[str | None, list[str]]]:
    """Yield each `key:` line with the lines below it; None instead of the line where none is above."""
    key: str | None = None
    rest: list[str] = []
    for line in lines:
        is_below = not line or line[0] in " \t#]}" or _ITEM.match(line) is not None
        if not is_below:
            if key is not None:
                yield key, rest
            key, rest = (line, []) if _KEY.match(line) else (None, [])
            if key is None:
                yield None, []
        elif key is not None:
            rest.append(line)
        elif line and line[0] != "#":
            yield None, []
    if key is not None:
        yield key, rest


def _field(key: str, value: str, rest: list[str], level: int) -> dict[str, Value]:
    value = value.strip()
    below = [line for line in rest if line and not line.lstrip().startswith("#")]
    if _BLOCK_SCALAR.match(value):
        return {key: "\n".join(line.strip() for line in rest).strip()}
    if value[:1] in ("[", "{"):
        return _flow(key, " ".join([value, *(line.strip() for line in below)]), level)
    value = _scalar(value)
    if value or not below:
        return {key: " ".join([value, *(line.strip() for line in below)])}
    items = [item for line in below if (item := _ITEM.match(line.lstrip())) is not None]
    if len(items) == len(below):
        return {key: tuple(_scalar(item["value"] or "") for item in items)}
    return _nested(key, below, level)


def _nested(key: str, below: list[str], level: int) -> dict[str, Value]:
    """Read the mapping below *key*: its keys are the lines that are indented least."""
    depth = min(len(line) - len(line.lstrip()) for line in below)
    nested, _ = _read([line[depth:] for line in below], level + 1) if level < _DEEPEST else ({}, False)
    return {f"{key}.{name}": value for name, value in nested.items()} or {
        key: " ".join(map(str.strip, below))
    }


def _flow(key: str, value: str, level: int) -> dict[str, Value]:
    """Read `[a, "b, c"]` or `{date: 2026-01-02, tags: [a, b]}`."""
    if value.startswith("["):
        return {key: _flow_items(value)}
    if level == _DEEPEST:
        return {key: value}
    fields: dict[str, Value] = {}
    for part in _flow_parts(_COMMENT.sub("", value).rstrip()[1:].removesuffix("}")):
        name, _, content = part.partition(":")
        fields.update(_field(f"{key}.{_scalar(name).lower()}", content, [], level + 1))
    return fields


def _flow_items(value: str) -> tuple[str, ...]:
    parts = _flow_parts(_COMMENT.sub("", value).rstrip()[1:].removesuffix("]"))
    return tuple(item for part in parts if (item := _scalar(part)))


def _flow_parts(inner: str) -> list[str]:
    """Cut at the commas outside quotes and brackets."""
    parts: list[str] = []
    depth, start, quote, is_fresh = 0, 0, "", True
    for index, character in enumerate(inner):
        if quote:
            quote = "" if character == quote else quote
        elif character in "\"'" and is_fresh:
            quote = character
        elif character in "[]{}":
            depth += 1 if character in "[{" else -1
        elif character == "," and depth <= 0:
            parts.append(inner[start:index])
            start = index + 1
        is_fresh = character in ",:[{" or (is_fresh and character == " ")
    return [*parts, inner[start:]]


def _scalar(text: str) -> str:
    text = text.strip()
    quote = text[:1]
    if quote in ('"', "'") and (end := text.rfind(quote)) > 0:
        inner = text[1:end]
        return _ESCAPE.sub(r"\1", inner) if quote == '"' else inner.replace("''", "'")
    return "" if text.startswith("#") else _COMMENT.sub("", text).rstrip()


# Dates

_MOMENT = re.compile(
    r"""
    (?: (?P<year>\d{4}) (?P<mark>[-/.]) (?P<month>\d{1,2}) (?P=mark) (?P<day>\d{1,2})
      | (?P<day_first>\d{1,2})\.(?P<month_second>\d{1,2})\.(?P<year_last>\d{4}) )
    (?: (?:[Tt]|[ \t]+) (?P<hour>\d{1,2}):(?P<minute>\d{2}) (?: :(?P<second>\d{2}) (?:[.,](?P<fraction>\d{1,9}))? )?
        [ \t]* (?P<zone> [Zz] | UTC | GMT | [+-]\d{1,2}(?::?\d{2})? )? )?
    """,
    re.VERBOSE | re.ASCII,
)
_OFFSET = re.compile(r"([+-])(\d{1,2}):?(\d{2})?\Z", re.ASCII)


def _moment(value: str) -> datetime | None:
    match = _MOMENT.fullmatch(value.strip())
    if match is None:
        return None
    part = match.groupdict("0")
    try:
        return datetime(
            int(match["year"] or match["year_last"]),
            int(match["month"] or match["month_second"]),
            int(match["day"] or match["day_first"]),
            int(part["hour"]),
            int(part["minute"]),
            int(part["second"]),
            int(part["fraction"].ljust(6, "0")[:6]),
            tzinfo=_zone(match["zone"] or ""),
        ).astimezone(UTC)
    except (ValueError, OverflowError):  # 31 February; a zone that leads out of the calendar
        return None


def _zone(text: str) -> timezone:
    match = _OFFSET.match(text)
    if match is None:
        return UTC
    offset = timedelta(hours=int(match[2]), minutes=int(match[3] or 0))
    return timezone(-offset if match[1] == "-" else offset)
