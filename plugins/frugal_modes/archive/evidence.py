"""The evidence level a note claims: on one line with the word evidence or Beleg, in either language."""

import re

_LINE = re.compile(r"\b(?:evidence|beleg)\w*", re.IGNORECASE)
_LEVELS = (
    ("full_text", re.compile(r"\b(?:full[\s-]?text|volltext)\b", re.IGNORECASE)),
    ("unconfirmed", re.compile(r"\b(?:unconfirmed|unbest(?:ä|ae)tigt)\b", re.IGNORECASE)),
    ("abstract", re.compile(r"\babstract\b", re.IGNORECASE)),
)


def evidence_level(text: str) -> str:
    """Return `full_text`, `abstract`, `unconfirmed`, or "" when no line names a level."""
    for line in text.splitlines():
        if _LINE.search(line):
            for level, pattern in _LEVELS:
                if pattern.search(line):
                    return level
    return ""
