"""The catalogues as a whole: counted words stand in the right number."""

import re
import string
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

import frugal
import frugal_modes
from frugal.strings import LANGUAGES, Catalogue, read_texts

ROOTS = (Path(frugal.__file__).parent, Path(frugal_modes.__file__).parent)
FOLDERS = sorted(folder for root in ROOTS for folder in root.rglob("languages"))
FORMS = re.compile(r"\{(\w+):([^|{}]*)\|([^|{}]*)\}")
ALWAYS_COUNTS = {"count", "total", "length", "bytes", "files", "cards", "entries", "rows", "values"}
NEVER_ONE = re.compile(
    r"errors\.(too_many_|\w*_long|bad_tag_filter|foreign_)"
    r"|rows\.(too_many_fields|field_too_long)|list\.current|show\.cut|shell\.same_text|sheet\.shortened|hints\.long"
)
"""What these count is never 1: too many, too long, a text that was cut, one that several have."""
NO_NOUN = {"as", "is", "this", "was", "has", "series", "weitere", "are"}
"""Words behind a field that end like a plural, or are one somewhere, and need no noun."""

by_folder = pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.parent.name)


def told_of_one(texts: Mapping[str, str], language: str, counts: set[str]) -> Iterator[tuple[str, str]]:
    """Yield key and text of every template of *texts*: 1 for what *counts*, a sign for every other field."""
    catalogue = Catalogue(language, texts)
    for key, template in texts.items():
        names = {name for _, name, _, _ in string.Formatter().parse(template) if name}
        if names & counts and not NEVER_ONE.match(key):
            yield key, catalogue.text(key, **{name: "1" if name in counts else "?" for name in names})


@by_folder
@pytest.mark.parametrize("language", LANGUAGES)
def test_one_of_a_thing_is_told_in_the_singular(folder: Path, language: str) -> None:
    every = [text for other in FOLDERS for text in read_texts(other / f"{language}.toml").values()]
    forms = [pair for text in every for pair in FORMS.findall(text)]
    counts = ALWAYS_COUNTS | {name for name, _, _ in forms} - {"value"}
    singulars = {one.split()[-1] for _, one, _ in forms if one} | NO_NOUN
    plurals = {many.split()[-1] for _, _, many in forms if many} - singulars

    for key, text in told_of_one(read_texts(folder / f"{language}.toml"), language, counts):
        for words in re.findall(r"(?<![-\w.,/])1 ((?:[^\W\d]+ ?){1,3})", text):
            found = words.split()[:2]
            nouns = plurals.intersection(found)
            if language == "en":
                nouns |= {word for word in found if word.endswith("s")} - singulars
            assert not nouns, (key, text)


def test_a_choice_of_words_goes_by_the_number() -> None:
    catalogue = Catalogue("en", {"found": "{count:no|} {count} {count:file|files} | {share:.2f}"})

    one, two = (catalogue.text("found", count=count, share=0.5) for count in (1, 2))

    assert (one, two) == ("no 1 file | 0.50", " 2 files | 0.50")
