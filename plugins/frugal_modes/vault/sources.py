"""The registered sources: `vault.json` read and changed, and what each of them lists.

sources_of(places) -> tuple[Source, ...]        the vault first, then the enabled ones in the order of the file
readers_of(mode) -> Mapping[str, Reader]        by kind, the vault's own among them
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from frugal.api import Mode, UsageError, shown_path
from frugal_modes.vault.places import Places
from frugal_modes.vault.records import VAULT, Problem, Reader, Reading, Unit

AUTO = "auto"
"""What a command takes for a kind: the one whose shape the place has."""

SYNONYMS = {"claude-code": "claude-memory"}
"""Other words for a kind."""


@dataclass(frozen=True)
class Source:
    """One registered place of cards. *ignore* are the globs of the file and its own."""

    name: str
    kind: str
    root: Path
    is_enabled: bool = True
    ignore: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_vault(self) -> bool:
        """Whether its cards may be written."""
        return self.name == VAULT

    @property
    def reader_options(self) -> Mapping[str, str]:
        """What its reader is given: its options, and the globs one a line."""
        return {**self.options, "ignore": "\n".join(self.ignore)} if self.ignore else self.options


def sources_of(places: Places) -> tuple[Source, ...]:
    """Return the vault and every enabled source; raise `UsageError` for a `vault.json` of another shape."""
    return (vault_of(places), *(source for source in registered(places) if source.is_enabled))


def vault_of(places: Places) -> Source:
    """Return the vault as a source."""
    return Source(VAULT, VAULT, places.vault.path, ignore=_globs(places, places.values, "ignore"))


def registered(places: Places) -> tuple[Source, ...]:
    """Return the sources in `vault.json` in its order, disabled ones too."""
    items = places.values.get("sources") or []
    if not isinstance(items, list):
        raise _wrong(places, "sources", "[...]")
    shared = _globs(places, places.values, "ignore")
    found = tuple(_source(places, item, number, shared) for number, item in enumerate(items))
    names = [source.name.casefold() for source in found]
    for number, name in enumerate(names):
        if name == VAULT or name in names[:number]:
            raise _wrong(places, f"sources[{number}].name", "unique")
    return found


def _source(places: Places, item: object, number: int, shared: tuple[str, ...]) -> Source:
    where = f"sources[{number}]"
    if not isinstance(item, dict):
        raise _wrong(places, where, "{...}")
    for key in ("name", "kind", "path"):
        if not isinstance(item.get(key), str) or not item[key].strip():
            raise _wrong(places, f"{where}.{key}", '"..."')
    options = item.get("options") or {}
    if not isinstance(options, dict):
        raise _wrong(places, f"{where}.options", "{...}")
    is_enabled = item.get("enabled", True)
    if not isinstance(is_enabled, bool):
        raise _wrong(places, f"{where}.enabled", "true | false")
    return Source(
        name=item["name"].strip(),
        kind=item["kind"].strip(),
        root=places.path_of(item["path"]),
        is_enabled=is_enabled,
        ignore=(*shared, *_globs(places, item, f"{where}.ignore")),
        options={str(key): _option(value) for key, value in options.items()},
    )


def _option(value: object) -> str:
    if isinstance(value, list):
        return ",".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def _globs(places: Places, values: Mapping[str, Any], name: str) -> tuple[str, ...]:
    globs = values.get("ignore") or []
    if not isinstance(globs, list) or not all(isinstance(glob, str) for glob in globs):
        raise _wrong(places, name, '["..."]')
    return tuple(globs)


def _wrong(places: Places, key: str, expected: str) -> UsageError:
    return UsageError(
        "config_json_value", path=shown_path(places.config.path), setting=key, expected=expected
    )


def readers_of(mode: Mode) -> Mapping[str, Reader]:
    """Return the readers of *mode* by kind; raise `UsageError` where two have one name."""
    from frugal_modes.vault.readers import load
    from frugal_modes.vault.vault_reader import READER

    readers: dict[str, Reader] = {READER.name: READER}
    for reader in load(mode.readers):
        if reader.name in readers:
            raise UsageError("reader_twice", value=reader.name)
        readers[reader.name] = reader
    return readers


def reader_of(readers: Mapping[str, Reader], kind: str) -> Reader:
    """Return the reader of *kind*; without one (its plugin is not here) one that lists nothing and says so."""
    return readers.get(kind) or NoReader(kind)


@dataclass(frozen=True)
class NoReader:
    """Stands for the reader of a kind that nothing here reads: its source counts as out of reach, its cards stay."""

    name: str

    def defaults(self, environ: Mapping[str, str]) -> tuple[Path, ...]:
        """Return nothing."""
        return ()

    def recognise(self, path: Path) -> str | None:
        """Return None."""
        return None

    def units(self, root: Path, options: Mapping[str, str]) -> Iterable[Unit | Problem]:
        """Raise `OSError`: like a folder that is not there, this proves nothing about the cards."""
        raise OSError(0, f"no reader for {self.name}")

    def read(self, unit: Unit, data: bytes, options: Mapping[str, str]) -> Reading:
        """Return nothing."""
        return Reading(is_whole=False)
