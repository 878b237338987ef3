"""The protocol's lines on two descriptors, in place of the SDK's own transport.

That one drops a line it cannot read, replaces bytes that are not UTF-8, gives up requests in work when the input ends,
and hangs on a signal until the thread that waits for input is woken.
"""

import os
import select
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from functools import partial

import anyio
import anyio.to_thread
import mcp_types as types
from anyio.abc import TaskGroup
from anyio.from_thread import BlockingPortal
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from pydantic_core import PydanticSerializationError

from frugal.server.messages import NULL, Message, Unreadable, read_line
from frugal.server.streams import Streams

CHUNK_BYTES = 65_536
TICK_S = 0.005

ToServer = MemoryObjectSendStream[SessionMessage | Exception]
Pair = tuple[MemoryObjectReceiveStream[SessionMessage | Exception], MemoryObjectSendStream[SessionMessage]]
Text = Callable[..., str]


class Lines:
    """Reads lines in a thread of its own, which nobody has to wait for; writes whole lines, one after another.

    *text* renders `protocol.<key>`; *at_end* is called as soon as the client is known to be leaving.
    """

    def __init__(self, streams: Streams, text: Text, *, at_end: Callable[[], None]) -> None:
        self._streams = streams
        self._text = text
        self._at_end = at_end
        self._waiting: set[types.RequestId] = set()
        self._is_deaf = False
        self._turn = anyio.CapacityLimiter(1)

    @asynccontextmanager
    async def open(self, *, settle_s: float) -> AsyncIterator[Pair]:
        """Yield what the SDK reads and writes. When the input ends, requests in work get *settle_s* seconds."""
        to_server, reading = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        writing, from_server = anyio.create_memory_object_stream[SessionMessage](0)
        async with to_server, reading, writing, from_server, BlockingPortal() as portal:
            async with anyio.create_task_group() as group:
                group.start_soon(self._pass_replies, from_server, group)
                take = partial(self._take, to_server=to_server, group=group)
                end = partial(self._end, to_server=to_server, group=group, settle_s=settle_s)
                work = partial(self._read, portal, take, end)
                threading.Thread(target=work, name="stdin", daemon=True).start()
                yield reading, writing
                group.cancel_scope.cancel()
            await portal.stop(cancel_remaining=True)

    def stop_listening(self) -> None:
        """Drop every request that still comes."""
        self._is_deaf = True

    async def settle(self, timeout_s: float) -> None:
        """Wait until every request has its reply, at most *timeout_s* seconds."""
        with anyio.move_on_after(timeout_s):
            while self._waiting:
                await anyio.sleep(TICK_S)

    def _read(self, portal: BlockingPortal, take: Callable[..., object], end: Callable[..., object]) -> None:
        """Hand on line by line; runs in the reading thread until the input ends or the event loop is gone."""
        with suppress(RuntimeError, anyio.get_cancelled_exc_class()):
            for line in self._streams.read_lines():
                for message in read_line(line):
                    portal.call(take, message)
            portal.call(end)

    async def _take(self, message: Message, *, to_server: ToServer, group: TaskGroup) -> None:
        if self._is_deaf:
            return
        if isinstance(message, Unreadable):
            await self._write(self._as_error(message), group)
            return
        inner = message.message
        if isinstance(inner, types.JSONRPCRequest):
            self._waiting.add(inner.id)
        elif isinstance(inner, types.JSONRPCNotification) and inner.method == "notifications/cancelled":
            self._waiting.discard((inner.params or {}).get("requestId", ""))
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
            await to_server.send(message)
