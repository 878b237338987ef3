"""What the index is asked: never less than what matches. And what it holds of a text."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from frugal_modes.evidence.clauses import Wanted
from frugal_modes.evidence.form import fold
from frugal_modes.evidence.tokens import LONGEST_TOKEN, Token, is_simple, plain_words, stem_of, tokens

INDEX_VERSION = "1"


def indexed(text: str) -> tuple[str, str, int]:
    """Return the columns `words` and `stems` of a text, and its number of words and single characters.

    A run of characters without spaces is held as overlapping pairs and its last character.
    """
    folded = fold(text)
    if is_simple(folded):
        full = plain_words(folded)
        words = (
            full
            if len(max(full, key=len, default="")) <= LONGEST_TOKEN
            else [w[:LONGEST_TOKEN] for w in full]
        )
    else:
        found = tokens(folded)
        full = [token.text for token in found if token.is_word]
        words = [token.text[:LONGEST_TOKEN] for token in found]
        for place, token in enumerate(found):
            if token.is_tight:
                words[place - 1] += token.text
    stems = dict.fromkeys(stem[:LONGEST_TOKEN] for word in full if (stem := stem_of(word)) != word)
    return " ".join(words), " ".join(stems), len(words)


def proposal_of(groups: Iterable[Sequence[Wanted]]) -> str:
    """Return the FTS5 expression whose rows include every text that has one of each group; "" if that is every text."""
    return " AND ".join(f"({' OR '.join(f'({_of(wanted)})' for wanted in group)})" for group in groups)


def _of(wanted: Wanted) -> str:
    if wanted.kind == "stem":
        return " AND ".join(_stem(piece) for piece in wanted.text.split(" "))
    return " AND ".join(_runs(tokens(wanted.text), is_prefix=wanted.kind == "prefix"))


def _stem(piece: str) -> str:
    found = tokens(piece)
    if not found[0].is_word:
        return " AND ".join(_runs(found, is_prefix=False))
    stem = found[0].text[:LONGEST_TOKEN]
    return f'{{words stems}} : "{stem}"'


def _runs(found: list[Token], *, is_prefix: bool) -> Iterator[str]:
    """Yield a phrase for the words in a row, and one for each run of single characters."""
    place = 0
    while place < len(found):
        end = place + 1
        while end < len(found) and (found[end].is_word if found[place].is_word else found[end].is_tight):
            end += 1
        run = [token.text[:LONGEST_TOKEN] for token in found[place:end]]
        if found[place].is_word:
            is_open = is_prefix and end == len(found)
        else:
            is_open = len(run) == 1
            run = [before + after for before, after in pairwise(run)] or run
        yield f'words : "{" ".join(run)}"{" *" if is_open else ""}'
        place = end
