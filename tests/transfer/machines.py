"""A machine: a folder with data and config of its own, and a shell whose lines run in this process."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from told import Told

from frugal.cli.root import run


class Machine:
    """Runs lines of the shell: `machine("memory", "recall", "x")`; a failure fails the test unless *exits* says so."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str], environ: Mapping[str, str]) -> None:
        self.folder = folder
        self.file = folder / "frugal-memory" / "memory.db"
        self._capsys = capsys
        self.environ = {
            "HOME": str(folder),
            "XDG_DATA_HOME": str(folder),
            "XDG_CONFIG_HOME": str(folder),
            "FRUGAL_MEMORY_NO_PLUGINS": "1",
            **environ,
        }
        folder.mkdir(exist_ok=True)

    def __call__(self, *argv: str, exits: int = 0, **environ: str) -> Told:
        """Run one line and return what it came to."""
        self._capsys.readouterr()
        code = run(argv, environ={**self.environ, **environ})
        out, err = self._capsys.readouterr()
        assert code == exits, (code, out, err)
        return Told(code, out, err)

    def remember(self, text: str, *more: str) -> int:
        """Store *text* and return its id."""
        told = self("memory", "remember", text, *more, "--json")
        return int(told.json["items"][0]["id"])

    def forget(self, *ids: int, reason: str = "") -> None:
        """Hide entries."""
        self("memory", "forget", *map(str, ids), *(["--reason", reason] if reason else []))

    def show(self, entry_id: int | str) -> dict[str, Any]:
        """Return an entry as `show --json` gives it."""
        found = self("memory", "show", str(entry_id), "--json").json["items"][0]
        assert isinstance(found, dict)
        return found

    def texts(self) -> set[str]:
        """Return the text of every entry."""
        return {row["text"] for row in self.rows("entry")}

    def rows(self, kind: str = "") -> list[dict[str, Any]]:
        """Return the records of an export, of one type if asked."""
        lines = self("export").out.splitlines()
        found = [json.loads(line) for line in lines[1:-1]]
        return [row for row in found if not kind or row["type"] == kind]

    def export(self, name: str = "export.jsonl") -> Path:
        """Export to a file of this machine and return it."""
        path = self.folder / name
        self("export", "--out", str(path), "--force")
        return path
