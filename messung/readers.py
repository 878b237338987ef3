"""Ways to look something up, each as the texts that come back, round after round, until the reader has what it wants."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Protocol

from messung.datasets import Entry, Question
from messung.stdio import StdioServer, bare_environment
from messung.stopwords import ENGLISH
from messung.systems import LABELS, SYSTEMS
from messung.unavailable import NotAvailable

HITS = 8
LIMITS = (1, 2, 3, 5, HITS)
ROUNDS = 3
CONTEXT_LINES = 2
OUTPUT_BYTES = 30_000
SERVER_MEMORY = "FRUGAL_SERVER_MEMORY"
WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")


class Reader(Protocol):
    """One way to look something up in a filled store or folder."""

    @property
    def label(self) -> str:
        """What the report calls it."""

    @property
    def version(self) -> str:
        """What was measured, for the report."""

    @property
    def standing_bytes(self) -> int:
        """What is paid before the first question: definitions of the tools and instructions, as they are sent."""

    def fill(self, entries: Sequence[Entry]) -> None:
        """Store *entries*, in order."""

    def rounds(self, question: Question) -> Iterator[str]:
        """Yield what each call returns; the reader stops as soon as it has what it wants."""

    def close(self) -> None:
        """Give back processes and files."""


def search_words(text: str) -> list[str]:
    """Return the words of a question that a person would search for: no stop words, longest first."""
    words = dict.fromkeys(word.lower() for word in WORD.findall(text))
    wanted = [word for word in words if word not in ENGLISH and len(word) > 1]
    return sorted(wanted, key=lambda word: (-len(word), word))


class SearchAndShow:
    """A memory server: one search, then the hits opened one by one, those left out that stood there whole."""

    def __init__(self, name: str, folder: Path, limit: int = HITS) -> None:
        self._system = SYSTEMS[name](folder)
        self._name = name
        self._limit = limit
        self._texts: dict[int, str] = {}

    @property
    def label(self) -> str:
        return f"{LABELS[self._name]}: recall, then show"

    @property
    def version(self) -> str:
        return self._system.version

    @property
    def standing_bytes(self) -> int:
        server = getattr(self._system, "server", None)
        if isinstance(server, StdioServer):
            return definitions_bytes(server)
        workspace = getattr(self._system, "workspace", None)
        if workspace is None:
            return 0
        from frugal.server.edge import as_tool

        tools = [
            as_tool(item).model_dump(by_alias=True, exclude_none=True, mode="json")
            for item in workspace.definitions()
        ]
        return size_of(json.dumps({"tools": tools}, ensure_ascii=False, separators=(",", ":"))) + size_of(
            workspace.instructions
        )

    def fill(self, entries: Sequence[Entry]) -> None:
        ids = self._system.store(entries)
        self._texts = {number: entry.text for number, entry in zip(ids, entries, strict=True)}

    def rounds(self, question: Question) -> Iterator[str]:
        answer = self._system.ask(question.text, self._limit)
        yield answer.text
        seen = spaced(answer.text)
        for number in answer.ids[: self._limit]:
            if spaced(self._texts.get(number, "")) not in seen:
                yield self._system.read(number)

    def close(self) -> None:
        self._system.close()


class Files:
    """The same texts as files, one a conversation, a line or a paragraph an entry."""

    standing_bytes = 0

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "files"
        self.folder.mkdir()

    def fill(self, entries: Sequence[Entry]) -> None:
        for entry in entries:
            with (self.folder / f"{entry.tags}.md").open("a", encoding="utf-8") as file:
                file.write(
                    entry.text + "\n\n" if "\n" in entry.text or len(entry.text) > 300 else entry.text + "\n"
                )

    def close(self) -> None:
        """Nothing is open."""


class WholeFile(Files):
    """The best case of reading: the right file is opened at once, and read whole."""

    label = "the right file, read whole"
    version = "files of the same texts"

    def rounds(self, question: Question) -> Iterator[str]:
        yield (self.folder / f"{question.group}.md").read_text("utf-8")


class GrepAndRead(Files):
    """grep for one word of the question after another, then the file with the most lines found, read whole."""

    label = f"grep -i -n -C {CONTEXT_LINES}, then read"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        found = shutil.which("grep")
        if found is None:
            raise NotAvailable("no grep on this machine")
        self._grep = found

    @property
    def version(self) -> str:
        told = subprocess.run([self._grep, "--version"], capture_output=True, text=True, check=False).stdout
        return told.splitlines()[0] if told else "grep"

    def rounds(self, question: Question) -> Iterator[str]:
        names = sorted(path.name for path in self.folder.iterdir())
        lines: dict[str, int] = dict.fromkeys(names, 0)
        for word in search_words(question.text)[:ROUNDS]:
            done = subprocess.run(
                [self._grep, "-i", "-n", "-w", "-C", str(CONTEXT_LINES), "--", word, *names],
                cwd=self.folder,
                capture_output=True,
                check=False,
            )
            yield done.stdout[:OUTPUT_BYTES].decode("utf-8", "replace")
            for line in done.stdout.decode("utf-8", "replace").splitlines():
                name = line.partition(":")[0]
                lines[name] = lines.get(name, 0) + (name in lines)
        best = max(names, key=lambda name: (lines[name], name))
        yield (self.folder / best).read_text("utf-8")


class ServerMemory:
    """@modelcontextprotocol/server-memory: an entity a session (and speaker), its observations the texts."""

    label = "@modelcontextprotocol/server-memory: search_nodes a word"

    def __init__(self, folder: Path) -> None:
        given = os.environ.get(SERVER_MEMORY, "").strip()
        node = shutil.which("node")
        if not given or node is None:
            raise NotAvailable(
                f"set {SERVER_MEMORY} to dist/index.js of the installed npm package; it needs node"
            )
        if not Path(given).is_file():
            raise NotAvailable(f"{SERVER_MEMORY} names no file")
        self._package = Path(given).resolve().parents[1] / "package.json"
        environ = bare_environment(folder) | {"MEMORY_FILE_PATH": str(folder / "memory.jsonl")}
        self.server = StdioServer([node, given], environ=environ, folder=folder)

    @property
    def version(self) -> str:
        return str(json.loads(self._package.read_text("utf-8"))["version"])

    @property
    def standing_bytes(self) -> int:
        return definitions_bytes(self.server)

    def fill(self, entries: Sequence[Entry]) -> None:
        groups: dict[str, list[str]] = {}
        for entry in entries:
            groups.setdefault(entity_of(entry), []).append(entry.text)
        found = [
            {"name": name, "entityType": "session", "observations": texts} for name, texts in groups.items()
        ]
        self.server.call("create_entities", entities=found)

    def rounds(self, question: Question) -> Iterator[str]:
        for word in search_words(question.text)[:ROUNDS]:
            yield self.server.call("search_nodes", query=word)

    def close(self) -> None:
        self.server.close()


def entity_of(entry: Entry) -> str:
    """Return the entity that holds *entry*: its conversation and session, for a fact its speaker too."""
    session = sorted(entry.covers)[0].rpartition(":")[0] if entry.covers else entry.tags
    speaker = entry.text.split(" ", 1)[0].strip("*'s,.")
    return f"{session} {speaker}" if len(entry.text) <= 300 else sorted(entry.covers)[0]


def definitions_bytes(server: StdioServer) -> int:
    """Return the bytes of the tool list and of the instructions of *server*."""
    tools = json.dumps(server.request("tools/list", {}), ensure_ascii=False, separators=(",", ":"))
    return size_of(tools) + size_of(str(server.greeting.get("instructions") or ""))


def size_of(text: str) -> int:
    """Return the UTF-8 length of *text*."""
    return len(text.encode("utf-8", "replace"))


def spaced(text: str) -> str:
    """Return *text* with each run of white space as one space, so that indentation and line breaks do not matter."""
    return " ".join(text.split())


MEMORIES = {"ours": "ours-together", "predecessor": "predecessor"}
"""The memory servers among the readers, which take a limit, and the systems behind them."""

READERS: dict[str, Callable[[Path], Reader]] = {
    "ours": lambda folder: SearchAndShow("ours-together", folder),
    "predecessor": lambda folder: SearchAndShow("predecessor", folder),
    "server-memory": ServerMemory,
    "grep": GrepAndRead,
    "whole": WholeFile,
}
"""Every way to look something up, by name."""
