"""How a served conversation begins and ends: by its input, its reader or a signal, and never later than promised."""

import logging
import os
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from signal import SIGINT

import anyio
from anyio.abc import TaskGroup, TaskStatus

from frugal.engine import Workspace
from frugal.server import EXIT_OF_SIGNAL
from frugal.server.edge import Edge
from frugal.server.lines import Lines
from frugal.server.streams import Streams

SETTLE_S = 1.0
"""How long requests in work are waited for after the end of the input."""
LEAVE_S = 1.8
"""When the process ends after that, whatever still waits: a lock of another process, a client that does not read."""
FINISH_S = 5.0
"""How long a running call may go on after a signal."""


class Ending:
    """The exit code, and the promise to be gone in time."""

    def __init__(self) -> None:
        self.code = 0
        self._timer: threading.Timer | None = None

    def come_within(self, seconds: float) -> None:
        """End the process after *seconds* at the latest; a write that was not committed then leaves no trace."""
        if self._timer is None:
            self._timer = threading.Timer(seconds, self.now)
            self._timer.daemon = True
            self._timer.start()

    def now(self) -> None:
        """End the process at once."""
        with suppress(OSError, ValueError):
            sys.stderr.flush()
        os._exit(self.code)


def run(workspace: Workspace, streams: Streams) -> int:
    """Serve *workspace* over *streams* until the client leaves or a signal comes; return the exit code."""
    logging.disable()  # what the SDK has to report may hold texts of the user
    ending = Ending()
    try:
        anyio.run(_serve, workspace, streams, ending)
    except KeyboardInterrupt:  # Windows, where the event loop watches no signals
        ending.code = EXIT_OF_SIGNAL[SIGINT]
    return ending.code


async def _serve(workspace: Workspace, streams: Streams, ending: Ending) -> None:
    server = Edge(workspace).build()
    lines = Lines(streams, workspace.surface.text, at_end=lambda: ending.come_within(LEAVE_S))
    async with _signals_watched(lines, ending), lines.open(settle_s=SETTLE_S) as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


@asynccontextmanager
async def _signals_watched(lines: Lines, ending: Ending) -> AsyncIterator[None]:
    """Let the block go on until a signal comes; then let running calls finish and leave the block."""
    async with anyio.create_task_group() as group:
        if sys.platform != "win32":  # there the event loop turns an interrupt into KeyboardInterrupt
            await group.start(_watch_signals, lines, ending, group)
        yield
        group.cancel_scope.cancel()


async def _watch_signals(
    lines: Lines, ending: Ending, group: TaskGroup, *, task_status: TaskStatus[None]
) -> None:
    with anyio.open_signal_receiver(*EXIT_OF_SIGNAL) as signals:
        task_status.started()
        async for signal in signals:
            if lines.is_listening:
                ending.code = EXIT_OF_SIGNAL[signal]
                ending.come_within(FINISH_S + SETTLE_S)
                lines.stop_listening()
                group.start_soon(_finish, lines, group)
            else:
                ending.now()


async def _finish(lines: Lines, group: TaskGroup) -> None:
    await lines.settle(FINISH_S)
    group.cancel_scope.cancel()
