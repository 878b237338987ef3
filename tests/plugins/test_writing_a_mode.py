"""The page on writing a mode is right: its files, as they stand there, make a mode that works as it says."""

import dataclasses
import json
import re
from pathlib import Path

import pytest
from foreign import Shell, install, with_plugins
from stdio_client import StdioClient

from frugal.model import EntryRules, Mode, ModeOption, Parameter, Tool

PAGE = Path(__file__).parents[2] / "docs" / "writing-a-mode.md"
BLOCK = re.compile(r"^`([\w./]+)`:\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def deadlines(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder into which the page's distribution is installed."""
    source = tmp_path_factory.mktemp("page")
    for name, content in BLOCK.findall(PAGE.read_text("utf-8")):
        file = source / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, "utf-8")
    return install(source, tmp_path_factory.mktemp("installed"))


def test_the_commands_of_the_page_work(deadlines: Path, shell: Shell) -> None:
    added = shell(deadlines, "deadlines", "add_deadline", "Send the report", "--days", "3")
    due = shell(deadlines, "deadlines", "due", "--json")
    german = shell(deadlines, "deadlines", "faellig", MEMORY_LANG="de")
    listed = shell(deadlines, "modes")

    assert added.returncode == 0, added.stderr
    assert added.stdout.startswith("#1 is due on ")
    assert json.loads(due.stdout)["items"][0]["what"] == "Send the report"
    assert "Send the report" in german.stdout
    assert "--deadlines" in listed.stdout


def test_the_server_of_the_page_works(deadlines: Path, tmp_path: Path) -> None:
    with StdioClient(tmp_path, "--deadlines", environ=with_plugins(deadlines)) as client:
        client.initialize()
        added = client.call("add_deadline", what="Send the report", days="3")
        due = client.call("due")
        code = client.end()

    assert added.startswith("#1 is due on ")
    assert due.endswith(" Send the report")
    assert code == 0


@pytest.mark.parametrize(
    "kind", [Mode, Tool, Parameter, ModeOption, EntryRules], ids=lambda kind: kind.__name__
)
def test_the_page_tells_every_field(kind: type) -> None:
    section = PAGE.read_text("utf-8").partition(f"### {kind.__name__}\n")[2].partition("\n#")[0]

    told = re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)

    assert told == [field.name for field in dataclasses.fields(kind)]
