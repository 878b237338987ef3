"""The standard streams, taken over for the protocol: whatever else prints, prints to stderr. Needs no SDK."""

import os
import select
import sys
from collections.abc import Iterator
from contextlib import suppress

CHUNK_BYTES = 65_536
FIRST_OWN_DESCRIPTOR = 3


class Streams:
    """The descriptors that the protocol runs over."""

    def __init__(self, source: int, sink: int) -> None:
        self._source = source
        self._sink = sink

    def read_lines(self) -> Iterator[bytes]:
        """Yield the lines that arrive, the last one also without its end, until the client leaves.

        It leaves by ending our input or by closing its reading end, which nobody would notice before the next reply.
        """
        rest = bytearray()
        for chunk in self._read_chunks():
            lines = chunk.split(b"\n")
            for line in lines[:-1]:
                yield bytes(rest) + line
                rest.clear()
            rest += lines[-1]
        if rest:
            yield bytes(rest)

    def _read_chunks(self) -> Iterator[bytes]:
        has_input = _watch(self._source, self._sink)
        # os.read and no buffered reader: its lock would be held when the interpreter ends.
        with suppress(OSError):
            while has_input() and (chunk := os.read(self._source, CHUNK_BYTES)):
                yield chunk

    def write(self, data: bytes) -> None:
        """Write all of *data*; raise `OSError` if the client does not read any more."""
        view = memoryview(data)
        while view:
            view = view[os.write(self._sink, view) :]


def claim_standard_streams() -> Streams:
    """Return stdin and stdout for the protocol alone; from now on stdin is empty and stdout is stderr, children included."""
    streams = Streams(_duplicate(0, os.O_RDONLY), _duplicate(1, os.O_WRONLY))
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    with suppress(OSError):
        os.fstat(2)
        os.dup2(2, 1)
    ...
