"""The chain of stemmers for Latin words, and the languages a script settles."""

import pytest

from frugal.text.stem import stem


@pytest.mark.parametrize(
    "word", ["poet", "fuel", "israel", "michael", "phoenix", "influenc", "muel", "pot", "ful"]
)
def test_digraphs_survive_the_german_stemmer(word: str) -> None:
    assert stem(word) == word


@pytest.mark.parametrize(
    ("singular", "plural"),
    [
        ("modell", "modelle"),
        ("modell", "modellen"),
        ("aktuell", "aktuelle"),
        ("aktuell", "aktuellen"),
        ("individuell", "individuelle"),
        ("kartell", "kartelle"),
        ("protokoll", "protokolle"),
        ("baeum", "baeume"),
        ("index", "indexes"),
        ("query", "queries"),
        ("connection", "connections"),
        ("verbindung", "verbindungen"),
        ("datenbank", "datenbanken"),
    ],
)
def test_singular_and_plural_share_a_stem(singular: str, plural: str) -> None:
    assert stem(singular) == stem(plural)


@pytest.mark.parametrize("word", ["ball", "full", "fall"])
def test_short_stems_keep_their_double_l(word: str) -> None:
    assert stem(word) == word


@pytest.mark.parametrize(
    ("word", "other"), [("poet", "pot"), ("fuel", "ful"), ("kaese", "kase"), ("duell", "dull")]
)
def test_different_words_keep_different_stems(word: str, other: str) -> None:
    assert stem(word) != stem(other)


@pytest.mark.parametrize(
    "word", ["ed25519", "v2", "1990s", "multi-agents", "src/files", "c++", "αbooks", "слова5", "x" * 60]
)
def test_what_is_no_plain_word_stays_as_it_is(word: str) -> None:
    assert stem(word) == word


@pytest.mark.parametrize(
    ("word", "expected"),
    [("серверами", "сервер"), ("σκυλοσ", "σκυλ"), ("الكتاب", "كتاب"), ("शब्दों", "शब्द"), ("ספרים", "ספרים")],
)
def test_script_settles_the_stemmer(word: str, expected: str) -> None:
    assert stem(word) == expected
