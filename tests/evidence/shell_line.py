"""Lines of the shell over the evidence file of a test."""

import io
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from told import Told

from frugal.cli.root import run

Line = Callable[..., Told]


def environ_of(folder: Path) -> dict[str, str]:
    """Return an environment whose folders all are *folder*, and so is that of the evidence file."""
    places = dict.fromkeys(("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"), str(folder))
    return {**places, "MEMORY_LANG": "en", "EVIDENCE_DB": str(folder / "evidence.db")}


def line_in(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *group: str
) -> Line:
    """Return what runs a line of the *group* of commands over the file in *folder*; *stdin* is piped in."""

    def run_it(*argv: str, stdin: str | bytes = "", **more: str) -> Told:
        content = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content), encoding="utf-8"))
        monkeypatch.chdir(folder)
        capsys.readouterr()
        code = run([*group, *argv], script="frugal-memory", environ={**environ_of(folder), **more})
        return Told(code, *capsys.readouterr())

    return run_it
