"""Which numbers of a text refer to an entry, and which are left alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frugal.text.references import references


def numbers(text: str) -> list[int]:
    found = references(text)
    assert all(text[item.start : item.end] == f"#{item.number}" for item in found)
    return [item.number for item in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see #123", [123]),
        ("#123 is the first", [123]),
        ("(#123), **#124** and „#125“.", [123, 124, 125]),
        ("#12-#15, #17,18", [12, 15, 17]),
        ("siehe #123!", [123]),
        ("it is [#123]", [123]),
        ("- #1\n- #2\n\n    still the second item, #3", [1, 2, 3]),
        ("| #1 | `x` | #2 |", [1, 2]),
        ("# Heading about #5", [5]),
        ("#9223372036854775807", [9223372036854775807]),
    ],
)
def test_number_that_may_be_an_id_is_found(text, expected):
    assert numbers(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "&#72;",
        "word#72 and b#72 and ü#72 and _#72",
        "##72 and /#72",
        "#072 and #0",
        "#72a and #72_ and #72ff00",
        "version #7.2",
        "#9223372036854775808 and #99999999999999999999999",
        "issue #123",
        "Issue: #123",
        "ISSUES #123",
        "PR #1, pull request #2, Pull-Request #3, bug #4, ticket #5, MR #6",
        "Fehler #1, Vorgang #2, Vorgänge #3, im Ticket (#4)",
        "issue\n#123",
        "`#1` and ``x ` #2``",
        "a `code\nspan #1` over two lines",
        "```\n#1\n```",
        "~~~ python\n# see #1\n~~~",
        "```\nnever closed, #1",
        "text\n\n    indented = #1\n",
        "- item\n\n        code in it, #1",
        "[#1](https://example.org)",
        "[see #1 (a)](https://example.org/(x))",
        "![#1](a.png)",
        "[x](#1 'title #2')",
        "[see #1][ref]",
        "[#1]: https://example.org",
        "[#1] and [#1][]\n\n[#1]: https://example.org",
        "https://example.org/a?b=#1 and www.example.org/?#2",
        "<https://example.org/?x=#1>",
        "[[note #1]]",
        '<a href="#1">#2</a>',
        '<span title="#1">',
        "\\#1",
    ],
)
def test_number_that_means_something_else_is_left_alone(text):
    assert numbers(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("tissue #1", [1]),
        ("`a` #1 `b`", [1]),
        ("a stray ` tick, #1", [1]),
        ("- a stray ` here, #1\n- and one ` there, #2", [1, 2]),
        ("\\`#1\\`", [1]),
        ("```\n#1\n```\n#2", [2]),
        ("[a](https://example.org) #1 [b](https://example.org)", [1]),
        ("[not a link] #1 (no)", [1]),
        ("a < b, #1 > c", [1]),
        ("issue tracker, see #1", [1]),
        ("paragraph\n    lazy line, #1", [1]),
        ("https://example.org/x #1", [1]),
    ],
)
def test_what_stands_near_does_not_hide_a_reference(text, expected):
    assert numbers(text) == expected


@given(st.text(alphabet=st.sampled_from("#123 \n`[]()<>a/&:~-*|\\\"'="), max_size=200))
def test_references_stand_in_order_and_are_what_they_say(text):
    found = references(text)

    assert [item.start for item in found] == sorted({item.start for item in found})
    assert all(text[item.start : item.end] == f"#{item.number}" for item in found)
