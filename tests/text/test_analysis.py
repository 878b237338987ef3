"""What a text and a query become: words, umlauts, stop words, vocabulary."""

from hashlib import sha256

import pytest

from frugal.text.analysis import (
    ANALYSIS_VERSION,
    STOP,
    WHOLE,
    QueryWord,
    Token,
    analyse,
    as_written,
    query_words,
)
from frugal.text.irregular import FORMS
from frugal.text.stopwords import STOP_WORDS


def terms(text: str) -> list[str]:
    return [token.term for token in analyse(text) if not token.flags & WHOLE]


def reach(query: str, text: str) -> bool:
    """Whether any counted word of *query* finds *text* by the documented rules, without expansion."""
    tokens = analyse(text)
    held = {token.term for token in tokens} | {token.alias for token in tokens if token.alias}
    for word in query_words(query):
        wanted = {word.term, word.alias, *word.wholes} - {""}
        if wanted & held or (word.is_prefix and any(term.startswith(word.term) for term in held)):
            return True
    return False


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("Mueller", "Müller"),
        ("Müller", "Mueller"),
        ("Kase", "Käse"),
        ("Käse", "Kase"),
        ("Kaese", "Käse"),
        ("Baum", "die Bäume"),
        ("Bäume", "der Baum"),
        ("Straße", "STRASSE"),
        ("Mu\u0308ller", "Müller"),
        ("malmo", "Malmö"),
        ("cafe", "Café"),
        ("CAFE\u0301", "café"),
        ("naive", "naïve"),
        ("Lodz", "Łódź"),
        ("Smorrebrod", "Smørrebrød"),
    ],
)
def test_either_spelling_of_an_accented_word_finds_the_other(query: str, text: str) -> None:
    found = reach(query, text)

    assert found


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("poet", "pot"),
        ("pot", "poet"),
        ("fuel", "ful"),
        ("ful", "fuel"),
        ("schon", "schon"[:-1]),
        ("Goethe", "Gothe"),
        ("Duell", "Dull"),
    ],
)
def test_digraphs_are_never_reduced_to_a_bare_vowel(query: str, text: str) -> None:
    found = reach(query, text)

    assert not found


def test_umlaut_word_is_one_token_spelled_out_with_its_bare_alias() -> None:
    tokens = analyse("Käse")

    assert tokens == [Token("kaes", "kase", "kas", 0, 0)]


def test_word_without_umlaut_has_no_alias() -> None:
    tokens = analyse("Kase Kaese café Straße")

    assert [token.alias for token in tokens] == ["", "", "", ""]


def test_surface_counts_an_umlaut_as_one_letter() -> None:
    (token,) = analyse("Wärmedämmung")

    assert (token.surface, len(token.surface)) == ("warmedammung", len("Wärmedämmung"))


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("dämm", "Dämmung"),
        ("Katalysator", "Fusionskatalysator"),
        ("userById", "getUserById"),
        ("Kase", "Käsekuchen"),
    ],
)
def test_surface_of_a_part_lies_in_the_surface_of_the_longer_word(query: str, text: str) -> None:
    part, longer = analyse(query)[0].surface, analyse(text)[0].surface

    assert part in longer


def test_stop_words_of_both_languages_are_flagged_and_keep_their_place() -> None:
    tokens = analyse("the port und die Firewall")

    assert [(token.surface, token.flags, token.position) for token in tokens] == [
        ("the", STOP, 0),
        ("port", 0, 1),
        ("und", STOP, 2),
        ("die", STOP, 3),
        ("firewall", 0, 4),
    ]


@pytest.mark.parametrize(
    "word", ["für", "fuer", "FÜR", "über", "don't", "Don’t", "e.g.", "z.B.", "d.h.", "x", "ä", "я"]
)
def test_function_words_and_lone_letters_do_not_count(word: str) -> None:
    tokens = analyse(word)

    assert [token.flags for token in tokens] == [STOP]


@pytest.mark.parametrize(
    ("word", "stop_word"), [("notes", "not"), ("wars", "war"), ("Note", "not"), ("Wille", "will")]
)
def test_word_whose_stem_looks_like_a_stop_word_is_not_mixed_up_with_it(word: str, stop_word: str) -> None:
    assert set(terms(word)).isdisjoint(terms(stop_word))


@pytest.mark.parametrize("digit", ["5", "٥", "५", "５", "⑤", "⁵"])
def test_single_digits_count_in_every_script(digit: str) -> None:
    tokens = analyse(f"Deck {digit}")

    assert tokens[1] == Token("5", "5", "", 0, 1)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("Mara", "What are Mara's hobbies?"),
        ("Mara's", "Mara likes chess"),
        ("Mara’s", "Mara likes chess"),
        ("hobby", "hobbies"),
        ("Hans", "Hans' Auto"),
        ("homme", "l'homme"),
        ("O'Brien", "O’Brien"),
        ("obrien", "O'Brien"),
        ("USA", "the U.S.A. today"),
        ("U.S.", "a U.S. company"),
    ],
)
def test_apostrophes_and_dots_inside_words_do_not_hide_them(query: str, text: str) -> None:
    assert reach(query, text)


def test_acronym_is_not_taken_for_the_stop_word_it_spells() -> None:
    assert set(terms("U.S.")).isdisjoint(terms("us"))


def test_query_words_are_distinct_and_without_stop_words() -> None:
    words = query_words("Which port does the port of the server use?")

    assert [word.term for word in words] == ["port", "serv"]


def test_query_of_stop_words_only_keeps_them() -> None:
    words = query_words("to be or not to be")

    assert [word.surface for word in words] == ["to", "be", "or", "not"]


def test_query_without_letters_and_digits_has_no_words() -> None:
    assert query_words("::: * \" ' () 🚀 — …") == []


@pytest.mark.parametrize(
    "query", ["don't", '"', "*", "NEAR(", "OR", "a AND", "stems:x", "C++", "x'", "{}[]^~:"]
)
def test_no_punctuation_breaks_a_query(query: str) -> None:
    words = query_words(query)

    assert all(isinstance(word, QueryWord) and word.term for word in words)


def test_words_are_shown_to_readers_as_written() -> None:
    spellings = as_written("Der Fusionskatalysator von Müller, MÜLLER und getUserById")

    assert spellings["fusionskatalysator"] == "Fusionskatalysator"
    assert spellings["muller"] == "Müller"
    assert spellings["getuserbyid"] == "getUserById"


def test_analysis_that_changes_gets_a_new_version() -> None:
    # Stored indexes are made anew when the version differs; a changed digest without a new number would leave
    # old files with terms that no query asks for any more.
    sample = (
        "The quick notes of Mueller, Müller's Käse, poet, Modelle, don't: see src/main.py v2.3.0 getUserById C++ 1,234.5 "
        "U.S. I/O 100ms 2026-12-15T10:30Z 数据库gen-itgc后50条 しりとり 끝말잇기 ประเทศ серверами σκύλος المكتبات "
        "colour normalise promise analyzer centred dialogue licence overwritten unterschrieb angefangene resent "
    )
    words = " ".join(sorted({*STOP_WORDS, *FORMS}))

    digest = sha256(repr([tuple(token) for token in analyse(sample + words)]).encode()).hexdigest()

    assert (ANALYSIS_VERSION, digest[:16]) == (2, "defc02777fff8783")
