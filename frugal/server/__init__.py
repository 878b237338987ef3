"""The MCP edge: one workspace served to one client. This package imports the SDK, and only when it serves."""

import gc
import os
import signal
import sys
from contextlib import suppress
from types import FrameType

import frugal
from frugal import paths
from frugal.engine import Workspace
from frugal.errors import FrugalError
from frugal.server.streams import claim_standard_streams

EXIT_OF_SIGNAL = {signal.SIGINT: 130, signal.SIGTERM: 0}


def serve(workspace: Workspace) -> int:
    """Serve *workspace* over stdin and stdout until one of them closes or a signal comes; return the exit code."""
    for number in EXIT_OF_SIGNAL:
        signal.signal(number, _leave_at_once)
    streams = claim_standard_streams()
    announce(workspace)
    # Importing the SDK makes a hundred thousand objects that stay; looking for garbage among them costs a seventh.
    gc.disable()
    from frugal.server.life import run

    gc.freeze()
    gc.enable()
    code = run(workspace, streams)
    for number in EXIT_OF_SIGNAL:
        signal.signal(number, signal.SIG_IGN)
    with suppress(FrugalError):
        workspace.close()
    return code


def announce(workspace: Workspace) -> None:
    """Write what the settings and the plugins have to report, then mode, file and access, to stderr, a line each."""
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
        sys.stderr.write("\n".join([*notices, serving, ""]))
        sys.stderr.flush()


def _leave_at_once(number: int, _frame: FrameType | None) -> None:
    """Leave before anything was opened: the SDK is still being imported."""
    os._exit(EXIT_OF_SIGNAL[signal.Signals(number)])
