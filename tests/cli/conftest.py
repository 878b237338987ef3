"""Lines of the shell run in this process, with a folder of their own; and as real processes where streams matter."""

import io
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from told import Told

from frugal.cli.root import run


class Line:
    """Runs lines of the shell in *folder*: `line("memory", "recall", "x", lang="de")`."""

    def __init__(
        self, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.folder = folder
        self.file = folder / "frugal-memory" / "memory.db"
        self._capsys = capsys
        self._monkeypatch = monkeypatch

    def environ(self, lang: str, **more: str) -> dict[str, str]:
        """Return an environment in which nothing of this machine counts."""
        own = {
            "HOME": str(self.folder),
            "XDG_DATA_HOME": str(self.folder),
            "XDG_CONFIG_HOME": str(self.folder),
        }
        return {**own, "MEMORY_NAME": "box", "MEMORY_LANG": lang, **more}

    def __call__(
        self, *argv: str, lang: str = "en", stdin: bytes = b"", script: str = "frugal-memory", **more: str
    ) -> Told:
        """Run one line in this process."""
        self._monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
        self._capsys.readouterr()
        code = run(argv, script=script, environ=self.environ(lang, **more))
        out, err = self._capsys.readouterr()
        return Told(code, out, err)

    def process(self, *argv: str | bytes, lang: str = "en", stdin: bytes = b"", **more: str) -> Told:
        """Run one line in a process of its own; its streams are read as UTF-8, strictly."""
        environ = {**os.environ, **self.environ(lang), **more}
        done = subprocess.run(
            [sys.executable, "-m", "frugal", *argv],
            input=stdin,
            capture_output=True,
            env=environ,
            timeout=60,
            check=False,
        )
        return Told(done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8"))


@pytest.fixture
def line(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Line:
    return Line(tmp_path, capsys, monkeypatch)


@pytest.fixture
def notes(tmp_path: Path) -> Callable[..., Path]:
    """Write notes, by name and text, into a folder and return it."""

    def write(**texts: str) -> Path:
        folder = tmp_path / "notes"
        folder.mkdir(exist_ok=True)
        for name, text in texts.items():
            (folder / f"{name}.md").write_text(text, encoding="utf-8")
        return folder

    return write


@pytest.fixture
def heard_interruption() -> Iterator[None]:
    """Let Ctrl-C be heard as in a terminal, here and by programs started here.

    A run in the background inherits that it is ignored; a server that a test ran in this process leaves its own handlers.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
