"""No figure in README and docs is typed by hand: the blocks are what the committed results say."""

import re
from pathlib import Path

import pytest

from messung import digest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("page", digest.PAGES)
def test_a_page_shows_the_figures_of_the_committed_results(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")

    assert digest.filled(text, digest.history()) == text, "run python -m messung.digest"
    assert digest.BLOCK.search(text)


def test_a_changed_figure_changes_the_page() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    found = digest.history() | {("search", "xquad-en ours hit@1"): "12.3"}

    assert "12.3" in digest.filled(text, found)


def test_the_newest_value_of_a_figure_counts(tmp_path: Path) -> None:
    lines = ["date\tmeasurement\tfigure\tvalue", "2026-02-01\ta\tx\t2", "2026-01-01\ta\tx\t1"]
    (tmp_path / "history.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")

    assert digest.history(tmp_path) == {("a", "x"): "2"}


@pytest.mark.parametrize(
    "page", ["README.md", *sorted(f"docs/{p.name}" for p in (ROOT / "docs").glob("*.md"))]
)
def test_every_link_to_a_file_of_the_project_leads_somewhere(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    targets = [link.split("#")[0] for link in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in link]

    missing = [target for target in targets if target and not ((ROOT / page).parent / target).exists()]

    assert missing == []


@pytest.mark.parametrize("name", sorted(digest.BLOCKS))
def test_results_that_are_not_there_yet_break_no_page(name: str, tmp_path: Path) -> None:
    block = digest.BLOCKS[name](digest.history(tmp_path))

    assert block


def test_import_upkeep_messages_and_notes_have_their_rows() -> None:
    found = {
        ("speed", f"{digest.UPKEEP} 1000 s"): "1.25",
        ("speed", f"{digest.UPKEEP} 1000 a second"): "800",
        ("evidence", "import s"): "120.0",
        ("vault", "index, first s"): "33.00",
    }

    bulk, large = digest.bulk_table(found), digest.large_table(found)

    assert "| frugal-memory: upkeep, nothing to do | 1.25 (800) | - | - | - |" in bulk
    assert "| messages: import, s | 120.0 | 300 |" in large
    assert "| notes: first index, s | 33.00 | 60 |" in large
    assert "import peak" not in large
