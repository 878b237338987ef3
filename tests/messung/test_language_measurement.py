"""Analyses compared under the same ranking: a text is found by its terms alone."""

import pytest

from messung.datasets import Collection, Entry, Question
from messung.languages import ANALYSES, judge
from messung.scores import hit_at

pytest.importorskip("bm25s", reason="the comparison needs bm25s, which comes with the dev extra")

COLLECTION = Collection(
    "tiny",
    (
        Entry("In den Häusern ist es warm", frozenset({"de"})),
        Entry("数据库连接池的最大值是二十", frozenset({"zh"})),
        Entry("She was running home", frozenset({"en"})),
    ),
    (
        Question("Häuser", frozenset({"de"})),
        Question("连接池", frozenset({"zh"})),
        Question("run", frozenset({"en"})),
    ),
)


@pytest.mark.parametrize(
    ("analysis", "found"),
    [("words", [0, 0, 0]), ("English stems", [0, 0, 1]), ("shipped analysis", [1, 1, 1])],
)
def test_each_analysis_finds_what_its_terms_share(analysis: str, found: list[int]) -> None:
    judged = judge(COLLECTION, *ANALYSES[analysis])

    assert [hit_at(item, 1) for item in judged] == found
