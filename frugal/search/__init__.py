"""Find documents: an index that other layers write to, and the retriever that reads it.

    add(db, document)  remove(db, id)  replace(db, document)  set_live(db, id, is_live)
    add_all(db, documents)  replace_all(db, documents)  rebuild(db, documents)  compact(db)
    LexicalRetriever().search(db, Request(query, restriction, limit)) -> Found
    LexicalRetriever().count(db, request) -> int
    LexicalRetriever().count_by(db, request, labels) -> dict[str, int], several counts in one pass
    near(db, word, limit=3) -> store words spelled nearly like it
    similar(db, text, restriction, floor=0.55, limit=3) -> tuple[Scored, ...]

Writers run inside the caller's write transaction. The schema is the migration set `search` (folder `schema`).
"""

from frugal.search.edition import is_outdated, note_analysis
from frugal.search.expansion import near
from frugal.search.index import (
    Indexer,
    add,
    add_all,
    compact,
    rebuild,
    remove,
    replace,
    replace_all,
    set_live,
)
from frugal.search.protocol import (
    EVERY_DOCUMENT,
    LIVE_DOCUMENTS,
    Document,
    Found,
    Grouping,
    Labels,
    Marks,
    Request,
    Restriction,
    Retriever,
    Scored,
    TextOf,
)
from frugal.search.retriever import LexicalRetriever
from frugal.search.similar import similar

__all__ = [
    "EVERY_DOCUMENT",
    "LIVE_DOCUMENTS",
    "Document",
    "Found",
    "Grouping",
    "Indexer",
    "Labels",
    "LexicalRetriever",
    "Marks",
    "Request",
    "Restriction",
    "Retriever",
    "Scored",
    "TextOf",
    "add",
    "add_all",
    "compact",
    "is_outdated",
    "near",
    "note_analysis",
    "rebuild",
    "remove",
    "replace",
    "replace_all",
    "set_live",
    "similar",
]
