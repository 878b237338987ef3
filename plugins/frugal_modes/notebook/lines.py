"""Lines of a sheet: ours begin in column one or two, what a user wrote goes on indented, so it cannot imitate ours."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from frugal.api import Surface, boundary_before

_BREAK = re.compile("\r\n|[\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029]")
INDENT = "    "

SECTION, ITEM, DETAIL = 0, 1, 2


@dataclass(frozen=True)
class Line:
    """One line of ours with what it quotes: a section's heading, an item, or a detail of an item."""

    level: int
    text: str


def quoted(text: str) -> str:
    """Return *text* with every line after its first indented, whatever ends the line; nothing else is changed."""
    return _BREAK.sub(lambda match: match[0] + INDENT, text)


def unquoted(text: str) -> str:
    """Return what `quoted` was given."""
    return re.sub(f"({_BREAK.pattern}){INDENT}", r"\1", text)


def shortened(text: str, limit: int, surface: Surface) -> str:
    """Return *text* cut to *limit* characters with shown and total length behind it, whole if it fits."""
    if len(text) <= limit:
        return text
    end = boundary_before(text, limit)
    return f"{text[:end]} {surface.text('sheet.shortened', shown=end, total=len(text))}"


def as_plain(lines: Iterable[Line]) -> str:
    """Return *lines* as text: details two columns in."""
    return "\n".join("  " + line.text if line.level == DETAIL else line.text for line in lines)


def as_markdown(lines: Sequence[Line]) -> str:
    """Return *lines* as Markdown: the first a title, sections as headings, items and details as lists."""
    title, *rest = lines
    parts = [f"# {title.text}", ""]
    for line in rest:
        if line.level == SECTION:
            parts += ["", f"## {line.text.rstrip(':')}", ""]
        else:
            parts.append(f"{'  ' if line.level == DETAIL else ''}- {line.text}")
    return "\n".join(parts) + "\n"
