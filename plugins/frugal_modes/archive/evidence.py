"""The evidence level a note claims: on one line with the word evidence or Beleg, in either language."""

import re
import unicodedata

_LINE_END = re.compile(r"\r\n?|\n")
_WORD = re.compile(r"(?<![^\W_])(?:evidence|beleg(?:e[ns]?|s|stufe|grad|lage)?)(?![^\W_])", re.IGNORECASE)
_LEVELS = {
    "full_text": re.compile(r"(?<![^\W_])(?:full[\s-]?text|volltext[es]?s?)(?![^\W_])", re.IGNORECASE),
    "abstract": re.compile(r"(?<![^\W_])abstracts?(?![^\W_])", re.IGNORECASE),
    "unconfirmed": re.compile(
        r"(?<![^\W_])(?:unconfirmed|unbest(?:ä|ae)tigt(?:e[mnrs]?)?)(?![^\W_])", re.IGNORECASE
    ),
}


def evidence_level(text: str) -> str:
    """Return `full_text`, `abstract` or `unconfirmed`, "" when no line names a level.

    Where a line names several, the first one behind the word counts, else the first before it.
    """
    for line in _LINE_END.split(unicodedata.normalize("NFC", text)):
        if word := _WORD.search(line):
            level = _first_level(line, word.end(), len(line)) or _first_level(line, 0, word.start())
            if level:
                return level
    return ""


def _first_level(line: str, start: int, end: int) -> str:
    """Return the level named first in a stretch of *line*, "" if none is."""
    places = {level: pattern.search(line, start, end) for level, pattern in _LEVELS.items()}
    found = {level: match.start() for level, match in places.items() if match}
    return min(found, key=lambda level: found[level]) if found else ""
