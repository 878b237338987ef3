"""Keys, patterns, row ids and ids of memory entries, as they are written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frugal_modes.notebook.keys import fold, glob_of, parse_key
from frugal_modes.notebook.mentions import around, bare_mention
from frugal_modes.notebook.rowids import parse_row_ids, row_list
from frugal_modes.notebook.vocabulary import STATUSES, VERDICTS, find


@pytest.mark.parametrize(
    "text",
    [
        "a/b",
        "vision/lr-sweep",
        "Größe/größe_2",
        "视觉/学习率",
        "x" * 60 + "/" + "y" * 60,
        "p+1/v1.0",
        "हिन्दी/१",
    ],
)
def test_key_of_two_parts_is_taken_as_written(text: str) -> None:
    key = parse_key(text)

    assert key is not None
    assert key.written == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a",
        "a/",
        "/b",
        "a/b/c",
        "-a/b",
        "a/-b",
        "a b/c",
        "a/b*",
        "a/.",
        "_/b",
        "x" * 61 + "/b",
        "a/\u2028b",
        "½/b",
    ],
)
def test_anything_else_is_no_key(text: str) -> None:
    assert parse_key(text) is None


def test_keys_are_compared_after_nfkc_and_case_folding() -> None:
    first, second = parse_key("Straße/ﬁne"), parse_key("STRASSE/FINE")

    assert first is not None
    assert second is not None
    assert first.folded == second.folded


@given(st.text())
def test_folding_twice_is_folding_once(text: str) -> None:
    assert fold(fold(text)) == fold(text)


def test_in_a_pattern_only_the_star_acts() -> None:
    assert glob_of("a[b]?*c") == "a[[]b][?]*c"


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("r3", ["r3"]),
        ("m3,m4", ["m3", "m4"]),
        ("M3-m9 ; m12", ["m3-m9", "m12"]),
        ("lab#m3-lab#m9", ["m3-m9"]),
        ("m3–m5", ["m3-m5"]),
    ],
)
def test_row_ids_are_read_in_every_form(text: str, spans: list[str]) -> None:
    parsed = parse_row_ids(text)

    assert [str(span) for span in parsed.spans] == spans
    assert parsed.rejected == ()


@pytest.mark.parametrize(
    "item", ["3", "x3", "m0", "m03", "m9-m3", "m3-r9", "m3-9", "m-3", "a#m1-b#m2", "m" + "9" * 30]
)
def test_what_is_no_row_id_is_named(item: str) -> None:
    assert parse_row_ids(f"m1 {item}").rejected == (item,)


@given(st.sets(st.integers(1, 60)))
def test_printed_row_ids_mean_exactly_those_rows(numbers: set[int]) -> None:
    parsed = parse_row_ids(row_list("m", sorted(numbers)))

    assert [number for span in parsed.spans for number in range(span.first, span.last + 1)] == sorted(numbers)


@pytest.mark.parametrize(
    "text", ["see #12", "#1234567", "(#3)", "[[72]]", "laptop#1, #2", "[[ 5 ]]", "用 #12个"]
)
def test_bare_memory_id_is_found(text: str) -> None:
    assert bare_mention(text) is not None


@pytest.mark.parametrize(
    "text",
    [
        "laptop#452",
        "archive#12",
        "laptop#1-#9",
        "laptop#1–#9",
        "laptop#1 to #9",
        "box#1 bis #9",
        "#123456",
        "#12345678",
        "colour #12ab34",
        "C#7",
        "##2",
        "&#39;",
        "a/#3",
        "x[[1]]",
        "größe#3",
        "#1234567890",
        "no id",
    ],
)
def test_what_is_no_bare_memory_id_is_left_alone(text: str) -> None:
    assert bare_mention(text) is None


def test_place_of_a_mention_is_quoted_with_what_stands_around_it() -> None:
    text = "x" * 50 + " see #12 " + "y" * 50
    found = bare_mention(text)

    assert found is not None
    assert len(around(text, found[0], found[1])) <= 40
    assert "#12" in around(text, found[0], found[1])


@pytest.mark.parametrize(
    ("word", "code"),
    [
        ("Läuft", "running"),
        ("RUNNING", "running"),
        ("ab-gelöst", "superseded"),
        ("keine Aussage", "inconclusive"),
        ("Erfüllt", "met"),
        ("keine_aussage", "inconclusive"),
    ],
)
def test_words_of_both_languages_are_understood_in_any_spelling(word: str, code: str) -> None:
    found = find((*STATUSES, *VERDICTS), word)

    assert found is not None
    assert found.code == code


def test_unknown_word_is_none() -> None:
    assert find(STATUSES, "done") is None
    assert find(STATUSES, "") is None
