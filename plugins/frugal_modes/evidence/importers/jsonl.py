"""JSON Lines: one generic record a line."""

from collections.abc import Iterator

from frugal_modes.evidence.importers.generic import read_record
from frugal_modes.evidence.importers.jsonstream import Fault, decode_line
from frugal_modes.evidence.importers.lines import Line, lines_of, start_of
from frugal_modes.evidence.importers.reading import Reading
from frugal_modes.evidence.importers.sources import SourceFile
from frugal_modes.evidence.records import Item, Place, Reject, Repair


def read_jsonl(file: SourceFile, reading: Reading) -> Iterator[Item]:
    """Yield the records of *file*."""
    for line, place in told_lines(file, reading):
        if isinstance(line, Line):
            if not line.data.strip():
                continue
            found = decode_line(line.data)
            if isinstance(found, Fault):
                yield Reject(place, found.reason, found.detail)
            else:
                yield from read_record(found, place, reading)
        else:
            yield line


def told_lines(file: SourceFile, reading: Reading) -> Iterator[tuple[Line | Item, Place]]:
    """Yield the lines of *file* that can be read, and what there is to tell about the others and the ends of lines."""
    place = Place(file.name, 1)
    if start_of(file.head()[:4]).mark:
        yield Repair(place, "bom"), place
    has_crlf = False
    with file.open() as stream:
        for line in lines_of(stream):
            reading.told(len(line.data) + len(line.ending))
            place = Place(file.name, line.number)
            if line.is_too_long:
                yield Reject(place, "line_too_long", ""), place
                continue
            if line.ending == b"\r\n" and not has_crlf:
                has_crlf = True
                yield Repair(place, "crlf"), place
            yield line, place
