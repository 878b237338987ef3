"""Change single values and the body of a card's file; every other byte stays, and so does the way values are written."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from frugal_modes.vault.cardtext import body_span
from frugal_modes.vault.frontmatter import NOT_YAML, TOO_LONG, FrontMatter, read_front_matter
from frugal_modes.vault.hashes import hash_comment, with_line_feeds
from frugal_modes.vault.newcards import BARE_KEYS, ORDER, written
from frugal_modes.vault.scalars import double_quoted, flow_list, scalar, single_quoted
from frugal_modes.vault.tags import ALIAS_KEYS, TAG_KEYS
from frugal_modes.vault.yamlevents import Field, Value

_COMMA_KEYS = frozenset({*TAG_KEYS, *ALIAS_KEYS})
_LINE_END = re.compile(r"\r\n|\n|\r|\Z")


class CannotEdit(ValueError):
    """The front matter cannot be changed safely; *line* of the file, 0 if no line is to blame."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


@dataclass(frozen=True)
class _Patch:
    start: int
    end: int
    text: str


def edited(text: str, values: Mapping[str, Value | None], *, body: str | None = None) -> str:
    """Return *text* with *values* in its front matter, None = without that key, and *body* in the place of its body.

    A key that is missing comes where the order of new cards has it. Raise `CannotEdit` if the front matter is no YAML,
    or would not say what it has to.
    """
    front = read_front_matter(text)
    _refuse_broken(front)
    line_end = "\r\n" if "\r\n" in text[: text.find("\n") + 1] else "\n"
    changed = _with_body(text, front, body, line_end)
    if not front.is_present:
        changed = _with_front_matter(changed, front, values, line_end)
    else:
        changed = _patched(changed, _patches(text, front, values, line_end))
    _check(changed, front, values)
    return changed


def _refuse_broken(front: FrontMatter) -> None:
    if not front.is_yaml:
        raise CannotEdit(next(flaw.line for flaw in front.flaws if flaw.code in (NOT_YAML, TOO_LONG)))


def _with_body(text: str, front: FrontMatter, body: str | None, line_end: str) -> str:
    """Replace the body, and take an old comment with the hash away; what stands before the body stays."""
    start, end = body_span(text, front)
    comment = hash_comment(text[front.body_start :])
    tail = line_end if comment else text[end:]
    if body is None:
        return text[:end] + tail if comment else text
    head = text[:start]
    if front.is_present and start == front.body_start and not head.endswith(("\n", "\r")):
        head += line_end
    return head + with_line_feeds(body).strip().replace("\n", line_end) + (tail or line_end)


def _with_front_matter(
    text: str, front: FrontMatter, values: Mapping[str, Value | None], line_end: str
) -> str:
    lines = [f"{key}: {written(key, value)}" for key, value in _in_order(values) if value is not None]
    block = line_end.join(["---", *lines, "---", ""])
    return text[: front.body_start] + block + text[front.body_start :]


def _in_order(values: Mapping[str, Value | None]) -> list[tuple[str, Value | None]]:
    return sorted(values.items(), key=lambda item: _rank(item[0]))


def _rank(key: str) -> int:
    return ORDER.index(key) if key in ORDER else len(ORDER)


def _patches(
    text: str, front: FrontMatter, values: Mapping[str, Value | None], line_end: str
) -> list[_Patch]:
    patches: list[_Patch] = []
    for key, value in _in_order(values):
        field = front.field(key)
        if field is None and value is not None:
            patches.append(_insertion(text, front, key, written(key, value), line_end))
        elif field is not None and value is None:
            patches.append(_removal(text, field))
        elif field is not None and value is not None and field.value != value:
            patches.append(_replacement(text, field, value, line_end))
    return patches


def _patched(text: str, patches: list[_Patch]) -> str:
    """Apply *patches*; those at one place come out in their order."""
    for _, patch in sorted(enumerate(patches), key=lambda item: (item[1].start, item[0]), reverse=True):
        text = text[: patch.start] + patch.text + text[patch.end :]
    return text


def _insertion(text: str, front: FrontMatter, key: str, value: str, line_end: str) -> _Patch:
    """Put a new line behind the last key that stands before it in the order, else before all."""
    before = [field for field in front.fields if _rank(field.key) < _rank(key)]
    at = _line_end(text, before[-1].end) if before else front.start
    indent = ""
    if front.fields:
        first = front.fields[0].key_start
        indent = text[_line_start(text, first) : first]
    return _Patch(at, at, f"{indent}{key}: {value}{line_end}")


def _removal(text: str, field: Field) -> _Patch:
    """Take the lines of a key away."""
    return _Patch(_line_start(text, field.key_start), _line_end(text, field.end), "")


def is_last_place(text: str, key: str) -> bool:
    """Tell whether *key* stands where it would be put if it were new, so that taking it away can be taken back."""
    front = read_front_matter(text)
    field = front.field(key)
    if field is None:
        return True
    removal = _removal(text, field)
    without = _patched(text, [removal])
    return _insertion(without, read_front_matter(without), key, "", "\n").start == removal.start


def _line_start(text: str, position: int) -> int:
    return max(text.rfind("\n", 0, position), text.rfind("\r", 0, position)) + 1


def _line_end(text: str, position: int) -> int:
    found = _LINE_END.search(text, position)
    return found.end() if found else len(text)


def _replacement(text: str, field: Field, value: Value, line_end: str) -> _Patch:
    is_stuck = text[field.start - 1 : field.start] == ":"
    raw = text[field.start : field.end]
    new = written(field.key, value) if field.key in BARE_KEYS else _styled(raw, field, value, line_end)
    return _Patch(field.start, field.end, f" {new}" if is_stuck else new)


def _styled(raw: str, field: Field, value: Value, line_end: str) -> str:
    """Write *value* in the style that *field* has, where it can be written so."""
    if isinstance(value, tuple):
        if field.style == "block" and value:
            indent = line_end + " " * field.indent
            return indent.join(f"- {scalar(item)}" for item in value)
        is_comma_text = field.key.lower() in _COMMA_KEYS and field.style == "plain" and raw
        if is_comma_text and value and not any("," in item or scalar(item) != item for item in value):
            return scalar(", ".join(value))
        return flow_list(value)
    is_ours = isinstance(field.value, str) and raw == scalar(field.value)
    if not is_ours and field.style == "'":
        return single_quoted(value)
    return double_quoted(value) if not is_ours and field.style == '"' else scalar(value)


def _check(changed: str, front: FrontMatter, values: Mapping[str, Value | None]) -> None:
    """Raise `CannotEdit` unless the front matter says what it has to and nothing else changed."""
    found = read_front_matter(changed)
    expected = {
        name: value for name, value in front.values.items() if name.split(".")[0] not in _folded(values)
    }
    kept = {name: value for name, value in found.values.items() if name.split(".")[0] not in _folded(values)}
    fields = {key: found.field(key) for key in values}
    is_right = found.is_yaml and found.is_present and kept == expected
    for key, value in values.items():
        field = fields[key]
        if value is None:
            is_right = is_right and field is None
        else:
            is_right = is_right and field is not None and _says(field.value, value)
    if not is_right:
        raise CannotEdit(0)


def _folded(values: Mapping[str, Value | None]) -> frozenset[str]:
    return frozenset(key.lower() for key in values)


def _says(found: Value, wanted: Value) -> bool:
    if isinstance(wanted, tuple) and isinstance(found, str):
        return found == ", ".join(wanted)
    return found == wanted
