"""Forks: two live cards that both supersede one, as two hands or a merged branch may write. Both stay, and it is told."""

from dataclasses import dataclass
from datetime import datetime

from frugal.api import Connection, Surface, one_line
from frugal_modes.vault import lineage, shelf
from frugal_modes.vault.secrecy import masked


@dataclass(frozen=True)
class Fork:
    """The card *superseded* and the live *ends* of the lines that begin at it, by number, at least two."""

    superseded: int
    ends: tuple[shelf.Known, ...]

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of the ends."""
        return tuple(end.number for end in self.ends)


def forks(db: Connection, *, at: datetime) -> tuple[Fork, ...]:
    """Return every fork by the number of the card that was superseded; lines that meet again are none."""
    found: list[Fork] = []
    for number, successors in sorted(lineage.successors(db).items()):
        if len(successors) < 2:
            continue
        ends = {end.number: end for one in successors if (end := shelf.chain_end(db, one, at=at)).is_live}
        if len(ends) > 1:
            found.append(Fork(number, tuple(ends[one] for one in sorted(ends))))
    return tuple(found)


POINTS = "SELECT 1 FROM card WHERE number = :number AND (supersedes <> '[]' OR successor IS NOT NULL)"


def warnings(db: Connection, surface: Surface, number: int, *, at: datetime) -> tuple[str, ...]:
    """Return what a reader of the card *number* is told: who else supersedes it, or what it supersedes itself."""
    if db.execute(POINTS, {"number": number}).fetchone() is None:
        return ()
    found: list[str] = []
    for fork in forks(db, at=at):
        others = ", ".join(
            f"{surface.id(end.number)} ({one_line(masked(end.path), 120)})"
            for end in fork.ends
            if end.number != number
        )
        old = surface.id(fork.superseded)
        if number == fork.superseded:
            found.append(surface.text("vault.get.fork_begins", others=others))
        elif number in fork.numbers:
            tools = {what: surface.tool_word(f"memory_{what}") for what in ("supersede", "delete")}
            found.append(surface.text("vault.get.fork", others=others, old=old, **tools))
    return tuple(found)
