"""The standard streams, taken over for the protocol: whatever else prints, prints to stderr. Needs no SDK."""

import os
import select
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from io import TextIOWrapper

CHUNK_BYTES = 65_536
ATOMIC_BYTES = 4_096
"""What a pipe that has room takes in one piece."""
FIRST_OWN_DESCRIPTOR = 3


class Streams:
    """The two descriptors that the protocol runs over."""

    def __init__(self, source: int, sink: int) -> None:
        self._source = source
        self._sink = sink
        self._room = select.poll() if hasattr(select, "poll") else None
        if self._room is not None:
            self._room.register(sink, select.POLLOUT)

    def read_lines(self) -> Iterator[bytes]:
        """Yield the lines that arrive, the last one also without its end, until the client leaves.

        It leaves by ending our input, or by closing its reading end: nobody would notice that before the next reply.
        """
        rest = bytearray()
        for chunk in self._read_chunks():
            *whole, begun = chunk.split(b"\n")
            for line in whole:
                yield bytes(rest) + line
                rest.clear()
            rest += begun
        if rest:
            yield bytes(rest)

    def _read_chunks(self) -> Iterator[bytes]:
        has_input = _watch(self._source, self._sink)
        # os.read and not a buffered reader: the interpreter cannot end while a thread waits inside one.
        with suppress(OSError):
            while has_input() and (chunk := os.read(self._source, CHUNK_BYTES)):
                yield chunk

    def write_at_once(self, data: bytes) -> bool:
        """Write *data* if that takes no waiting, and say whether it was written; raise as `write` does."""
        if len(data) > ATOMIC_BYTES or self._room is None or not self._room.poll(0):
            return False
        self.write(data)
        return True

    def write(self, data: bytes) -> None:
        """Write all of *data*; raise `OSError` if the client does not read any more."""
        view = memoryview(data)
        while view:
            view = view[os.write(self._sink, view) :]


def _watch(source: int, sink: int) -> Callable[[], bool]:
    """Return a function that waits for input and says whether anybody still reads *sink*."""
    if not hasattr(select, "poll"):  # Windows: the next reply will tell
        return lambda: True
    poll = select.poll()
    poll.register(source, select.POLLIN)
    poll.register(sink, 0)  # errors and hang-ups are reported all the same

    def has_input() -> bool:
        while True:
            events = dict(poll.poll())
            if source in events:
                return True
            if not events.get(sink, 0) & select.POLLNVAL:
                return False
            poll.unregister(sink)  # macOS cannot watch a device

    return has_input


def claim_standard_streams() -> Streams:
    """Return stdin and stdout for the protocol alone: from now on stdin is empty and stdout is stderr, in children too."""
    streams = Streams(_duplicate(0, os.O_RDONLY), _duplicate(1, os.O_WRONLY))
    _point(0, _duplicate(-1, os.O_RDONLY))
    _point(1, _duplicate(2, os.O_WRONLY))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", line_buffering=True)
    return streams


def _duplicate(descriptor: int, flags: int) -> int:
    """Return a copy of *descriptor* outside the standard ones and not inherited; of the null device if it is closed."""
    try:
        copy = os.dup(descriptor)
    except OSError:
        copy = os.open(os.devnull, flags)
    too_low: list[int] = []
    while copy < FIRST_OWN_DESCRIPTOR:
        too_low.append(copy)
        copy = os.dup(copy)
    for low in too_low:
        os.close(low)
    return copy


def _point(descriptor: int, target: int) -> None:
    os.dup2(target, descriptor)
    os.close(target)
