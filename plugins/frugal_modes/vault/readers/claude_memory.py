"""What Claude Code remembers of its projects: topic files, and the MEMORY.md that lists them."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import unquote

from frugal_modes.vault.readers.agenthomes import claude_home, claude_setting
from frugal_modes.vault.readers.notes import is_markdown, read_note
from frugal_modes.vault.readers.splitting import read_sections
from frugal_modes.vault.readers.walking import walk
from frugal_modes.vault.records import Card, Problem, Reading, Unit

FOLDER = "memory"
INDEX = "MEMORY.md"
AGENT = "claude-code"
_VARIABLES = ("CLAUDE_COWORK_MEMORY_PATH_OVERRIDE", "CLAUDE_CODE_REMOTE_MEMORY_DIR")
_LINK = re.compile(r"\]\(<?([^)<>\s]+\.(?:md|markdown))(?:#[^)<>]*)?>?[^)]*\)|\[\[([^\]|#]+)", re.IGNORECASE)


@dataclass(frozen=True)
class ClaudeMemory:
    """One topic file is one card, one section of MEMORY.md that says more than where a topic is another."""

    name: str = "claude-memory"
    option_names: tuple[str, ...] = ()

    def defaults(self, environ: Mapping[str, str]) -> tuple[Path, ...]:
        """Return the folders that variables and settings name, and that of all projects."""
        named = [environ.get(variable, "").strip() for variable in _VARIABLES]
        named.append(claude_setting(environ, "autoMemoryDirectory"))
        folders = [Path(name).expanduser() for name in named if name]
        return (*folders, claude_home(environ) / "projects")

    def recognise(self, path: Path) -> str | None:
        """Return the reason if *path* holds folders `PROJECT/memory`, is one such project, or one folder of topics."""
        if not path.is_dir():
            return None
        if any(folder.is_dir() and _has_notes(folder) for folder in path.glob(f"*/{FOLDER}")):
            return "shape.claude_memory.projects"
        if _is_project(path):
            return "shape.claude_memory.project"
        is_one = (path.name == FOLDER or (path / INDEX).is_file()) and _has_notes(path)
        return "shape.claude_memory.folder" if is_one else None

    def units(self, root: Path, options: Mapping[str, str]) -> Iterable[Unit | Problem]:
        """Yield the Markdown files of memory folders; a MEMORY.md depends on the names beside it."""
        is_one = root.name == FOLDER or (root / INDEX).is_file() or not any(root.glob(f"*/{FOLDER}"))
        folder = f"{FOLDER}/" if is_one and _is_project(root) else ""

        def is_wanted(path: str) -> bool:
            return is_markdown(path) and (path.startswith(folder) if is_one else _is_inside(path))

        def is_entered(path: str) -> bool:
            if is_one:
                return f"{path}/".startswith(folder)
            return "/" not in path or _is_inside(f"{path}/-")

        for unit in walk(root, options, is_wanted, enters=is_entered):
            if isinstance(unit, Unit) and unit.path and unit.file.name == INDEX:
                yield replace(unit, also=(unit.path.rpartition("/")[0] or ".",))
            else:
                yield unit

    def read(self, unit: Unit, data: bytes, options: Mapping[str, str]) -> Reading:
        """Return the topic, or what MEMORY.md says beside naming topics."""
        if unit.file.name == INDEX:
            return read_sections(
                unit, data, agent=AGENT, keeps=lambda line: not _names_topic(unit.file, line)
            )
        reading = read_note(unit, data)
        return replace(reading, cards=tuple(_topic(card) for card in reading.cards))


def _has_notes(folder: Path) -> bool:
    return next(folder.glob("*.[mM][dD]"), None) is not None or next(folder.glob("**/*.md"), None) is not None


def _is_project(folder: Path) -> bool:
    """Tell whether *folder* is what Claude Code keeps of one project: notes of its own would be lost by that shape."""
    return (folder / FOLDER / INDEX).is_file() and not any(folder.glob("*.[mM][dD]"))


def _is_inside(path: str) -> bool:
    parts = path.split("/")
    return len(parts) > 2 and parts[1] == FOLDER


def _names_topic(index: Path, line: str) -> bool:
    """Tell whether a line links a topic file that is there."""
    for match in _LINK.finditer(line):
        name = unquote(match[1]) if match[1] else match[2].strip()
        target = index.parent / name
        if target.name == INDEX:
            continue
        if _is_file(target) or _is_file(target.with_name(f"{target.name}.md")):
            return True
    return False


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name too long, one with a NUL
        return False


def _topic(card: Card) -> Card:
    """Return the card with `name`, `description` and `type` of its front matter, also under `metadata`, in place."""
    given = {name.lower(): value for name, value in card.metadata}

    def says(key: str) -> str:
        return " ".join((given.get(key) or given.get(f"metadata.{key}") or "").split())

    kind = says("type").lower()
    title = says("name")
    return replace(
        card,
        title=title or card.title,
        kind=kind if kind and card.kind == "note" else card.kind,
        agent=card.agent or AGENT,
        aliases=(*card.aliases, *([says("description")] if says("description") else [])),
    )


READER = ClaudeMemory()
