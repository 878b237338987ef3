"""The front matter of a Markdown file: real YAML with every scalar as text, else `key: value` lines and a problem."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from frugal_modes.vault.keylines import read_key_lines
from frugal_modes.vault.yamlevents import Field, NotYaml, Value, read_yaml

LONGEST_BLOCK_BYTES = 64 * 1024

NOT_YAML = "front_matter_not_yaml"
TOO_LONG = "front_matter_too_long"
DUPLICATE_KEY = "duplicate_key"

BOM = "\ufeff"
_OPENING = re.compile(r"---[ \t]*(?:\r\n|\n|\r)")
_CLOSING = re.compile(r"(?:(?<=\n)|(?<=\r))(?:---|\.\.\.)[ \t]*(?:\r\n|\n|\r|\Z)")
_KEY_LINE = re.compile(
    r"""(?:\A|(?<=[\r\n])) [ \t]* (?: "[^"\r\n]*" | '[^'\r\n]*' | [^\s\#"'-][^:\r\n]* | -[^\s:][^:\r\n]* )
    [ \t]* : (?=[ \t\r\n]|\Z)""",
    re.VERBOSE,
)


@dataclass(frozen=True)
class Flaw:
    """What is wrong in the front matter: a code of `vault.problems`, what it is about, and the line in the file."""

    code: str
    line: int
    about: str = ""


@dataclass(frozen=True)
class FrontMatter:
    """The front matter of one text. *start* and *end* bound what stands between its two marker lines, *body_start* is
    behind the second one; without front matter all three are where the body begins. *fields* are in order, of two with
    one key the later counts. *is_yaml*: it may be edited.
    """

    start: int
    end: int
    body_start: int
    fields: tuple[Field, ...] = ()
    flaws: tuple[Flaw, ...] = ()
    is_present: bool = False
    is_yaml: bool = True

    @property
    def values(self) -> Mapping[str, Value]:
        """The values by lower-case key; what stands below another key has both in its name, `metadata.type`."""
        values: dict[str, Value] = {}
        for field in self.fields:
            values.update({name.lower(): value for name, value in field.flat()})
        return MappingProxyType(values)

    def field(self, key: str) -> Field | None:
        """Return the field that counts for *key*, None if it is not there."""
        found = [field for field in self.fields if field.key.lower() == key.lower()]
        return found[-1] if found else None

    def text(self, *keys: str) -> str:
        """Return the trimmed text of the first of *keys* that has one, "" if none has."""
        values = self.values
        for key in keys:
            value = values.get(key.lower(), "")
            text = value if isinstance(value, str) else ", ".join(value)
            if text.strip():
                return text.strip()
        return ""


def read_front_matter(text: str) -> FrontMatter:
    """Return the front matter of *text*, which may begin with a byte order mark.

    It is there only if the first line is `---` and a later one `---` or `...`, both at column 0, and a `key:` line
    stands between; a block without any is text between two rules. Nothing at all between is empty front matter.
    """
    first = len(BOM) if text.startswith(BOM) else 0
    opening = _OPENING.match(text, first)
    closing = _CLOSING.search(text, opening.end()) if opening else None
    if opening is None or closing is None:
        return FrontMatter(first, first, first)
    start, end = opening.end(), closing.start()
    block = text[start:end]
    if not _KEY_LINE.search(block):
        return _without_keys(block, first, start, closing)
    if len(block.encode()) > LONGEST_BLOCK_BYTES:
        return FrontMatter(first, first, first, flaws=(Flaw(TOO_LONG, 1),), is_yaml=False)
    try:
        fields = read_yaml(block, offset=start)
        flaws = _duplicates(fields)
        return FrontMatter(start, end, closing.end(), fields, flaws, is_present=True)
    except NotYaml as error:
        fields = read_key_lines(block, offset=start)
        flaws = (Flaw(NOT_YAML, error.line, error.reason), *_duplicates(fields))
        return FrontMatter(start, end, closing.end(), fields, flaws, is_present=True, is_yaml=False)


def _without_keys(block: str, first: int, start: int, closing: re.Match[str]) -> FrontMatter:
    if block.strip():
        return FrontMatter(first, first, first)
    return FrontMatter(start, closing.start(), closing.end(), is_present=True)


def _duplicates(fields: tuple[Field, ...]) -> tuple[Flaw, ...]:
    seen: set[str] = set()
    flaws: list[Flaw] = []
    for field in fields:
        if field.key in seen:
            flaws.append(Flaw(DUPLICATE_KEY, field.line, field.key[:60]))
        seen.add(field.key)
    return tuple(flaws)
