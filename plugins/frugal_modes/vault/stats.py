"""memory_stats: what there is, where it comes from, what is hidden and what went wrong."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from frugal.api import Answer, Call, Connection, Room, cost, one_line
from frugal_modes.vault import shelf
from frugal_modes.vault.forks import forks
from frugal_modes.vault.places import places_of
from frugal_modes.vault.question import TABLES
from frugal_modes.vault.records import VAULT
from frugal_modes.vault.secrecy import masked
from frugal_modes.vault.sync import Sync
from frugal_modes.vault.tools_reading import STATS_CAP
from frugal_modes.vault.trash import read_trash
from frugal_modes.vault.visible import HIDDEN, HIDING, milliseconds

SHOWN_NAMES = 12
NEWEST = 5

IN_USE = "source.state NOT IN ('detached', 'removed')"
TOTALS = f"""
    SELECT count(*), coalesce(sum(length(card_text.body)), 0) {TABLES}
    JOIN card_text ON card_text.number = card.number WHERE {IN_USE}
"""
BY = f"SELECT {{column}}, count(*) {TABLES} WHERE {IN_USE} GROUP BY 1 ORDER BY 2 DESC, 1"
BY_REASON = f"SELECT {HIDDEN}, count(*) {TABLES} WHERE {IN_USE} GROUP BY 1"
SOURCES = f"""
    SELECT source.name, source.kind, source.root, source.state, source.last_good,
        (SELECT count(*) FROM card WHERE card.source = source.id),
        (SELECT count(*) FROM problem WHERE problem.source = source.id)
    FROM source WHERE {IN_USE} ORDER BY source.place
"""
NEWEST_CARDS = f"""
    SELECT card.number, source.name || ':' || card.native_id, card.title,
        coalesce(nullif(card.updated, ''), card.created) AS changed {TABLES}
    WHERE {HIDDEN} = '' ORDER BY changed DESC, card.number DESC LIMIT 5
"""
MOST_READ = f"""
    SELECT card.number, source.name || ':' || card.native_id, card.title, access.reads {TABLES}
    JOIN access ON access.source = card.source AND access.native_id = card.native_id
    WHERE {IN_USE} AND access.reads > 0 ORDER BY access.reads DESC, access.last_read DESC, card.number LIMIT 5
"""


@dataclass(frozen=True)
class _Found:
    """What the index counts; cards, sources and forks are rows as `--json` has them."""

    cards: int
    characters: int
    by_kind: dict[str, int]
    by_agent: dict[str, int]
    by_source: dict[str, int]
    sources: list[dict[str, Any]]
    newest: list[dict[str, Any]]
    most_read: list[dict[str, Any]]
    hidden: dict[str, int]
    forks: list[dict[str, Any]]


def memory_stats(call: Call) -> Answer:
    """Return how many cards there are and of what, newest and most read ones, what is hidden, the paths."""
    sync = shelf.refresh(call)
    with call.store.read() as db:
        found = _gather(call, db)
    lines = _Lines(call, found, sync)
    return Answer(lines.text(), counts=vars(found) | lines.more())


def _gather(call: Call, db: Connection) -> _Found:
    at = {"at": milliseconds(call.clock())}
    cards, characters = db.execute(TOTALS).fetchone()
    reasons = {reason: count for reason, count in db.execute(BY_REASON, at) if reason}
    return _Found(
        cards,
        characters,
        by_kind=_counted(db, "card.kind"),
        by_agent=_counted(db, "card.agent"),
        by_source=_counted(db, "source.name"),
        sources=[_source(call, row) for row in db.execute(SOURCES)],
        newest=[_card(row, "changed") for row in db.execute(NEWEST_CARDS, at)],
        most_read=[_card(row, "reads") for row in db.execute(MOST_READ)],
        hidden={reason: reasons[reason] for reason in HIDING if reasons.get(reason)},
        forks=[
            {"superseded": fork.superseded, "by": list(fork.numbers)} for fork in forks(db, at=call.clock())
        ],
    )


def _counted(db: Connection, column: str) -> dict[str, int]:
    return {str(name): count for name, count in db.execute(BY.replace("{column}", column)) if name}


def _source(call: Call, row: Sequence[object]) -> dict[str, Any]:
    name, kind, root, state, last_good, cards, problems = row
    found = {"name": name, "kind": kind, "state": state, "last_good": last_good}
    found |= {"cards": cards, "problems": problems}
    return found if call.is_guest else found | {"root": root}


def _card(row: Sequence[object], what: str) -> dict[str, Any]:
    number, ref, title, value = row
    return {"id": number, "ref": masked(str(ref)), "title": masked(str(title)), what: value}


class _Lines:
    def __init__(self, call: Call, found: _Found, sync: Sync) -> None:
        self._call = call
        self._found = found
        self._sync = sync
        self._trash = self._count_trash()

    def _say(self, key: str, /, **fields: object) -> str:
        return self._call.surface.text(f"vault.stats.{key}", **fields)

    def _count_trash(self) -> dict[str, int]:
        copies = read_trash(places_of(self._call.settings).vault.path)
        cards = [item for item in copies if item.reason != "update"]
        size = sum(item.size_bytes for item in copies)
        return {"cards": len(cards), "versions": len(copies) - len(cards), "bytes": size}

    def more(self) -> dict[str, object]:
        """Return what `--json` has beside the counts."""
        paths = {} if self._call.is_guest else {"paths": self._paths()}
        return {
            "trash": self._trash,
            "index_bytes": self._index_bytes(),
            "unchecked": self._sync.unchecked,
            "unlisted": self._sync.is_cut,
            **paths,
        }

    def _paths(self) -> dict[str, str]:
        places = places_of(self._call.settings)
        return {
            name: str(place.path)
            for name, place in (("vault", places.vault), ("index", places.index), ("config", places.config))
        }

    def _index_bytes(self) -> int:
        path = self._call.settings.path
        files = (path, Path(f"{path}-wal"))
        return sum(file.stat().st_size for file in files if file.exists())

    def text(self) -> str:
        """Return the lines that fit; lists get shorter first."""
        for most in (NEWEST, 3, 1, 0):
            text = "\n".join(self._lines(most))
            if Room(STATS_CAP).fits(cost(text)):
                return text
        return text

    def _lines(self, most: int) -> list[str]:
        found = self._found
        lines = [self._say("cards", cards=found.cards, characters=found.characters)]
        for name, counted in (("by_kind", found.by_kind), ("by_agent", found.by_agent)):
            if counted:
                lines.append(self._say(name, counts=_listed(counted, SHOWN_NAMES if most else 3)))
        lines += self._source_lines(20 if most == NEWEST else 5 * most)
        lines += self._cards("newest", found.newest[:most], "changed")
        lines += self._cards("most_read", found.most_read[:most], "reads")
        lines += self._hidden()
        lines += self._forks(max(most, 1))
        lines.append(self._say("trash", **self._trash))
        if not self._call.is_guest:
            lines += [f"{name}: {one_line(path, 300)}" for name, path in self._paths().items()]
        lines.append(self._say("index", size=self._index_bytes()))
        if self._sync.unchecked:
            lines.append(self._call.surface.text("vault.search.unchecked", count=self._sync.unchecked))
        if self._sync.is_cut:
            lines.append(self._call.surface.text("vault.search.unlisted"))
        return lines

    def _source_lines(self, most: int) -> list[str]:
        sources = self._found.sources
        lines = []
        for source in sources[:most]:
            is_not_made = source["state"] == "unread" and source["name"] == VAULT and not self._call.is_guest
            key = "sources.states.not_made" if is_not_made else f"index.states.{source['state']}"
            state = self._call.surface.text(f"vault.{key}")
            fields = {key: source[key] for key in ("name", "kind", "cards", "problems")}
            lines.append(self._say("source", state=state, last_good=source["last_good"] or "-", **fields))
        if len(sources) > most:
            lines.append(self._say("more_sources", count=len(sources) - most))
        return lines

    def _cards(self, name: str, cards: Sequence[dict[str, Any]], what: str) -> list[str]:
        lines = [self._say(name)] if cards else []
        for card in cards:
            number = self._call.surface.id(card["id"])
            title, ref = one_line(card["title"], 80), one_line(card["ref"], 120)
            lines.append(f"  {number} {ref} | {title} | {str(card[what])[:10]}")
        return lines

    def _forks(self, most: int) -> list[str]:
        found = self._found.forks
        lines = [self._say("forks", count=len(found))] if found else []
        for fork in found[:most]:
            by = self._call.surface.ids(fork["by"])
            lines.append(f"  {self._say('fork', old=self._call.surface.id(fork['superseded']), by=by)}")
        return lines

    def _hidden(self) -> list[str]:
        shown = [
            self._call.surface.text(f"vault.hidden.{name}", count=count)
            for name, count in self._found.hidden.items()
        ]
        return [self._call.surface.text("vault.search.hidden", counts=", ".join(shown))] if shown else []


def _listed(counts: dict[str, int], most: int) -> str:
    shown = [f"{one_line(masked(name), 40)} {count}" for name, count in list(counts.items())[:most]]
    rest = len(counts) - most
    return ", ".join([*shown, *([f"+{rest}"] if rest > 0 else [])])
