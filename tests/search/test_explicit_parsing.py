"""What counts as an explicit query, and how it binds."""

import pytest

from frugal.search.explicit import All, Any, Phrase, Prefix, Word, leaves, parse_explicit

A, B, C = Word("a1"), Word("b1"), Word("c1")


@pytest.mark.parametrize(
    ("query", "tree"),
    [
        ('"one two"', Phrase("one two")),
        ("conn*", Prefix("conn")),
        ("a1 AND b1", All((A, B))),
        ("a1 OR b1 AND c1", Any((A, All((B, C))))),
        ("(a1 OR b1) AND c1", All((Any((A, B)), C))),
        ("(a1 OR b1) c1", All((Any((A, B)), C))),
        ("a1 NOT b1", All((A,), (B,))),
        ("a1 AND NOT b1 c1", All((A, C), (B,))),
        ("a1 OR b1 NOT c1", Any((A, All((B,), (C,))))),
        ('a1 "b1 c1"', All((A, Phrase("b1 c1")))),
        ("main() AND b1", All((Word("main()"), B))),
        ("((a1 OR b1))", Any((A, B))),
        ('("b1 c1") OR a1', Any((Phrase("b1 c1"), A))),
    ],
)
def test_explicit_query_binds_not_before_and_before_or(query, tree):
    assert parse_explicit(query) == (tree, False)


@pytest.mark.parametrize(
    "query",
    [
        "a1 b1",
        "a1 and b1",
        "OR",
        "AND",
        '"',
        "don't",
        "*",
        "a*",
        "C++",
        "NEAR(",
        "a1 (b1",
        'say "hi',
        '""',
        "tags:x",
        '5" disk',
    ],
)
def test_plain_query_stays_plain_without_a_notice(query):
    assert parse_explicit(query) == (None, False)


@pytest.mark.parametrize(
    "query",
    ["NOT a1", "a1 AND", "a1 OR", "a1 AND (b1", "a1 AND b1)", "a1 AND OR b1", "(a1 OR) b1", "OR a1 AND", "a1 OR NOT b1",
     "(" * 60 + "a1 OR b1" + ")" * 60],
)  # fmt: skip
def test_malformed_query_is_read_as_plain_words(query):
    assert parse_explicit(query) == (None, True)


def test_words_under_not_are_no_leaves():
    node = parse_explicit("a1 OR b1 NOT c1").node

    assert node is not None
    assert list(leaves(node)) == [A, B]
