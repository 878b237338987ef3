"""Ids of memory entries inside texts: a bare one means nothing to a reader on another machine, so it needs a name."""

import re

AROUND_CHARACTERS = 40

_NAMED_SPAN = re.compile(
    r"[^\W_][\w.-]*\#\d+ (?: \s? [-–] \s? | \s+ (?: to | bis ) \s+ ) \#\d+", re.VERBOSE | re.IGNORECASE
)
_BARE = re.compile(
    r"(?<![\w\#&/]) (?: \# (?P<number> \d{1,9} ) (?!\w) | \[\[ \s* \#? (?P<linked> \d{1,9} ) \s* \]\] )",
    re.VERBOSE | re.ASCII,
)
_COLOUR_DIGITS = (6, 8)


def bare_mention(text: str) -> tuple[int, int, str] | None:
    """Return start, end and digits of the first memory id in *text* without a memory's name, None if there is none.

    `#n` and `[[n]]` with 1 to 9 digits; six and eight digits after `#` are colours.
    """
    if "#" not in text and "[[" not in text:
        return None
    named = [match.span() for match in _NAMED_SPAN.finditer(text)]
    for match in _BARE.finditer(text):
        if match["number"] and len(match["number"]) in _COLOUR_DIGITS:
            continue
        if match.start() and (text[match.start() - 1].isalnum() or text[match.start() - 1] == "_"):
            continue  # a letter outside ASCII, which the pattern does not see
        if any(start <= match.start() < end for start, end in named):
            continue
        return match.start(), match.end(), match["number"] or match["linked"]
    return None


def around(text: str, start: int, end: int) -> str:
    """Return up to 40 characters of *text* around a place, on one line."""
    room = max(AROUND_CHARACTERS - (end - start), 0) // 2
    return " ".join(text[max(start - room, 0) : end + room].split())
