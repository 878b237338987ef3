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
        ("parentheses", "parenthesis"),
        ("upheld", "uphold"),
        ("sunken", "sink"),
        ("beisst", "beissen"),
        ("entstand", "entstanden"),
        ("beschloss", "beschlossen"),
        ("zerriss", "zerreissen"),
        ("vergangenheit", "vergangene"),
        ("sangen", "singen"),
        ("versank", "versinken"),
    ],
)
def test_form_and_word_share_a_stem(form: str, word: str) -> None:
    assert stem(form) == stem(word)


@pytest.mark.parametrize(
    "word",
    [
        "left", "saw", "ground", "thought", "rose", "shot", "lives", "leaves", "resent", "relent", "belief",
        "stand", "lag", "mass", "sprache", "betrieben", "begriffen", "verdacht", "vergessen", "bekannte", "verschiedene",
        "stahl", "zwang", "schienen", "aufnahmen", "anstieg", "relief", "brief", "outlay", "restring", "held", "fell",
        "rang", "sprung", "stricken", "stuck", "tore", "drunk", "wiesen", "vermisst", "vergessene", "bewusste",
        "uebernahmen", "entnahmen", "unterschieden", "uebergriffen", "begriff", "verriss", "schloss", "hob",
    ],
)  # fmt: skip
def test_word_of_its_own_stays_as_it_is(word: str) -> None:
    assert dictionary_form(word) == word


@pytest.mark.parametrize(
    ("word", "other"),
    [
        ("held", "helden"),
        ("tor", "tore"),
        ("wiese", "wiesen"),
        ("bewusst", "bewusste"),
        ("vergessen", "vergessene"),
        ("uebernahme", "uebernahmen"),
        ("drunk", "drunks"),
    ],
)
def test_word_that_looks_like_a_form_stays_with_its_own_forms(word: str, other: str) -> None:
    assert stem(word) == stem(other)


def test_dictionary_forms_are_no_forms_themselves() -> None:
    words = set(FORMS.values())

    assert {word for word in words if dictionary_form(word) not in (word, "fall")} == set()


def test_stop_words_are_neither_forms_nor_words() -> None:
    # Their terms live apart from those of other words, so that neither would ever find the other.
    assert STOP_WORDS.isdisjoint(FORMS)
    assert STOP_WORDS.isdisjoint(FORMS.values())
