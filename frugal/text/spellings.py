"""Words with a British and an American spelling, made one: `colour` is `color`, `normalise` is `normalize`.

Where German has the word too, the one that German shares (`Humor`, `Dialog`, `Analyse`); of `-ise` and `-ize` the one
that the English stemmer knows for a suffix.
"""

import re

_SAME = re.compile(
    r"""
    (?P<our> (?:armo|behavio|cando|clamo|colo|demeano|endeavo|favo|fervo|flavo|glamo|harbo|hono|humo|labo|neighbo|odo
        |parlo|ranco|rigo|rumo|savio|savo|splendo|tumo|valo|vapo|vigo) ) ur
    | (?P<ise> .{3,}[^aeiouvw]i ) s (?= (?:e|ed|er|ers|es|ing|ation|ations|able) $ )
    | (?P<yze> (?:anal|catal|electrol|hydrol|paral)y ) z
    | (?P<tre> (?:calib|cent|fib|lit|lust|meag|met|sab|somb|spect|theat) ) r (?: e (?= s?$ ) | (?= (?:ed|ing) $ ) )
    | (?P<ogue> (?:anal|catal|dial|epil|monol|prol)og ) u (?: e (?= s?$ ) | (?= (?:ed|ing) $ ) )
    | (?P<ence> (?:def|lic|off|pret)en ) c (?= (?:e|ed|es|ing) $ )
    """,
    re.VERBOSE,
)
_NO_SUFFIX = re.compile(
    "(?:un)?(?:advert|appr|chast|circumc|compr|comprom|conc|enterpr|exerc|expert|franch|merchand|mort|parad|pract|prec"
    "|prem|prom|repr|surm|surpr|treat)i|(?:dis)?enfranchi"
)
"""What `-ise` belongs to."""
_REST = {"our": "r", "ise": "z", "yze": "s", "tre": "er", "ogue": "", "ence": "s"}


def one_spelling(word: str) -> str:
    """Return *word* (Latin letters, spelled out) in the one of its two spellings that stands for both.

    >>> one_spelling("neighbourhood"), one_spelling("normalized"), one_spelling("kilometre")
    ('neighborhood', 'normalized', 'kilometer')
    """
    found = _SAME.search(word)
    if found is None or found.lastgroup is None:
        return word
    if found.lastgroup == "ise" and _NO_SUFFIX.fullmatch(found["ise"]):
        return word
    kept = found[found.lastgroup] + _REST[found.lastgroup]
    return word[: found.start()] + kept + word[found.end() :]
