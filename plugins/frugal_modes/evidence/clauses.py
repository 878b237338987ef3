"""What a clause asks for, in the form in which equal ones are equal."""

from dataclasses import dataclass
from itertools import pairwise

from frugal_modes.evidence.form import fold
from frugal_modes.evidence.tokens import Token, stem_of, tokens

SHORTEST_PREFIX = 2


@dataclass(frozen=True, order=True)
class Wanted:
    """A kind of match and its text in matching form; of a stem the stems, of a phrase the words, one blank between."""

    kind: str
    text: str


@dataclass(frozen=True)
class Clause:
    """One clause as it was given, and what it asks for. *group* is 0 without one."""

    match: str
    text: str
    wanted: Wanted
    role: str = "canonical"
    group: int = 0


def wanted_of(match: str, text: str) -> Wanted | str:
    """Return what a clause asks for, or the key of the problem: `no_word`, `prefix_short` or `prefix_words`."""
    folded = " ".join(fold(text).split())
    found = tokens(folded)
    if not found:
        return "no_word"
    parts = _parts(folded, found)
    if match == "literal":
        return Wanted("literal", folded)
    if len(parts) == 1 and (not found[0].is_word or match == "phrase"):
        return Wanted("literal", parts[0])
    if match == "phrase":
        return Wanted("phrase", " ".join(parts))
    if match == "stem":
        return Wanted("stem", " ".join(stem_of(part) if tokens(part)[0].is_word else part for part in parts))
    return _prefix(folded[found[0].start : found[-1].end], found)


def _parts(folded: str, found: list[Token]) -> list[str]:
    """Return the words, and the runs of a script without spaces as one part each."""
    starts = [token.start for token in found if not token.is_tight]
    ends = [before.end for before, token in pairwise(found) if not token.is_tight]
    return [folded[start:end] for start, end in zip(starts, [*ends, found[-1].end], strict=True)]


def _prefix(text: str, found: list[Token]) -> Wanted | str:
    if any(before.end != token.start for before, token in pairwise(found)):
        return "prefix_words"
    if not found[-1].is_word:
        return Wanted("literal", text)
    return Wanted("prefix", text) if len(text) >= SHORTEST_PREFIX else "prefix_short"
