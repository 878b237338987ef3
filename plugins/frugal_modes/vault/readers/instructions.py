"""Standing instructions for coding agents: CLAUDE.md, AGENTS.md and rules, a card a section."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from frugal_modes.vault.marks import read_prose
from frugal_modes.vault.readers.agenthomes import claude_home, codex_home, managed_folders
from frugal_modes.vault.readers.notes import is_markdown
from frugal_modes.vault.readers.splitting import read_sections
from frugal_modes.vault.readers.walking import walk
from frugal_modes.vault.records import Card, Problem, Reading, Unit

KIND = "instruction"
OF_CLAUDE = frozenset({"CLAUDE.md", "CLAUDE.local.md"})
OF_CODEX = frozenset({"AGENTS.md", "AGENTS.override.md"})
_RULES = re.compile(r"(?:.*/)?\.claude/rules/.+", re.DOTALL)
_IMPORT = re.compile(r"(?<![\w`@.])@((?:~/|\.{0,2}/)?[\w./-]*\w[\w./-]*)")


@dataclass(frozen=True)
class Instructions:
    """One section is one card of the kind `instruction`."""

    name: str = "instructions"
    option_names: tuple[str, ...] = ()

    def defaults(self, environ: Mapping[str, str]) -> tuple[Path, ...]:
        """Return the homes of the agents and the folders of administrators."""
        return (claude_home(environ), codex_home(environ), *managed_folders())

    def recognise(self, path: Path) -> str | None:
        """Return the reason if *path* is such a file, or a folder with one or with `.claude/rules`."""
        if path.is_file():
            return "shape.instructions" if _is_wanted(path.name, is_home=False) else None
        names = (*OF_CLAUDE, *OF_CODEX)
        has_rules = (path / ".claude" / "rules").is_dir() or (
            path.name == ".claude" and (path / "rules").is_dir()
        )
        return "shape.instructions" if has_rules or any((path / name).is_file() for name in names) else None

    def units(self, root: Path, options: Mapping[str, str]) -> Iterable[Unit | Problem]:
        """Yield the files of instructions at any depth."""
        is_home = root.name == ".claude"
        return walk(root, options, lambda path: _is_wanted(path, is_home=is_home))

    def read(self, unit: Unit, data: bytes, options: Mapping[str, str]) -> Reading:
        """Return the sections; what they import with `@` is a link."""
        agent = "codex" if unit.file.name in OF_CODEX else "claude-code"
        reading = read_sections(unit, data, kind=KIND, agent=agent)
        return replace(reading, cards=tuple(_with_imports(card) for card in reading.cards))


def _is_wanted(path: str, *, is_home: bool) -> bool:
    name = path.rpartition("/")[2]
    if name in OF_CLAUDE or name in OF_CODEX:
        return True
    is_rule = bool(_RULES.fullmatch(path)) or (is_home and path.startswith("rules/"))
    return is_rule and is_markdown(path)


def _with_imports(card: Card) -> Card:
    imports = [name.rstrip("./") for name in _IMPORT.findall(read_prose(card.body).text)]
    return replace(card, kind=KIND, links=tuple(dict.fromkeys((*card.links, *imports))))


READER = Instructions()
