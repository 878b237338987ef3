"""Documents as the index holds them. A chunk of text between blanks is analysed and numbered once for many documents."""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, takewhile
from operator import itemgetter
from typing import NamedTuple

from frugal.search.codes import SECTION_END, STOPS_BELOW, TAG_END, code_of
from frugal.search.protocol import Document
from frugal.search.vocabulary import Register, WordRow
from frugal.text.analysis import STOP, WHOLE, Cut, cuts

MOST_WORDS = 1 << 16
"""A coder that has met more words, each once a chunk, is full: the memory it takes has a limit."""

UNKNOWN = "\ud800"
"""The code of a word without a number: a lone surrogate, which no text of SQLite can hold."""

NumberOf = Callable[[Cut], WordRow | None]


class _Chunk(NamedTuple):
    """A chunk in numbers; the *wholes* get theirs behind everything else of their document.

    *codes* for the forward index, *posted* for the inverted one, the *terms* that are no stop words, how many *words*
    there are, and how many of them count.
    """

    codes: str
    posted: str
    terms: tuple[int, ...]
    counted: int
    wholes: tuple[Cut, ...]
    words: int = 1


_CODES, _POSTED, _TERMS, _COUNTED = map(itemgetter, range(4))


class Row(NamedTuple):
    """One document as the forward index has it.

    *length* = words of the text that are no stop words, *title* = how many of the text's words are the title.
    """

    length: int
    title: int
    codes: str
    chunks: Sequence[Sequence[_Chunk]]

    @property
    def posted(self) -> str:
        """The text for the inverted index."""
        return " ".join(filter(None, map(_POSTED, chain.from_iterable(self.chunks))))

    @property
    def terms(self) -> frozenset[int]:
        """The terms that the inverted index has of the document."""
        return frozenset(chain.from_iterable(map(_TERMS, chain.from_iterable(self.chunks))))


class _Layout(NamedTuple):
    """The chunks of a document by section, and how many words of the text are the title."""

    text: Sequence[str]
    tags: Sequence[Sequence[str]]
    also: Sequence[str]
    title: int


class Coder:
    """Turns documents into rows, each chunk of them once. The numbers of words must not change meanwhile."""

    def __init__(self, register: Register, *, is_writing: bool) -> None:
        self._register = register
        self._number: NumberOf = register.number if is_writing else register.find
        self._chunks: dict[str, _Chunk] = {}
        self._words = 0

    @property
    def is_full(self) -> bool:
        """Whether it is time for a new one."""
        return self._words > MOST_WORDS

    def rows(self, documents: Sequence[Document]) -> Iterator[Row]:
        """Yield the rows of *documents*; new words are numbered in the order in which the documents have them."""
        layouts = [self._layout(document) for document in documents]
        sections = (section for it in layouts for section in (it.text, it.also, *it.tags))
        fresh = set(chain.from_iterable(sections)).difference(self._chunks)
        self._register.load(chain.from_iterable(map(cuts, fresh)))
        return map(self._row, layouts)

    def _layout(self, document: Document) -> _Layout:
        title, text = document.title.split(), document.body.split()
        length, whole = self._title_length(title, text)
        if length < whole - 1:  # a title may be cut inside its last word
            length, text = whole, title + text
        return _Layout(text, [tag.split() for tag in document.tags], document.also.split(), length)

    def _title_length(self, title: Sequence[str], text: Sequence[str]) -> tuple[int, int]:
        """Return how many words of *title* the *text* begins with, and how many it has."""
        same = begun = 0
        for chunk, other in zip(title, text, strict=False):
            if chunk != other:
                break
            same += 1
            known = self._chunks.get(chunk)
            begun += known.words if known else len(_words_of(chunk))
        rest = [word.term for chunk in title[same:] for word in _words_of(chunk)]
        following = (word.term for chunk in text[same:] for word in _words_of(chunk))
        pairs = zip(rest, following, strict=False)
        return begun + sum(1 for _ in takewhile(_is_pair, pairs)), begun + len(rest)

    def _row(self, layout: _Layout) -> Row:
        """Number the words of text, tags and search words in this order, then the wholes of text and tags."""
        text = self._coded(layout.text)
        tags = [self._coded(tag) for tag in layout.tags]
        also = self._coded(layout.also)
        cut = [whole for part in (text, *tags) for it in part if it.wholes for whole in it.wholes]
        wholes = [self._coded_word(whole) for whole in cut]
        sections = (
            _joined(text),
            TAG_END.join(map(_joined, tags)),
            _joined(also),
            TAG_END.join(map(_CODES, wholes)),
            "",
        )
        length = sum(map(_COUNTED, text))
        return Row(length, layout.title, SECTION_END.join(sections), (text, *tags, also, wholes))

    def _coded(self, chunks: Sequence[str]) -> list[_Chunk]:
        known = self._chunks.get
        return [known(chunk) or self._code(chunk) for chunk in chunks]

    def _code(self, chunk: str) -> _Chunk:
        found = cuts(chunk)
        self._words += max(len(found), 1)
        coded = self._coded_word(found[0]) if len(found) == 1 else self._coded_words(found)
        self._chunks[chunk] = coded
        return coded

    def _coded_word(self, cut: Cut) -> _Chunk:
        row = self._number(cut)
        counted = not cut.flags & STOP
        if row is None:
            return _Chunk(UNKNOWN, "", (), counted, ())
        number, term = row
        code = code_of(number)
        if term < STOPS_BELOW:
            return _Chunk(code, "", (), counted, ())
        return _Chunk(code, code if number == term else code_of(term), (term,), counted, ())

    def _coded_words(self, found: Sequence[Cut]) -> _Chunk:
        words = [self._coded_word(cut) for cut in found if not cut.flags & WHOLE]
        return _Chunk(
            "".join(map(_CODES, words)),
            " ".join(filter(None, map(_POSTED, words))),
            tuple(chain.from_iterable(map(_TERMS, words))),
            sum(map(_COUNTED, words)),
            tuple(cut for cut in found if cut.flags & WHOLE),
            len(words),
        )


def _words_of(chunk: str) -> Sequence[Cut]:
    found = cuts(chunk)
    return found if len(found) == 1 else [cut for cut in found if not cut.flags & WHOLE]


def _joined(chunks: Sequence[_Chunk]) -> str:
    return "".join(map(_CODES, chunks))


def _is_pair(pair: tuple[str, str]) -> bool:
    return pair[0] == pair[1]
