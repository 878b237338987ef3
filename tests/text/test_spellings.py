"""British and American spellings of one word."""

import pytest

from frugal.text.spellings import one_spelling
from frugal.text.stem import stem

BRITISH = {
    "colour": "color",
    "coloured": "colored",
    "colourful": "colorful",
    "behavioural": "behavioral",
    "favourite": "favorite",
    "neighbourhoods": "neighborhoods",
    "normalise": "normalize",
    "normalisation": "normalization",
    "organised": "organized",
    "organisers": "organizers",
    "summarising": "summarizing",
    "customisable": "customizable",
    "analyse": "analyze",
    "analysing": "analyzing",
    "paralysed": "paralyzed",
    "centre": "center",
    "centred": "centered",
    "centring": "centering",
    "kilometres": "kilometers",
    "theatre": "theater",
    "dialogue": "dialog",
    "catalogues": "catalogs",
    "cataloguing": "cataloging",
    "defence": "defense",
    "licenced": "licensed",
    "licensee": "licence",
    "defensive": "defence",
    "recognisable": "recognize",
    "recognizably": "recognise",
    "organisational": "organization",
    "agonisingly": "agonize",
    "travelled": "traveled",
    "modelling": "modeling",
    "labelled": "labeled",
}


@pytest.mark.parametrize(("british", "american"), BRITISH.items())
def test_british_and_american_spelling_share_a_stem(british: str, american: str) -> None:
    assert stem(british) == stem(american)


@pytest.mark.parametrize(
    "word",
    [
        "exercise", "precise", "promise", "compromised", "surprising", "enterprise", "advertise", "franchise", "expertise",
        "supervise", "otherwise", "noise", "rising", "arising", "hour", "tour", "literal", "metro", "lithium", "rogue",
        "sentence", "presence", "hinweise", "kreise", "beispielsweise", "parcours", "imprecise", "suprise", "advertisement",
        "finanzkrise", "praezise", "prazise", "meeresbrise", "markise", "lustre", "chemise", "promisable",
    ],
)  # fmt: skip
def test_word_with_one_spelling_stays_as_it_is(word: str) -> None:
    assert one_spelling(word) == word


@pytest.mark.parametrize(
    ("words", "other"),
    [
        (("offence", "offense", "offenses"), "offer"),
        (("licence", "license", "licensing"), "lice"),
        (("defence", "defense", "defenses"), "def"),
        (("lustre", "lustres"), "lust"),
        (("finanzkrise", "finanzkrisen"), "finanz"),
        (("praezise", "praezisen", "praeziser"), "preis"),
        (("promise", "promises", "promised", "promising"), "prom"),
        (("precise", "precisely"), "price"),
        (("advertise", "advertisement", "advertising"), "advert"),
        (("practise", "practised", "practising"), "pract"),
    ],
)
def test_forms_of_a_word_stay_together_and_apart_from_another(words: tuple[str, ...], other: str) -> None:
    assert len({stem(word) for word in words}) == 1
    assert stem(words[0]) != stem(other)
