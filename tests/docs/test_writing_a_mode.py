"""docs/writing-a-mode.md is executed: its files are written, installed into a folder of their own, and used."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "writing-a-mode.md"
FILE_BLOCK = re.compile(r"^`([\w./-]+)`:\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder into which pip put the distribution of the page."""
    source = tmp_path_factory.mktemp("page")
    for name, content in FILE_BLOCK.findall(PAGE.read_text("utf-8")):
        file = source / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, "utf-8")
    target = tmp_path_factory.mktemp("site")
    command = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "--no-index",
    ]
    subprocess.run([*command, "--target", str(target), str(source)], check=True, timeout=100)
    return target


@pytest.fixture
def run(installed: Path, tmp_path: Path):
    """Run `frugal-memory` with the plugin installed and an empty home."""

    def run_it(*arguments: str, language: str = "en") -> subprocess.CompletedProcess[str]:
        environ = {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(installed),
            "HOME": str(tmp_path),
            "XDG_DATA_HOME": str(tmp_path),
            "XDG_CONFIG_HOME": str(tmp_path),
            "MEMORY_LANG": language,
        }
        return subprocess.run(
            [sys.executable, "-m", "frugal", *arguments],
            env=environ,
            capture_output=True,
            encoding="utf-8",
            timeout=60,
            check=False,
        )

    return run_it


def test_the_page_names_every_file_of_a_distribution():
    names = [name for name, _ in FILE_BLOCK.findall(PAGE.read_text("utf-8"))]

    assert names == [
        "pyproject.toml",
        "frugal_deadlines/__init__.py",
        "frugal_deadlines/tools.py",
        "frugal_deadlines/schema/0001_deadlines.sql",
        "frugal_deadlines/languages/en.toml",
        "frugal_deadlines/languages/de.toml",
    ]


def test_the_mode_of_the_page_stores_and_lists_in_english(run):
    added = run("deadlines", "add_deadline", "Send the report", "--days", "3")
    listed = run("deadlines", "due", "--json")

    assert (added.returncode, added.stderr) == (0, "")
    assert added.stdout.startswith("#1 is due on ")
    assert [item["what"] for item in json.loads(listed.stdout)["items"]] == ["Send the report"]


def test_the_mode_of_the_page_speaks_german_under_german_names(run):
    added = run("deadlines", "frist_setzen", "Bericht senden", language="de")
    listed = run("deadlines", "faellig", language="de")

    assert added.returncode == 0, added.stderr
    assert "fällig" in added.stdout
    assert "Bericht senden" in listed.stdout


def test_a_wrong_value_is_refused_in_words(run):
    refused = run("deadlines", "add_deadline", "Send it", "--days", "soon")

    assert refused.returncode != 0
    assert "soon" in refused.stderr


def test_modes_lists_the_mode_of_the_page(run):
    listed = run("modes", "--json")

    items = {item["name"]: item for item in json.loads(listed.stdout)["items"]}
    assert items["deadlines"]["flags"] == ["--deadlines"]
