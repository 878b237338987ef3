"""`frugal-memory demo`: six calls to a real server over stdio, with what each answer costs, and how to add the server."""

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TextIO

from frugal.strings import Catalogue, load_catalogue, resolve_language

CATALOGUES = ("frugal", "frugal.entries")
SERVER_NAME = "memory"
MODULE = "frugal"
SCRIPT = "frugal-memory"
OUR_VARIABLES = ("MEMORY_", "FRUGAL_MEMORY_")

Step = tuple[str, dict[str, object]]

STEPS: tuple[Step, ...] = (
    (
        "remember",
        {
            "text": "**SSH port of the build host** is 22; the firewall closes every other one.",
            "tags": "shop",
            "kind": "interface",
        },
    ),
    (
        "remember",
        {
            "text": "**Müllers Käseladen** nimmt Rechnungen nur als PDF, nie als Word-Datei.",
            "tags": "shop",
            "kind": "decision",
        },
    ),
    (
        "remember",
        {"text": "数据库连接池的最大值是二十，超过的请求会排队。", "tags": "shop", "kind": "pitfall"},
    ),
    (
        "remember",
        {
            "text": "**SSH port of the build host** is 49222 since the move to the new rack.",
            "tags": "shop",
            "kind": "interface",
            "supersedes": "1",
        },
    ),
    ("recall", {"query": "ssh port, Mueller, 连接池", "tag": "shop"}),
    ("show", {"ids": "2-4"}),
)
"""Tools and parameters under their English names: three languages stored, one fact superseded, all asked at once."""

GERMAN_KINDS = {"interface": "schnittstelle", "decision": "entscheidung", "pitfall": "fallstrick"}


def run(stream: TextIO | None = None, *, language: str = "") -> int:
    """Print the demonstration to *stream* (stdout); return 0, 1 if a call was refused, 2 if the server did not answer.

    The server runs in a temporary folder under settings of its own; *language* is the surface, else MEMORY_LANG.
    """
    stream = stream or sys.stdout
    texts = load_catalogue(
        resolve_language(language or os.environ.get("MEMORY_LANG", "")) or "en", CATALOGUES
    )
    stream.write(texts.text("demo.opening") + "\n")
    with TemporaryDirectory(prefix="frugal-memory-demo-") as folder:
        try:
            refused = _converse(Path(folder), texts, stream)
        except Exception as error:  # the SDK, the process or the folder: whatever it is, in one line
            stream.write(texts.text("demo.failed", reason=_reason(error, Path(folder))) + "\n")
            return 2
    stream.write("\n" + "\n".join(registrations(texts, command_line(source=local_source()))) + "\n")
    return 1 if refused else 0


def _converse(folder: Path, texts: Catalogue, stream: TextIO) -> int:
    """Speak with a server in *folder*; return how many calls were refused."""
    import anyio
    from mcp.client.client import Client
    from mcp.client.stdio import StdioServerParameters, stdio_client

    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", MODULE],
        env=environment(os.environ, folder, texts.language),
        cwd=folder,
    )

    async def talk() -> int:
        total = refused = 0
        with _errors_of(folder).open("w", encoding="utf-8") as errors:
            async with Client(stdio_client(server, errlog=errors)) as client:
                for number, step in enumerate(STEPS, start=1):
                    tool, arguments = spoken(step, texts)
                    result = await client.call_tool(tool, arguments)
                    size = _print_call(stream, texts, f"{number}. {written(tool, arguments)}", result)
                    total += size
                    refused += bool(result.is_error)
        stream.write("\n" + texts.text("demo.total", calls=len(STEPS), size=total) + "\n")
        return refused

    return anyio.run(talk)


def _print_call(stream: TextIO, texts: Catalogue, head: str, result: Any) -> int:
    """Print one call and its answer; return the bytes of the whole result on the wire."""
    size = len(result.model_dump_json(by_alias=True, exclude_unset=True).encode())
    key = "demo.refused" if result.is_error else "demo.size"
    lines = "\n".join(block.text for block in result.content if block.type == "text").splitlines()
    stream.write("\n".join(["", head, *(f"   {line}" for line in lines)]) + "\n")
    stream.write(f"   [{texts.text(key, size=size)}]\n")
    stream.flush()
    return size


def spoken(step: Step, texts: Catalogue) -> tuple[str, dict[str, object]]:
    """Return the names and kind words of *step* in the language of *texts*."""
    tool, arguments = step
    if texts.language == "de" and (kind := GERMAN_KINDS.get(str(arguments.get("kind")))):
        arguments = {**arguments, "kind": kind}
    named = {texts.text(f"tools.{tool}.parameters.{key}.name"): value for key, value in arguments.items()}
    return texts.text(f"tools.{tool}.name"), named


def written(tool: str, arguments: Mapping[str, object]) -> str:
    """Return the call as one would write it."""
    values = (f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in arguments.items())
    return f"{tool}({', '.join(values)})"


def environment(environ: Mapping[str, str], folder: Path, language: str) -> dict[str, str]:
    """Return *environ* with every setting of ours replaced, so that no file of the user is read or written."""
    kept = {name: value for name, value in environ.items() if not name.startswith(OUR_VARIABLES)}
    own = {
        "MEMORY_DB": str(folder / "memory.db"),
        "MEMORY_LANG": language,
        "XDG_DATA_HOME": str(folder / "data"),
        "XDG_CONFIG_HOME": str(folder / "config"),
        "FRUGAL_MEMORY_NO_PLUGINS": "1",
        "PYTHONUTF8": "1",
    }
    return {**kept, **own}


def command_line(executable: str = sys.executable, source: str = "") -> list[str]:
    """Return the command that starts this very installation from anywhere; *source* is the file uvx took it from."""
    place = Path(executable)
    if {"uv", "archive-v0"} <= set(place.parts):  # an environment of uvx, which may be gone tomorrow
        return ["uvx", *(["--from", source] if source else []), SCRIPT]
    for name in (SCRIPT, f"{SCRIPT}.exe"):
        if (place.parent / name).is_file():
            return [str(place.parent / name)]
    return [executable, "-m", MODULE]


def local_source() -> str:
    """Return the path of the wheel or folder this was installed from, "" if it came from an index (PEP 610)."""
    from importlib.metadata import PackageNotFoundError, distribution
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    try:
        record = json.loads(distribution(SCRIPT).read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        return ""
    parts = urlsplit(str(record.get("url", "")))
    return url2pathname(parts.path) if parts.scheme == "file" else ""


def registrations(texts: Catalogue, command: list[str]) -> Iterator[str]:
    """Yield the lines that add the server to Claude Code, Claude Desktop and any other client."""
    quoted = subprocess.list2cmdline(command) if sys.platform == "win32" else shlex.join(command)
    block = {"mcpServers": {SERVER_NAME: {"command": command[0], "args": command[1:]}}}
    yield texts.text("demo.claude_code")
    yield f"   claude mcp add --scope user {SERVER_NAME} -- {quoted}"
    yield texts.text("demo.claude_desktop")
    yield from (f"   {line}" for line in json.dumps(block, indent=2, ensure_ascii=False).splitlines())
    yield texts.text("demo.other")
    yield f"   {quoted}"


def _errors_of(folder: Path) -> Path:
    return folder / "stderr.txt"


def _reason(error: Exception, folder: Path) -> str:
    """Return the last line the server wrote to stderr, else what *error* says."""
    file = _errors_of(folder)
    lines = file.read_text("utf-8", "replace").strip().splitlines() if file.is_file() else []
    return lines[-1][:200] if lines else f"{type(error).__name__}: {error}"[:200]
