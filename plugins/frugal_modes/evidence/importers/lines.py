"""Lines of a file of any size: bounded in length, in UTF-8 whatever the mark at the start says."""

import codecs
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from frugal_modes.evidence.importers.reading import LINE_BYTES

CHUNK_BYTES = 1 << 18
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, ""),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


class Start(NamedTuple):
    """How a file begins: the *mark* that is to be dropped, and the *encoding* it names ("" = UTF-8)."""

    mark: bytes
    encoding: str


class Line(NamedTuple):
    """A line without its end: *number* from 1; *ending* is what ended it; one that *is_too_long* came without its text."""

    number: int
    data: bytes
    ending: bytes = b"\n"
    is_too_long: bool = False


def start_of(head: bytes) -> Start:
    """Return how a file begins whose first bytes are *head*."""
    for mark, encoding in _MARKS:
        if head.startswith(mark):
            return Start(mark, encoding)
    return Start(b"", "")


def chunks_of(stream: BinaryIO) -> Iterator[bytes]:
    """Yield what *stream* holds as UTF-8, without a byte order mark; bytes that are not UTF-8 stay as they are."""
    head = stream.read(CHUNK_BYTES)
    start = start_of(head)
    head = head[len(start.mark) :]
    if not start.encoding:
        while head:
            yield head
            head = stream.read(CHUNK_BYTES)
        return
    decoder = codecs.getincrementaldecoder(start.encoding)("replace")
    while head:
        yield decoder.decode(head).encode("utf-8", "surrogatepass")
        head = stream.read(CHUNK_BYTES)
    yield decoder.decode(b"", final=True).encode("utf-8", "surrogatepass")


def lines_of(stream: BinaryIO, *, most: int = LINE_BYTES) -> Iterator[Line]:
    """Yield the lines of *stream*; of one longer than *most* bytes only that it was there."""
    number = 0
    rest: list[bytes] = []
    size = 0
    for chunk in chunks_of(stream):
        pieces = chunk.split(b"\n")
        for piece in pieces[:-1]:
            number += 1
            yield _line(number, rest, piece, size + len(piece) > most)
            rest, size = [], 0
        size += len(pieces[-1])
        if size <= most:
            rest.append(pieces[-1])
        else:
            rest = []  # what is too long is counted, not kept
    if size:
        number += 1
        found = _line(number, rest, b"", size > most)
        yield found._replace(ending=found.ending[:-1])


def _line(number: int, rest: list[bytes], piece: bytes, is_too_long: bool) -> Line:
    if is_too_long:
        return Line(number, b"", is_too_long=True)
    data = b"".join((*rest, piece)) if rest else piece
    if data.endswith(b"\r"):
        return Line(number, data[:-1], b"\r\n")
    return Line(number, data)
