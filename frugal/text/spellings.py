"""Words with a British and an American spelling, made one: `colour` is `color`, `normalise` is `normalize`.

Where German has the word too, the one that German shares (`Humor`, `Dialog`, `Analyse`); of `-ise` and `-ize` the one
that the English stemmer knows for a suffix; of `-ence` and `-ense` the one that it leaves alone: it would make `offense`
an `offer` and `license` `lice`.
"""

import re

_SAME = re.compile(
    r"""
    (?P<our> (?:armo|behavio|cando|clamo|colo|demeano|endeavo|favo|fervo|flavo|glamo|harbo|hono|humo|labo|neighbo|odo
        |parlo|ranco|rigo|rumo|savio|savo|splendo|tumo|valo|vapo|vigo) ) ur
    | (?P<ise> .{3,}[^aeiouvw]i ) s (?=
        (?: ed? | e[dr]s? | es | edly | ing | ingly | ations? | ational | ationally | ements? ) $ )
    | (?P<isable> .{3,}[^aeiouvw]i ) [sz] ab (?: ly | le ) $
    | (?P<yze> (?:anal|catal|electrol|hydrol|paral)y ) z
    | (?P<tre> (?:calib|cent|fib|lit|meag|met|sab|somb|spect|theat) ) r (?: e (?= s?$ ) | (?= (?:ed|ing) $ ) )
    | (?P<ogue> (?:anal|catal|dial|epil|monol|prol)og ) u (?: e (?= s?$ ) | (?= (?:ed|ing) $ ) )
    | (?P<ence> (?:def|lic|off|pret)en ) s (?= (?: e | ed | ees? | ers? | es | ing | ive | ively ) $ )
    """,
    re.VERBOSE,
)
_NO_SUFFIX = re.compile(
    "(?:im|un)?(?:advert|chast|chem|circumc|comprom|conc|exerc|expert|(?:dis)?(?:en)?franch|merchand|mort|parad|pract|prec"
    "|prem|prom|surm|treat)i"
    "|.*(?:bri|kri|pri|praezi|prazi|tuerki|turki)|kirgi|konzi|marki|walli"
)
"""What `-ise` belongs to, in German too: `Finanzkrise`, `präzise`."""
_REST = {"our": "r", "ise": "z", "isable": "ze", "yze": "s", "tre": "er", "ogue": "", "ence": "c"}


def one_spelling(word: str) -> str:
    """Return *word* (Latin letters, spelled out) in the one of its two spellings that stands for both.

    >>> one_spelling("neighbourhood"), one_spelling("normalized"), one_spelling("kilometre")
    ('neighborhood', 'normalized', 'kilometer')
    """
    found = _SAME.search(word)
    if found is None or found.lastgroup is None:
        return word
    kept = found[found.lastgroup]
    if found.lastgroup in ("ise", "isable") and _NO_SUFFIX.fullmatch(kept):
        return word
    kept += _REST[found.lastgroup]
    return word[: found.start()] + kept + word[found.end() :]
