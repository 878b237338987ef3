"""What Codex remembers: blocks of MEMORY.md, its summary, summaries of sessions, and skills."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from frugal_modes.vault.cardtext import read_card
from frugal_modes.vault.frontmatter import read_front_matter
from frugal_modes.vault.hashes import with_line_feeds
from frugal_modes.vault.readers.agenthomes import codex_home
from frugal_modes.vault.readers.notes import is_markdown, path_of, read_note
from frugal_modes.vault.readers.splitting import read_sections
from frugal_modes.vault.readers.texts import Ids, decoded, first_sentence
from frugal_modes.vault.readers.walking import walk
from frugal_modes.vault.records import Card, Problem, Reading, Unit
from frugal_modes.vault.slugs import slug

AGENT = "codex"
MEMORY, SUMMARY, RAW, SKILL = "MEMORY.md", "memory_summary.md", "raw_memories.md", "SKILL.md"
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_KEY_LINE = re.compile(r"[A-Za-z][\w -]*:(?:[ \t]|\Z)")
_BLOCK_HEADING = re.compile(r"# +\S")
_VERSION_LINE = re.compile(r"\A\ufeff?v\d+[ \t]*(?:\r?\n|\Z)")


@dataclass(frozen=True)
class Codex:
    """One block of MEMORY.md, section of the summary, session summary or skill is one card."""

    name: str = "codex"
    option_names: tuple[str, ...] = ()

    def defaults(self, environ: Mapping[str, str]) -> tuple[Path, ...]:
        """Return the folder of memories in Codex's home."""
        return (codex_home(environ) / "memories",)

    def recognise(self, path: Path) -> str | None:
        """Return the reason if *path*, or `memories` in it, is a folder of Codex's memories."""
        folder = _memories(path)
        has_summary = (folder / SUMMARY).is_file()
        is_named = folder.name == "memories" and (folder / MEMORY).is_file()
        return "shape.codex" if has_summary or is_named else None

    def units(self, root: Path, options: Mapping[str, str]) -> Iterable[Unit | Problem]:
        """Yield the files that Codex distilled; its raw ones and its database are named as skipped."""
        folder = "" if _memories(root) == root else "memories/"

        def is_wanted(path: str) -> bool:
            return path.startswith(folder) and _is_wanted(path.removeprefix(folder))

        def is_entered(path: str) -> bool:
            return f"{path}/".startswith(folder)

        for unit in walk(root, options, is_wanted, enters=is_entered):
            is_raw = isinstance(unit, Unit) and unit.file.name.endswith(_RAW)
            yield Problem(unit.path, "skipped_raw") if is_raw else unit

    def read(self, unit: Unit, data: bytes, options: Mapping[str, str]) -> Reading:
        """Return the cards of one file."""
        name = unit.file.name
        if name == MEMORY:
            return _read_blocks(unit, data)
        if name == SUMMARY:
            version = _VERSION_LINE.match(data[:16].decode("utf-8", "replace"))
            lines = iter([True] if version else [])
            return read_sections(unit, data, agent=AGENT, keeps=lambda _line: not next(lines, False))
        reading = read_note(unit, data, kind="tool" if name == SKILL else "note")
        return replace(reading, cards=tuple(_named(card) for card in reading.cards))


_RAW = (RAW, ".sqlite", ".db")


def _memories(path: Path) -> Path:
    inner = path / "memories"
    return inner if path.name != "memories" and inner.is_dir() else path


def _is_wanted(path: str) -> bool:
    """Tell whether a file, by its path in the folder of memories, is read or to be named as skipped."""
    first, _, rest = path.partition("/")
    if not rest:
        return first in (MEMORY, SUMMARY) or first.endswith(_RAW)
    is_skill = first == "skills" and path.endswith(f"/{SKILL}")
    return is_skill or (first == "rollout_summaries" and is_markdown(path))


def _named(card: Card) -> Card:
    given = {name.lower(): value for name, value in card.metadata}
    title = " ".join((given.get("name") or "").split())
    aliases = [given["description"]] if given.get("description") else []
    return replace(
        card, title=title or card.title, agent=card.agent or AGENT, aliases=(*card.aliases, *aliases)
    )


def _read_blocks(unit: Unit, data: bytes) -> Reading:
    """Return the blocks of MEMORY.md: each begins with front matter of its own, or with a heading of level 1."""
    path = path_of(unit)
    text = decoded(data, path)
    if isinstance(text, Problem):
        return Reading(problems=(text,), is_whole=False)
    ids = Ids()
    cards: list[Card] = []
    problems: list[Problem] = []
    for line, block in _blocks(with_line_feeds(text)):
        reading = read_card(block, path=path)
        problems += [_moved(problem, line) for problem in reading.problems]
        card = _block_card(reading.cards[0], ids)
        if card.body.strip():
            cards.append(replace(card, line=line))
    return Reading(tuple(cards), tuple(problems))


def _moved(problem: Problem, line: int) -> Problem:
    number = problem.place.removeprefix("line ")
    return replace(problem, place=f"line {int(number) + line - 1}") if number.isdecimal() else problem


def _block_card(card: Card, ids: Ids) -> Card:
    given = {name.lower(): value for name, value in card.metadata}
    heading = card.headings[0] if card.headings else ""
    title = " ".join((given.get("description") or heading).split()) or first_sentence(card.body)
    keywords = tuple(word.strip() for word in given.get("keywords", "").split(",") if word.strip())
    return replace(
        card,
        native_id=ids.distinct(f"{card.native_id}#{slug(title)}"),
        title=title,
        agent=card.agent or AGENT,
        aliases=(*card.aliases, *keywords),
        content_hash="",
    )


def _blocks(text: str) -> Iterator[tuple[int, str]]:
    """Yield the blocks of a MEMORY.md with the line on which each begins."""
    lines = text.split("\n")
    starts = sorted(set(_starts(lines)) | {0})
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        block = "\n".join(lines[start:end]).strip("\n")
        skipped = next((index for index, line in enumerate(lines[start:end]) if line.strip()), 0)
        if start == 0 and _VERSION_LINE.fullmatch(block):
            continue
        if block.strip():
            yield start + skipped + 1, block


def _starts(lines: list[str]) -> Iterator[int]:
    """Yield where front matter or a heading of level 1 begins, outside code; front matter is passed over whole."""
    fence = ""
    number = 0
    has_front_matter = any(
        _front_matter_end(lines, index) for index, line in enumerate(lines) if line == "---"
    )
    while number < len(lines):
        line = lines[number]
        mark = _FENCE.match(line)
        if mark:
            is_end = fence and mark[1].startswith(fence) and not line.strip().strip(fence[0])
            fence = "" if is_end else fence or mark[1]
        elif not fence:
            end = _front_matter_end(lines, number)
            if end:
                yield number
                number = end
            elif not has_front_matter and _BLOCK_HEADING.match(line):
                yield number
        number += 1


def _front_matter_end(lines: list[str], start: int) -> int:
    """Return the line that closes the front matter opened on line *start*, 0 if none begins there."""
    if lines[start].rstrip() != "---" or start + 1 >= len(lines) or not _KEY_LINE.match(lines[start + 1]):
        return 0
    for number in range(start + 1, min(start + 400, len(lines))):
        if lines[number].rstrip() in ("---", "..."):
            text = "\n".join(lines[start : number + 1])
            return number if read_front_matter(text).is_present else 0
    return 0


READER = Codex()
