"""The retriever that is shipped: candidates from FTS5, scores in Python."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log

from frugal.search.codes import SECTION_END, STOPS_BELOW, code_of
from frugal.search.protocol import Found, Grouping, Request, Restriction, Scored
from frugal.search.query import PlainQuery, parse_plain
from frugal.store import Connection
from frugal.text.analysis import QueryWord

K1, B = 0.9, 0.4
CANDIDATES = 200
LAST = "\U0010ffff"

ALLOWED_ONCE = "+rowid IN (SELECT id FROM ({select}))"
# The plus keeps SQLite from driving the query by the ids, one FTS5 look-up each: seconds instead of milliseconds.
ALLOWED_EACH = "EXISTS (SELECT 1 FROM ({select}) WHERE id = search_index.rowid)"
STATISTICS = "SELECT documents, length FROM search_statistics WHERE id = 1"
TERMS = "SELECT term, id, df FROM search_term WHERE term IN (SELECT value FROM json_each(:search_terms))"
ALIASES = """
SELECT bare, term_id, df FROM search_alias JOIN search_term ON id = term_id
WHERE bare IN (SELECT value FROM json_each(:search_terms))
"""
PIECES_FROM = "SELECT id, df FROM search_term WHERE term >= :search_first AND term < :search_end"
BEST = """
SELECT rowid FROM search_index
WHERE search_index MATCH :search_match AND {allowed}
ORDER BY bm25(search_index), rowid DESC LIMIT :search_limit
"""
COUNT = "SELECT count(*) FROM search_index WHERE search_index MATCH :search_match AND {allowed}"
COUNT_UNITS = """
SELECT count(*) - count(unit) + count(DISTINCT unit) FROM search_index LEFT JOIN ({grouping}) ON id = rowid
WHERE search_index MATCH :search_match AND {allowed}
"""
HAS_ANY = "SELECT 1 FROM search_index WHERE search_index MATCH :search_match AND {allowed} LIMIT 1"
FORWARD = """
SELECT document, length, title, codes FROM search_forward
WHERE document IN (SELECT value FROM json_each(:search_ids))
"""
UNITS = "SELECT id, unit FROM ({grouping}) WHERE id IN (SELECT value FROM json_each(:search_ids))"


@dataclass(frozen=True, slots=True)
class Group:
    """One counted word with the codes that score as it, and how many live documents have it."""

    surface: str
    codes: tuple[str, ...]
    df: int
    wholes: tuple[str, ...] = ()

    @property
    def every_code(self) -> tuple[str, ...]:
        """The codes any of which makes the word present."""
        return self.codes + self.wholes


class LexicalRetriever:
    """BM25 over the best candidates of FTS5."""

    def search(self, db: Connection, request: Request) -> Found:
        """Return the best documents of the restriction; see `Found`."""
        query = parse_plain(request.query)
        groups = _groups(db, query)
        known = [group for group in groups if group.every_code]
        unknown = tuple(group.surface for group in groups if not group.every_code)
        if not known:
            return Found((), 0, unknown=unknown, is_cut=query.is_cut)
        match = " OR ".join(code for group in known for code in group.every_code)
        total = _count(db, match, request)
        every = " AND ".join(f"({' OR '.join(group.every_code)})" for group in known)
        has_all = not unknown and bool(_rows(db, HAS_ANY, every, request.restriction))
        hits = _best(db, match, known, request, total)
        return Found(hits, total, has_all, unknown=unknown, is_cut=query.is_cut)

    def count(self, db: Connection, request: Request) -> int:
        """Return the `total` of the same search without ranking anything."""
        codes = [code for group in _groups(db, parse_plain(request.query)) for code in group.every_code]
        return _count(db, " OR ".join(codes), request) if codes else 0


def _groups(db: Connection, query: PlainQuery) -> list[Group]:
    wanted = {key for word in query.words for key in (*_own_keys(word, query.is_stops), *word.wholes)}
    terms = json.dumps(sorted(wanted))
    rows = {term: (number, df) for term, number, df in db.execute(TERMS, {"search_terms": terms})}
    others: dict[str, list[tuple[int, int]]] = {}
    for bare, number, df in db.execute(ALIASES, {"search_terms": terms}):
        others.setdefault(bare, []).append((number, df))
    groups = []
    for word in query.words:
        own = [rows[key] for key in _own_keys(word, query.is_stops) if key in rows]
        own += others.get(word.term, [])
        if word.is_prefix:
            own += db.execute(
                PIECES_FROM, {"search_first": word.term, "search_end": word.term + LAST}
            ).fetchall()
        codes = dict.fromkeys(code_of(number) for number, _ in own if number >= STOPS_BELOW)
        around = dict.fromkeys(code_of(rows[key][0]) for key in word.wholes if key in rows)
        groups.append(Group(word.surface, tuple(codes), sum(df for _, df in own), tuple(around)))
    return groups


def _own_keys(word: QueryWord, is_stop: bool) -> tuple[str, ...]:
    spellings = (word.term, word.alias) if word.alias else (word.term,)
    return (*spellings, " " + word.term) if is_stop else spellings


def _rows(
    db: Connection, statement: str, match: str, restriction: Restriction, **more: object
) -> list[tuple[int, ...]]:
    form = ALLOWED_ONCE if restriction.is_small else ALLOWED_EACH
    sql = statement.replace("{allowed}", form.replace("{select}", restriction.select))
    return db.execute(sql, {**restriction.parameters, "search_match": match, **more}).fetchall()


def _count(db: Connection, match: str, request: Request) -> int:
    if request.grouping is None:
        return _rows(db, COUNT, match, request.restriction)[0][0]
    return _rows(db, COUNT_UNITS.replace("{grouping}", request.grouping.select), match, request.restriction)[
        0
    ][0]


def _best(
    db: Connection, match: str, groups: Sequence[Group], request: Request, total: int
) -> tuple[Scored, ...]:
    limit = max(CANDIDATES, request.limit)
    while True:
        ids = [row[0] for row in _rows(db, BEST, match, request.restriction, search_limit=limit)]
        hits = _one_a_unit(db, _score(db, ids, groups), request.grouping)
        if len(hits) >= min(request.limit, total) or len(ids) < limit:
            return tuple(hits[: request.limit])
        limit *= 4


def _score(db: Connection, ids: Sequence[int], groups: Sequence[Group]) -> list[Scored]:
    documents, length = db.execute(STATISTICS).fetchone()
    mean = length / documents if documents else 1.0
    weights = [log(1 + (documents - group.df + 0.5) / (group.df + 0.5)) for group in groups]
    hits = []
    for document, length_here, _title, codes in db.execute(FORWARD, {"search_ids": json.dumps(list(ids))}):
        norm = K1 * (1 - B + B * length_here / mean) if mean else K1
        score = 0.0
        text, tags, also, wholes, _ = codes.split(SECTION_END)
        words = text + SECTION_END + tags + SECTION_END + also
        for group, weight in zip(groups, weights, strict=True):
            tf = sum(codes.count(code) for code in group.codes)
            tf += sum(words.count(code) for code in group.wholes if code not in group.codes)
            score += weight * tf * (K1 + 1) / (tf + norm)
        hits.append(Scored(document, score))
    return sorted(hits, key=lambda hit: (-hit.score, -hit.id))


def _one_a_unit(db: Connection, hits: list[Scored], grouping: Grouping | None) -> list[Scored]:
    if grouping is None:
        return hits
    ids = json.dumps([hit.id for hit in hits])
    units: Mapping[int, int] = dict(
        db.execute(UNITS.replace("{grouping}", grouping.select), {"search_ids": ids})
    )
    best: dict[tuple[str, int], Scored] = {}
    for hit in hits:
        unit = units.get(hit.id)
        key = ("document", hit.id) if unit is None else ("unit", unit)
        best.setdefault(key, Scored(hit.id, hit.score, unit))
    return list(best.values())
