"""A Markdown file as a card: what its front matter and its body say."""

import re
from collections.abc import Iterable
from datetime import tzinfo
from pathlib import PurePosixPath
from unicodedata import normalize

from frugal_modes.vault.frontmatter import Flaw, FrontMatter, read_front_matter
from frugal_modes.vault.hashes import hash_comment, with_line_feeds
from frugal_modes.vault.marks import Prose, inline_tags, links, read_prose
from frugal_modes.vault.moments import read_stamp
from frugal_modes.vault.records import Card, Problem, Reading
from frugal_modes.vault.tags import ALIAS_KEYS, TAG_KEYS, read_tags, split_items, unique
from frugal_modes.vault.validity import BAD_TTL, HIGHEST_PRIORITY, LOWEST_PRIORITY, expiry

BAD_PRIORITY = "bad_priority"

CREATED_KEYS = ("created", "created_at", "date", "date created")
UPDATED_KEYS = ("updated", "updated_at", "modified", "date modified")
AGENT_KEYS = ("source", "submittedBy")
_OWN_KEYS = frozenset(
    key.lower()
    for key in (
        *(
            "title",
            "kind",
            "status",
            "priority",
            "ttl",
            "invalid_at",
            "supersedes",
            "superseded_by",
            "contentHash",
        ),
        *(*CREATED_KEYS, *UPDATED_KEYS, *TAG_KEYS, *ALIAS_KEYS, *AGENT_KEYS),
    )
)


def read_card(
    text: str,
    *,
    path: str,
    kind: str = "note",
    has_heading_title: bool = True,
    zone: tzinfo | None = None,
) -> Reading:
    """Return the card that the Markdown *text* of the file *path* is, and what is wrong with its front matter.

    *kind* is that of a card that names none. Without *has_heading_title* (Obsidian) a card without a `title` key is
    called as its file. A time without a zone is taken in *zone*, None = that of this machine.
    """
    front = read_front_matter(text)
    body = body_of(text, front)
    prose = read_prose(body)
    created = _first_stamp(front, CREATED_KEYS, zone)
    expires, flaws = _expiry(front, created, zone)
    priority, more = _priority(front)
    card = Card(
        native_id=normalize("NFC", path),
        path=path,
        title=_title(front, prose, path, has_heading=has_heading_title),
        body=body,
        kind=front.text("kind").lower() or kind,
        agent=front.text(*AGENT_KEYS),
        status=front.text("status"),
        priority=priority,
        tags=read_tags((*_items(front, TAG_KEYS), *inline_tags(prose.text))),
        aliases=unique(item.strip() for item in _items(front, ALIAS_KEYS)),
        links=links("\n".join((*_texts(front), prose.text, *(heading.text for heading in prose.headings)))),
        headings=tuple(heading.text for heading in prose.headings if heading.text),
        created=created,
        updated=_first_stamp(front, UPDATED_KEYS, zone),
        expires=expires,
        invalid_at=read_stamp(front.text("invalid_at"), zone),
        supersedes=_pointers(front, "supersedes"),
        superseded_by=_pointers(front, "superseded_by"),
        content_hash=front.text("contentHash").lower() or _comment_hash(text, front),
        metadata=_metadata(front),
    )
    problems = tuple(_problem(path, flaw) for flaw in (*front.flaws, *flaws, *more))
    return Reading((card,), problems)


def body_of(text: str, front: FrontMatter) -> str:
    """Return the trimmed body of *text* with LF between its lines, without an old comment that holds the hash."""
    start, end = body_span(text, front)
    return with_line_feeds(text[start:end])


def body_span(text: str, front: FrontMatter) -> tuple[int, int]:
    """Return where the trimmed body stands in *text*."""
    body = text[front.body_start :]
    if comment := hash_comment(body):
        body = body[: comment[0]]
    trimmed = body.strip()
    start = front.body_start + len(body) - len(body.lstrip())
    return (start, start + len(trimmed)) if trimmed else (front.body_start, front.body_start)


def _title(front: FrontMatter, prose: Prose, path: str, *, has_heading: bool) -> str:
    title = " ".join(front.text("title").split("\n"))
    if not title and has_heading:
        title = next((item.text for item in prose.headings if item.level == 1 and item.text), "")
    return title or PurePosixPath(path).stem


def _items(front: FrontMatter, keys: Iterable[str]) -> tuple[str, ...]:
    """Return the items of a list, of text with commas, or of a JSON array as text, under any of *keys*."""
    values = front.values
    return tuple(item for key in keys for item in split_items(values.get(key, ())))


def _pointers(front: FrontMatter, key: str) -> tuple[str, ...]:
    """Return the paths or refs under *key*; a link stands for what it names. Text is one path, commas and all."""
    value = front.values.get(key, ())
    items = (value,) if isinstance(value, str) else value
    named = (found[0] if (found := links(item)) else item.strip() for item in items)
    return tuple(dict.fromkeys(item for item in named if item))


def _first_stamp(front: FrontMatter, keys: Iterable[str], zone: tzinfo | None) -> str:
    return next((stamp for key in keys if (stamp := read_stamp(front.text(key), zone))), "")


def _expiry(front: FrontMatter, created: str, zone: tzinfo | None) -> tuple[str, tuple[Flaw, ...]]:
    ttl = front.text("ttl")
    expires = expiry(ttl, created, zone)
    if expires is None:
        return "", (Flaw(BAD_TTL, _line(front, "ttl"), ttl[:60]),)
    return expires, ()


def _priority(front: FrontMatter) -> tuple[int, tuple[Flaw, ...]]:
    written = front.text("priority")
    if not written:
        return 0, ()
    if re.fullmatch(r"[+-]?[0-9]{1,4}(?:\.0+)?", written, re.ASCII):
        number = int(float(written))
        if LOWEST_PRIORITY <= number <= HIGHEST_PRIORITY:
            return number, ()
    return 0, (Flaw(BAD_PRIORITY, _line(front, "priority"), written[:60]),)


def _line(front: FrontMatter, key: str) -> int:
    field = front.field(key)
    return field.line if field else 0


def _comment_hash(text: str, front: FrontMatter) -> str:
    comment = hash_comment(text[front.body_start :])
    return comment[1] if comment else ""


def _texts(front: FrontMatter) -> tuple[str, ...]:
    return tuple(
        value if isinstance(value, str) else "\n".join(value)
        for key, value in front.values.items()
        if key not in ("supersedes", "superseded_by")
    )


def _metadata(front: FrontMatter) -> tuple[tuple[str, str], ...]:
    """Return what else the front matter says, in order; of two equal keys the last."""
    found: dict[str, str] = {}
    for field in front.fields:
        if field.key.lower() not in _OWN_KEYS:
            for name, value in field.flat():
                found[name] = value if isinstance(value, str) else ", ".join(value)
    return tuple(found.items())


def _problem(path: str, flaw: Flaw) -> Problem:
    reason = f"{flaw.code}: {flaw.about}" if flaw.about else flaw.code
    return Problem(path, reason, f"line {flaw.line}" if flaw.line else "")
