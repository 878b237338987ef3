"""A raw JSON-RPC client over stdio, with no client library in the way: what any MCP host sends and gets."""

import json
import os
import queue
import select
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

LATEST = "2025-11-25"
WAIT_S = 30.0
EXIT_S = 10.0


class StdioClient:
    """A server process over a file in *folder*; replies are read by a thread, so that none blocks the server."""

    def __init__(
        self,
        folder: Path,
        *arguments: str,
        environ: Mapping[str, str] | None = None,
        command: Sequence[str] = (sys.executable, "-m", "frugal"),
    ) -> None:
        self.folder = folder
        self.file = folder / "memory.db"
        self.lines: list[bytes] = []
        self._replies: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._early: dict[object, dict[str, Any]] = {}
        self._last_id = 0
        self._errors = folder / f"stderr-{os.urandom(4).hex()}.txt"
        with self._errors.open("wb") as errors:
            self.process = subprocess.Popen(
                [*command, *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                env={**isolated(folder), **(environ or {})},
                cwd=folder,
            )
        self._wake, self._waker = os.pipe()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        """Take lines until the server ends or `close_stdout` wakes this thread."""
        assert self.process.stdout is not None
        pipe = self.process.stdout.fileno()
        rest = b""
        while self._wake not in select.select([pipe, self._wake], [], [])[0] and (
            data := os.read(pipe, 65_536)
        ):
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                self.lines.append(line)
                self._replies.put(parse(line))
        self._replies.put(None)

    @property
    def stderr(self) -> str:
        """What the server has written to stderr so far."""
        return self._errors.read_text("utf-8")

    def wait_for_stderr(self) -> None:
        """Wait until the server has written a line to stderr."""
        deadline = time.monotonic() + WAIT_S
        while "\n" not in self.stderr:
            assert self.process.poll() is None, "the server has ended"
            assert time.monotonic() < deadline, "the server says nothing"

    def send_bytes(self, data: bytes) -> None:
        """Send *data* as it is."""
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, *messages: Mapping[str, object]) -> None:
        """Send *messages* at once, a line each."""
        self.send_bytes(b"".join(json.dumps(item, ensure_ascii=False).encode() + b"\n" for item in messages))

    def receive(self, request_id: object, timeout_s: float = WAIT_S) -> dict[str, Any]:
        """Return the reply to *request_id*, whatever comes before it."""
        while request_id not in self._early:
            reply = self._replies.get(timeout=timeout_s)
            assert reply is not None, f"the server has ended\n{self.stderr}"
            self._early[reply.get("id")] = reply
        return self._early.pop(request_id)

    def new_id(self) -> int:
        """Return an id that was not used yet."""
        self._last_id += 1
        return self._last_id

    def ask(self, method: str, **params: object) -> dict[str, Any]:
        """Return the reply to one request."""
        request_id = self.new_id()
        self.send({"jsonrpc": "2.0", "id": request_id, "method": method, "params": params})
        return self.receive(request_id)

    def initialize(self, version: str = LATEST) -> dict[str, Any]:
        """Shake hands; return what the server says about itself."""
        client = {"name": "test", "version": "1"}
        reply = self.ask("initialize", protocolVersion=version, capabilities={}, clientInfo=client)
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        result: dict[str, Any] = reply["result"]
        return result

    def call(self, tool: str, **arguments: object) -> str:
        """Return the text of an answer; a refusal fails the test."""
        result = self.ask("tools/call", name=tool, arguments=arguments)["result"]
        assert not result["isError"], text_of(result)
        return text_of(result)

    def close_stdout(self) -> None:
        """Stop reading, as a client does that has crashed halfway."""
        os.write(self._waker, b".")
        self._reader.join()
        assert self.process.stdout is not None
        self.process.stdout.close()

    def end(self) -> int:
        """Close the server's input and return its exit code."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait(EXIT_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.wait()
        self._reader.join()
        os.close(self._wake)
        os.close(self._waker)
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                with suppress(OSError):  # what was not sent any more
                    stream.close()


def parse(line: bytes) -> Any:
    """Return the message of a line; digits beyond what Python reads stay text."""
    return json.loads(line, parse_int=lambda digits: int(digits) if len(digits) < 1000 else digits)


def isolated(folder: Path) -> dict[str, str]:
    """Return an environment in which nothing outside *folder* is read or written."""
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(folder),
        "XDG_DATA_HOME": str(folder / "data"),
        "XDG_CONFIG_HOME": str(folder / "config"),
        "MEMORY_DB": str(folder / "memory.db"),
        "MEMORY_NAME": "box",
        "MEMORY_LANG": "en",
        "FRUGAL_MEMORY_NO_PLUGINS": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def tool_call(request_id: object, tool: str, **arguments: object) -> dict[str, object]:
    """Return the request that calls *tool*."""
    params = {"name": tool, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": request_id, "method": "tools/call", "params": params}


def text_of(result: Mapping[str, Any]) -> str:
    """Return the text of a tool's result."""
    return "\n".join(item["text"] for item in result["content"])


def wire_bytes(value: object) -> int:
    """Return the bytes of *value* as minified JSON in UTF-8."""
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())
