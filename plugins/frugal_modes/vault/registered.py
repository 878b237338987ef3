"""The sources that the settings register, the vault first, each with the reader of its format."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from frugal.api import Call
from frugal_modes.vault.places import places_of
from frugal_modes.vault.records import VAULT, Reader
from frugal_modes.vault.sources import reader_of, readers_of, sources_of

_READERS = "vault.readers"


@dataclass(frozen=True)
class Registered:
    """One source: where it lies, what reads it, and its *place* in the order of the settings.

    *is_optional*: nobody named its root, so it need not be there yet.
    """

    name: str
    kind: str
    root: Path
    reader: Reader
    place: int
    options: Mapping[str, str] = field(default_factory=dict)
    is_optional: bool = False

    @property
    def is_vault(self) -> bool:
        """Whether this is the one source that is written."""
        return self.name == VAULT


def registered(call: Call) -> tuple[Registered, ...]:
    """Return every enabled source of the settings in their order, the vault first.

    Raise `UsageError` if a settings file cannot be read: never the default vault instead.
    """
    places = places_of(call.settings)
    readers = _readers(call)
    return tuple(
        Registered(
            source.name,
            source.kind,
            source.root,
            reader_of(readers, source.kind),
            place,
            source.reader_options,
            is_optional=source.is_vault and places.vault.is_default,
        )
        for place, source in enumerate(sources_of(places))
    )


def _readers(call: Call) -> Mapping[str, Reader]:
    kept = call.process.get(_READERS)
    if not isinstance(kept, dict):
        kept = dict(readers_of(call.mode))
        call.process[_READERS] = kept
    return kept
