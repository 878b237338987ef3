"""Look at every unit of the sources without opening one: who has it, and how it looks now."""

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from frugal_modes.vault.records import Problem, Unit
from frugal_modes.vault.registered import Registered
from frugal_modes.vault.stamps import Stamp, stamp_of

UNREADABLE = "unreadable"
"""How the reasons of problems begin that say nothing about what lies behind them."""


@dataclass
class Seen:
    """One unit as it lies there; *stamp* is None if there was no time to look. *also*: other places of the same file."""

    unit: Unit
    stamp: Stamp | None = None
    also: list[str] = field(default_factory=list)


@dataclass
class Listing:
    """What one source holds. *is_reachable*: its root is there. *is_whole*: its end was reached."""

    source: Registered
    units: dict[str, Seen] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    is_reachable: bool = True
    is_whole: bool = True
    reason: str = ""

    def is_gone(self, path: str) -> bool:
        """Tell whether it is proved that the unit *path* is no more."""
        if not self.is_reachable or not self.is_whole or path in self.units:
            return False
        return not any(_hides(problem, path) for problem in self.problems)


def _hides(problem: Problem, path: str) -> bool:
    if not problem.reason.startswith(UNREADABLE):
        return False
    return not problem.path or path == problem.path or path.startswith(f"{problem.path}/")


@dataclass(frozen=True)
class Resume:
    """Where a sweep ran out of time: it goes on behind that unit."""

    source: str
    path: str


def list_sources(
    sources: tuple[Registered, ...], *, deadline: float | None, resume: Resume | None = None
) -> tuple[list[Listing], Resume | None]:
    """Return what each source holds, and where the time ended (*deadline*, monotonic seconds), None if it did not."""
    listings = [_list(source, deadline) for source in sources]
    _give_each_file_to_one(listings)
    stopped = _look(listings, deadline=deadline, resume=resume)
    return listings, stopped


def _list(source: Registered, deadline: float | None) -> Listing:
    listing = Listing(source)
    try:
        source.root.stat()
        if source.root.is_dir() or source.is_vault:  # a file in the place of the vault is no vault
            with os.scandir(source.root):
                pass
        for found in source.reader.units(source.root, source.options):
            if isinstance(found, Problem):
                listing.problems.append(found)
            else:
                listing.units[found.path] = Seen(found)
            if deadline is not None and time.monotonic() > deadline + GRACE_S:
                listing.is_whole = False
                break
    except OSError as error:
        listing.is_reachable = bool(listing.units)
        listing.is_whole = False
        listing.reason = error.strerror or type(error).__name__
    except Exception as error:  # a reader of somebody else: it costs its own source only
        listing.is_whole = False
        listing.problems.append(Problem("", f"{UNREADABLE}: {type(error).__name__}"))
    return listing


LOOKED_AT_LEAST = 64
"""Units that are looked at before the time is asked for, so that every sweep gets on."""
GRACE_S = 1.0
"""A walk is only given up this long behind the time for looking: a part of a list proves nothing."""


def _give_each_file_to_one(listings: list[Listing]) -> None:
    """Leave each real file to the source with the deepest root, of equal ones to the first; the others name it only."""
    if len(listings) == 1 and not any(seen.unit.real for seen in listings[0].units.values()):
        return
    roots = [(os.path.realpath(listing.source.root), listing) for listing in listings]
    deepest = sorted(roots, key=lambda pair: -len(pair[0]))
    owners: dict[str, Seen] = {}
    for real_root, listing in deepest:
        inner = [root for root, other in roots if other is not listing and _is_below(root, real_root)]
        for path, seen in sorted(listing.units.items(), key=_is_link):
            real = seen.unit.real or (f"{real_root}/{path}" if path else real_root)
            owner = owners.get(real)
            if owner is None and not any(_is_below(real, root) for root in inner):
                owners[real] = seen
                continue
            if owner is not None:
                owner.also.append(f"{listing.source.name}:{path}")
            del listing.units[path]


def _is_link(item: tuple[str, Seen]) -> bool:
    return bool(item[1].unit.real)


def _is_below(path: str, root: str) -> bool:
    return path != root and path.startswith(root.rstrip(os.sep) + os.sep)


def _look(listings: list[Listing], *, deadline: float | None, resume: Resume | None) -> Resume | None:
    """Give every unit its stamp as long as there is time, beginning behind *resume*."""
    every = [(listing, path, seen) for listing in listings for path, seen in listing.units.items()]
    start = 0
    if resume is not None:
        places = (place for place, item in enumerate(every) if _is_at(item[0], item[1], resume))
        start = next(places, -1) + 1
    last: Resume | None = None
    for count, (listing, path, seen) in enumerate(every[start:] + every[:start]):
        if deadline is not None and count and count % LOOKED_AT_LEAST == 0 and time.monotonic() > deadline:
            return last
        last = Resume(listing.source.name, path)
        try:
            seen.stamp = stamp_of(seen.unit)
        except FileNotFoundError:
            del listing.units[path]
        except OSError as error:
            listing.problems.append(Problem(path, f"{UNREADABLE}: {error.strerror or type(error).__name__}"))
            del listing.units[path]
    return None


def _is_at(listing: Listing, path: str, resume: Resume) -> bool:
    return (listing.source.name, path) == (resume.source, resume.path)


def unchecked(listings: list[Listing]) -> Iterator[Seen]:
    """Yield the units that there was no time to look at."""
    for listing in listings:
        yield from (seen for seen in listing.units.values() if seen.stamp is None)
