"""File names for words that users choose: good on every file system, readable, never two the same."""

import re
from collections.abc import Sequence
from hashlib import blake2b

from frugal.text.normalise import fold_tag

SUFFIX = ".md"
NAME_BYTES = 120
"""The longest name without its suffix; file systems take 255 bytes, archives and sync tools often less."""

_UNSAFE = re.compile(r"[^\w.+@-]+")
_RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?")


def file_names(words: Sequence[str]) -> list[str]:
    """Return the name of a Markdown file for each of *words*, in order.

    A word that has to be changed gets a mark made from it, and so does the later of two whose names would be equal on a
    file system without case.
    """
    taken: set[str] = set()
    names: list[str] = []
    for word in words:
        name = _safe(word)
        if name != word or fold_tag(name) in taken:
            name = f"{name}-{blake2b(word.encode(), digest_size=4).hexdigest()}"
        taken.add(fold_tag(name))
        names.append(name + SUFFIX)
    return names


def _safe(word: str) -> str:
    """Return *word* without what some file system refuses, hides or reads as a path."""
    name = _UNSAFE.sub("-", word).strip(".-") or "tag"
    if _RESERVED.fullmatch(name):
        name = f"tag-{name}"
    while len(name.encode()) > NAME_BYTES:
        name = name[:-1]
    return name
