"""The demo speaks to a real server, touches nothing of the user's and ends with how to add the server."""

import io
import json
import os
import re
import sys
from pathlib import Path

import pytest

from frugal import demo
from frugal.strings import load_catalogue

WIRE_SIZE = re.compile(r"^   \[(\d+) (bytes|Bytes)\]$", re.MULTILINE)


def run(monkeypatch: pytest.MonkeyPatch, home: Path, language: str) -> tuple[int, str]:
    for name in list(os.environ):
        if name.startswith(("MEMORY_", "FRUGAL_MEMORY_", "XDG_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("MEMORY_DB", str(home / "mine.db"))
    monkeypatch.setenv("MEMORY_LANG", language)
    written = io.StringIO()
    return demo.run(written), written.getvalue()


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", ("remember(", "recall(", "show(", "Superseded: #1")), ("de", ("zeige(", "art=", "Veraltet: #1"))],
)
def test_six_calls_are_shown_with_answer_and_size(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, language: str, words: tuple[str, ...]
) -> None:
    code, text = run(monkeypatch, tmp_path, language)

    assert code == 0
    assert len(WIRE_SIZE.findall(text)) == 6
    for word in (*words, "数据库连接池", "Müllers", "49222"):
        assert word in text
    assert list(tmp_path.iterdir()) == []


def test_a_server_that_does_not_start_is_told_in_one_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(demo, "MODULE", "frugal.no_such_module")

    code, text = run(monkeypatch, tmp_path, "en")

    assert code == 2
    assert "No module named frugal.no_such_module" in text.splitlines()[-1]
    assert "Traceback" not in text


def test_the_user_s_settings_do_not_reach_the_server(tmp_path: Path) -> None:
    environ = {
        "PATH": "/bin",
        "MEMORY_DB": "/mine.db",
        "MEMORY_FC_KEY": "k",
        "FRUGAL_MEMORY_CONFIG": "/c.toml",
    }

    given = demo.environment(environ, tmp_path, "de")

    assert given["PATH"] == "/bin"
    assert "MEMORY_FC_KEY" not in given
    assert "FRUGAL_MEMORY_CONFIG" not in given
    assert all(
        Path(given[name]).is_relative_to(tmp_path)
        for name in ("MEMORY_DB", "XDG_DATA_HOME", "XDG_CONFIG_HOME")
    )


def test_the_command_that_is_shown_starts_this_installation(tmp_path: Path) -> None:
    python = tmp_path / "bin" / "python"
    python.parent.mkdir()

    assert demo.command_line(str(python)) == [str(python), "-m", "frugal"]
    (tmp_path / "bin" / "frugal-memory").touch()
    assert demo.command_line(str(python)) == [str(tmp_path / "bin" / "frugal-memory")]
    of_uvx = "/home/u/.cache/uv/archive-v0/x/bin/python"
    assert demo.command_line(of_uvx) == ["uvx", "frugal-memory"]
    assert demo.command_line(of_uvx, "/dist/x.whl") == ["uvx", "--from", "/dist/x.whl", "frugal-memory"]


@pytest.mark.parametrize(
    ("record", "source"),
    [
        (None, ""),
        ("{}", ""),
        ("no json", ""),
        ('{"url": "https://example.org/x.whl"}', ""),
        ('{"url": "file:///my%20dist/x.whl"}', "/my dist/x.whl"),
    ],
)
@pytest.mark.skipif(sys.platform == "win32", reason="paths of file URLs differ")
def test_wheel_of_this_machine_is_known_as_the_source(
    monkeypatch: pytest.MonkeyPatch, record: str | None, source: str
) -> None:
    class Installed:
        def read_text(self, name: str) -> str | None:
            return record if name == "direct_url.json" else None

    monkeypatch.setattr("importlib.metadata.distribution", lambda _name: Installed())

    assert demo.local_source() == source


def test_the_lines_for_clients_can_be_pasted() -> None:
    texts = load_catalogue("en", demo.CATALOGUES)
    command = ["/opt/my tools/python", "-m", "frugal"]

    lines = list(demo.registrations(texts, command))

    assert "   claude mcp add --scope user memory -- '/opt/my tools/python' -m frugal" in lines
    block = "\n".join(lines)
    parsed = json.loads(block[block.index("   {") : block.rindex("   }") + 4])
    assert parsed == {"mcpServers": {"memory": {"command": command[0], "args": command[1:]}}}
