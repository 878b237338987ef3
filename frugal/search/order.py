"""What the order of hits promises beyond the score: text before search words, newer before older."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from math import inf, nextafter

from frugal.search.protocol import Request, Scored
from frugal.search.scoring import Score


def below_text(hits: Sequence[Scored], scores: Mapping[int, Score]) -> list[Scored]:
    """Return *hits* by score, then higher id, with search words put below texts.

    A document that rests on its search words alone comes behind every document whose text has all the words that it
    has there. It stays in front of texts that have fewer of them, or nobody would find what search words are for.
    """
    if not all(scores[hit.id].on_text for hit in hits):
        lowest: dict[int, float] = {}
        for hit in hits:
            words = scores[hit.id].on_text
            lowest[words] = min(hit.score, lowest.get(words, inf))
        lowest.pop(0, None)
        hits = [hit if scores[hit.id].on_text else _lowered(hit, scores[hit.id], lowest) for hit in hits]
    return sorted(hits, key=lambda hit: (-hit.score, -hit.id))


def _lowered(hit: Scored, score: Score, lowest: Mapping[int, float]) -> Scored:
    wanted = sum(1 << number for number, share in enumerate(score.words) if share)
    ceiling = min((least for words, least in lowest.items() if words & wanted == wanted), default=inf)
    return Scored(hit.id, min(hit.score, nextafter(ceiling, 0.0)))


def newer_first(hits: Sequence[Scored], request: Request) -> list[Scored]:
    """Return *hits* (by score, then higher id) with the newer of equal ones first, where the request can tell."""
    if request.created_of is None:
        return list(hits)
    ordered: list[Scored] = []
    for run in _runs(hits):
        if len(ordered) >= request.limit:
            break
        if len(run) > 1:
            created = request.created_of([hit.id for hit in run])
            run.sort(key=lambda hit: (created.get(hit.id, ""), hit.id), reverse=True)
        ordered += run
    return [*ordered, *hits[len(ordered) :]]


def _runs(hits: Sequence[Scored]) -> Iterator[list[Scored]]:
    for _, run in groupby(hits, key=lambda hit: hit.score):
        yield list(run)
