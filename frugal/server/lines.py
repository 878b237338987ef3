"""The protocol's lines, in place of the SDK's own transport.

That one drops a line it cannot read, replaces bytes that are not UTF-8, gives up requests in work when the input ends,
and hangs on a signal until the thread that waits for input is woken.
"""

import json
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import CancelledError
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

from frugal.server.messages import Message, Unreadable, read_line
from frugal.server.streams import Streams

TICK_S = 0.005
LAST_REPLIES_S = 1.0

Pair = tuple[MemoryObjectReceiveStream[SessionMessage | Exception], MemoryObjectSendStream[SessionMessage]]


class Lines:
    """Reads lines in a thread that nobody has to wait for; writes whole lines, one after another.

    *text* renders `protocol.<key>`. *at_end* is called once the client is known to leave.
    """

    def __init__(self, streams: Streams, text: Callable[..., str], *, at_end: Callable[[], None]) -> None:
        self._streams = streams
        self._text = text
        self._at_end = at_end
        self._waiting: set[types.RequestId] = set()
        self.is_listening = True
        self._turn = anyio.Lock()
        self._is_written = anyio.Event()
        self._to_server, self._reading = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        self._writing, self._from_server = anyio.create_memory_object_stream[SessionMessage](0)

    @asynccontextmanager
    async def open(self, *, settle_s: float) -> AsyncIterator[Pair]:
        """Yield what the SDK reads and writes. When the input ends, requests in work get *settle_s* seconds."""
        async with (
            self._to_server,
            self._reading,
            self._writing,
            self._from_server,
            BlockingPortal() as portal,
        ):
            async with anyio.create_task_group() as group:
                group.start_soon(self._pass_replies, group)
                work = partial(self._read, portal, group, settle_s)
                threading.Thread(target=work, name="stdin", daemon=True).start()
                yield self._reading, self._writing
                with anyio.move_on_after(LAST_REPLIES_S):
                    await self._is_written.wait()
                group.cancel_scope.cancel()
            await portal.stop(cancel_remaining=True)

    def stop_listening(self) -> None:
        """Drop every message that still comes."""
        self.is_listening = False

    async def settle(self, timeout_s: float) -> None:
        """Wait until every request has its reply, at most *timeout_s* seconds."""
        with anyio.move_on_after(timeout_s):
            while self._waiting:
                await anyio.sleep(TICK_S)

    def _read(self, portal: BlockingPortal, group: TaskGroup, settle_s: float) -> None:
        """Hand on message by message, in the reading thread, until the input ends or the event loop is gone."""
        with suppress(RuntimeError, CancelledError):
            try:
                for line in self._streams.read_lines():
                    for message in read_line(line):
                        portal.call(self._take, message, group)
            finally:
                portal.call(self._end, settle_s)

    async def _take(self, message: Message, group: TaskGroup) -> None:
        if not self.is_listening:
            return
        if isinstance(message, Unreadable):
            await self._write(self._error(message.id, message.code, message.key, **message.data), group)
            return
        inner = message.message
        if isinstance(inner, types.JSONRPCRequest):
            self._waiting.add(inner.id)
        elif isinstance(inner, types.JSONRPCNotification) and inner.method == "notifications/cancelled":
            self._waiting.discard((inner.params or {}).get("requestId", ""))
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
            await self._to_server.send(message)

    async def _end(self, settle_s: float) -> None:
        self._at_end()
        await self.settle(settle_s)
        self._to_server.close()

    async def _pass_replies(self, group: TaskGroup) -> None:
        async for reply in self._from_server:
            message = reply.message
            await self._write(self._as_line(message), group)
            if isinstance(message, types.JSONRPCResponse | types.JSONRPCError) and message.id is not None:
                self._waiting.discard(message.id)
        self._is_written.set()

    def _as_line(self, message: types.JSONRPCMessage) -> bytes:
        try:
            return message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
        except (PydanticSerializationError, UnicodeEncodeError):
            # The SDK repeats an unknown method in its error, half a surrogate pair included.
            known = getattr(message, "id", None)
            return self._error(json.dumps(known), types.INTERNAL_ERROR, "unspeakable")

    def _error(self, request_id: str, code: int, key: str, **data: object) -> bytes:
        text = json.dumps(self._text(f"protocol.{key}", **data), ensure_ascii=False)
        return f'{{"jsonrpc":"2.0","id":{request_id},"error":{{"code":{code},"message":{text}}}}}\n'.encode()

    async def _write(self, line: bytes, group: TaskGroup) -> None:
        """Write one line; if nobody reads it, the conversation is over."""
        async with self._turn:
            try:
                await anyio.to_thread.run_sync(self._streams.write, line, abandon_on_cancel=True)
            except OSError:
                self._at_end()
                group.cancel_scope.cancel()
