"""Scores against figures worked out by hand."""

import math

import pytest

from messung import scores
from messung.scores import (
    Judged,
    difference_half_width,
    half_width,
    is_tie,
    mean_score,
    ndcg,
    quantile,
    recall_at,
    reciprocal_rank,
    sight,
)

A, B, X = frozenset({"a"}), frozenset({"b"}), frozenset({"x"})
BOTH = frozenset({"a", "b"})


def test_recall_is_the_share_of_the_relevant_that_the_first_hits_cover() -> None:
    judged = Judged(BOTH, (X, A, A, B))

    shares = [recall_at(judged, k) for k in (1, 2, 3, 4)]

    assert shares == [0.0, 0.5, 0.5, 1.0]


def test_one_hit_may_cover_several_relevant_turns() -> None:
    judged = Judged(BOTH, (BOTH, X))

    assert recall_at(judged, 1) == 1.0


def test_reciprocal_rank_ends_at_ten() -> None:
    assert reciprocal_rank(Judged(A, (X, X, A))) == pytest.approx(1 / 3)
    assert reciprocal_rank(Judged(A, (*[X] * 10, A))) == 0.0


def test_ndcg_of_one_of_two_relevant_at_rank_two() -> None:
    judged = Judged(BOTH, (X, A))

    assert ndcg(judged) == pytest.approx((1 / math.log2(3)) / (1 + 1 / math.log2(3)))


def test_no_hits_score_nothing() -> None:
    assert [mean_score([Judged(A, ())], name) for name in scores.SCORES] == [0.0] * len(scores.SCORES)


def test_median_of_reading_is_taken_over_those_who_got_there_and_shares_over_all() -> None:
    judged = [Judged(A, (), sight_bytes=cost) for cost in (1000, 3000, 9000, None)]

    found = sight(judged)

    assert found is not None
    assert found.median_bytes == 3000
    assert found.within == (0.25, 0.5, 0.5)


def test_spread_is_none_where_every_question_scores_the_same() -> None:
    assert half_width([Judged(A, (A,))] * 20, "hit@1") == 0.0


def test_difference_of_a_system_from_itself_has_no_spread() -> None:
    judged = [Judged(A, (A,)), Judged(A, (X,))] * 10

    assert difference_half_width(judged, judged, "hit@1") == 0.0
    assert half_width(judged, "hit@1") > 0.0


def test_under_a_tenth_of_the_larger_is_a_tie() -> None:
    assert is_tie(0.91, 1.0)
    assert not is_tie(0.89, 1.0)
    assert is_tie(0.0, 0.0)


def test_quantile_is_the_nearest_rank() -> None:
    values = [float(value) for value in range(20, 0, -1)]

    assert quantile(values, 0.95) == 19.0
    assert quantile([3.0], 0.95) == 3.0
