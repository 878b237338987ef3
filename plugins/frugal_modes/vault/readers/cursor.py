"""Rules for Cursor: `.mdc` files, whose head looks like YAML and is not, and the old `.cursorrules`."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from frugal_modes.vault.hashes import with_line_feeds
from frugal_modes.vault.marks import inline_tags, links, read_prose
from frugal_modes.vault.readers.notes import path_of
from frugal_modes.vault.readers.texts import decoded
from frugal_modes.vault.readers.walking import walk
from frugal_modes.vault.records import Card, Problem, Reading, Unit

KIND = "instruction"
OLD_RULES = ".cursorrules"
SUFFIX = ".mdc"
_RULES = re.compile(r"(?:.*/)?\.cursor/rules/.+\.mdc", re.DOTALL | re.IGNORECASE)
_KEY = re.compile(r"(?P<key>[A-Za-z][\w-]*)[ \t]*:[ \t]*(?P<value>.*)")
_HEAD = re.compile(r"---[ \t]*\n(?P<head>(?:.*\n)*?)(?:---|\.\.\.)[ \t]*(?:\n|\Z)")


@dataclass(frozen=True)
class Cursor:
    """One file is one card of the kind `instruction`."""

    name: str = "cursor"
    option_names: tuple[str, ...] = ()

    def defaults(self, environ: Mapping[str, str]) -> tuple[Path, ...]:
        """Return nothing: rules lie in projects."""
        return ()

    def recognise(self, path: Path) -> str | None:
        """Return the reason if *path* is a rule, or a folder with `.cursor/rules` or `.cursorrules`."""
        if path.is_file():
            return "shape.cursor" if path.name == OLD_RULES or path.suffix.lower() == SUFFIX else None
        has_rules = (path / ".cursor" / "rules").is_dir() or (path / OLD_RULES).is_file()
        is_rules = path.name == "rules" and path.parent.name == ".cursor"
        return "shape.cursor" if has_rules or is_rules else None

    def units(self, root: Path, options: Mapping[str, str]) -> Iterable[Unit | Problem]:
        """Yield the rules at any depth."""
        is_inside = ".cursor" in root.parts[-2:]
        return walk(root, options, lambda path: _is_wanted(path, is_inside=is_inside or root.is_file()))

    def read(self, unit: Unit, data: bytes, options: Mapping[str, str]) -> Reading:
        """Return the rule."""
        path = path_of(unit)
        text = decoded(data, path)
        if isinstance(text, Problem):
            return Reading(problems=(text,), is_whole=False)
        fields, body = _parts(with_line_feeds(text))
        prose = read_prose(body)
        title = next((item.text for item in prose.headings if item.level == 1 and item.text), "")
        card = Card(
            native_id=path,
            path=path,
            title=fields.get("description") or title or unit.file.name.removesuffix(SUFFIX),
            body=body,
            kind=KIND,
            agent="cursor",
            tags=inline_tags(prose.text),
            links=links(body),
            headings=tuple(item.text for item in prose.headings if item.text),
            metadata=tuple(fields.items()),
        )
        return Reading((card,))


def _is_wanted(path: str, *, is_inside: bool) -> bool:
    if path.rpartition("/")[2] == OLD_RULES or _RULES.fullmatch(path):
        return True
    return is_inside and path.lower().endswith(SUFFIX)


def _parts(text: str) -> tuple[dict[str, str], str]:
    """Return the fields of the head, each the rest of its line, list items joined; and what stands below the head."""
    match = _HEAD.match(text)
    if match is None or not any(_KEY.match(line) for line in match["head"].splitlines()):
        return {}, text.strip()
    fields: dict[str, str] = {}
    key = ""
    for line in match["head"].splitlines():
        found = _KEY.fullmatch(line)
        if found:
            key = found["key"]
            fields[key] = _unquoted(found["value"].strip())
        elif key and line.strip():
            item = _unquoted(line.strip().removeprefix("- ").strip())
            fields[key] = f"{fields[key]}, {item}".removeprefix(", ")
    return fields, text[match.end() :].strip()


def _unquoted(value: str) -> str:
    is_quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "\"'"
    return value[1:-1] if is_quoted else value


READER = Cursor()
