"""What a release is made of says the same version, and its page can be made."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import frugal

ROOT = Path(__file__).parents[2]


def test_the_entry_for_the_registry_names_this_version_and_package() -> None:
    entry = json.loads((ROOT / "docs" / "server.json").read_text("utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]

    (package,) = entry["packages"]

    assert {entry["version"], package["version"]} == {frugal.__version__}
    assert package["identifier"] == project["name"]
    assert len(entry["description"]) <= 100
    assert f"<!-- mcp-name: {entry['name']} -->" in (ROOT / "README.md").read_text("utf-8")


def test_every_change_has_a_place_in_the_next_changelog(tmp_path: Path) -> None:
    made = subprocess.run(
        [sys.executable, "-m", "towncrier", "build", "--draft", "--version", "9.9.9", "--dir", str(ROOT)],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    ).stdout

    fragments = sorted((ROOT / "docs" / "changes").glob("*.md"))

    assert fragments
    for fragment in fragments:
        assert fragment.read_text("utf-8").strip() in made
