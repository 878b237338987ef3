"""Search over series: what is live counts whole, what was superseded half; every hit shows where it was found."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from frugal.api import (
    Connection,
    LexicalRetriever,
    Request,
    Restriction,
    Surface,
    analyse,
    echo,
    near_words,
    one_line,
    query_words,
)
from frugal_modes.notebook.index import Part, parts_of
from frugal_modes.notebook.moments import Moments
from frugal_modes.notebook.selection import WHERE, Selection

EXCERPT_CHARACTERS = 80
BEFORE_CHARACTERS = 20
STRETCH_CHARACTERS = EXCERPT_CHARACTERS - BEFORE_CHARACTERS - 4
"""What is left of an excerpt behind its first word."""
SUPERSEDED_SHARE = 0.5
EVERY_HIT = 1_000_000
NAMED_WORDS = 8
NEAR_WORDS = 3

DOCUMENTS = f"""
    SELECT 2 * s.number AS id FROM series AS s WHERE {WHERE}
    UNION ALL SELECT 2 * s.number + 1 FROM series AS s WHERE {WHERE}
"""
_CHUNK = re.compile(r"\S+")


@dataclass(frozen=True)
class Hits:
    """The series found, best first; *unknown* words are nowhere in the notebook, *near* ones are spelled alike."""

    numbers: tuple[int, ...]
    unknown: tuple[str, ...] = ()
    near: tuple[str, ...] = ()
    is_outdated: bool = False


@dataclass(frozen=True)
class Excerpt:
    """The place of a series that speaks for it: the *field* by code, and at most 80 characters."""

    field: str
    text: str
    is_stale: bool = False

    def shown(self, surface: Surface) -> str:
        """Return the excerpt with the name of its field."""
        field = surface.text(f"fields.{self.field}")
        if self.is_stale:
            field += f" ({surface.text('words.superseded')})"
        return f"{field}: {self.text}"


def search(db: Connection, selection: Selection, moments: Moments) -> Hits:
    """Return every series within the filters that has a word of the query, ranked."""
    parameters = {key: value for key, value in selection.parameters(moments).items() if key != "recent"}
    restriction = Restriction(DOCUMENTS, parameters, is_small=True)
    request = Request(selection.search, restriction, limit=EVERY_HIT, text_of=lambda ids: _texts(db, ids))
    found = LexicalRetriever().search(db, request)
    scores: dict[int, float] = {}
    for hit in found.hits:
        share = SUPERSEDED_SHARE if hit.id % 2 else 1.0
        scores[hit.id // 2] = scores.get(hit.id // 2, 0.0) + share * hit.score
    ranked = sorted(scores, key=lambda number: (-scores[number], -number))
    unknown = found.unknown[:NAMED_WORDS]
    near = dict.fromkeys(item.word for word in unknown for item in near_words(db, word)[:NEAR_WORDS])
    return Hits(tuple(ranked), found.unknown, tuple(near), found.is_outdated)


def _texts(db: Connection, documents: Sequence[int]) -> dict[int, str]:
    """Return the texts of search documents as they were indexed."""
    texts: dict[int, list[str]] = {}
    for part in parts_of(db, sorted({document // 2 for document in documents})):
        texts.setdefault(2 * part.series + part.is_stale, []).append(part.text)
    return {document: "\n".join(texts.get(document, [])) for document in documents}


def miss_lines(surface: Surface, selection: Selection, hits: Hits) -> list[str]:
    """Return why nothing was found: filters, unknown words, and what is spelled alike."""
    described = selection.described(surface)
    return [surface.text("list.no_match", described=described), *notice_lines(surface, hits)]


def notice_lines(surface: Surface, hits: Hits) -> list[str]:
    """Return the lines about an index of another version, and about words that are nowhere, with near ones."""
    outdated = [surface.text("outdated_index", command=surface.upkeep_line)] if hits.is_outdated else []
    if not hits.unknown:
        return outdated
    words = ", ".join(echo(word, 40) for word in hits.unknown[:NAMED_WORDS])
    line = surface.text("list.nowhere", words=words)
    if hits.near:
        line += " " + surface.text("list.near", words=", ".join(hits.near[:NAMED_WORDS]))
    return [*outdated, line]


def excerpts(db: Connection, query: str, numbers: Sequence[int]) -> dict[int, Excerpt]:
    """Return for each series the place with the most words of the query, live texts before superseded ones."""
    wanted = _wanted(query)
    every = len(set(wanted.values()))
    best: dict[int, tuple[int, Excerpt]] = {}
    for part in parts_of(db, list(numbers)):
        held = best.get(part.series)
        if held and held[0] == every and held[1].field != "key":
            continue
        score, text = _best_window(part.text, wanted)
        if held is None or score > held[0] or (score == held[0] and _is_better(part, held[1])):
            best[part.series] = (score, Excerpt(part.field, text, part.is_stale))
    return {number: excerpt for number, (_, excerpt) in best.items()}


def _is_better(part: Part, held: Excerpt) -> bool:
    """Prefer any text to the bare key, which the line shows already."""
    return held.field == "key" and not part.is_stale


def _wanted(query: str) -> dict[str, int]:
    """Return the terms that count, each with the number of its word."""
    wanted: dict[str, int] = {}
    for number, word in enumerate(query_words(query)):
        for term in (word.term, word.alias, *word.wholes):
            if term:
                wanted.setdefault(term, number)
    return wanted


def _best_window(text: str, wanted: dict[str, int]) -> tuple[int, str]:
    """Return how many distinct words the best stretch of *text* has, and at most 80 characters from there."""
    every = len(set(wanted.values()))
    recent: list[tuple[int, int]] = []
    best, start = 0, 0
    for chunk in _CHUNK.finditer(text):
        for token in analyse(chunk[0]):
            number = wanted.get(token.term, wanted.get(token.alias, -1))
            if number < 0:
                continue
            place = chunk.start() + max(chunk[0].casefold().find(token.surface), 0)
            recent = [seen for seen in recent if seen[0] > place - STRETCH_CHARACTERS] + [(place, number)]
            found = len({seen[1] for seen in recent})
            if found > best:
                best, start = found, recent[0][0]
        if best == every:
            break
    return best, _window(text, start)


def _window(text: str, place: int) -> str:
    """Return at most 80 characters of *text* around *place*, on one line."""
    start = 0
    if place > BEFORE_CHARACTERS:
        space = text.find(" ", place - BEFORE_CHARACTERS, place)
        start = space + 1 if space >= 0 else place
    line = " ".join(text[start : start + 4 * EXCERPT_CHARACTERS].split())
    return one_line(f"...{line}" if start else line, EXCERPT_CHARACTERS)
