"""The modes that were found, merged and checked: no two may claim one flag, tool, kind or migration set."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass

from frugal.errors import UsageError
from frugal.model import Mode, Plugin, resolve


@dataclass(frozen=True)
class Owned:
    """A mode together with the plugin that brought it."""

    mode: Mode
    plugin: str


@dataclass(frozen=True)
class Registry:
    """Every usable mode, sorted by plugin name, and every plugin that was found."""

    owned: tuple[Owned, ...]
    plugins: tuple[Plugin, ...] = ()

    @property
    def modes(self) -> tuple[Mode, ...]:
        """The modes in order."""
        return tuple(item.mode for item in self.owned)

    def mode(self, name: str) -> Mode:
        """Return the mode called *name*; raise `UsageError` with the known ones."""
        for mode in self.modes:
            if mode.name == name:
                return mode
        known = ", ".join(mode.name for mode in self.modes) or "-"
        raise UsageError("unknown_mode", value=name, known=known)

    def default(self) -> Mode:
        """Return the mode that needs no flag."""
        for mode in self.modes:
            if not mode.flags and not mode.is_wrapper:
                return mode
        raise UsageError("no_default_mode")


def build_registry(owned: Iterable[Owned], plugins: Iterable[Plugin] = ()) -> Registry:
    """Return the registry of *owned* modes; raise `UsageError` that names both claimants of anything claimed twice."""
    items = tuple(owned)
    for what, claims in _CLAIMS.items():
        _check(items, what, claims)
    return Registry(items, tuple(plugins))


def _check(
    items: tuple[Owned, ...], what: str, claims: Callable[[Mode], Iterator[tuple[str, object]]]
) -> None:
    """A claim is a name and what stands behind it: the same thing behind one name twice is shared, not disputed."""
    seen: dict[str, tuple[object, Owned]] = {}
    for item in items:
        for name, behind in claims(item.mode):
            first = seen.setdefault(name, (behind, item))
            if first[0] != behind:
                raise UsageError(
                    "claimed_twice",
                    what=what,
                    value=name,
                    first=f"{first[1].mode.name} ({first[1].plugin})",
                    second=f"{item.mode.name} ({item.plugin})",
                )


def _names(mode: Mode) -> Iterator[tuple[str, object]]:
    yield mode.name, mode


def _flags(mode: Mode) -> Iterator[tuple[str, object]]:
    for flag in mode.flags:
        yield flag, mode
    if not mode.flags and not mode.is_wrapper:
        yield "-", mode


def _files(mode: Mode) -> Iterator[tuple[str, object]]:
    if mode.file_name:
        yield mode.file_name, mode


def _tools(mode: Mode) -> Iterator[tuple[str, object]]:
    seen: dict[str, int] = {}
    for tool in mode.tools:
        seen[tool.name] = seen.get(tool.name, 0) + 1
        yield tool.name, (tool.run, seen[tool.name])


def _kinds(mode: Mode) -> Iterator[tuple[str, object]]:
    for kind in mode.kinds.kinds:
        yield kind.english, mode.kinds
        if kind.german != kind.english:
            yield kind.german, mode.kinds


def _migration_sets(mode: Mode) -> Iterator[tuple[str, object]]:
    for schema in mode.schemas:
        yield schema.set_name, schema


def _readers(mode: Mode) -> Iterator[tuple[str, object]]:
    """Yield the names of source readers; they are only imported where a plugin brings one from elsewhere."""
    if all(reference.startswith(f"{mode.package}.") for reference in mode.readers):
        return
    for number, reference in enumerate(mode.readers):
        with suppress(ImportError, AttributeError):  # told when the mode is used: it costs the others nothing
            yield str(resolve(reference).name), number


_CLAIMS: dict[str, Callable[[Mode], Iterator[tuple[str, object]]]] = {
    "mode": _names,
    "flag": _flags,
    "file": _files,
    "tool": _tools,
    "kind": _kinds,
    "migration set": _migration_sets,
    "source reader": _readers,
}
