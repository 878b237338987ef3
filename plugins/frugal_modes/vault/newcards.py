"""A card as a new file: its front matter in one order, then its body."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from frugal_modes.vault.hashes import content_hash, with_line_feeds
from frugal_modes.vault.scalars import flow_list, scalar
from frugal_modes.vault.tags import one_line
from frugal_modes.vault.yamlevents import Value

FORMAT_VERSION = "1"
APPROVED = "approved"
INFO = "info"

ORDER = (
    *(
        "formatVersion",
        "kind",
        "title",
        "tags",
        "created",
        "updated",
        "status",
        "submittedBy",
        "severity",
        "reason",
    ),
    *("source", "priority", "ttl", "supersedes", "invalid_at", "superseded_by", "contentHash"),
)
"""The keys of a written card in their order."""

BARE_KEYS = frozenset({"created", "updated", "invalid_at", "priority", "ttl"})
"""Keys whose values are times and numbers: never in quotes."""


@dataclass(frozen=True)
class NewCard:
    """What is written. *created* is a stamp, *agent* who called, *source* who says so; *supersedes* paths or refs."""

    title: str
    body: str
    kind: str
    created: str
    agent: str
    source: str
    tags: tuple[str, ...] = ()
    supersedes: tuple[str, ...] = ()

    @property
    def hash(self) -> str:
        """The content hash."""
        return content_hash(self.title, self.body)


def card_text(card: NewCard) -> str:
    """Return the file of *card*: LF between the lines and one at the end, no byte order mark."""
    lines = ["---", *_front_matter(card), "---", with_line_feeds(card.body).strip()]
    return "\n".join(lines) + "\n"


def _front_matter(card: NewCard) -> Iterator[str]:
    values = {
        "formatVersion": FORMAT_VERSION,
        "kind": scalar(card.kind),
        "title": scalar(one_line(card.title)),
        "tags": flow_list(one_line(tag) for tag in card.tags),
        "created": card.created,
        "updated": card.created,
        "status": APPROVED,
        "submittedBy": scalar(one_line(card.agent)),
        "severity": INFO,
        "reason": scalar(""),
        "source": scalar(one_line(card.source)),
        "supersedes": pointers(card.supersedes),
        "contentHash": scalar(card.hash),
    }
    return (f"{key}: {values[key]}" for key in ORDER if values.get(key))


def written(key: str, value: Value) -> str:
    """Return *value* as a new card has it under *key*."""
    if isinstance(value, str):
        return value if key in BARE_KEYS else scalar(value)
    return flow_list(value)


def pointers(paths: Iterable[str]) -> str:
    """Return one path or ref as a scalar, several as a list, "" for none."""
    found = tuple(paths)
    if len(found) > 1:
        return flow_list(found)
    return scalar(found[0]) if found else ""
