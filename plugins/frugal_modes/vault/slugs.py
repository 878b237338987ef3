"""File names of cards, made of their titles: the same for the same title, safe on every system."""

import re
import unicodedata
from collections.abc import Collection, Iterator
from itertools import count

SLUG_CHARACTERS = 60
SLUG_BYTES = 180
UNTITLED = "untitled"
SUFFIX = ".md"

_DEVICES = re.compile(r"con|prn|aux|nul|com[0-9]|lpt[0-9]|conin|conout")


def slug(title: str) -> str:
    """Return the name that *title* gives a file: letters, marks, digits, `_`, `-`, in lower case."""
    text = unicodedata.normalize("NFC", unicodedata.normalize("NFC", title).strip().lower())
    text = "".join(char if _is_kept(char) else "\0" for char in text)
    text = re.sub("\0+", "-", text).strip("-")
    text = _cut(text).strip("-") or UNTITLED
    return f"_{text}_" if _DEVICES.fullmatch(text) else text


def _is_kept(char: str) -> bool:
    return char in "_-" or unicodedata.category(char)[0] in "LM" or unicodedata.category(char) == "Nd"


def _cut(text: str) -> str:
    """Return the start of *text* that keeps both limits, without parting a mark from its letter."""
    end = min(len(text), SLUG_CHARACTERS)
    while len(text[:end].encode()) > SLUG_BYTES:
        end -= 1
    if end < len(text):
        while end and unicodedata.category(text[end])[0] == "M":
            end -= 1
    return text[:end]


def file_names(name: str) -> Iterator[str]:
    """Yield `name.md`, `name-2.md`, `name-3.md`, ..."""
    yield name + SUFFIX
    for number in count(2):
        yield f"{name}-{number}{SUFFIX}"


def fold_name(name: str) -> str:
    """Return *name* as file systems that ignore case and form compare it."""
    return unicodedata.normalize("NFC", name).casefold()


def free_name(name: str, taken: Collection[str]) -> str:
    """Return the first file name for *name* that is not in *taken*, which holds folded names."""
    return next(found for found in file_names(name) if fold_name(found) not in taken)
