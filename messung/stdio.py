"""A raw JSON-RPC client over stdio: what any MCP server gets, without a client library in the way."""

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from messung.unavailable import NotAvailable

PROTOCOL = "2025-06-18"
STOP_TIMEOUT_S = 10


def bare_environment(folder: Path) -> dict[str, str]:
    """Return the environment of a measured server: English, at home in *folder*, nothing inherited but the path."""
    return {"PATH": os.environ.get("PATH", os.defpath), "HOME": str(folder), "MEMORY_LANG": "en"}


class StdioServer:
    """A server process and the conversation with it, one request at a time."""

    def __init__(self, command: Sequence[str], *, environ: Mapping[str, str], folder: Path) -> None:
        self._errors = (folder / "stderr.txt").open("ab")
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                env=dict(environ),
                cwd=folder,
            )
        except OSError as error:
            self._errors.close()
            raise NotAvailable(f"the server does not start: {error.strerror}") from error
        self._last_id = 0
        client = {"name": "messung", "version": "1"}
        self.greeting = self.request(
            "initialize", {"protocolVersion": PROTOCOL, "capabilities": {}, "clientInfo": client}
        )
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def _send(self, message: Mapping[str, object]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message, ensure_ascii=False).encode() + b"\n")
        self._process.stdin.flush()

    def request(self, method: str, parameters: Mapping[str, object]) -> dict[str, Any]:
        """Return the result of one request; raise `NotAvailable` if the server ends or answers with an error."""
        self._last_id += 1
        self._send({"jsonrpc": "2.0", "id": self._last_id, "method": method, "params": parameters})
        assert self._process.stdout is not None
        for line in self._process.stdout:
            message = json.loads(line)
            if message.get("id") != self._last_id:
                continue
            if "error" in message:
                raise NotAvailable(f"{method}: {message['error'].get('message')}")
            result: dict[str, Any] = message["result"]
            return result
        raise NotAvailable("the server ended in the middle of a request")

    def call(self, tool: str, **arguments: object) -> str:
        """Return the text of one tool call."""
        result = self.request("tools/call", {"name": tool, "arguments": arguments})
        return "\n".join(item["text"] for item in result["content"] if item["type"] == "text")

    def ping(self) -> None:
        """Make the shortest possible round trip."""
        self.request("ping", {})

    def close(self) -> None:
        """End the server by the end of its input; kill it if it does not go."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        try:
            self._process.wait(STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()
        self._errors.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
