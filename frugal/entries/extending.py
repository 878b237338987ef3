"""What a mode with the entry tools may use inside its hooks (`EntryRules`), offered through `frugal.api`."""

from collections.abc import Sequence

from frugal.budget import Room
from frugal.call import Call
from frugal.entries.hints import masked
from frugal.entries.lines import WIDTHS, Width, fit_items, hit_line
from frugal.entries.storage import Entry, fetch, texts_of
from frugal.model import Cap
from frugal.store import Connection
from frugal.text import credentials


def entry_lines(call: Call, db: Connection, ids: Sequence[int], *, characters: int = 1_200) -> list[str]:
    """Return the hit lines of the entries *ids*, in that order, narrowed until they take at most *characters*.

    For the answer of remember: titles and tags are without a character of a likely credential. Lines that do not fit
    even at their narrowest are dropped from the end.
    """
    texts = texts_of(db, ids)
    entries = fetch(db, ids)
    shown = [masked(call, entries[entry_id], texts[entry_id]) for entry_id in ids]

    def render(entry: Entry, width: Width) -> str:
        return hit_line(entry, call.surface, width)

    room = Room(Cap(characters, 2 * characters), frame_bytes=0)
    return list(fit_items(shown, render, room, levels=WIDTHS, tail=lambda _kept: "").lines)


def masked_text(call: Call, text: str) -> str:
    """Return *text* as an answer of remember may repeat it: without a character of a likely credential."""
    if call.settings.secret_policy == "off":
        return text
    return credentials.mask(text, credentials.scan(text))


SET_EVIDENCE = "UPDATE entry SET evidence = :level WHERE id = :id"


def set_evidence(db: Connection, entry_id: int, level: str) -> None:
    """Note the evidence level of an entry; `evidence.<level>` in the mode's catalogues is its name. "" = none."""
    db.execute(SET_EVIDENCE, {"id": entry_id, "level": level})
