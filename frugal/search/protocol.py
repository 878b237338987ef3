"""What goes into a search and what comes out: the seam behind which another retriever can stand."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from frugal.store import Connection

TextOf = Callable[[Sequence[int]], Mapping[int, str]]
"""The texts as written of some documents; ids it does not know may be missing."""


CreatedOf = Callable[[Sequence[int]], Mapping[int, str]]
"""When some documents were created, as text that sorts by time."""


@dataclass(frozen=True, slots=True)
class Document:
    """What is indexed of one entry.

    *title* usually repeats the beginning of *body*; one that does not is indexed in front of it. *also* holds
    search words at a low weight. Documents of one *sitting* support their neighbours.
    """

    id: int
    title: str
    body: str
    tags: tuple[str, ...] = ()
    also: str = ""
    sitting: int | None = None
    is_live: bool = True


@dataclass(frozen=True, slots=True)
class Marks:
    """A byte for each document, that of document 1 first, 0 where there is none or none that may be seen.

    *present* are the bytes that documents have (0 among them if some may not be seen), *allowed* those of the documents
    that a search may see, never 0.
    """

    each: bytes
    present: bytes
    allowed: bytes


@dataclass(frozen=True, slots=True)
class Restriction:
    """The documents a search may see, as SQL: *select* yields their ids in one column named `id`.

    Its parameters are named and do not begin with `search_`. Set *is_small* where the ids are few and found by
    an index (a tag); they are then looked up once instead of once a match. *marks* say the same as *select* at a
    fraction of the cost, for whoever keeps them.
    """

    select: str
    parameters: Mapping[str, str | int] = field(default_factory=dict)
    is_small: bool = False
    marks: Marks | None = None


EVERY_DOCUMENT = Restriction("SELECT document AS id FROM search_forward")
LIVE_DOCUMENTS = Restriction("SELECT document AS id FROM search_forward WHERE live = 1")


@dataclass(frozen=True, slots=True)
class Labels:
    """Documents sorted into classes, as SQL: *select* yields columns `id` and `label` (text), each id once.

    What it leaves out is not counted. Its parameters are named and do not begin with `search_`.
    """

    select: str
    parameters: Mapping[str, str | int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Grouping:
    """Documents that share one slot of an answer (the pieces of a memo).

    *select* yields columns `id` and `unit` for those documents only; it needs an index on what it gives as `id`.
    """

    select: str


@dataclass(frozen=True, slots=True)
class Request:
    """One search: *query* as typed, where it may look, how many slots to fill.

    *text_of* is for retrievers that compare with the text as written; the one shipped has the words in its index.
    *total* is the count of matches where it is known already (from `count_by`), so that it is not counted again.
    *beside* are restrictions whose totals are wanted too. *created_of* settles equal scores: the newer document comes
    first, without it the higher id. Documents that score less than *at_least* are of no interest and may be missing.
    """

    query: str
    restriction: Restriction = LIVE_DOCUMENTS
    limit: int = 8
    grouping: Grouping | None = None
    text_of: TextOf | None = None
    created_of: CreatedOf | None = None
    total: int | None = None
    beside: tuple[Restriction, ...] = ()
    at_least: float = 0.0


class Scored(NamedTuple):
    """One hit: *unit* is the group it stands for, None for a document of its own."""

    id: int
    score: float
    unit: int | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """The answer to a request, best hit first.

    *total* is what a limit without end would list, a group counted once, *beside* the same for the other
    restrictions of the request (empty if the retriever does not count along). *has_all_words*: some document within
    the restriction has every counted word. *expanded*: store words asked besides, most useful first. *unknown*:
    counted words of the query that no document of the whole store has, as typed. *plain_total*: what an explicit
    query without a match would find as plain words. *is_outdated*: the index is of another analysis, so words may be
    missed.
    """

    hits: tuple[Scored, ...]
    total: int
    has_all_words: bool = False
    expanded: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    is_explicit: bool = False
    is_cut: bool = False
    has_operators_as_words: bool = False
    plain_total: int = 0
    beside: tuple[int, ...] = ()
    is_outdated: bool = False


class Retriever(Protocol):
    """Anything that finds documents; both methods read through the connection they are given."""

    def search(self, db: Connection, request: Request) -> Found:
        """Return the best documents of the restriction, filters applied before ranking."""

    def count(self, db: Connection, request: Request) -> int:
        """Return the exact `total` that `search` would report for the same request."""
