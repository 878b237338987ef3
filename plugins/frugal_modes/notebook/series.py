"""Find series: by key, by short part, by what they are near to."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from frugal.api import Answer, Call, Connection, Refusal, Refused, echo
from frugal_modes.notebook.keys import fold
from frugal_modes.notebook.vocabulary import STATUSES, Word, of_code

NAMED_KEYS = 8
NEAR_KEYS = 3
NEAR_RATIO = 0.5

COLUMNS = """
    s.number, s.key, s.folded, s.question, s.backfill, s.started_on, s.status, s.created_at, s.created_event,
    s.moved_at, s.moved_event, s.successor, t.key
    FROM series AS s LEFT JOIN series AS t ON t.number = s.successor
"""
BY_KEY = f"SELECT {COLUMNS} WHERE s.folded = :folded"
BY_SHORT = f"SELECT {COLUMNS} WHERE s.short = :short ORDER BY s.number LIMIT 9"
EVERY_KEY = "SELECT folded, short, key FROM series ORDER BY moved_event DESC LIMIT 20000"


@dataclass(frozen=True)
class Series:
    """One series without its rows. Stamps are UTC; *started_on* is a plain date."""

    number: int
    key: str
    folded: str
    question: str
    backfill: str
    started_on: str
    status_code: str
    created_at: str
    created_event: int
    moved_at: str
    moved_event: int
    successor: int | None
    successor_key: str | None

    @property
    def status(self) -> Word:
        """The status as a word of the vocabulary."""
        return of_code(STATUSES, self.status_code)

    @property
    def is_backfilled(self) -> bool:
        """Whether it was entered after the fact."""
        return bool(self.backfill)


def empty_notebook(call: Call) -> Answer | None:
    """Return how to begin if there is no file yet: reading makes none. A guest is told by the store."""
    if call.is_guest or call.store.path.exists():
        return None
    tool = call.surface.tool_word("new_series")
    return Answer(call.surface.text("list.empty", tool=tool), is_empty=True)


def read_series(call: Call, db: Connection, text: str, *, tool: str) -> Series:
    """Return the series called *text*, for *tool* to show; raise `Refused` where none or several are called so."""
    found = matching(db, text)
    if len(found) == 1:
        return found[0]
    parameter = call.surface.parameter_word(tool, "key")
    raise Refused([not_one(call, db, text, found, parameter=parameter, is_writing=False)])


def find_series(
    call: Call, db: Connection, text: str, *, tool: str, problems: list[Refusal]
) -> Series | None:
    """Return the series called *text*, for *tool* to write to: its full key, or a short part that only one has.

    None adds a refusal to *problems* that lists up to 8 keys of the same short part, or up to 3 near ones; nothing for
    a blank *text*, which was refused before.
    """
    if not text:
        return None
    found = matching(db, text)
    if len(found) == 1:
        return found[0]
    parameter = call.surface.parameter_word(tool, "key")
    problems.append(not_one(call, db, text, found, parameter=parameter, is_writing=True))
    return None


def not_one(
    call: Call, db: Connection, text: str, found: Sequence[Series], *, parameter: str, is_writing: bool
) -> Refusal:
    """Return why *text* names no one series: several of them, or none and what is near."""
    surface = call.surface
    if found:
        known = ", ".join(series.key for series in found[:NAMED_KEYS])
        more = surface.text("keys.more") if len(found) > NAMED_KEYS else ""
        return Refusal("ambiguous_key", parameter=parameter, value=echo(text), known=known + more)
    near = near_keys(db, text)
    advice = surface.text("keys.near", keys=", ".join(near)) if near else ""
    if is_writing:
        advice += surface.text("keys.create", tool=surface.tool_word("new_series"))
    return Refusal("unknown_key", parameter=parameter, value=echo(text), advice=advice)


def matching(db: Connection, text: str) -> list[Series]:
    """Return the series that *text* names: one by its key, or up to nine by their short part."""
    folded = fold(text)
    if "/" in text:
        rows = db.execute(BY_KEY, {"folded": folded}).fetchall()
    else:
        rows = db.execute(BY_SHORT, {"short": folded}).fetchall()
    return [Series(*row) for row in rows]


def near_keys(db: Connection, text: str) -> Sequence[str]:
    """Return up to three known keys that look like *text*, the nearest first."""
    folded = fold(text)[:200]
    by_form: dict[str, str] = {}
    for whole, short, key in db.execute(EVERY_KEY):
        by_form.setdefault(whole if "/" in folded else short, key)
    near = get_close_matches(folded, by_form, n=NEAR_KEYS, cutoff=NEAR_RATIO)
    return [by_form[form] for form in near]
