"""What a query asks for: plain words that no punctuation can break, or the explicit language."""

from dataclasses import dataclass

from frugal.text.analysis import STOP, QueryWord, query_words

WORD_LIMIT = 64


@dataclass(frozen=True, slots=True)
class PlainQuery:
    """Distinct counted words in order; *is_stops* when nothing but stop words was there."""

    words: tuple[QueryWord, ...]
    is_stops: bool = False
    is_cut: bool = False


def parse_plain(query: str) -> PlainQuery:
    """Return the counted words of *query*: without stop words unless nothing else is left, at most 64."""
    words = query_words(query)
    is_stops = all(word.flags & STOP for word in words)
    return PlainQuery(tuple(words[:WORD_LIMIT]), is_stops, len(words) > WORD_LIMIT)
