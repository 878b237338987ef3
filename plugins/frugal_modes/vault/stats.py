"""memory_stats: what there is, where it comes from, what is hidden and what went wrong."""

from collections.abc import Sequence
from pathlib import Path

from frugal.api import Answer, Call, Connection, Room, cost, one_line
from frugal_modes.vault import shelf
from frugal_modes.vault.places import places_of
from frugal_modes.vault.question import TABLES
from frugal_modes.vault.secrecy import masked
from frugal_modes.vault.sync import Sync
from frugal_modes.vault.tools_reading import STATS_CAP
from frugal_modes.vault.trash import read_trash
from frugal_modes.vault.visible import HIDDEN, milliseconds

SHOWN_NAMES = 12
NEWEST = 5
HIDING = ("superseded", "invalid", "expired", "archived", "rejected", "future", "missing")

IN_USE = "source.state NOT IN ('detached', 'removed')"
TOTALS = f"""
    SELECT count(*), coalesce(sum(length(card_text.body)), 0) {TABLES}
    JOIN card_text ON card_text.number = card.number WHERE {IN_USE}
"""
BY = f"SELECT {{column}}, count(*) {TABLES} WHERE {IN_USE} GROUP BY 1 ORDER BY 2 DESC, 1"
BY_REASON = f"SELECT {HIDDEN}, count(*) {TABLES} WHERE {IN_USE} GROUP BY 1"
SOURCES = """
    SELECT source.name, source.kind, source.root, source.state, source.last_good,
        (SELECT count(*) FROM card WHERE card.source = source.id),
        (SELECT count(*) FROM problem WHERE problem.source = source.id)
    FROM source WHERE source.state NOT IN ('detached', 'removed') ORDER BY source.place
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


def memory_stats(call: Call) -> Answer:
    """Return how many cards there are and of what, newest and most read ones, what is hidden, the paths."""
    sync = shelf.refresh(call)
    with call.store.read() as db:
        found = _gather(call, db)
    lines = _Lines(call, found, sync)
    return Answer(lines.text(), counts=found | lines.more())


def _gather(call: Call, db: Connection) -> dict[str, object]:
    at = {"at": milliseconds(call.clock())}
    cards, characters = db.execute(TOTALS).fetchone()
    reasons = {reason: count for reason, count in db.execute(BY_REASON, at) if reason}
    return {
        "cards": cards,
        "characters": characters,
        "by_kind": _counted(db, "card.kind"),
        "by_agent": _counted(db, "card.agent"),
        "by_source": _counted(db, "source.name"),
        "sources": [_source(call, row) for row in db.execute(SOURCES)],
        "newest": [_card(row, "changed") for row in db.execute(NEWEST_CARDS, at)],
        "most_read": [_card(row, "reads") for row in db.execute(MOST_READ)],
        "hidden": {reason: reasons[reason] for reason in HIDING if reasons.get(reason)},
    }


def _counted(db: Connection, column: str) -> dict[str, int]:
    return {str(name): count for name, count in db.execute(BY.replace("{column}", column)) if name}


def _source(call: Call, row: Sequence[object]) -> dict[str, object]:
    name, kind, root, state, last_good, cards, problems = row
    found: dict[str, object] = {"name": name, "kind": kind, "state": state, "last_good": last_good}
    found |= {"cards": cards, "problems": problems}
    return found if call.is_guest else found | {"root": root}


def _card(row: Sequence[object], what: str) -> dict[str, object]:
    number, ref, title, value = row
    return {"id": number, "ref": masked(str(ref)), "title": masked(str(title)), what: value}


class _Lines:
    def __init__(self, call: Call, found: dict[str, object], sync: Sync) -> None:
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
        lines = [self._say("cards", cards=found["cards"], characters=found["characters"])]
        for name in ("by_kind", "by_agent"):
            counted = found[name]
            assert isinstance(counted, dict)
            if counted:
                lines.append(self._say(name, counts=_listed(counted, SHOWN_NAMES if most else 3)))
        lines += self._source_lines(20 if most == NEWEST else 5 * most)
        lines += self._cards("newest", "changed", most)
        lines += self._cards("most_read", "reads", most)
        lines += self._hidden()
        lines.append(self._say("trash", **self._trash))
        if not self._call.is_guest:
            lines += [f"{name}: {one_line(path, 300)}" for name, path in self._paths().items()]
        lines.append(self._say("index", size=self._index_bytes()))
        if self._sync.unchecked:
            lines.append(self._call.surface.text("vault.search.unchecked", count=self._sync.unchecked))
        return lines

    def _source_lines(self, most: int) -> list[str]:
        sources = self._found["sources"]
        assert isinstance(sources, list)
        lines = []
        for source in sources[:most]:
            state = self._call.surface.text(f"vault.index.states.{source['state']}")
            fields = {key: source[key] for key in ("name", "kind", "cards", "problems")}
            lines.append(self._say("source", state=state, last_good=source["last_good"] or "-", **fields))
        if len(sources) > most:
            lines.append(self._say("more_sources", count=len(sources) - most))
        return lines

    def _cards(self, name: str, what: str, most: int) -> list[str]:
        cards = self._found[name]
        assert isinstance(cards, list)
        if not cards or not most:
            return []
        lines = [self._say(name)]
        for card in cards[:most]:
            number = self._call.surface.id(card["id"])
            title, ref = one_line(card["title"], 80), one_line(card["ref"], 120)
            lines.append(f"  {number} {ref} | {title} | {str(card[what])[:10]}")
        return lines

    def _hidden(self) -> list[str]:
        hidden = self._found["hidden"]
        assert isinstance(hidden, dict)
        shown = [
            self._call.surface.text(f"vault.hidden.{name}", count=count) for name, count in hidden.items()
        ]
        return [self._call.surface.text("vault.search.hidden", counts=", ".join(shown))] if shown else []


def _listed(counts: dict[str, int], most: int) -> str:
    shown = [f"{one_line(masked(name), 40)} {count}" for name, count in list(counts.items())[:most]]
    rest = len(counts) - most
    return ", ".join([*shown, *([f"+{rest}"] if rest > 0 else [])])
