"""Import and upkeep at one size: the shell commands in processes of their own, over the same paragraphs."""

import json
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from frugal.search.index import CLEAR
from messung.child import Ended, frugal, run_child
from messung.corpus import Corpus
from messung.stdio import bare_environment
from messung.systems.mcp_client import server_environment
from messung.systems.predecessor import executable
from messung.unavailable import NotAvailable

PARAGRAPHS_A_FILE = 100
LEAST_STORED = 0.99
"""Share of the paragraphs: two that are equal are stored once."""

MARKDOWN = "import, Markdown"
JSONL = "import, JSONL export"
UPKEEP = "upkeep, nothing to do"
REBUILD = "upkeep, index made anew"
OLD_MARKDOWN = "0.2.0: import, Markdown"
OLD_UPKEEP = "0.2.0: upkeep"
OLD_JSONL = "0.2.0: import, JSONL export"

PROTOCOL = (
    "Import and upkeep: as many paragraphs as the store has entries, "
    f"{PARAGRAPHS_A_FILE} a Markdown file, into a fresh file by `frugal-memory import FOLDER`; then `export`, and the "
    "export into another fresh file; then `upkeep` over the first. Each is a shell command in a process of its own, wall "
    "time from its start to its end. `upkeep` compares every derived row with what today's analysis gives, also where "
    "nothing is to be done; for the rebuild the derived tables were emptied from outside before. 0.2.0 has "
    "`frugal-memory-import FOLDER` and `frugal-memory-nachziehen`, which always computes everything anew"
)


@dataclass(frozen=True)
class Bulk:
    """What was measured at one size, by label; *refused* says of the rest why not."""

    entries: int
    ended: dict[str, Ended]
    refused: dict[str, str]

    def rate(self, label: str) -> float:
        """Return the entries a second of *label*."""
        return self.entries / self.ended[label].seconds


def measure(corpus: Corpus, size: int, *, has_ours: bool, has_predecessor: bool) -> Bulk:
    """Return what import and upkeep of *size* paragraphs take."""
    bulk = Bulk(size, {}, {})
    with tempfile.TemporaryDirectory(prefix="messung-") as name:
        folder = Path(name)
        write_notes(corpus, size, folder / "notes")
        if has_ours:
            _collect(bulk, _ours(folder, size), (MARKDOWN, JSONL, UPKEEP, REBUILD))
        if has_predecessor:
            _collect(bulk, _predecessor(folder), (OLD_MARKDOWN, OLD_UPKEEP))
            bulk.refused[OLD_JSONL] = "it has no such import"
    return bulk


def _collect(bulk: Bulk, measured: Iterator[tuple[str, Ended]], labels: Sequence[str]) -> None:
    try:
        for label, ended in measured:
            bulk.ended[label] = ended
    except NotAvailable as reason:
        bulk.refused.update({label: str(reason) for label in labels if label not in bulk.ended})


def write_notes(corpus: Corpus, size: int, folder: Path) -> None:
    """Write *size* paragraphs into Markdown files of *folder*."""
    folder.mkdir()
    entries = corpus.entries(size)
    number = 0
    while batch := list(islice(entries, PARAGRAPHS_A_FILE)):
        text = "\n\n".join(entry.text for entry in batch) + "\n"
        (folder / f"notes-{number:05}.md").write_text(text, encoding="utf-8")
        number += 1


def _ours(folder: Path, size: int) -> Iterator[tuple[str, Ended]]:
    environ = server_environment(folder)

    def run(*words: str, file: str = "memory.db") -> Ended:
        return run_child(frugal(*words), environ=environ | {"MEMORY_DB": str(folder / file)}, folder=folder)

    yield MARKDOWN, run("import", "notes")
    run("export", "--out", "export.jsonl")
    yield JSONL, run("import", "export.jsonl", file="second.db")
    ended = run("upkeep", "--json")
    if changes(ended):  # what the import left to do is done now
        ended = run("upkeep", "--json")
    if changes(ended):
        raise NotAvailable("upkeep finds something to do each time")
    entries = _told(ended, "before")
    if entries < LEAST_STORED * size:
        raise NotAvailable(f"the import stored {entries} of {size} paragraphs")
    yield UPKEEP, ended
    empty_index(folder / "memory.db")
    ended = run("upkeep", "--json")
    if changes(ended) < entries:
        raise NotAvailable("upkeep did not make every row anew")
    yield REBUILD, ended


def changes(ended: Ended) -> int:
    """Return how many things an upkeep changed."""
    return _told(ended, "changes")


def _told(ended: Ended, name: str) -> int:
    return int(json.loads(ended.output)[name])


def empty_index(path: Path) -> None:
    """Empty the derived tables of the file at *path*: there is no public way to lose an index, only one to get it back."""
    with closing(sqlite3.connect(path)) as db, db:
        for statement in CLEAR:
            db.execute(statement)


def _predecessor(folder: Path) -> Iterator[tuple[str, Ended]]:
    environ = bare_environment(folder) | {"MEMORY_DB": str(folder / "predecessor.db")}
    beside = Path(executable()).with_name
    ways = {
        OLD_MARKDOWN: [str(beside("frugal-memory-import")), "notes"],
        OLD_UPKEEP: [str(beside("frugal-memory-nachziehen"))],
    }
    for label, command in ways.items():
        if not Path(command[0]).is_file():
            raise NotAvailable("its command is not beside the server's")
        yield label, run_child(command, environ=environ, folder=folder)
