"""CSV with a header row: the fields of the generic record, `sender.name` for one inside another."""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import BinaryIO, NamedTuple

from frugal.api import Refusal, echo
from frugal_modes.evidence.importers.generic import read_record
from frugal_modes.evidence.importers.lines import chunks_of, start_of
from frugal_modes.evidence.importers.mapping import nested
from frugal_modes.evidence.importers.reading import LINE_BYTES, Reading
from frugal_modes.evidence.importers.sources import SourceFile
from frugal_modes.evidence.records import Item, Place, Reject, Repair

DELIMITERS = (",", ";", "\t", "|")
NEEDED = ("text", "sent_at")
_SEP_LINE = re.compile(r'^"?sep=(.)"?\s*$', re.IGNORECASE)
_ESCAPED = re.compile("[\udc80-\udcff]+")
_TRUE, _FALSE = frozenset({"true", "1", "yes"}), frozenset({"false", "0", "no", ""})


class Dialect(NamedTuple):
    """How the rows are cut: *skipped* rows stand before the header."""

    delimiter: str
    header: tuple[str, ...]
    skipped: int = 0

    def has(self, mapping: Mapping[str, str]) -> bool:
        """Tell whether the columns that a record needs are there."""
        return all(mapping.get(name, name) in self.header for name in NEEDED)


def dialect_of(head: str, mapping: Mapping[str, str]) -> Dialect | None:
    """Return the dialect of a file that begins with *head*: the one whose header has the needed columns."""
    lines = [line for line in head.lstrip("﻿").splitlines() if line.strip()]
    if not lines:
        return None
    given = _SEP_LINE.match(lines[0])
    skipped = 1 if given else 0
    delimiters = (given[1],) if given else DELIMITERS
    for delimiter in delimiters:
        rows = csv.reader(lines[skipped : skipped + 1], delimiter=delimiter)
        header = tuple(cell.strip() for cell in next(rows, []))
        found = Dialect(delimiter, header, skipped)
        if found.has(mapping):
            return found
    return None


def read_csv(file: SourceFile, reading: Reading) -> Iterator[Item]:
    """Return the records of *file*; raise `Refusal` at once if its header lacks what a record needs."""
    head = file.head()
    start = start_of(head)
    text = head[len(start.mark) :].decode(start.encoding or "utf-8", "replace")
    dialect = dialect_of(text, reading.mapping)
    if dialect is None:
        first = next((line for line in text.splitlines() if line.strip()), "")
        raise Refusal("import_csv_header", file=file.name, value=echo(first))
    return _read(file, dialect, reading, has_mark=bool(start.mark))


def _read(file: SourceFile, dialect: Dialect, reading: Reading, *, has_mark: bool) -> Iterator[Item]:
    if has_mark:
        yield Repair(Place(file.name, 1), "bom")
    with file.open() as stream:
        yield from _records(stream, dialect, file.name, reading)


def _records(stream: BinaryIO, dialect: Dialect, name: str, reading: Reading) -> Iterator[Item]:
    has_header, has_crlf = False, False
    lines = _Lines(stream, name, reading)
    for number, row in _rows(lines, dialect):
        yield from lines.take_rejects()
        place = Place(name, number)
        if lines.has_crlf and not has_crlf:
            has_crlf = True
            yield Repair(place, "crlf")
        if isinstance(row, Reject):
            yield Reject(place, row.reason, row.detail)
        elif not has_header:
            has_header = tuple(cell.strip() for cell in row) == dialect.header
        elif any(cell.strip() for cell in row):
            yield from _record(row, dialect, place, reading)
    yield from lines.take_rejects()


def _record(row: list[str], dialect: Dialect, place: Place, reading: Reading) -> Iterator[Item]:
    if any(cell.strip() for cell in row[len(dialect.header) :]):
        yield Reject(place, "bad_type", f"{len(row)} cells")
        return
    if any(_ESCAPED.search(cell) for cell in row):
        yield Repair(place, "charset")
        row = [_ESCAPED.sub(_as_cp1252, cell) for cell in row]
    cells: Iterable[tuple[str, object]] = (
        (column, _switch(cell) if column == reading.mapping.get("deleted", "deleted") else cell)
        for column, cell in zip(dialect.header, row, strict=False)
        if cell != "" and column
    )
    yield from read_record(nested(cells), place, reading)


def _switch(cell: str) -> object:
    word = cell.strip().lower()
    return True if word in _TRUE else False if word in _FALSE else cell


def _as_cp1252(found: re.Match[str]) -> str:
    """Return bytes that are no UTF-8 as the characters of the code page that spreadsheets write."""
    return bytes(ord(char) - 0xDC00 for char in found[0]).decode("cp1252", "replace")


def _rows(lines: "_Lines", dialect: Dialect) -> Iterator[tuple[int, list[str] | Reject]]:
    """Yield each row with the number of its first line; one that cannot be cut as a reject."""
    limit = csv.field_size_limit(LINE_BYTES)
    try:
        reader = csv.reader(lines, delimiter=dialect.delimiter, strict=True)
        while True:
            number = lines.number + 1
            try:
                row = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                is_cut = "unexpected end" in str(error)
                reason = "truncated_source" if is_cut else "bad_type"
                yield number, Reject(Place("", 0), reason, str(error))
                continue
            if number > dialect.skipped:
                yield number, row
    finally:
        csv.field_size_limit(limit)


class _Lines:
    """The lines of a stream with their ends, as `csv` wants them; what is too long is left out and told."""

    def __init__(self, stream: BinaryIO, name: str, reading: Reading) -> None:
        self.number = 0
        self.has_crlf = False
        self._rejects: list[Reject] = []
        self._name = name
        self._reading = reading
        self._text = io.TextIOWrapper(
            io.BufferedReader(_Chunks(chunks_of(stream))), "utf-8", errors="surrogateescape", newline=""
        )

    def __iter__(self) -> "_Lines":
        return self

    def __next__(self) -> str:
        while True:
            line = self._text.readline(LINE_BYTES)
            if not line:
                raise StopIteration
            self.number += 1
            self._reading.told(len(line))
            if len(line) < LINE_BYTES:
                self.has_crlf = self.has_crlf or line.endswith("\r\n")
                return line
            self._rejects.append(Reject(Place(self._name, self.number), "line_too_long", ""))
            while line and not line.endswith(("\n", "\r")):
                line = self._text.readline(LINE_BYTES)

    def take_rejects(self) -> list[Reject]:
        """Return the lines that were too long since the last call."""
        found, self._rejects = self._rejects, []
        return found


class _Chunks(io.RawIOBase):
    """Pieces of bytes as a file."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        super().__init__()
        self._chunks = chunks
        self._rest = b""

    def readable(self) -> bool:
        """Say yes."""
        return True

    def readinto(self, buffer: "memoryview | bytearray") -> int:  # type: ignore[override]  # a buffer is one of these
        """Fill *buffer*."""
        while not self._rest:
            chunk = next(self._chunks, None)
            if chunk is None:
                return 0
            self._rest = chunk
        data, self._rest = self._rest[: len(buffer)], self._rest[len(buffer) :]
        buffer[: len(data)] = data
        return len(data)
