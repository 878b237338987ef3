"""Records inside big JSON documents: each item of an array with its place, or why it cannot be read."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from frugal_modes.evidence.importers.jsonstream import CutShort, Fault, NotJson, Walker
from frugal_modes.evidence.importers.lines import chunks_of, start_of
from frugal_modes.evidence.importers.reading import Reading, SourceDamaged, shown
from frugal_modes.evidence.importers.sources import SourceFile
from frugal_modes.evidence.records import Item, Place, Reject, Repair


@contextmanager
def walk(file: SourceFile, reading: Reading) -> Iterator[Walker]:
    """Give a walker over *file*, the bytes it reads told to *reading*."""
    with file.open() as stream:

        def told() -> Iterator[bytes]:
            for chunk in chunks_of(stream):
                reading.told(len(chunk))
                yield chunk

        yield Walker(told())


def objects(
    walker: Walker, file: SourceFile, numbers: Iterator[int] | None = None
) -> Iterator[tuple[Place, dict[str, Any] | Reject]]:
    """Yield the objects of the array that comes next, by their ordinals or by *numbers* that go on over several arrays."""
    for ordinal in walker.items():
        place = Place(file.name, ordinal if numbers is None else next(numbers))
        found = walker.value()
        if isinstance(found, Fault):
            yield place, Reject(place, found.reason, shown(found.detail))
        elif isinstance(found, dict):
            yield place, found
        else:
            yield place, Reject(place, "not_object", shown(found))


def settled(items: Iterator[Item], file: SourceFile) -> Iterator[Item]:
    """Yield *items* and, if the document breaks off or is none, what was wrong behind the last of them."""
    place = Place(file.name, 1)
    try:
        if start_of(file.head()[:4]).mark:
            yield Repair(place, "bom")
        for item in items:
            place = getattr(item, "place", place)
            yield item
    except CutShort:
        yield Reject(Place(file.name, place.line), "truncated_source", "")
    except NotJson as error:
        yield Reject(Place(file.name, place.line), "bad_json", shown(str(error)))
    except SourceDamaged as error:
        yield Reject(Place(file.name, place.line), "truncated_source", shown(str(error)))
