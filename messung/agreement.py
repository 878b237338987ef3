"""How far the hits of few scored documents are those of many."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from frugal.search import EVERY_DOCUMENT, LexicalRetriever, Request
from frugal.search.tuning import Tuning
from frugal.store import Connection
from messung.corpus import Query
from messung.filler import GrowingStore

MANY = 4_000
FEW = (60, 80, 120, 200)
SHIPPED = "as shipped"


@dataclass(frozen=True)
class Agreement:
    """Shares of the first hits, and of the very first ones, that are those of scoring many documents; 0 to 1."""

    hits: float
    first: float


def measure(ours: GrowingStore, queries: Sequence[Query], limit: int) -> dict[str, Agreement]:
    """Return the agreement of the first *limit* hits by how many documents were scored."""
    retrievers = {SHIPPED: LexicalRetriever(), **{str(number): _scoring(number) for number in FEW}}
    with ours.workspace.new_call(ours.client).store.read() as db:
        wanted = [_hits(db, _scoring(MANY), query, limit) for query in queries]
        return {
            name: compared([_hits(db, retriever, query, limit) for query in queries], wanted)
            for name, retriever in retrievers.items()
        }


def compared(found: Sequence[Sequence[int]], wanted: Sequence[Sequence[int]]) -> Agreement:
    """Return how far *found* are the hits *wanted*, question by question; nothing wanted counts as agreed."""
    pairs = list(zip(found, wanted, strict=True))
    whole = sum(len(many) for _, many in pairs)
    same = sum(len(set(few) & set(many)) for few, many in pairs)
    first = sum(list(few[:1]) == list(many[:1]) for few, many in pairs)
    return Agreement(same / whole if whole else 1.0, first / len(pairs) if pairs else 1.0)


def rows(stages: Mapping[int, Mapping[str, Agreement]]) -> list[list[str]]:
    """Return the rows of a table: documents scored, then first hits and very first hit in percent for each size."""
    names = list(dict.fromkeys(name for found in stages.values() for name in found))
    return [[name, *(_cell(found.get(name)) for found in stages.values())] for name in names]


def _cell(found: Agreement | None) -> str:
    return "-" if found is None else f"{100 * found.hits:.1f} / {100 * found.first:.0f}"


def _scoring(documents: int) -> LexicalRetriever:
    return LexicalRetriever(replace(Tuning(), candidates=documents, least_candidates=documents))


def _hits(db: Connection, retriever: LexicalRetriever, query: Query, limit: int) -> list[int]:
    found = retriever.search(db, Request(query.words, EVERY_DOCUMENT, limit))
    return [hit.id for hit in found.hits]
