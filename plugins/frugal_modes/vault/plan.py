"""What a sweep has to do: pure comparison of what is listed with what is known."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from frugal_modes.vault.listing import Listing
from frugal_modes.vault.records import Problem, Unit
from frugal_modes.vault.registered import Registered
from frugal_modes.vault.stamps import Stamp


@dataclass(frozen=True, slots=True)
class KnownUnit:
    """A unit as the index has it; *problem* is why it could not be read, where it is to be tried again."""

    id: int
    stamp: Stamp
    file_hash: str
    is_trusted: bool
    is_missing: bool
    also: tuple[str, ...] = ()
    problem: str = ""


@dataclass(frozen=True)
class Task:
    """A unit to be read, or at least to be hashed. *known* is what the index has of it."""

    source: Registered
    unit: Unit
    stamp: Stamp
    known: KnownUnit | None
    also: tuple[str, ...] = ()


@dataclass
class Plan:
    """What is to be done for one source. *gone*: units that are proved to be no more; *is_emptied*: all at once."""

    listing: Listing
    tasks: list[Task] = field(default_factory=list)
    gone: list[KnownUnit] = field(default_factory=list)
    is_emptied: bool = False
    unchecked: int = 0
    has_new_problems: bool = False
    has_known: bool = False


def compare(
    listing: Listing,
    known: Mapping[str, KnownUnit],
    problems: tuple[Problem, ...],
    *,
    is_forced: bool,
) -> Plan:
    """Return what has to be done so that the index says what *listing* shows."""
    plan = Plan(listing, has_new_problems=tuple(listing.problems) != problems, has_known=bool(known))
    for path, seen in listing.units.items():
        unit, also = known.get(path), tuple(seen.also)
        if seen.stamp is None:
            plan.unchecked += 1
        elif is_forced or unit is None or not _is_settled(unit, seen.stamp, also):
            plan.tasks.append(Task(listing.source, seen.unit, seen.stamp, unit, also))
    if not listing.is_whole and listing.is_reachable:
        plan.unchecked += sum(path not in listing.units for path in known)
    plan.gone = [unit for path, unit in known.items() if listing.is_gone(path)]
    there = sum(not unit.is_missing for unit in known.values())
    plan.is_emptied = there > 0 and sum(not unit.is_missing for unit in plan.gone) == there
    return plan


def _is_settled(unit: KnownUnit, stamp: Stamp, also: tuple[str, ...]) -> bool:
    return unit.is_trusted and not unit.is_missing and unit.stamp == stamp and unit.also == also
