"""The retriever that is shipped: candidates from FTS5, scores in Python, neighbours on top."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from frugal.search.candidates import Matches, all_of, any_of, count_each, forward_rows, has_units, units_of
from frugal.search.edition import is_outdated
from frugal.search.essential import Essential
from frugal.search.exact import count_units, filled_up, ranking_groups, within_set
from frugal.search.expansion import Expansion, expand
from frugal.search.explicit import Node, parse_explicit
from frugal.search.feedback import reorder
from frugal.search.groups import STATISTICS, Group, indexed, resolve
from frugal.search.matching import Matching
from frugal.search.neighbours import Rated, support
from frugal.search.order import below_text, newer_first
from frugal.search.protocol import EVERY_DOCUMENT, Found, Labels, Request, Restriction, Scored
from frugal.search.query import PlainQuery, parse_plain
from frugal.search.scoring import Asked, Collection, Other, Scorer
from frugal.search.tuning import Tuning
from frugal.store import Connection

LABELS = "SELECT DISTINCT label FROM ({labels})"


USUAL_LIMIT = 8
"""Fewer hits are the first ones of so many, whatever decides how many documents are looked at."""


class _Prepared(NamedTuple):
    """A plain query with its words as the store knows them, and what else to ask for."""

    query: PlainQuery
    groups: list[Group]
    expansions: list[Expansion]


class LexicalRetriever:
    """Any word may match, BM25 and its lifts decide; see `Tuning` for the parts."""

    def __init__(self, tuning: Tuning | None = None) -> None:
        self._tuning = tuning or Tuning()
        self._last: tuple[tuple[object, ...], _Prepared] | None = None

    def search(self, db: Connection, request: Request) -> Found:
        """Return the best documents of the restriction; see `Found`."""
        found = self._found(db, request)
        return replace(found, is_outdated=True) if is_outdated(db) else found

    def _found(self, db: Connection, request: Request) -> Found:
        parsed = parse_explicit(request.query)
        if parsed.node is not None:
            return self._explicit(db, request, parsed.node)
        found = self._plain(db, request)
        return replace(found, has_operators_as_words=True) if parsed.is_malformed else found

    def _explicit(self, db: Connection, request: Request, node: Node) -> Found:
        matching = Matching(db, request.restriction)
        ids = matching.ids(node)
        beside = tuple(
            count_units(db, list(Matching(db, other).ids(node)), request.grouping) for other in request.beside
        )
        if not ids:
            plain_total = self._plain_count(db, request)
            return Found((), 0, is_explicit=True, plain_total=plain_total, beside=beside)
        groups = ranking_groups(db, node, matching)
        return Found(
            self._ranked_set(db, request, ids, groups),
            count_units(db, list(ids), request.grouping),
            has_all_words=True,
            is_explicit=True,
            beside=beside,
        )

    def _stop_words(
        self, db: Connection, request: Request, groups: Sequence[Group], *, is_cut: bool
    ) -> Found:
        """Nothing but stop words was asked: documents with all of them first."""
        there, every_word = Matching(db, _widened(request)).with_stop_words(groups)
        matches = Matches(db, request.restriction)
        ids = matches.allowed(there)
        every = ids & every_word
        first = sorted(every or ids, reverse=True)[: self._tuning.candidates]
        scorer = self._scorer(db, groups, ())
        hits = self._rank(db, request, _rated(db, first, scorer), scorer, matches)
        slots = _one_a_unit(hits, units_of(db, [hit.id for hit in hits], request.grouping))
        filled = filled_up(db, slots, ids, limit=request.limit, grouping=request.grouping)
        total = count_units(db, list(ids), request.grouping)
        others = [Matches(db, other).allowed(there) for other in request.beside]
        beside = tuple(count_units(db, list(other), request.grouping) for other in others)
        return Found(filled, total, bool(every), is_cut=is_cut, beside=beside)

    def _ranked_set(
        self, db: Connection, request: Request, ids: set[int], groups: Sequence[Group]
    ) -> tuple[Scored, ...]:
        inside = replace(request, restriction=within_set(ids))
        matches = Matches(db, inside.restriction)
        hits = self._hits(db, inside, (groups, ()), len(ids), matches) if indexed(groups) else ()
        return filled_up(db, hits, ids, limit=request.limit, grouping=request.grouping)

    def _prepare(self, db: Connection, text: str) -> _Prepared:
        """Return what the store knows of a plain query; the counts of one recall ask for the same one again."""
        version = db.execute("PRAGMA data_version").fetchone()[0]
        key = (text, id(db), version, db.total_changes)
        if self._last is None or self._last[0] != key:
            query = parse_plain(text)
            groups = resolve(db, query)
            self._last = (key, _Prepared(query, groups, self._expand(db, groups)))
        return self._last[1]

    def _plain(self, db: Connection, request: Request) -> Found:
        query, groups, expansions = self._prepare(db, request.query)
        known = indexed(groups)
        if query.is_stops and not known and any(group.codes for group in groups):
            return self._stop_words(db, request, groups, is_cut=query.is_cut)
        unknown = tuple(group.surface for group in groups if not group.every_term)
        matches = Matches(db, request.restriction)
        expression = any_of(_terms(known, expansions))
        total, beside = _totals(db, expression, request)
        if not total:
            return Found((), 0, unknown=unknown, is_cut=query.is_cut, beside=beside)
        return Found(
            self._hits(db, request, (groups, expansions), total, matches),
            total,
            not unknown and matches.has_any(all_of(group.every_term for group in known)),
            expanded=tuple(expansion.word for expansion in expansions),
            unknown=unknown,
            is_cut=query.is_cut,
            beside=beside,
        )

    def count(self, db: Connection, request: Request) -> int:
        """Return the `total` of the same search without ranking anything."""
        node = parse_explicit(request.query).node
        if node is None:
            return self._plain_count(db, request)
        return count_units(db, list(Matching(db, request.restriction).ids(node)), request.grouping)

    def count_by(self, db: Connection, request: Request, labels: Labels) -> dict[str, int]:
        """Return the `total` of the same query for the documents of each label, in one pass over the matches.

        Labels without a match are missing. Several counts by `count` would each read all matches again.
        """
        prepared = self._prepare(db, request.query)
        expression = any_of(_terms(indexed(prepared.groups), prepared.expansions))
        if parse_explicit(request.query).node is None and expression:
            return Matches(db, request.restriction).count_by(expression, labels, request.grouping)
        names = [row[0] for row in db.execute(LABELS.replace("{labels}", labels.select), labels.parameters)]
        counts = {
            name: self.count(db, replace(request, restriction=_labelled(labels, name))) for name in names
        }
        return {name: count for name, count in counts.items() if count}

    def _plain_count(self, db: Connection, request: Request) -> int:
        query, groups, expansions = self._prepare(db, request.query)
        if query.is_stops and not indexed(groups):
            ids = Matching(db, request.restriction).with_any_word(groups)
            return count_units(db, list(ids), request.grouping)
        expression = any_of(_terms(indexed(groups), expansions))
        return count_each(db, expression, [request.restriction], request.grouping)[0] if expression else 0

    def _expand(self, db: Connection, groups: Sequence[Group]) -> list[Expansion]:
        return expand(db, groups) if self._tuning.expansion else []

    def _hits(
        self,
        db: Connection,
        request: Request,
        asked: tuple[Sequence[Group], Sequence[Expansion]],
        total: int,
        matches: Matches,
    ) -> tuple[Scored, ...]:
        """Return the filled slots; more candidates are fetched while groups leave slots empty."""
        groups, expansions = asked
        scorer = self._scorer(db, groups, expansions)
        limit = max(self._tuning.candidates_of(total), request.limit)
        needed = min(request.limit, total)
        shown = request.limit if request.at_least else max(request.limit, USUAL_LIMIT)
        essential = Essential(groups, scorer, self._tuning, at_least=request.at_least)
        is_grouped = has_units(db, request.grouping)
        while True:
            ids = _best(matches, any_of(_terms(essential.chosen, ())), limit)
            rated = _rated(db, ids, scorer)
            is_sure = len(ids) == limit and not is_grouped and essential.outweighs_others(rated, shown)
            if expansions and not is_sure:
                others = _best(matches, any_of(expansion.term for expansion in expansions), limit // 2)
                rated += _rated(db, list(dict.fromkeys(others).keys() - set(ids)), scorer)
            ranked = self._rank(db, request, rated, scorer, matches)
            hits = _one_a_unit(ranked, units_of(db, [hit.id for hit in ranked], request.grouping))
            last = max(hits[needed - 1].score if len(hits) >= needed else 0.0, request.at_least)
            if not essential.suffices(last):
                essential.extend(last)
            elif last or len(ids) < limit:
                return tuple(hits[: request.limit])
            else:
                limit *= 4

    def _scorer(self, db: Connection, groups: Sequence[Group], expansions: Sequence[Expansion]) -> Scorer:
        return Scorer(_asked(db, groups, expansions, self._tuning), _collection(db), self._tuning)

    def _rank(
        self, db: Connection, request: Request, rated: Sequence[Rated], scorer: Scorer, matches: Matches
    ) -> list[Scored]:
        rated = sorted(rated, key=lambda item: (-item.score.value, -item.row.document))
        values = support(db, rated, matches, scorer=scorer, tuning=self._tuning)
        scores = {item.row.document: item.score for item, _ in values}
        hits = below_text([Scored(item.row.document, value) for item, value in values], scores)
        rows = {item.row.document: item.row for item, _ in values}
        hits = newer_first(hits, request)
        if request.limit <= self._tuning.feedback_kept:
            return hits
        hits = reorder(db, hits, rows, asked=scorer.codes, collection=_collection(db), tuning=self._tuning)
        return newer_first(below_text(hits, scores), request)


def _widened(request: Request) -> Restriction:
    """Return a restriction that lets through whatever one of the restrictions of *request* does."""
    marks = request.restriction.marks
    if marks is None:
        return EVERY_DOCUMENT if request.beside else request.restriction
    return replace(request.restriction, marks=replace(marks, allowed=marks.present.lstrip(b"\0")))


def _totals(db: Connection, expression: str, request: Request) -> tuple[int, tuple[int, ...]]:
    """Return the totals of the restriction and of those beside it, one that is known already not counted again."""
    if not expression:
        return 0, (0,) * len(request.beside)
    if request.total is not None:
        return request.total, tuple(count_each(db, expression, request.beside, request.grouping))
    total, *beside = count_each(db, expression, [request.restriction, *request.beside], request.grouping)
    return total, tuple(beside)


def _labelled(labels: Labels, name: str) -> Restriction:
    select = f"SELECT id FROM ({labels.select}) WHERE label = :label_name"
    return Restriction(select, {**labels.parameters, "label_name": name})


def _terms(groups: Iterable[Group], expansions: Iterable[Expansion]) -> list[int]:
    own = [term for group in groups for term in group.every_term]
    return list(dict.fromkeys([*own, *(expansion.term for expansion in expansions)]))


def _best(matches: Matches, expression: str, limit: int) -> list[int]:
    return matches.best(expression, limit) if expression else []


def _rated(db: Connection, ids: Sequence[int], scorer: Scorer) -> list[Rated]:
    return [Rated(row, scorer.score(row)) for row in forward_rows(db, ids)]


def _collection(db: Connection) -> Collection:
    documents, length = db.execute(STATISTICS).fetchone()
    return Collection(documents, length / documents if documents else 1.0)


def _asked(
    db: Connection, groups: Sequence[Group], expansions: Sequence[Expansion], tuning: Tuning
) -> list[Asked]:
    collection = _collection(db)
    others: dict[int, list[Other]] = {}
    for expansion in expansions:
        group = groups[expansion.group]
        weight = collection.weight(expansion.df)
        if group.terms:
            weight = min(weight, collection.weight(group.df))
        share = tuning.near if expansion.is_near else tuning.expansion
        others.setdefault(expansion.group, []).append(Other(expansion.codes, share, share * weight))
    return [
        Asked(
            group.codes,
            group.exact,
            group.around_codes,
            collection.weight(group.df),
            group.is_piece,
            tuple(others.get(number, ())),
            group.is_glued,
        )
        for number, group in enumerate(groups)
    ]


def _one_a_unit(hits: Iterable[Scored], units: Mapping[int, int]) -> list[Scored]:
    if not units:
        return list(hits)
    best: dict[tuple[bool, int], Scored] = {}
    for hit in hits:
        unit = units.get(hit.id)
        key = (False, hit.id) if unit is None else (True, unit)
        best.setdefault(key, Scored(hit.id, hit.score, unit))
    return list(best.values())
