"""The retriever that is shipped: candidates from FTS5, scores in Python, neighbours on top."""

from collections.abc import Iterable, Mapping, Sequence

from frugal.search.candidates import Matches, all_of, any_of, forward_rows, units_of
from frugal.search.expansion import Expansion, expand
from frugal.search.groups import STATISTICS, Group, indexed, resolve
from frugal.search.neighbours import Rated, support
from frugal.search.protocol import Found, Request, Scored
from frugal.search.query import parse_plain
from frugal.search.scoring import Asked, Collection, Other, Scorer
from frugal.search.tuning import Tuning
from frugal.store import Connection


class LexicalRetriever:
    """Any word may match, BM25 and its lifts decide; see `Tuning` for the parts."""

    def __init__(self, tuning: Tuning | None = None) -> None:
        self._tuning = tuning or Tuning()

    def search(self, db: Connection, request: Request) -> Found:
        """Return the best documents of the restriction; see `Found`."""
        query = parse_plain(request.query)
        groups = resolve(db, query)
        known = indexed(groups)
        unknown = tuple(group.surface for group in groups if not group.every_term)
        expansions = self._expand(db, groups)
        matches = Matches(db, request.restriction)
        expression = any_of(_terms(known, expansions))
        total = matches.count(expression, request.grouping) if expression else 0
        if not total:
            return Found((), 0, unknown=unknown, is_cut=query.is_cut)
        return Found(
            self._hits(db, request, (groups, expansions), total),
            total,
            not unknown and matches.has_any(all_of(group.every_term for group in known)),
            expanded=tuple(expansion.word for expansion in expansions),
            unknown=unknown,
            is_cut=query.is_cut,
        )

    def count(self, db: Connection, request: Request) -> int:
        """Return the `total` of the same search without ranking anything."""
        groups = resolve(db, parse_plain(request.query))
        expression = any_of(_terms(indexed(groups), self._expand(db, groups)))
        return Matches(db, request.restriction).count(expression, request.grouping) if expression else 0

    def _expand(self, db: Connection, groups: Sequence[Group]) -> list[Expansion]:
        return expand(db, groups) if self._tuning.expansion else []

    def _hits(
        self,
        db: Connection,
        request: Request,
        asked: tuple[Sequence[Group], Sequence[Expansion]],
        total: int,
    ) -> tuple[Scored, ...]:
        """Return the filled slots; more candidates are fetched while groups leave slots empty."""
        groups, expansions = asked
        matches = Matches(db, request.restriction)
        scorer = Scorer(_asked(db, groups, expansions, self._tuning), _collection(db), self._tuning)
        limit = max(self._tuning.candidates, request.limit)
        while True:
            ids = dict.fromkeys(_best(matches, any_of(_terms(indexed(groups), ())), limit))
            others = _best(matches, any_of(expansion.term for expansion in expansions), limit // 2)
            ids.update(dict.fromkeys(others))
            ranked = self._rank(db, request, list(ids), scorer)
            hits = _one_a_unit(ranked, units_of(db, [hit.id for hit in ranked], request.grouping))
            if len(hits) >= min(request.limit, total) or len(ids) < limit:
                return tuple(hits[: request.limit])
            limit *= 4

    def _rank(self, db: Connection, request: Request, ids: Sequence[int], scorer: Scorer) -> list[Scored]:
        rated = [Rated(row, scorer.score(row)) for row in forward_rows(db, ids)]
        rated.sort(key=lambda item: (-item.score.value, -item.row.document))
        values = support(db, rated, request.restriction, scorer=scorer, tuning=self._tuning)
        hits = [Scored(document, value) for document, value in values.items()]
        return sorted(hits, key=lambda hit: (-hit.score, -hit.id))


def _terms(groups: Iterable[Group], expansions: Iterable[Expansion]) -> list[int]:
    own = [term for group in groups for term in group.every_term]
    return list(dict.fromkeys([*own, *(expansion.term for expansion in expansions)]))


def _best(matches: Matches, expression: str, limit: int) -> list[int]:
    return matches.best(expression, limit) if expression else []


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
        others.setdefault(expansion.group, []).append(Other(expansion.codes, share * weight))
    return [
        Asked(
            group.codes,
            group.exact,
            group.around_codes,
            collection.weight(group.df),
            group.is_piece,
            tuple(others.get(number, ())),
        )
        for number, group in enumerate(groups)
    ]


def _one_a_unit(hits: Iterable[Scored], units: Mapping[int, int]) -> list[Scored]:
    best: dict[tuple[bool, int], Scored] = {}
    for hit in hits:
        unit = units.get(hit.id)
        key = (False, hit.id) if unit is None else (True, unit)
        best.setdefault(key, Scored(hit.id, hit.score, unit))
    return list(best.values())
