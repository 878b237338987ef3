"""Irregular forms: what a stemmer cannot bring together."""

import pytest

from frugal.text.irregular import FORMS, dictionary_form
from frugal.text.stem import stem
from frugal.text.stopwords import STOP_WORDS


@pytest.mark.parametrize(
    ("form", "word"),
    [
        ("bought", "buy"),
        ("written", "write"),
        ("chose", "choosing"),
        ("children", "child"),
        ("taught", "teaches"),
        ("overwritten", "overwrites"),
        ("rebuilt", "rebuilding"),
        ("misunderstood", "misunderstand"),
        ("nahm", "nehmen"),
        ("gemessen", "messen"),
        ("gemessene", "messen"),
        ("geschriebenen", "schreiben"),
        ("angefangen", "anfangen"),
        ("zurueckgezogen", "zurueckziehen"),
        ("verschoben", "verschieben"),
        ("unterschrieb", "unterschreiben"),
        ("entschieden", "entscheiden"),
        ("uebernommen", "uebernehmen"),
        ("enthaelt", "enthalten"),
        ("misst", "messen"),
        ("matrices", "matrix"),
        ("indices", "indexes"),
        ("criteria", "criterion"),
        ("analysis", "analyses"),
        ("analysis", "analysen"),
        ("hypotheses", "hypothesis"),
    ],
)
def test_form_and_word_share_a_stem(form: str, word: str) -> None:
    assert stem(form) == stem(word)


@pytest.mark.parametrize(
    "word",
    [
        "left", "saw", "ground", "thought", "rose", "shot", "lives", "leaves", "resent", "relent", "belief",
        "stand", "lag", "mass", "sprache", "betrieben", "begriffen", "verdacht", "vergessen", "bekannte", "verschiedene",
        "stahl", "zwang", "schienen", "aufnahmen", "anstieg", "relief", "brief", "outlay", "restring",
    ],
)  # fmt: skip
def test_word_of_its_own_stays_as_it_is(word: str) -> None:
    assert dictionary_form(word) == word


def test_dictionary_forms_are_no_forms_themselves() -> None:
    words = set(FORMS.values())

    assert {word for word in words if dictionary_form(word) not in (word, "fall")} == set()


def test_stop_words_are_neither_forms_nor_words() -> None:
    # Their terms live apart from those of other words, so that neither would ever find the other.
    assert STOP_WORDS.isdisjoint(FORMS)
    assert STOP_WORDS.isdisjoint(FORMS.values())
