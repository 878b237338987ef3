"""A real HTTP server that speaks the protocol of the fact check, well or badly, and counts who connects."""

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MODEL = "tiny"

Behave = Callable[["Handler", str], None]
"""Answers one chat completion; the second argument is the prompt."""


@dataclass
class Seen:
    """One request: where to, with which headers and body."""

    method: str
    path: str
    headers: dict[str, str]
    body: dict[str, object] = field(default_factory=dict)

    @property
    def prompt(self) -> str:
        """The one user message."""
        (message,) = self.body["messages"]  # type: ignore[misc]  # a test of ours reads what it sent
        return str(message["content"])


class Handler(BaseHTTPRequestHandler):
    """Requests of one connection."""

    protocol_version = "HTTP/1.1"
    server: "ModelServer"

    def do_GET(self) -> None:
        """Answer the list of models."""
        self.server.seen.append(Seen("GET", self.path, dict(self.headers)))
        if self.server.on_probe is not None:
            self.server.on_probe(self, "")
        else:
            self.give({"data": [{"id": name} for name in self.server.models]})

    def do_POST(self) -> None:
        """Answer a chat completion."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        seen = Seen("POST", self.path, dict(self.headers), body)
        self.server.seen.append(seen)
        self.server.behave(self, seen.prompt)

    def give(self, found: object, *, status: int = 200, raw: bytes | None = None) -> None:
        """Send *found* as JSON, or *raw* bytes."""
        body = json.dumps(found).encode() if raw is None else raw
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002 - the library's name
        """Stay quiet."""


class ModelServer(ThreadingHTTPServer):
    """Serves on a free port of the loopback until it is closed."""

    daemon_threads = True

    def __init__(self, behave: Behave | None = None) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.behave = behave or says("UNABHÄNGIG")
        self.on_probe: Behave | None = None
        self.models = [MODEL, "other"]
        self.seen: list[Seen] = []
        self.connections = 0
        self.released = threading.Event()
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    @property
    def url(self) -> str:
        """The address to put into MEMORY_FC_URL."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    @property
    def asked(self) -> list[Seen]:
        """The chat completions that were asked for."""
        return [seen for seen in self.seen if seen.method == "POST"]

    def get_request(self) -> object:  # type: ignore[override]  # socket and address, as they come
        """Count a connection."""
        self.connections += 1
        return super().get_request()

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of clients that went away."""

    def close(self) -> None:
        """Stop serving."""
        self.released.set()
        self.shutdown()
        self.server_close()


def completion(content: object, **more: object) -> dict[str, object]:
    """Return a chat completion with *content*."""
    return {"choices": [{"index": 0, "message": {"role": "assistant", "content": content, **more}}]}


def says(content: object, **more: object) -> Behave:
    """Answer everything with *content*."""
    return lambda handler, _prompt: handler.give(completion(content, **more))


def judges(verdict_of: Callable[[str, str], str]) -> Behave:
    """Answer by the older and the newer note of the prompt."""

    def behave(handler: Handler, prompt: str) -> None:
        old, new = heads(prompt)
        handler.give(completion(verdict_of(old, new)))

    return behave


def heads(prompt: str) -> tuple[str, str]:
    """Return the older and the newer note of a prompt."""
    lines = prompt.splitlines()
    return (
        next(lines[place + 1] for place, line in enumerate(lines) if line.endswith(" ALT")),
        next(lines[place + 1] for place, line in enumerate(lines) if line.endswith(" NEU")),
    )


def stalls(handler: Handler, _prompt: str) -> None:
    """Never answer."""
    handler.server.released.wait(60)
    handler.close_connection = True


def trickles(handler: Handler, _prompt: str) -> None:
    """Send a header letter by letter, without end."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    while not handler.server.released.wait(0.02):
        try:
            handler.wfile.write(b"x")
        except OSError:
            break
    handler.close_connection = True


def hangs_up(handler: Handler, _prompt: str) -> None:
    """Close the connection without a word."""
    handler.close_connection = True


def redirects(target: str) -> Behave:
    """Point elsewhere."""

    def behave(handler: Handler, _prompt: str) -> None:
        handler.send_response(307)
        handler.send_header("Location", target)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    return behave
