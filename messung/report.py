"""Markdown reports: data, protocol, command, versions and machine above the figures."""

import os
import platform
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

RESULTS = Path(__file__).resolve().parent / "results"
HISTORY = "history.tsv"


def machine() -> str:
    """Return what the figures were measured on: cores, Python, SQLite."""
    return f"{os.cpu_count()} cores, Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}"


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table."""
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines)


def bullets(items: Iterable[str]) -> str:
    """Return a Markdown list."""
    return "\n".join(f"- {item}" for item in items)


@dataclass
class Report:
    """A report in the making. *command* gives it again; *is_quick* marks one that asked only a part."""

    title: str
    command: str
    data: str
    protocol: str
    is_quick: bool = False
    versions: dict[str, str] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)
    sections: list[str] = field(default_factory=list)

    def add(self, heading: str, *parts: str) -> None:
        """Append a section."""
        self.sections.append("\n\n".join([f"## {heading}", *parts]))

    def text(self, today: date) -> str:
        """Return the whole report."""
        facts = [
            f"Command: `{self.command}`",
            f"Date: {today.isoformat()}",
            f"Data: {self.data}",
            f"Protocol: {self.protocol}",
            f"Machine: {machine()}",
            "Versions: " + ("; ".join(f"{name}: {text}" for name, text in self.versions.items()) or "-"),
            *(f"Not measured: {name} ({reason})" for name, reason in self.missing.items()),
        ]
        if self.is_quick:
            facts.append(
                "Quick: only a part of the questions was asked; the figures stand for nothing but themselves"
            )
        return "\n\n".join([f"# {self.title}", bullets(facts), *self.sections]) + "\n"


def write(folder: Path, name: str, text: str) -> Path:
    """Write *text* as the file *name* of *folder*; return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def record(folder: Path, measurement: str, figures: Mapping[str, str], today: date) -> None:
    """Append *figures* to the history of *folder*; those of the same day and name are replaced."""
    path = folder / HISTORY
    kept = path.read_text("utf-8").splitlines() if path.is_file() else ["date\tmeasurement\tfigure\tvalue"]
    new = {f"{today.isoformat()}\t{measurement}\t{name}": value for name, value in figures.items()}
    lines = [line for line in kept if line.rpartition("\t")[0] not in new]
    lines += [f"{key}\t{value}" for key, value in new.items()]
    write(folder, HISTORY, "\n".join(lines) + "\n")
