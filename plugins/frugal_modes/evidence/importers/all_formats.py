"""Every format by its name: how the messages of a detected source are read."""

from collections.abc import Callable, Iterator
from itertools import chain

from frugal_modes.evidence.importers.csvfile import read_csv
from frugal_modes.evidence.importers.detection import Detected
from frugal_modes.evidence.importers.discord import read_discord
from frugal_modes.evidence.importers.jsonl import read_jsonl
from frugal_modes.evidence.importers.mailbox import read_mailbox
from frugal_modes.evidence.importers.mattermost import read_mattermost
from frugal_modes.evidence.importers.reading import Reading, SourceDamaged, shown
from frugal_modes.evidence.importers.slack import read_slack
from frugal_modes.evidence.importers.sources import Source, SourceFile
from frugal_modes.evidence.importers.telegram import read_telegram
from frugal_modes.evidence.importers.whatsapp import read_whatsapp
from frugal_modes.evidence.records import Item, Place, Reject

READERS: dict[str, Callable[[SourceFile, Reading], Iterator[Item]]] = {
    "jsonl": read_jsonl,
    "csv": read_csv,
    "mattermost": read_mattermost,
    "discord": read_discord,
    "mbox": read_mailbox,
    "telegram": read_telegram,
}


def read_items(source: Source, detected: Detected, reading: Reading) -> Iterator[Item]:
    """Return what *source* holds; raise `Refusal` at once if a file cannot be read without being told more.

    A file that breaks off ends with a reject, and the next one is read.
    """
    if detected.format == "slack":
        return _guarded(read_slack(source, reading), source.label)
    return chain.from_iterable([_items(source, file, detected.format, reading) for file in detected.files])


def _items(source: Source, file: SourceFile, format_name: str, reading: Reading) -> Iterator[Item]:
    try:
        if format_name == "whatsapp":
            return _guarded(read_whatsapp(source, file, reading), file.name)
        return _guarded(READERS[format_name](file, reading), file.name)
    except SourceDamaged as error:
        return iter((Reject(Place(file.name, 1), "truncated_source", shown(str(error))),))


def _guarded(items: Iterator[Item], name: str) -> Iterator[Item]:
    place = Place(name, 1)
    try:
        for item in items:
            place = getattr(item, "place", place)
            yield item
    except SourceDamaged as error:
        yield Reject(place, "truncated_source", shown(str(error)))
