"""The MCP edge: one workspace served over stdio or HTTP. This package imports the SDK, and only when it serves."""

import gc
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from types import FrameType
from typing import TYPE_CHECKING

import frugal
from frugal import paths
from frugal.engine import Workspace
from frugal.errors import FrugalError
from frugal.server.streams import claim_standard_streams

if TYPE_CHECKING:
    from frugal.server.door import Door

PATH = "/mcp"
EXIT_OF_SIGNAL = {signal.SIGINT: 130, signal.SIGTERM: 0}


def serve(workspace: Workspace) -> int:
    """Serve *workspace* over stdin and stdout until one of them closes or a signal comes; return the exit code."""
    _watch_signals()
    streams = claim_standard_streams()
    announce(workspace)
    with _importing_much():
        from frugal.server.life import run
    code = run(workspace, streams)
    _close(workspace)
    return code


def serve_http(workspace: Workspace, door: "Door") -> int:
    """Serve *workspace* over HTTP to whom *door* lets in, until a signal comes; return the exit code.

    Raise `UsageError` if the address cannot be had.
    """
    from frugal.server.door import listen

    _watch_signals()
    sockets = listen(door.address)
    door = replace(door, address=door.address.with_port(sockets[0].getsockname()[1]))
    announce(workspace, *_http_lines(workspace, door))
    with _importing_much():
        from frugal.server.http import run
    code = run(workspace, door, sockets)
    _close(workspace)
    return code


def _http_lines(workspace: Workspace, door: "Door") -> list[str]:
    text = workspace.surface.text
    lines = [text("notices.http", url=f"http://{door.address}{PATH}")]
    if not door.address.is_loopback:
        lines.append(text("notices.http_unencrypted"))
    return lines


def _watch_signals() -> None:
    for number in EXIT_OF_SIGNAL:
        signal.signal(number, _leave_at_once)


@contextmanager
def _importing_much() -> Iterator[None]:
    """Look for no garbage meanwhile: the SDK makes a hundred thousand objects that stay, a seventh of its import."""
    gc.disable()
    yield
    gc.freeze()
    gc.enable()


def _close(workspace: Workspace) -> None:
    for number in EXIT_OF_SIGNAL:
        signal.signal(number, signal.SIG_IGN)
    with suppress(FrugalError):
        workspace.close()


def announce(workspace: Workspace, *more: str) -> None:
    """Write what settings and plugins have to report, then mode, file and access, then *more*, to stderr, a line each."""
    surface = workspace.surface
    notices = [surface.text(f"notices.{item.key}", **item.data) for item in workspace.notices]
    serving = surface.text(
        "notices.serving",
        version=frugal.__version__,
        mode=workspace.mode.name,
        path=paths.shown(workspace.settings.path),
        access=surface.text("access.writable" if workspace.store.is_writable() else "access.read_only"),
    )
    with suppress(OSError, ValueError, AttributeError):  # stderr may be closed
        sys.stderr.write("\n".join([*notices, serving, *more, ""]))
        sys.stderr.flush()


def _leave_at_once(number: int, _frame: FrameType | None) -> None:
    """Leave before anything was opened: the SDK is still being imported."""
    os._exit(EXIT_OF_SIGNAL[signal.Signals(number)])
