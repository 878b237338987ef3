"""Look again at the files of what is about to be shown: no ghost, no old text."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from frugal.api import Call, Connection
from frugal_modes.vault.plan import KnownUnit, Task
from frugal_modes.vault.records import Unit
from frugal_modes.vault.registered import Registered, registered
from frugal_modes.vault.stamps import Stamp, stamp_of
from frugal_modes.vault.sync import read_again, refresh

UNITS = """
    SELECT unit.id, source.name, source.root, unit.path, unit.size, unit.mtime_ns, unit.beside, unit.file_hash,
        unit.is_trusted, source.state
    FROM unit JOIN source ON source.id = unit.source
    WHERE unit.id IN (SELECT value FROM json_each(:units)) AND unit.is_missing = 0
"""


@dataclass(frozen=True)
class Differing:
    """Units whose files are not as the index says: *gone*, or *changed*; by number, with what is needed to read them."""

    gone: frozenset[int] = frozenset()
    changed: frozenset[int] = frozenset()
    places: dict[int, tuple[str, str, KnownUnit, Stamp | None]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.gone or self.changed)


def differing(db: Connection, units: Iterable[int]) -> Differing:
    """Return which of *units* are gone or changed by size or time; those of a source that is out of reach are kept."""
    gone: set[int] = set()
    changed: set[int] = set()
    places: dict[int, tuple[str, str, KnownUnit, Stamp | None]] = {}
    for row in db.execute(UNITS, {"units": json.dumps(sorted(set(units)))}):
        number, source, root, path, *stamp, file_hash, is_trusted, _ = row
        known = KnownUnit(number, Stamp(*stamp), file_hash, bool(is_trusted), is_missing=False)
        try:
            now = stamp_of(Unit(Path(root), path))
        except FileNotFoundError:
            if Path(root).exists():
                gone.add(number)
                places[number] = (source, path, known, None)
            continue
        except OSError:
            continue
        if (now.size, now.mtime_ns) != (known.stamp.size, known.stamp.mtime_ns):
            changed.add(number)
            places[number] = (source, path, known, now)
    return Differing(frozenset(gone), frozenset(changed), places)


def renew(call: Call, found: Differing) -> bool:
    """Bring the units of *found* up to date at once; return whether that was possible.

    A file that is gone proves nothing of itself: whether its cards go or are only missing, the whole source tells.
    """
    sources = {source.name: source for source in registered(call)}
    tasks: list[Task] = []
    for source, path, known, stamp in found.places.values():
        if stamp is not None and source in sources:
            unit = _unit_of(sources[source], path) or Unit(sources[source].root, path)
            tasks.append(Task(sources[source], unit, stamp, known))
    if not read_again(call, tasks):
        return False
    if not found.gone:
        return True
    sync = refresh(call)
    return not (sync.is_busy or sync.unchecked or sync.is_cut)


def _unit_of(source: Registered, path: str) -> Unit | None:
    try:
        units = source.reader.units(source.root, source.options)
        return next((unit for unit in units if isinstance(unit, Unit) and unit.path == path), None)
    except Exception:  # a reader of somebody else may raise anything
        return None
