"""Keys of series: `project/short`, compared folded, shown as first written; and patterns over them."""

import re
import unicodedata
from typing import NamedTuple

PART_CHARACTERS = 60
KEY_CHARACTERS = 2 * PART_CHARACTERS + 1
_SIGNS = "_.+-"
_GLOB_SIGNS = re.compile(r"[*?\[]")


class Key(NamedTuple):
    """A key as written and the folded forms that are compared."""

    written: str
    project: str
    short: str

    @property
    def folded(self) -> str:
        """The whole key as it is compared."""
        return f"{self.project}/{self.short}"


NO_KEY = Key("", "", "")
"""What stands for a key that could not be read."""


def fold(text: str) -> str:
    """Return *text* as it is compared: NFKC and case folding, stable under repetition."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return unicodedata.normalize("NFKC", folded)


def parse_key(text: str) -> Key | None:
    """Return the key written as *text*, None if it is none."""
    parts = text.split("/")
    if len(parts) != 2 or not all(_is_part(part) for part in parts):
        return None
    return Key(text, fold(parts[0]), fold(parts[1]))


def _is_part(part: str) -> bool:
    """Tell whether *part* is 1 to 60 letters, digits (marks on letters included) and `_ . + -`, not only signs."""
    if not 1 <= len(part) <= PART_CHARACTERS or part.startswith("-"):
        return False
    categories = [unicodedata.category(char) for char in part if char not in _SIGNS]
    if not all(category[0] in "LM" or category == "Nd" for category in categories):
        return False
    return any(category[0] == "L" or category == "Nd" for category in categories)


def is_pattern(text: str) -> bool:
    """Tell whether *text* stands for any number of keys."""
    return "*" in text


def glob_of(pattern: str) -> str:
    """Return *pattern* as SQL GLOB over folded keys: only `*` acts, everything else is literal."""
    return "*".join(_GLOB_SIGNS.sub(r"[\g<0>]", fold(piece)) for piece in pattern.split("*"))
