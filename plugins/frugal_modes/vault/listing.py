"""Look at every unit of the sources without opening one: who has it, and how it looks now."""

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from frugal_modes.vault.readers.walking import AFTER_OPTION, walk_order
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
    """What one source holds. *is_reachable*: its root is there. *is_whole*: all of it was listed. *is_cut*: for want of
    time it was not.
    """

    source: Registered
    units: dict[str, Seen] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    is_reachable: bool = True
    is_whole: bool = True
    is_cut: bool = False
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
    """Where a sweep ran out of time: the next one goes on behind that unit, "" = before the first one."""

    source: str
    path: str


LOOKED_AT_LEAST = 64
"""Units that are looked at before the time is asked for, so that every sweep gets on."""
LOOKED_AT_LEAST_S = 0.2
"""How long is looked at units, however much of the time the walk took."""
GRACE_S = 1.0
"""A walk is only given up this long behind the time for looking: a part of a list proves nothing."""


def list_sources(
    sources: tuple[Registered, ...], *, deadline: float | None, resume: Resume | None = None
) -> tuple[list[Listing], Resume | None]:
    """Return what each source holds, and where the time ended (*deadline*, monotonic seconds), None if it did not.

    It begins behind *resume*, goes on with the sources that follow, and comes to what lies before it last.
    """
    listings = [Listing(source) for source in sources]
    turn = _in_turn(listings, resume)
    cuts: list[Resume] = []
    after = resume.path if resume is not None and turn and turn[0].source.name == resume.source else ""
    walks = [
        _walk(listing, deadline, cuts, after=after if not place else "") for place, listing in enumerate(turn)
    ]
    for walk in [*walks, *walks[:1]]:  # the first one stops before what lies in front of *after*
        next(walk, None)
    _give_each_file_to_one(listings)
    every = [(listing, path) for listing in turn for path in listing.units]
    if resume is not None:
        every = _behind_first(turn, after)
    least = time.monotonic() + LOOKED_AT_LEAST_S
    stopped = _look(every, deadline=None if deadline is None else max(deadline, least))
    return listings, stopped or next(iter(cuts), None)


def _in_turn(listings: list[Listing], resume: Resume | None) -> list[Listing]:
    names = [listing.source.name for listing in listings]
    start = names.index(resume.source) if resume is not None and resume.source in names else 0
    return listings[start:] + listings[:start]


def _walk(listing: Listing, deadline: float | None, cuts: list[Resume], *, after: str) -> Iterator[None]:
    """List what the source holds, beginning behind *after*; pause once, before what lies in front of it.

    Where there is no more time goes to *cuts*.
    """
    source, mark, last = listing.source, walk_order(after) if after else "", after
    try:
        source.root.stat()
        if source.root.is_dir() or source.is_vault:  # a file in the place of the vault is no vault
            with os.scandir(source.root):
                pass
        options = {**source.options, AFTER_OPTION: after} if after else source.options
        for found in source.reader.units(source.root, options):
            if isinstance(found, Problem):
                if not after or found not in listing.problems:
                    listing.problems.append(found)
            else:
                if mark and walk_order(found.path) <= mark:
                    mark = ""
                    yield
                listing.units[found.path] = Seen(found)
                last = found.path
            if deadline is not None and time.monotonic() > deadline + GRACE_S:
                listing.is_whole, listing.is_cut = False, True
                cuts.append(Resume(source.name, last))
                return
    except OSError as error:
        listing.is_reachable = bool(listing.units)
        listing.is_whole = False
        listing.reason = error.strerror or type(error).__name__
    except Exception as error:  # a reader of somebody else: it costs its own source only
        listing.is_whole = False
        listing.problems.append(Problem("", f"{UNREADABLE}: {type(error).__name__}"))


def _behind_first(turn: list[Listing], after: str) -> list[tuple[Listing, str]]:
    """Return the units of *turn* in the order of a walk, those of the first source in front of *after* last."""
    every = [(listing, path) for listing in turn for path in sorted(listing.units, key=walk_order)]
    mark = walk_order(after) if after else ""
    before = sum(bool(mark) and walk_order(path) <= mark for path in turn[0].units)
    return every[before:] + every[:before]


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


def _look(every: list[tuple[Listing, str]], *, deadline: float | None) -> Resume | None:
    """Give every unit its stamp as long as there is time; return the last one if there was not enough."""
    last: Resume | None = None
    for count, (listing, path) in enumerate(every):
        if deadline is not None and count and count % LOOKED_AT_LEAST == 0 and time.monotonic() > deadline:
            return last
        last = Resume(listing.source.name, path)
        seen = listing.units[path]
        try:
            seen.stamp = stamp_of(seen.unit)
        except FileNotFoundError:
            del listing.units[path]
        except OSError as error:
            listing.problems.append(Problem(path, f"{UNREADABLE}: {error.strerror or type(error).__name__}"))
            del listing.units[path]
    return None
