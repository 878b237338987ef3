"""Notes of Basic Memory: Markdown with a permalink, observations `- [category] text` and relations to other notes."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from frugal.api import home_folder
from frugal_modes.vault.cardtext import read_card
from frugal_modes.vault.frontmatter import read_front_matter
from frugal_modes.vault.marks import inline_tags
from frugal_modes.vault.readers.notes import is_markdown, read_note
from frugal_modes.vault.readers.sniffing import beginning
from frugal_modes.vault.readers.texts import decoded
from frugal_modes.vault.readers.walking import walk
from frugal_modes.vault.records import Card, Fact, Problem, Reading, Unit
from frugal_modes.vault.tags import read_tags

MOST_SNIFFED = 200
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_OBSERVATION = re.compile(r"[ \t]*[-*+][ \t]+\[(?P<category>[^\[\]()]{1,80})\][ \t]+(?P<text>\S.*)")
_TASK = frozenset({"", "x", "X", "-", "/", "?", "!", ">", "<"})
_RELATION = re.compile(
    r"[ \t]*[-*+][ \t]+(?P<type>[^\[\]]{0,80}?)[ \t]*\[\[(?P<target>[^\[\]|#]{1,400})[^\]]*\]\](?P<more>.*)"
)
_PERMALINK = re.compile(r"\A\ufeff?---[ \t]*\r?\n(?:.*\r?\n){0,60}?permalink[ \t]*:[ \t]*\S")


@dataclass(frozen=True)
class BasicMemory:
    """One note is one card."""

    name: str = "basic-memory"
    option_names: tuple[str, ...] = ()

    def defaults(self, environ: Mapping[str, str]) -> tuple[Path, ...]:
        """Return the folder of the default project."""
        given = environ.get("BASIC_MEMORY_HOME", "").strip()
        return (Path(given).expanduser() if given else home_folder(environ) / "basic-memory",)

    def recognise(self, path: Path) -> str | None:
        """Return the reason if one of the first notes has a permalink or an observation."""
        if path.is_file():
            return "shape.basic_memory" if is_markdown(path.name) and _has_mark(path) else None
        seen = 0
        for unit in walk(path, {}, is_markdown):
            if isinstance(unit, Unit):
                if _has_mark(unit.file):
                    return "shape.basic_memory"
                seen += 1
            if seen == MOST_SNIFFED:
                break
        return None

    def units(self, root: Path, options: Mapping[str, str]) -> Iterable[Unit | Problem]:
        """Yield the notes."""
        return walk(root, options, is_markdown)

    def read(self, unit: Unit, data: bytes, options: Mapping[str, str]) -> Reading:
        """Return the note with its observations and relations."""
        reading = read_note(unit, data)
        return replace(
            reading, cards=tuple(_note(card, _front_tags(data, card.path)) for card in reading.cards)
        )


def _front_tags(data: bytes, path: str) -> tuple[str, ...]:
    """Return the tags that the front matter gives: those in the text belong to its observations."""
    text = decoded(data, path)
    if isinstance(text, Problem):
        return ()
    return read_card(text[: read_front_matter(text).body_start], path=path).cards[0].tags


def _has_mark(file: Path) -> bool:
    text = beginning(file, 64 * 1024)
    return bool(_PERMALINK.match(text)) or any(
        fact is not None and fact.kind == "observation" for _, fact in _lines(text)
    )


@dataclass(frozen=True)
class _Line:
    """An observation or a relation: *word* is its category or type."""

    kind: str
    word: str
    text: str
    target: str = ""


def _lines(body: str) -> Iterator[tuple[str, _Line | None]]:
    """Yield each line, and what it is besides text; code and task boxes are text."""
    fence = ""
    for line in body.splitlines(keepends=True):
        content = line.rstrip("\r\n")
        mark = _FENCE.match(content)
        if mark:
            is_end = fence and mark[1].startswith(fence) and not content.strip().strip(fence[0])
            fence = "" if is_end else fence or mark[1]
            yield line, None
        else:
            yield line, None if fence else _fact(content)


def _fact(line: str) -> _Line | None:
    observation = _OBSERVATION.fullmatch(line)
    if (
        observation
        and observation["category"].strip() not in _TASK
        and not observation["category"].startswith("[")
    ):
        return _Line("observation", observation["category"].strip(), observation["text"].strip())
    relation = _RELATION.fullmatch(line)
    if relation is None:
        return None
    word = relation["type"].strip() or "links to"
    target = relation["target"].strip()
    return _Line("relation", word, f"{word} {target}{relation['more'].rstrip()}", target)


def _note(card: Card, tags: tuple[str, ...]) -> Card:
    """Return the card under its permalink, with observations and relations as facts and their tags as its own."""
    given = {name.lower(): value for name, value in card.metadata}
    facts: list[Fact] = []
    rest: list[str] = []
    targets: list[str] = []
    is_behind_fact = False
    for line, found in _lines(card.body):
        is_second_gap = is_behind_fact and not line.strip() and (not rest or not rest[-1].strip())
        is_behind_fact = found is not None or is_second_gap
        if is_second_gap:
            continue
        if found is None:
            rest.append(line)
        elif found.kind == "observation":
            facts.append(Fact(found.text, read_tags((found.word, *inline_tags(found.text), *tags))))
        else:
            targets.append(found.target)
            facts.append(Fact(f"{card.title}: {found.text}", read_tags((found.word, *tags))))
    kind = (given.get("type") or "").strip().lower()
    return replace(
        card,
        native_id=(given.get("permalink") or "").strip() or card.native_id,
        kind=kind if kind and card.kind == "note" else card.kind,
        links=tuple(dict.fromkeys((*card.links, *targets))),
        facts=tuple(facts),
        rest="".join(rest).strip() if facts else "",
    )


READER = BasicMemory()
