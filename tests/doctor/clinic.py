"""The doctor asked through the shell, over one memory with a few entries."""

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from frugal.cli.root import run
from frugal.engine import build_engine
from frugal.settings import Options, load_settings

TEXTS = (
    "The lamp driver resets after 5 seconds.",
    "The mist valve answers on register 0x2a.",
    "Version 3 of the bus stays in use because version 4 drops frames.",
    "Dachmotor und Käse: die Wartezeit beträgt 9 Sekunden.",
)


@dataclass(frozen=True)
class Finding:
    """One item of the answer."""

    id: str
    mode: str
    state: str
    text: str
    hint: str


@dataclass(frozen=True)
class Diagnosis:
    """What the doctor said."""

    code: int
    items: Sequence[Finding]
    counts: dict[str, int]
    is_ok: bool

    def of(self, item: str) -> list[Finding]:
        """Return the findings under one id."""
        return [found for found in self.items if found.id == item]

    def one(self, item: str) -> Finding:
        """Return the only finding under one id."""
        (found,) = self.of(item)
        return found

    def worst(self) -> list[Finding]:
        """Return warnings and failures."""
        return [found for found in self.items if found.state in ("warn", "fail")]


class Clinic:
    """Asks the doctor in a folder of its own: `clinic()`, `clinic("--archive", lang="de")`."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self.data = folder / "frugal-memory"
        self.file = self.data / "memory.db"
        self._capsys = capsys

    def environ(self, **more: str) -> dict[str, str]:
        own = {key: str(self.folder) for key in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")}
        return {**own, "MEMORY_NAME": "box", "MEMORY_LANG": "en", **more}

    def line(self, *argv: str, **environ: str) -> tuple[int, str, str]:
        """Run one line of the shell; return its code and what it wrote."""
        self._capsys.readouterr()
        code = run(argv, environ=self.environ(**environ))
        out, err = self._capsys.readouterr()
        return code, out, err

    def __call__(self, *argv: str, **environ: str) -> Diagnosis:
        code, out, _ = self.line("doctor", "--json", *argv, **environ)
        answer = json.loads(out)
        items = [Finding(**item) for item in answer["items"]]
        return Diagnosis(code, items, answer["counts"], answer["ok"])

    def harm(self, *statements: str, file: Path | None = None) -> None:
        """Do something to a file behind the program's back."""
        with closing(sqlite3.connect(file or self.file, isolation_level=None)) as db:
            for statement in statements:
                db.execute(statement)
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def traces(self) -> dict[str, tuple[int, bytes]]:
        """Return change time and bytes of every file."""
        files = (file for file in self.folder.rglob("*") if file.is_file())
        return {str(file): (file.stat().st_mtime_ns, file.read_bytes()) for file in files}


def fill(environ: dict[str, str], texts: Sequence[str], mode: str = "memory", db: str = "") -> None:
    """Store *texts* in the file of a mode."""
    from frugal.call import Client

    engine = build_engine(load_settings(Options(db=db), environ))
    workspace = engine.open(engine.registry.mode(mode))
    for text in texts:
        reply = workspace.call(Client(), "remember", {"text": text, "tags": "shop"})
        assert not reply.is_error, reply.text
    workspace.close()
