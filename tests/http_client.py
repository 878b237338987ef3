"""A server process over HTTP, and raw clients of it: what any MCP host sends and gets, no library in the way."""

import http.client
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

from stdio_client import LATEST, isolated, text_of

WAIT_S = 60.0
PATH = "/mcp"


class Reply(NamedTuple):
    """What came back for one request."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> dict[str, Any]:
        """The object in the body."""
        found: dict[str, Any] = json.loads(self.body)
        return found


class HttpServer:
    """A server process over a file in *folder*; `port` is the one the system gave."""

    def __init__(
        self,
        folder: Path,
        *arguments: str,
        address: str = "127.0.0.1:0",
        environ: Mapping[str, str] | None = None,
    ) -> None:
        self.folder = folder
        self._clients: list[HttpClient] = []
        self._errors = folder / f"stderr-{os.urandom(4).hex()}.txt"
        with self._errors.open("wb") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "frugal", "--http", address, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                env={**isolated(folder), **(environ or {})},
                cwd=folder,
            )

    @property
    def stderr(self) -> str:
        """What the server has written to stderr so far."""
        return self._errors.read_text("utf-8")

    @property
    def port(self) -> int:
        """Where it listens; waits until it says so."""
        deadline = time.monotonic() + WAIT_S
        while not (match := re.search(r"http://\S+:([0-9]+)/mcp", self.stderr)):
            assert self.process.poll() is None, self.stderr
            assert time.monotonic() < deadline, self.stderr
            time.sleep(0.01)
        return int(match[1])

    def client(self, **headers: str) -> "HttpClient":
        """Return a client that sends *headers* with every request."""
        self._clients.append(HttpClient(self.port, headers))
        return self._clients[-1]

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Send a signal and return the exit code."""
        self.process.send_signal(number)
        return self.process.wait(WAIT_S)

    def ended(self) -> int:
        """Wait until the process ends by itself and return the exit code."""
        return self.process.wait(WAIT_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for client in self._clients:
            client.close()
        self.process.kill()
        self.process.communicate()


class HttpClient:
    """One session, over one connection that is kept."""

    def __init__(self, port: int, headers: Mapping[str, str]) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=WAIT_S)
        self.headers = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            **headers,
        }
        self._last_id = 0

    def request(self, body: bytes, *, method: str = "POST", path: str = PATH, **headers: str) -> Reply:
        """Return the reply to one request; names of *headers* have `_` for `-`."""
        more = {name.replace("_", "-"): value for name, value in headers.items()}
        self._connection.request(method, path, body, {**self.headers, **more})
        return self.finish()

    def begin(self, method: str, **params: object) -> None:
        """Send one request of the protocol."""
        self._last_id += 1
        message = {"jsonrpc": "2.0", "id": self._last_id, "method": method, "params": params}
        self._connection.request("POST", PATH, json.dumps(message).encode(), self.headers)

    def finish(self) -> Reply:
        """Return the reply to what was begun."""
        reply = self._connection.getresponse()
        return Reply(reply.status, {name.lower(): value for name, value in reply.getheaders()}, reply.read())

    def ask(self, method: str, **params: object) -> Reply:
        """Return the reply to one request of the protocol."""
        self.begin(method, **params)
        return self.finish()

    def initialize(self, version: str = LATEST) -> dict[str, Any]:
        """Shake hands; from now on the session's id goes along."""
        client = {"name": "test", "version": "1"}
        reply = self.ask("initialize", protocolVersion=version, capabilities={}, clientInfo=client)
        assert reply.status == 200, reply
        self.headers["mcp-session-id"] = reply.headers["mcp-session-id"]
        self.headers["mcp-protocol-version"] = version
        done = self.request(json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}).encode())
        assert done.status == 202, done
        result: dict[str, Any] = reply.json["result"]
        return result

    def result(self, tool: str, **arguments: object) -> dict[str, Any]:
        """Return the result of a call."""
        reply = self.ask("tools/call", name=tool, arguments=arguments)
        assert reply.status == 200, reply
        found: dict[str, Any] = reply.json["result"]
        return found

    def call(self, tool: str, **arguments: object) -> str:
        """Return the text of an answer; a refusal fails the test."""
        result = self.result(tool, **arguments)
        assert not result["isError"], text_of(result)
        return text_of(result)

    def listen(self) -> None:
        """Open the stream on which a server may say something by itself, and leave it open."""
        self._connection.request("GET", PATH, headers={**self.headers, "Accept": "text/event-stream"})
        assert self._connection.getresponse().status == 200

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()
