"""The protocol's lines, in place of the SDK's own transport.

That one drops a line it cannot read, replaces bytes that are not UTF-8, gives up requests in work when the input ends,
and hangs on a signal until the thread that waits for input is woken.
"""

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

import anyio
import anyio.to_thread
import mcp_types as types
from anyio.abc import TaskGroup
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from pydantic_core import PydanticSerializationError

from frugal.server.messages import Message, Unreadable, read_line
from frugal.server.streams import Streams

TICK_S = 0.005
LAST_REPLIES_S = 1.0
READ_AHEAD = 64

Pair = tuple[MemoryObjectReceiveStream[SessionMessage | Exception], MemoryObjectSendStream[SessionMessage]]


class Lines:
    """Reads lines in a thread that nobody has to wait for; writes whole lines, one after another.

    *text* renders `protocol.<key>`. *at_end* is called once the client is known to leave.
    """

    def __init__(self, streams: Streams, text: Callable[..., str], *, at_end: Callable[[], None]) -> None:
        self._streams = streams
        self._text = text
        self._at_end = at_end
        self.is_listening = True
        self._waiting: set[types.RequestId] = set()
        self._turn = anyio.Lock()
        self._room = threading.Semaphore(READ_AHEAD)
        self._put, self._inbox = anyio.create_memory_object_stream[Message | None](READ_AHEAD + 1)
        self._to_server, self._reading = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        self._writing, self._from_server = anyio.create_memory_object_stream[SessionMessage](0)
        self._is_written = anyio.Event()

    @asynccontextmanager
    async def open(self, *, settle_s: float) -> AsyncIterator[Pair]:
        """Yield what the SDK reads and writes. When the input ends, requests in work get *settle_s* seconds."""
        async with (
            self._put,
            self._inbox,
            self._to_server,
            self._reading,
            self._writing,
            self._from_server,
            anyio.create_task_group() as group,
        ):
            group.start_soon(self._pass_requests, group, settle_s)
            group.start_soon(self._pass_replies, group)
            loop = asyncio.get_running_loop()
            threading.Thread(target=self._read, args=(loop,), name="stdin", daemon=True).start()
            yield self._reading, self._writing
            with anyio.move_on_after(LAST_REPLIES_S):
                await self._is_written.wait()
            group.cancel_scope.cancel()

    def stop_listening(self) -> None:
        """Drop every message that still comes."""
        self.is_listening = False

    async def settle(self, timeout_s: float) -> None:
        """Wait until every request has its reply, at most *timeout_s* seconds."""
        with anyio.move_on_after(timeout_s):
            while self._waiting:
                await anyio.sleep(TICK_S)

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        """Hand on message by message, in the reading thread, until the input ends or the event loop is gone."""
        with suppress(RuntimeError):
            try:
                for line in self._streams.read_lines():
                    for message in read_line(line):
                        self._room.acquire()
                        loop.call_soon_threadsafe(self._offer, message)
            finally:
                loop.call_soon_threadsafe(self._offer, None)

    def _offer(self, message: Message | None) -> None:
        with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):  # already leaving
            self._put.send_nowait(message)

    async def _pass_requests(self, group: TaskGroup, settle_s: float) -> None:
        async for message in self._inbox:
            if message is None:
                break
            if isinstance(message, Unreadable):
                await self._write(self._error(message.id, message.code, message.key, **message.data), group)
            elif self.is_listening:
                self._note(message.message)
                with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):  # already leaving
                    await self._to_server.send(message)
            self._room.release()
        self._at_end()
        await self.settle(settle_s)
        self._to_server.close()

    def _note(self, message: types.JSONRPCMessage) -> None:
        """Keep the ids that wait for a reply; nobody waits for a request that was given up."""
        if isinstance(message, types.JSONRPCRequest):
            self._waiting.add(message.id)
        elif isinstance(message, types.JSONRPCNotification) and message.method == "notifications/cancelled":
            given_up = (message.params or {}).get("requestId")
            self._waiting -= {given_up} if isinstance(given_up, str | int) else set()

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
                if not self._streams.write_at_once(line):
                    await anyio.to_thread.run_sync(self._streams.write, line, abandon_on_cancel=True)
            except OSError:
                self._at_end()
                group.cancel_scope.cancel()
