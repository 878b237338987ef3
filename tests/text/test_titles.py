"""Titles, their shortening, and echoes: one line, in reading order, no half characters."""

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frugal.text.graphemes import boundary_before, is_boundary
from frugal.text.titles import one_line, shorten, title

FAMILY = "👨\u200d👩\u200d👧\u200d👦"
hostile = (
    st.text(
        alphabet=st.sampled_from(
            list('ab *_#"\\,;:-\n\r\t\x00\x1b.\u0301\u200d\ufe0f\u202e\u2066\u2028\ufeff\ud800中ü🇩🇪👩🏽각')
        )
    )
    | st.text()
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain text", "plain text"),
        ("  two\n\n\tlines\r\nand\x00controls\u2028here ", "two lines and controls here"),
        ("# Heading\n\nand text", "Heading and text"),
        ("###### Deep", "Deep"),
        ("####### seven", "####### seven"),
        ("#tag is no heading", "#tag is no heading"),
        ("**A bold beginning of a text** and the rest", "A bold beginning of a text"),
        ("## **A bold beginning of a text** and the rest", "A bold beginning of a text"),
        ("***A bold beginning of a text*** and the rest", "A bold beginning of a text"),
        ("__A bold beginning of a text__ and the rest", "A bold beginning of a text"),
        ("**A bold\nbeginning   of a text** and", "A bold beginning of a text"),
        ("**" + "b" * 19 + "** rest", "b" * 19 + " rest"),
        ("**" + "b" * 20 + "** rest", "b" * 20),
        ("**" + "b" * 100 + "** rest", "b" * 100),
        ("**" + "b" * 101 + "** rest", "b" * 100 + "..."),
        ("**Note** the rest", "Note the rest"),
        ("**open and never closed", "open and never closed"),
        ("** no mark", "** no mark"),
        ("__init__ is run first", "__init__ is run first"),
        ("2 ** 3 ** 4", "2 ** 3 ** 4"),
        ("\u202eabc\u2066def\u2069", "abcdef"),
        ("\ufeff# Marked", "Marked"),
        ("a\ud800b", "a\ufffdb"),
    ],
)
def test_title_is_the_beginning_or_the_bold_beginning_on_one_line(text: str, expected: str) -> None:
    assert title(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x" * 100, "x" * 100),
        ("x" * 101, "x" * 100 + "..."),
        ("word " * 60, "word " * 19 + "word..."),
        ("a" * 59 + " " + "b" * 80, "a" * 59 + " " + "b" * 40 + "..."),
        ("a" * 61 + " " + "b" * 80, "a" * 61 + "..."),
        ("a" * 80 + " -,;: " + "b" * 80, "a" * 80 + "..."),
        ("中" * 200, "中" * 100 + "..."),
        ("x" * 98 + FAMILY + "y", "x" * 98 + "..."),
        ("x" * 99 + "e\u0301" + "y" * 9, "x" * 99 + "..."),
    ],
)
def test_long_title_is_cut_at_a_word_where_that_loses_little(text: str, expected: str) -> None:
    assert title(text) == expected


def test_limit_counts_the_text_before_the_dots() -> None:
    assert title("word " * 60, limit=76) == "word " * 14 + "word..."


def test_shorten_leaves_a_title_that_fits_alone() -> None:
    for text in ("short", "x" * 300, "word " * 60, "😀" * 200, "中" * 100):
        assert shorten(title(text), 100, 400) == title(text)


def test_shorten_cuts_a_cut_title_again_with_one_set_of_dots() -> None:
    assert shorten(title("word " * 60), 76, 400) == "word " * 14 + "word..."


def test_shorten_stops_at_forty_characters_and_eighty_bytes() -> None:
    assert shorten("x" * 100, 3, 3) == "x" * 40 + "..."
    assert shorten("中" * 100, 3, 3) == "中" * 26 + "..."
    assert shorten('"' * 100, 100, 100) == '"' * 50 + "..."


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        ("a\nb\tc\x1bd", 60, "a b c d"),
        ("x" * 60, 60, "x" * 60),
        ("x" * 61, 60, "x" * 57 + "..."),
        ("x" * 56 + FAMILY, 60, "x" * 56 + "..."),
        ("x" * 9, 2, ".."),
        ("x" * 9, 0, ""),
        ("\u202eabc", 60, "abc"),
        ("a\ud800b", 60, "a\ufffdb"),
    ],
)
def test_echo_is_one_line_of_at_most_its_limit(text: str, limit: int, expected: str) -> None:
    assert one_line(text, limit) == expected


@given(hostile, st.integers(20, 120))
def test_title_is_one_clean_line_within_its_limit(text: str, limit: int) -> None:
    found = title(text, limit)

    assert len(found) <= limit + 3
    assert all(unicodedata.category(character) not in {"Cc", "Cs", "Zl", "Zp"} for character in found)
    assert not set(found) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
    assert found == " ".join(found.split())


PARTS = st.sampled_from(
    (
        "word",
        "**bold part of a title**",
        "__two words__",
        "##",
        "\n",
        "  ",
        "é",
        "x" * 230,
        "\u3000",
        "\xa0",
        "字",
        ".",
    )
)


@given(st.lists(PARTS, min_size=1, max_size=90).map(" ".join), st.sampled_from((40, 100)))
def test_title_of_a_printable_text_is_that_of_the_same_text_behind_a_control_character(
    text: str, limit: int
) -> None:
    assert title(text, limit) == title("\x01" + text, limit)


@given(hostile, st.integers(0, 120), st.integers(0, 400))
def test_shortened_title_keeps_both_limits(text: str, characters: int, size_bytes: int) -> None:
    short = shorten(title(text), characters, size_bytes).removesuffix("...")

    assert len(short) <= max(characters, 40)
    assert sum(len(c.encode()) + (c in '"\\') for c in short) <= max(size_bytes, 80)


@given(hostile, st.integers(0, 80))
def test_echo_never_passes_its_limit(text: str, limit: int) -> None:
    line = one_line(text, limit)

    assert len(line) <= limit
    assert all(unicodedata.category(character) not in {"Cc", "Cs", "Zl", "Zp"} for character in line)


@pytest.mark.parametrize(
    "cluster",
    [FAMILY, "e\u0301\u0323", "🇩🇪", "👍🏽", "❤\ufe0f\u200d🔥", "\u1100\u1161\u11a8", "नि", "क्ष", "กำ",
     "1\ufe0f\u20e3", "🏴\U000e0067\U000e0062\U000e007f", "\r\n", "ｶ\uff9e", "か\u3099"],
)  # fmt: skip
def test_cluster_is_never_cut_in_two(cluster: str) -> None:
    text = "x" + cluster + cluster + "y"

    boundaries = [index for index in range(len(text) + 1) if is_boundary(text, index)]

    assert boundaries == [0, 1, 1 + len(cluster), 1 + 2 * len(cluster), len(text)]
    assert boundary_before(text, len(cluster)) == 1


def test_endless_cluster_is_cut_all_the_same() -> None:
    assert boundary_before("e" + "\u0301" * 1000, 500) == 500


@pytest.mark.parametrize(
    "unit", ["a", " ", "\u0301", "🇩", "**", "# ", "__a ", "\u202e", "\x00", "\ufeff", "** "]
)
def test_hostile_text_is_titled_in_linear_time(unit: str) -> None:
    text = unit * (100_000 // len(unit))
    started = time.process_time()

    title(text)
    one_line(text, 60)

    assert time.process_time() - started < 0.5
