"""Whether and where a text matches: the stored text decides, never the index."""

import re
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol

from frugal_modes.evidence.clauses import Wanted
from frugal_modes.evidence.form import Form, form_of
from frugal_modes.evidence.tokens import Token, is_simple, may_divide, plain_words, stem_of, tokens

MOST_JUDGED = 50_000
"""Words that a stem remembers to have seen."""

Span = tuple[int, int]
Hit = tuple[int, int, int]
"""Start and end in the original text (code points), number of the clause."""

_LETTER = r"[^\W_]"
_GAP = r"[\W_]+"
_WORD = re.compile(f"{_LETTER}+")


class Prepared:
    """A text in matching form; its words are found when a clause needs them."""

    __slots__ = ("_form", "_tokens", "folded", "is_simple")

    def __init__(self, text: str) -> None:
        self._tokens: list[Token] | None = None
        self._form: Form | None = None
        if text.isascii():
            self.folded = text.lower()
            self.is_simple = True
        else:
            self._form = form_of(text)
            self.folded = self._form.text
            self.is_simple = is_simple(self.folded)

    def original(self, start: int, end: int) -> Span:
        """Return the span of the original text for a span of the folded one."""
        return (start, end) if self._form is None else self._form.original(start, end)

    @property
    def tokens(self) -> list[Token]:
        """The words and single characters of the text."""
        if self._tokens is None:
            self._tokens = tokens(self.folded)
        return self._tokens


class Matcher(Protocol):
    """Finds one thing wanted."""

    def spans(self, text: Prepared) -> list[Span]:
        """Return where it stands in the folded text, from left to right, not overlapping."""
        ...


class _Part(NamedTuple):
    """A word or character of a sequence; *touches* if nothing may stand between it and the one before."""

    text: str
    is_word: bool
    touches: bool


class Literal:
    """These characters as whole words; white space stands for any run of it."""

    def __init__(self, wanted: str) -> None:
        body = r"\s+".join(re.escape(piece) for piece in wanted.split(" "))
        self._anywhere = re.compile(body)
        self._in_simple = re.compile(_bounded(wanted, body)) if is_simple(wanted) else None

    def spans(self, text: Prepared) -> list[Span]:
        """Return where it stands in the folded text."""
        if text.is_simple:
            return _all(self._in_simple, text.folded)
        return list(self._in_complex(text.folded))

    def _in_complex(self, folded: str) -> Iterator[Span]:
        place = 0
        while found := self._anywhere.search(folded, place):
            start, end = found.span()
            if may_divide(folded, start) and may_divide(folded, end):
                yield start, end
                place = end
            else:
                place = start + 1


class Words:
    """A phrase or a prefix: these words in a row, whatever stands between them, the last one perhaps longer."""

    def __init__(self, wanted: str, *, is_prefix: bool) -> None:
        self._parts = tuple(_parts_of(wanted, is_prefix=is_prefix))
        self._is_prefix = is_prefix
        body = _GAP.join(re.escape(part.text) for part in self._parts) + (f"{_LETTER}*" if is_prefix else "")
        self._in_simple = re.compile(_bounded(wanted, body)) if is_simple(wanted) else None

    def spans(self, text: Prepared) -> list[Span]:
        """Return where it stands in the folded text."""
        if text.is_simple:
            return _all(self._in_simple, text.folded)
        if not all(part.text in text.folded for part in self._parts):
            return []
        return _sequences(text, self._parts, self._fits)

    def _fits(self, part: _Part, token: Token, folded: str) -> bool:
        if not self._is_prefix or part is not self._parts[-1]:
            return part.text == token.text
        end = token.start + len(part.text)
        return token.text.startswith(part.text) and _ends_whole(folded, end, token.end)


class Stems:
    """Any inflected form of these words in a row."""

    def __init__(self, wanted: str) -> None:
        self._parts = tuple(_parts_of(wanted, is_prefix=False))
        self._only = self._parts[0].text if len(self._parts) == 1 else ""
        self._learning = threading.Lock()
        self._judged: set[str] = set()
        self._forms: frozenset[str] = frozenset()
        self._in_simple: re.Pattern[str] | None = None

    def spans(self, text: Prepared) -> list[Span]:
        """Return where it stands in the folded text."""
        if self._only and text.is_simple:
            words = plain_words(text.folded)
            if not self._judged.issuperset(words):
                self._judge(words)
            return _all(self._in_simple, text.folded)
        if not all(part.is_word or part.text in text.folded for part in self._parts):
            return []
        return _sequences(text, self._parts, _has_stem)

    def _judge(self, words: list[str]) -> None:
        """Learn the words of a text: those with the stem wanted become a pattern, which is faster than asking each."""
        with self._learning:
            forms = self._forms.union(word for word in words if stem_of(word) == self._only)
            if forms != self._forms:
                self._forms = forms
                any_of = "|".join(map(re.escape, sorted(forms)))
                self._in_simple = re.compile(f"(?<!{_LETTER})(?:{any_of})(?!{_LETTER})")
            if len(self._judged) > MOST_JUDGED:
                self._judged = set()
            # Last: other threads take a word that is in here as known to the pattern.
            self._judged.update(words)


def _has_stem(part: _Part, token: Token, _folded: str) -> bool:
    return (stem_of(token.text) if token.is_word else token.text) == part.text


@lru_cache(maxsize=256)
def matcher_of(wanted: Wanted) -> Matcher:
    """Return what finds *wanted*."""
    if wanted.kind == "literal":
        return Literal(wanted.text)
    if wanted.kind == "stem":
        return Stems(wanted.text)
    return Words(wanted.text, is_prefix=wanted.kind == "prefix")


def _parts_of(wanted: str, *, is_prefix: bool) -> Iterator[_Part]:
    for piece in wanted.split(" "):
        for number, token in enumerate(tokens(piece)):
            yield _Part(token.text, token.is_word, number > 0 and (is_prefix or token.is_tight))


def _sequences(
    text: Prepared, parts: Sequence[_Part], fits: Callable[[_Part, Token, str], bool]
) -> list[Span]:
    """Return where tokens that fit *parts* stand in a row."""
    found, folded, spans = text.tokens, text.folded, []
    size, place = len(parts), 0
    while place <= len(found) - size:
        row = found[place : place + size]
        is_match = (
            all(fits(part, token, folded) for part, token in zip(parts, row, strict=True))
            and all(
                _follows(part, before, token, folded)
                for part, before, token in zip(parts, [None, *row[:-1]], row, strict=True)
            )
            and may_divide(folded, row[-1].end)
        )
        if is_match:
            spans.append((row[0].start, row[-1].end))
        place += size if is_match else 1
    return spans


def _follows(part: _Part, before: Token | None, token: Token, folded: str) -> bool:
    """Tell whether *token* may come behind the one *before*."""
    if part.touches and before is not None:
        return before.end == token.start
    return may_divide(folded, token.start)


def _ends_whole(folded: str, end: int, last: int) -> bool:
    """Tell whether a prefix ends before a letter, not between a letter and its marks."""
    return end >= last or may_divide(f" {folded[end]}", 1)


def _bounded(wanted: str, body: str) -> str:
    before = f"(?<!{_LETTER})" if _WORD.match(wanted[0]) else ""
    after = f"(?!{_LETTER})" if _WORD.match(wanted[-1]) else ""
    return before + body + after


def _all(pattern: re.Pattern[str] | None, folded: str) -> list[Span]:
    return [found.span() for found in pattern.finditer(folded)] if pattern else []
