"""Stems by script: one chain for all Latin words, the language's own stemmer where the script settles it."""

import re
import threading
from functools import lru_cache

import Stemmer

from frugal.text.irregular import dictionary_form
from frugal.text.normalise import script_of
from frugal.text.spellings import one_spelling

_BY_SCRIPT = {
    "CYRILLIC": "russian",
    "GREEK": "greek",
    "ARABIC": "arabic",
    "ARMENIAN": "armenian",
    "DEVANAGARI": "hindi",
    "TAMIL": "tamil",
}
# The German stemmer takes `ae`, `oe`, `ue` for umlauts and reduces them, which would make `poet` a `pot`. It does not
# know `ë`, so that letter hides the digraph from it. Not after a vowel or q: there `ue` is no umlaut for it either.
_DIGRAPH = re.compile("(?<=[ao])e|(?<![aeiouyq])ue")
_HIDDEN = "ë"
_LONGEST_STEMMED = 40  # letters; what is longer is no word of a language

_local = threading.local()


def _stemmer(algorithm: str) -> "Stemmer.Stemmer":
    # Stemmer objects hold a buffer and must not be shared between threads.
    found = getattr(_local, algorithm, None)
    if found is None:
        found = Stemmer.Stemmer(algorithm, 0)
        setattr(_local, algorithm, found)
    return found


def _latin(word: str) -> str:
    english: str = _stemmer("english").stemWord(one_spelling(dictionary_form(word)))
    hidden = _DIGRAPH.sub(lambda found: found[0].replace("e", _HIDDEN), english)
    stem: str = _stemmer("german").stemWord(hidden).replace(_HIDDEN, "e")
    # The English stemmer halves the l of `Modell` and leaves that of `Modelle`.
    return stem[:-1] if len(stem) > 4 and stem.endswith("ll") else stem


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """Return the stem of a folded *word* (`normalise.spelled_out`); the word itself if it is no plain word.

    Words with digits, words of mixed scripts and of scripts without a stemmer stay as they are. Latin: English
    Snowball, then German Snowball with `ae`, `oe`, `ue` protected, one l of a final `ll` dropped.
    """
    if len(word) > _LONGEST_STEMMED:
        return word
    if word.isascii():
        return (_latin(word) or word) if word.isalpha() else word
    scripts = {script_of(character) for character in word}
    if len(scripts) != 1 or any(character.isdecimal() for character in word):
        return word
    algorithm = _BY_SCRIPT.get(scripts.pop())
    if algorithm is None:
        return word
    stemmed: str = _stemmer(algorithm).stemWord(word)
    return stemmed or word
