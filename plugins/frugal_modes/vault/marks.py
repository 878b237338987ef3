"""What the Markdown of a body marks: headings, `[[links]]` and inline `#tags`, none of them inside code."""

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

_LINE = re.compile(r"[^\n]*(?:\n|\Z)")
_FENCE = re.compile(r" {0,3}(?P<mark>`{3,}|~{3,})(?P<info>.*)")
_HEADING = re.compile(r" {0,3}(?P<level>#{1,6})(?:[ \t]+(?P<text>.*))?\Z")
_LIST_ITEM = re.compile(r"[ \t]*(?:[-*+]|[0-9]{1,9}[.)])[ \t]")
_CODE_SPAN = re.compile(r"(?P<ticks>(?<!`)`+(?!`)).{0,2000}?(?<!`)(?P=ticks)(?!`)", re.DOTALL)
_WIKI_LINK = re.compile(r"!?\[\[(?P<target>[^\[\]\n]{1,400})\]\]")
_OTHER_LINK = re.compile(
    r"""\]\([^()\s]{0,2000}(?:\([^()\s]{0,400}\)[^()\s]{0,400})?\)   # [x](target)
    | <[a-z]{1,20}://[^>\s]{1,2000}> | (?<![a-z])[a-z]{1,20}://\S{1,2000}""",
    re.VERBOSE,
)
_TAG = re.compile(r"(?:(?<=[ (\t\n])|\A)#(?P<tag>[^\s#,.;:!?()\[\]{}<>\"'`|\\*~^=+&%$@]{1,200})")


class Heading(NamedTuple):
    """A heading: its level from 1 to 6, its text, and the offset of its line in the body."""

    level: int
    text: str
    start: int


class Prose(NamedTuple):
    """A body taken apart: its headings, and the lines that are neither code nor headings, code spans blanked out."""

    headings: tuple[Heading, ...]
    text: str


def read_prose(body: str) -> Prose:
    """Return the headings of *body* and its prose; *body* has LF or CRLF between its lines."""
    headings: list[Heading] = []
    lines: list[str] = []
    for start, line in _outside_code(body):
        found = _HEADING.match(line.rstrip())
        if found:
            headings.append(Heading(len(found["level"]), _without_closing(found["text"] or ""), start))
        else:
            lines.append(line)
    return Prose(tuple(headings), _CODE_SPAN.sub(" ", "\n".join(lines)))


def _without_closing(text: str) -> str:
    """Return the text of a heading without the `#` that may close it."""
    text = text.strip()
    opened = text.rstrip("#")
    return opened.rstrip() if not opened or opened[-1] in " \t" else text


def _outside_code(body: str) -> Iterator[tuple[int, str]]:
    """Yield offset and text of each line outside fenced and indented code; blank ones keep paragraphs apart."""
    fence = ""
    is_after_blank, is_in_list = True, False
    for match in _LINE.finditer(body):
        line = match[0].rstrip("\r\n")
        found = _FENCE.match(line)
        if fence:
            is_closing = found and found["mark"].startswith(fence) and not found["info"].strip()
            fence = "" if is_closing else fence
            continue
        if found and not ("`" in found["mark"] and "`" in found["info"]):
            fence = found["mark"]
            continue
        is_blank = not line.strip()
        is_indented = line.startswith(("    ", "\t"))
        if not (is_indented and not is_blank and is_after_blank and not is_in_list):
            is_after_blank = is_blank
            is_in_list = bool(_LIST_ITEM.match(line)) or (is_in_list and (is_blank or line[0] in " \t"))
            yield match.start(), line


def links(text: str) -> tuple[str, ...]:
    """Return the names that `[[N]]`, `[[N|text]]`, `[[N#H]]` and `![[N]]` in *text* link, each once."""
    names = (re.split(r"[|#]", match["target"])[0].strip() for match in _WIKI_LINK.finditer(text))
    return tuple(dict.fromkeys(name for name in names if name))


def inline_tags(prose: str) -> tuple[str, ...]:
    """Return the `#tags` of *prose* (of `read_prose`) as written, without the `#`.

    One begins after the start, a space or `(`, and holds letters of any script, digits, `_ - /`, not digits alone.
    """
    found: list[str] = []
    for match in _TAG.finditer(_OTHER_LINK.sub(" ", _WIKI_LINK.sub(" ", prose))):
        tag = _allowed_start(match["tag"]).rstrip("/-")
        if any(not char.isdecimal() and char not in "/-" for char in tag):
            found.append(tag)
    return tuple(found)


def _allowed_start(text: str) -> str:
    for index, char in enumerate(text):
        if char not in "_-/" and unicodedata.category(char)[0] not in "LMN" and char != "\u200d":
            return text[:index]
    return text
