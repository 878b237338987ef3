"""Numbers inside texts and titles that are ids of this file get the memory's name where ids are printed with it.

A text is never changed where it is stored, counted or searched; only what is shown has the names.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from frugal.store import Connection
from frugal.surface import Surface
from frugal.text.references import Reference, references
from frugal.text.titles import ELLIPSIS, shorten

IDS_A_QUERY = 500
HEAD_CHARACTERS = 2_000
"""Characters at the start of a text that its title is looked for in."""

_NUMBER = re.compile(r"#([0-9]+)")

KNOWN = "SELECT id FROM entry WHERE id IN ({marks})"
HEAD = "SELECT substr(text, 1, :characters) FROM entry WHERE id = :id"


def known_ids(db: Connection, numbers: Iterable[int]) -> frozenset[int]:
    """Return which of *numbers* are ids of this file, erased ones included."""
    wanted = sorted(set(numbers))
    known: set[int] = set()
    for start in range(0, len(wanted), IDS_A_QUERY):
        batch = wanted[start : start + IDS_A_QUERY]
        known.update(row[0] for row in db.execute(KNOWN.format(marks=",".join("?" * len(batch))), batch))
    return frozenset(known)


def mentioned_ids(db: Connection, texts: Iterable[str]) -> frozenset[int]:
    """Return the ids of this file that *texts* refer to."""
    return known_ids(db, (item.number for text in texts for item in references(text)))


class Shown(NamedTuple):
    """A text as it is shown: *spans* are the places of the named ids in it, each *gap* longer than in the stored one."""

    text: str
    spans: tuple[tuple[int, int], ...] = ()
    gap: int = 0

    def whole_end(self, end: int) -> int:
        """Return *end*, or where an id begins that it would cut in two."""
        return next((start for start, stop in self.spans if start < end < stop), end)

    def stored_length(self, end: int) -> int:
        """Return how many characters of the stored text the first *end* of this one are."""
        return end - self.gap * sum(stop <= end for _, stop in self.spans)


def named(text: str, surface: Surface, known: frozenset[int]) -> Shown:
    """Return *text* with the name before each number that refers to one of the ids *known*."""
    if not surface.prints_names or not known:
        return Shown(text)
    return _insert(text, [item for item in references(text) if item.number in known], surface)


def _insert(text: str, found: Sequence[Reference], surface: Surface) -> Shown:
    name = surface.name
    parts: list[str] = []
    spans: list[tuple[int, int]] = []
    at = 0
    for item in found:
        parts += [text[at : item.start], name]
        start = item.start + len(name) * len(spans)
        spans.append((start, start + len(name) + item.end - item.start))
        at = item.start
    return Shown("".join([*parts, text[at:]]), tuple(spans), len(name))


def title_references(db: Connection, titles: Mapping[int, str]) -> dict[int, tuple[Reference, ...]]:
    """Return for each entry the ids of this file that its title refers to.

    What a number in a title means is read from the text it was taken from: a title may end inside a link or a number.
    """
    found: dict[int, list[Reference]] = {}
    for entry_id, title in titles.items():
        if not _NUMBER.search(title):
            continue
        row = db.execute(HEAD, {"id": entry_id, "characters": HEAD_CHARACTERS}).fetchone()
        if row and (kept := _in_title(title, str(row[0]))):
            found[entry_id] = kept
    known = known_ids(db, (item.number for kept in found.values() for item in kept))
    chosen = {
        entry_id: tuple(item for item in kept if item.number in known) for entry_id, kept in found.items()
    }
    return {entry_id: kept for entry_id, kept in chosen.items() if kept}


def _in_title(title: str, text: str) -> list[Reference]:
    """Return the references of *text* that its *title* holds: the numbers of both stand in the same order."""
    meant = {item.start for item in references(text)}
    pairs = zip(_NUMBER.finditer(title), _NUMBER.finditer(text), strict=False)
    return [
        Reference(*shown.span(), int(shown[1]))
        for shown, stored in pairs
        if stored.start() in meant and shown[1] == stored[1]
    ]


def shown_title(
    title: str, found: Sequence[Reference], surface: Surface, characters: int, size_bytes: int
) -> str:
    """Return *title* with named ids, shortened as `frugal.text.titles.shorten` does, never inside an id."""
    if not surface.prints_names or not found:
        return shorten(title, characters, size_bytes)
    whole = _insert(title, found, surface)
    short = shorten(whole.text, characters, size_bytes)
    if short == whole.text:
        return short
    end = len(short.removesuffix(ELLIPSIS))
    kept = whole.whole_end(end)
    return short if kept == end else whole.text[:kept].rstrip(" ,;:-") + ELLIPSIS
