"""A look through a source before it is registered or imported: every unit read once, nothing kept."""

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from frugal.api import Progress, no_progress
from frugal_modes.vault.readers import ONLY_WHEN_NAMED
from frugal_modes.vault.records import Problem, Reader, Reading, Unit
from frugal_modes.vault.stamps import bytes_of, stamp_of

SHOWN_TITLES = 3
LONGEST_PROBE_S = 20.0


@dataclass(frozen=True)
class Probe:
    """What a source holds: *cards* in *read* of its *units*; fewer were read than there are if the time was over."""

    units: int = 0
    read: int = 0
    cards: int = 0
    left_out: int = 0
    titles: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def is_whole(self) -> bool:
        """Whether every unit was read."""
        return self.read == self.units


def guesses(readers: Mapping[str, Reader], path: Path) -> tuple[tuple[str, str], ...]:
    """Return the kinds that *path* looks like, the one that `auto` means first, each with its reason."""
    found: list[tuple[str, str]] = []
    for name, reader in readers.items():
        reason = None if name in ONLY_WHEN_NAMED else recognised(reader, path)
        if reason:
            found.append((name, reason))
    return tuple(found)


def recognised(reader: Reader, path: Path) -> str | None:
    """Return why *path* looks like the reader's format; a reader that raises recognises nothing."""
    try:
        return reader.recognise(path)
    except Exception:  # a foreign reader may raise anything
        return None


def listed(reader: Reader, root: Path, options: Mapping[str, str]) -> tuple[Unit | Problem, ...]:
    """Return the units of a source in order; each real file once, not by a link if it can be."""
    items: list[Unit | Problem] = []
    try:
        items.extend(reader.units(root, options))
    except Exception as error:  # a foreign reader may raise anything, and costs its source only
        items.append(Problem("", f"reader_failed: {type(error).__name__}: {error}"[:200]))
    real_root = os.path.realpath(root)
    taken: dict[str, Unit] = {}
    for item in sorted((item for item in items if isinstance(item, Unit)), key=lambda unit: bool(unit.real)):
        taken.setdefault(item.real or f"{real_root}/{item.path}".rstrip("/"), item)
    owners = {id(unit) for unit in taken.values()}
    return tuple(item for item in items if isinstance(item, Problem) or id(item) in owners)


def read_unit(reader: Reader, unit: Unit, options: Mapping[str, str]) -> Reading:
    """Return the cards of *unit*; what keeps it from being read is a problem of the reading."""
    try:
        data = bytes_of(unit, stamp_of(unit))
    except OSError as error:
        data = Problem(unit.path, f"unreadable: {error.strerror or type(error).__name__}")
    if isinstance(data, Problem):
        return Reading(problems=(data,), is_whole=False)
    try:
        return reader.read(unit, data, options)
    except Exception as error:  # a reader that raises costs its unit only
        reason = f"reader_failed: {type(error).__name__}: {error}"[:200]
        return Reading(problems=(Problem(unit.path, reason),), is_whole=False)


def probe(reader: Reader, root: Path, options: Mapping[str, str], *, report: Progress = no_progress) -> Probe:
    """Read the source at *root* through, for at most LONGEST_PROBE_S, and return what it holds."""
    items = listed(reader, root, options)
    units = [item for item in items if isinstance(item, Unit)]
    problems = [item for item in items if isinstance(item, Problem)]
    titles: list[str] = []
    read = cards = left_out = 0
    deadline = time.monotonic() + LONGEST_PROBE_S
    for unit in units:
        reading = read_unit(reader, unit, options)
        read += 1
        cards += len(reading.cards)
        left_out += reading.left_out
        problems += reading.problems
        titles += [card.title for card in reading.cards[: SHOWN_TITLES - len(titles)]]
        report(read, len(units))
        if time.monotonic() > deadline:
            break
    return Probe(len(units), read, cards, left_out, tuple(titles), tuple(problems))
