"""Markdown cut at its headings of level 1 and 2, the ones inside code not counted."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from frugal_modes.vault.slugs import slug

_LINE = re.compile(r"[^\r\n]*+(?:\r\n|\r|\n|\Z)")
_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*\Z)|~{3,})")
_HEADING = re.compile(r" {0,3}(#{1,2})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*\Z")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*\Z")
_NO_PARAGRAPH = re.compile(r"[ \t]*(?:\Z|[#>|]|[-*+][ \t]|\d{1,9}[.)][ \t]|<)| {4}|\t")


@dataclass(frozen=True)
class Section:
    """A stretch below one heading: *chain* are the headings above it and its own, *line* (from 1) is where it begins.

    *text* is what stands below the heading. Before the first heading the chain is empty.
    """

    chain: tuple[str, ...]
    line: int
    text: str

    @property
    def title(self) -> str:
        """The section's own heading, "" before the first."""
        return self.chain[-1] if self.chain else ""


def section_id(whole: str, chain: tuple[str, ...]) -> str:
    """Return the native id of a section of *whole*: `whole#slugs-of-the-headings`, *whole* before the first one."""
    return f"{whole}#{'-'.join(slug(title) for title in chain)}" if chain else whole


@dataclass
class _Open:
    chain: tuple[str, ...]
    line: int
    lines: list[str]


def sections(text: str) -> Iterator[Section]:
    """Yield the sections of *text* in order, those without any text left out."""
    section = _Open((), 1, [])
    for number, line, heading in _headed(text):
        if heading is None:
            section.lines.append(line)
            continue
        level, title, is_underlined = heading
        if is_underlined:
            section.lines.pop()
        yield from _closed(section)
        above = section.chain[:1] if level == 2 and section.chain and section.chain[0] else ()
        if level == 2 and not above:
            above = ("",)  # a level 2 heading without one of level 1 above it
        section = _Open((*above, title) if level == 2 else (title,), number - is_underlined, [])
    yield from _closed(section)


def _closed(section: _Open) -> Iterator[Section]:
    body = "".join(section.lines)
    if body.strip():
        yield Section(tuple(title for title in section.chain if title), section.line, body.strip("\r\n"))


def _headed(text: str) -> Iterator[tuple[int, str, tuple[int, str, bool] | None]]:
    """Yield each line with its number, and level and text of the heading it is (or underlines)."""
    fence = ""
    before = ""
    for number, match in enumerate(_LINE.finditer(text), 1):
        line = match[0]
        content = line.rstrip("\r\n")
        if not line:
            return
        mark = _FENCE.match(content)
        if fence:
            if mark and mark[1].startswith(fence) and not content.strip().strip(fence[0]):
                fence = ""
            yield number, line, None
        elif mark:
            fence = mark[1]
            yield number, line, None
        else:
            yield number, line, _heading(content, before)
        before = "" if fence or mark else _paragraph(content, before)


def _heading(content: str, before: str) -> tuple[int, str, bool] | None:
    if heading := _HEADING.match(content):
        return len(heading[1]), (heading[2] or "").strip(), False
    underline = _UNDERLINE.match(content) if before else None
    if underline is not None:
        return 1 if underline[1][0] == "=" else 2, before.strip(), True
    return None


def _paragraph(content: str, before: str) -> str:
    """Return *content* if an underline below it makes it a heading: a paragraph of this one line."""
    if before or _NO_PARAGRAPH.match(content):
        return ""
    return content
