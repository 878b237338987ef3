"""A quick look at the index: all its counts, and some documents recomputed and looked for."""

import json
from collections.abc import Sequence

from frugal.search import agreement
from frugal.search.codes import STOPS_BELOW, code_of, numbers_in
from frugal.search.protocol import Document
from frugal.store import Connection

FEW_DOCUMENTS = 1_000
"""Up to so many, everything is compared."""
TERMS_A_DOCUMENT = 4

SUMS = "SELECT count(*), coalesce(sum(live), 0), coalesce(sum(length * live), 0) FROM search_forward"
STATISTICS = "SELECT documents, length FROM search_statistics WHERE id = 1"
CODES = "SELECT document, codes FROM search_forward WHERE document IN (SELECT value FROM json_each(:ids))"
TERMS = "SELECT id, term_id FROM search_word WHERE id IN (SELECT value FROM json_each(:ids))"
IS_POSTED = "SELECT 1 FROM search_index WHERE search_index MATCH :term AND rowid = :document"


def count_indexed(db: Connection) -> int | None:
    """Return how many documents the index holds, None if its parts do not agree: of a small one all are compared."""
    documents, live, length = db.execute(SUMS).fetchone()
    statistics = db.execute(STATISTICS).fetchone()
    if statistics is None or tuple(statistics) != (live, length):
        return None
    is_right = documents > FEW_DOCUMENTS or not agreement.differences(db).count
    return int(documents) if is_right else None


def out_of_step(db: Connection, documents: Sequence[Document]) -> list[int]:
    """Return the ids of those of *documents* that are not indexed as they would be today, or cannot be found."""
    stale = agreement.stale(db, documents)
    rest = [document.id for document in documents if document.id not in set(stale)]
    return sorted([*stale, *_not_posted(db, rest)])


def _not_posted(db: Connection, ids: Sequence[int]) -> list[int]:
    """Return those of *ids* whose words do not lead to them: the longest-numbered, that is the rarest, are tried."""
    rows = db.execute(CODES, {"ids": json.dumps(list(ids))}).fetchall()
    words = {document: sorted(set(numbers_in(codes)), reverse=True) for document, codes in rows}
    wanted = {number for numbers in words.values() for number in numbers[:TERMS_A_DOCUMENT]}
    term_of = dict(db.execute(TERMS, {"ids": json.dumps(sorted(wanted))}))
    missing = []
    for document, numbers in words.items():
        terms = {term_of[number] for number in numbers[:TERMS_A_DOCUMENT] if number in term_of}
        looked_for = ({"term": code_of(term), "document": document} for term in terms if term >= STOPS_BELOW)
        if not all(db.execute(IS_POSTED, one).fetchone() for one in looked_for):
            missing.append(document)
    return missing
