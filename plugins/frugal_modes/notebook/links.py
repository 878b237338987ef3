"""What a series builds on: keys of other series, kept as written until a series of that key exists."""

from collections.abc import Sequence
from dataclasses import dataclass

from frugal.api import Call, Connection, Refusal, echo
from frugal_modes.notebook.journal import Journal
from frugal_modes.notebook.keys import fold
from frugal_modes.notebook.series import matching, not_one

ADD = """
    INSERT INTO link (series, key, folded, target, added_event) VALUES (:series, :key, :folded, :target, :event)
"""
REMOVE = "UPDATE link SET removed_event = :event WHERE series = :series AND folded = :folded AND removed_event IS NULL"
LIVE = "SELECT key FROM link WHERE series = :series AND folded = :folded AND removed_event IS NULL"
ARRIVED = "UPDATE link SET target = :target WHERE folded = :folded AND target IS NULL"


@dataclass(frozen=True)
class Link:
    """One item of `builds_on`: *target* is None for a key that no series has yet."""

    key: str
    folded: str
    target: int | None = None
    is_removal: bool = False


def resolve_links(
    call: Call, db: Connection, items: Sequence[str], *, own: str, tool: str, problems: list[Refusal]
) -> list[Link]:
    """Return the links that *items* name; short names are resolved, the own key and unknown short names refused."""
    parameter = call.surface.parameter_word(tool, "builds_on")
    links: list[Link] = []
    for item in items:
        is_removal = item.startswith("-")
        name = item.removeprefix("-")
        found = matching(db, name)
        if len(found) == 1:
            link = Link(found[0].key, found[0].folded, found[0].number, is_removal)
        elif "/" in name:
            link = Link(name, fold(name), None, is_removal)
        else:
            problems.append(not_one(call, db, name, found, parameter=parameter, is_writing=False))
            continue
        if link.folded == own:
            problems.append(Refusal("builds_on_itself", parameter=parameter, value=echo(item)))
        elif all((link.folded, link.is_removal) != (known.folded, known.is_removal) for known in links):
            links.append(link)
    return links


def removal_problems(
    call: Call, db: Connection, series: int, links: Sequence[Link], tool: str
) -> list[Refusal]:
    """Return a refusal for each link that is to go and is not there, or that comes and goes in one call."""
    parameter = call.surface.parameter_word(tool, "builds_on")
    added = {link.folded for link in links if not link.is_removal}
    missing = [
        link.key
        for link in links
        if link.is_removal and (link.folded in added or not is_linked(db, series, link))
    ]
    return [Refusal("not_built_on", parameter=parameter, value=echo(key)) for key in missing]


def is_linked(db: Connection, series: int, link: Link) -> bool:
    """Tell whether *series* builds on that key at present."""
    return db.execute(LIVE, {"series": series, "folded": link.folded}).fetchone() is not None


def add_link(journal: Journal, series: int, link: Link) -> int:
    """Record that *series* builds on the key of *link*; return the event."""
    event = journal.record(series, "link_added", {"key": link.key})
    row = {"series": series, "key": link.key, "folded": link.folded, "target": link.target, "event": event}
    journal.db.execute(ADD, row)
    return event


def remove_link(journal: Journal, series: int, link: Link) -> int:
    """Record that *series* no longer builds on the key of *link*; return the event."""
    event = journal.record(series, "link_removed", {"key": link.key})
    journal.db.execute(REMOVE, {"series": series, "folded": link.folded, "event": event})
    return event


def meet(db: Connection, series: int, folded: str) -> None:
    """Tie links that waited for the key *folded* to the new *series*."""
    db.execute(ARRIVED, {"target": series, "folded": folded})
