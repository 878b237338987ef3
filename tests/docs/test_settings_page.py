"""Every environment variable that the program reads stands in `docs/settings.md`."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
VARIABLE = re.compile(
    r'"((?:EVIDENCE|VAULT|MEMORY|MESSBUCH|ARCHIVE|FRUGAL_MEMORY|CLAUDE|CODEX|XDG)_[A-Z_]*[A-Z])"'
)


def read_by_the_program() -> set[str]:
    sources = [*ROOT.glob("frugal/**/*.py"), *ROOT.glob("plugins/**/*.py")]
    return {name for source in sources for name in VARIABLE.findall(source.read_text("utf-8"))}


def test_every_variable_has_its_row() -> None:
    page = (ROOT / "docs" / "settings.md").read_text("utf-8")

    found = read_by_the_program()

    assert "MEMORY_LANG" in found
    assert sorted(name for name in found if f"`{name}`" not in page) == []
