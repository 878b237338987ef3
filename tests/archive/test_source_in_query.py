"""recall: a query that names a source brings its entries first."""

import re

import pytest

EVIDENCE = "\nEvidence: abstract"


def listed(archive, **arguments: object) -> list[int]:
    answer = archive("recall", **arguments)
    return [int(number) for number in re.findall(rf"(?m)^{archive.word('archive')}#(\d+) ", answer)]


@pytest.fixture
def shelf(archive):
    archive.store(f"Attention is all you need, arXiv:1706.03762v5, NeurIPS.{EVIDENCE}", kind="finding")
    archive.store(f"Ice cores, 10.1000/ABC(1), a finding of abs.{EVIDENCE}", kind="finding")
    archive.store(f"Tools at https://example.org/tools/list?b=1 and more.{EVIDENCE}", kind="resource")
    for number in range(4):
        archive.store(
            f"Other paper {number}: https://arxiv.org/abs/2301.0000{number} https org abs.{EVIDENCE}",
            kind="finding",
        )
    return archive


@pytest.mark.parametrize(
    ("query", "number"),
    [
        ("https://arxiv.org/abs/1706.03762", 1),
        ("arxiv.org/pdf/1706.03762v2.pdf", 1),
        ("other paper like arXiv 1706.03762", 1),
        ("https://doi.org/10.1000/abc(1)", 2),
        ("other paper doi:10.1000/abc(1)", 2),
        ("http://www.example.org/tools/list/?b=1&utm_source=x", 3),
        ("https://arxiv.org/abs/2301.00002", 6),
    ],
)
def test_source_in_the_query_comes_first(shelf, query, number):
    assert listed(shelf, query=query)[0] == number


def test_filters_hold_for_a_source_too(shelf):
    assert 1 not in listed(shelf, query="https://arxiv.org/abs/1706.03762", kind=shelf.word("resource"))


def test_superseded_source_stays_hidden_unless_asked_for(shelf):
    shelf("forget", ids="1")
    query = "https://arxiv.org/abs/1706.03762"

    assert 1 not in listed(shelf, query=query)
    assert listed(shelf, query=query, include_superseded=True)[0] == 1


def test_count_of_a_query_with_a_source_is_what_a_higher_limit_lists(shelf):
    few = shelf("recall", query="https://arxiv.org/abs/1706.03762 paper", limit=2)
    total = int(re.search(shelf.pick(r"2 of (\d+) match", r"2 von (\d+) Treffern"), few)[1])

    assert len(listed(shelf, query="https://arxiv.org/abs/1706.03762 paper", limit=50)) == total


def test_source_is_not_told_as_asked_before(shelf):
    answer = shelf("recall", query="https://arxiv.org/abs/1706.03762")

    assert shelf.pick("asked before", "schon gefragt") not in answer
