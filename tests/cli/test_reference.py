"""The generated pages are those that lie in `docs`."""

from pathlib import Path

import pytest

from frugal.cli.reference import pages

DOCS = Path(__file__).parents[2] / "docs"
COMMAND = "python -m frugal.cli.reference docs"


@pytest.fixture(scope="module")
def made():
    return pages()


@pytest.mark.parametrize("name", ["tools.md", "commands.md", "modes.md", "hooks.md"])
def test_page_is_up_to_date(made, name):
    assert (DOCS / name).read_text(encoding="utf-8") == made[name], f"run {COMMAND}"


def test_pages_hold_nothing_of_this_machine(made):
    for text in made.values():
        assert str(Path.home()) not in text
        assert "/nonexistent" not in text
