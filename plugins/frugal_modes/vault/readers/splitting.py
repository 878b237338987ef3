"""Markdown files of which every section is a card of its own."""

from collections.abc import Callable
from dataclasses import replace

from frugal_modes.vault.cardtext import read_card
from frugal_modes.vault.frontmatter import read_front_matter
from frugal_modes.vault.hashes import with_line_feeds
from frugal_modes.vault.marks import inline_tags, links, read_prose
from frugal_modes.vault.readers.notes import path_of
from frugal_modes.vault.readers.sections import Section, section_id, sections
from frugal_modes.vault.readers.texts import Ids, decoded, first_sentence
from frugal_modes.vault.records import Card, Problem, Reading, Unit
from frugal_modes.vault.tags import read_tags


def read_sections(
    unit: Unit,
    data: bytes,
    *,
    kind: str = "note",
    agent: str = "",
    keeps: Callable[[str], bool] = lambda _line: True,
) -> Reading:
    """Return a card for each section of level 1 or 2; the front matter of the file holds for all of them.

    Lines that are not to be kept by *keeps* are left out, and so is a section without any text then.
    """
    path = path_of(unit)
    text = decoded(data, path)
    if isinstance(text, Problem):
        return Reading(problems=(text,), is_whole=False)
    front = read_front_matter(text)
    whole = read_card(text[: front.body_start], path=path, kind=kind)
    body = with_line_feeds(text[front.body_start :])
    kept = "".join(line if keeps(line) else "\n" for line in body.splitlines(keepends=True))
    first_line = 1 + text.count("\n", 0, front.body_start)
    ids = Ids()
    cards = tuple(
        part_of(whole.cards[0], section, line=first_line + section.line - 1, agent=agent, ids=ids)
        for section in sections(kept)
    )
    return replace(whole, cards=cards)


def part_of(whole: Card, section: Section, *, line: int, agent: str, ids: Ids) -> Card:
    """Return the card of one section; *whole* is that of the front matter, *line* where the section begins."""
    body = section.text.strip()
    prose = read_prose(body)
    return replace(
        whole,
        native_id=ids.distinct(section_id(whole.native_id, section.chain)),
        title=section.title or first_sentence(body),
        body=body,
        line=line,
        agent=whole.agent or agent,
        tags=read_tags((*whole.tags, *inline_tags(prose.text))),
        links=tuple(dict.fromkeys((*whole.links, *links(body)))),
        headings=section.chain,
        content_hash="",
    )
