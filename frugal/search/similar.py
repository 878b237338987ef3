"""Documents that say nearly what a text says: how much of the weight of its terms they have."""

import json
from collections.abc import Iterable, Sequence
from math import log

from frugal.search.codes import SECTION_END, code_of
from frugal.search.groups import STATISTICS, TERMS, words_of
from frugal.search.protocol import Restriction, Scored
from frugal.store import Connection
from frugal.text.analysis import STOP, WHOLE, analyse

POSTINGS = 3_000
"""The rarest terms of the text are looked up until they have this many documents together."""
CANDIDATES = 20

HOLDERS = "SELECT rowid FROM search_index WHERE search_index MATCH :term"
ALLOWED = "SELECT id FROM ({select}) WHERE id IN (SELECT value FROM json_each(:search_ids))"
TEXTS = "SELECT document, codes FROM search_forward WHERE document IN (SELECT value FROM json_each(:ids))"


def term_weight(documents: int, frequency: int) -> float:
    """Return ln(1 + N / (1 + df)): what a term in *frequency* of *documents* says about a text."""
    return log(1 + documents / (1 + frequency))


def similar(
    db: Connection, text: str, restriction: Restriction, *, floor: float = 0.55, limit: int = 3
) -> tuple[Scored, ...]:
    """Return documents of *restriction* that hold at least the share *floor* of *text*, best first.

    Share = weight of the terms of *text* that the document's text has, over that of all its terms.
    Bounded work: the 20 best for the rarest terms, which have about 3,000 documents together.
    """
    terms = dict.fromkeys(token.term for token in analyse(text) if not token.flags & (STOP | WHOLE))
    documents = db.execute(STATISTICS).fetchone()[0]
    known = {term: (number, df) for term, number, df in db.execute(TERMS, {"texts": json.dumps(list(terms))})}
    weights = {number: term_weight(documents, df) for number, df in known.values()}
    unknown = (len(terms) - len(known)) * term_weight(documents, 0)
    whole = sum(weights.values()) + unknown
    candidates = _candidates(db, dict(known.values()), weights, restriction)
    shared = _shared_weights(db, candidates, weights)
    found = [Scored(document, weight / whole) for document, weight in shared.items() if whole]
    found = [item for item in found if item.score >= floor]
    return tuple(sorted(found, key=lambda item: (-item.score, -item.id))[:limit])


def _candidates(
    db: Connection, frequencies: dict[int, int], weights: dict[int, float], restriction: Restriction
) -> list[int]:
    shared: dict[int, float] = {}
    postings = 0
    for number in sorted(frequencies, key=lambda number: (frequencies[number], number)):
        if postings and postings + frequencies[number] > POSTINGS:
            break
        for (document,) in db.execute(HOLDERS, {"term": code_of(number)}):
            shared[document] = shared.get(document, 0.0) + weights[number]
            postings += 1
    ranked = sorted(shared, key=lambda document: (-shared[document], -document))
    return _first_allowed(db, ranked, restriction)


def _first_allowed(db: Connection, ranked: Sequence[int], restriction: Restriction) -> list[int]:
    found: list[int] = []
    statement = ALLOWED.replace("{select}", restriction.select)
    for start in range(0, len(ranked), CANDIDATES * 2):
        batch = ranked[start : start + CANDIDATES * 2]
        parameters = {**restriction.parameters, "search_ids": json.dumps(batch)}
        allowed = {row[0] for row in db.execute(statement, parameters)}
        found += [document for document in batch if document in allowed]
        if len(found) >= CANDIDATES:
            break
    return found[:CANDIDATES]


def _shared_weights(db: Connection, documents: Iterable[int], weights: dict[int, float]) -> dict[int, float]:
    words = words_of(db, weights)
    codes = {
        number: [code_of(number), *(code_of(word) for word, _ in words.get(number, ()))] for number in weights
    }
    shared: dict[int, float] = {}
    for document, row in db.execute(TEXTS, {"ids": json.dumps(list(documents))}):
        text = row.partition(SECTION_END)[0]
        shared[document] = sum(
            weight for number, weight in weights.items() if any(code in text for code in codes[number])
        )
    return shared
