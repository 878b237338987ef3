"""Titles of entries, and foreign text on one line of an answer.

Whatever a text holds, the result is one line, in the order it is read, without half a character at its end.
"""

import re

from frugal.text.graphemes import boundary_before

TITLE_CHARACTERS = 100
SHORTEST_CHARACTERS = 40
SHORTEST_BYTES = 80
ELLIPSIS = "..."

_BOLD_ALONE = range(20, 101)
_TRAILING = " ,;:-"
_WORD = re.compile(r"[^\s\x00-\x1f\x7f-\x9f\ufeff]+")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
# Embeddings, overrides and isolates: one of them could show the rest of the line in another order.
_REORDERING = re.compile("[\u202a-\u202e\u2066-\u2069]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_HEADING = re.compile(r"#{1,6} ")
_STARS = re.compile(r"(\*{2,3})(?=[^ *])(.*?[^ *])\1(?!\*)")
# Underscores count as bold only around several words: `__init__` is a name.
_UNDERSCORES = re.compile(r"(__)(?=[^ _])((?:(?!__).)* (?:(?!__).)*[^ _])__(?!\w)")
_OPEN_STARS = re.compile(r"\*{2,3}(?=[^ *])")


def title(text: str, limit: int = TITLE_CHARACTERS) -> str:
    """Return the title of *text*: its leading bold part, else its beginning.

    At most *limit* characters of the text, cut at a word where that loses less than 40 %, with `...` behind them.
    """
    enough = limit + _BOLD_ALONE.stop + len("###### ****")
    line = _beginning(text, enough) or _collapsed(_plain(text), enough)
    line = _HEADING.sub("", line, count=1) if _HEADING.match(line) else line
    bold = _STARS.match(line) or _UNDERSCORES.match(line)
    if bold and len(bold[2]) in _BOLD_ALONE:
        return _cut(bold[2], limit)
    if bold:
        line = bold[2] + line[bold.end() :]
    elif opening := _OPEN_STARS.match(line):
        line = line[opening.end() :]
    return _cut(line, limit)


def shorten(title: str, characters: int, size_bytes: int) -> str:
    """Return *title* cut to *characters* and *size_bytes* of its text, `...` behind it not counted.

    Bytes are those of UTF-8 JSON, where a quote or a backslash takes two. Neither limit goes below
    SHORTEST_CHARACTERS and SHORTEST_BYTES. A title that fits is returned as it is, its own `...` included.
    """
    kept = title.removesuffix(ELLIPSIS)
    room = _fitting(kept, max(size_bytes, SHORTEST_BYTES))
    limit = min(max(characters, SHORTEST_CHARACTERS), room)
    return title if len(kept) <= limit else _cut(kept, limit)


def one_line(text: str, limit: int) -> str:
    """Return *text* as an echo of at most *limit* characters, `...` included where it is cut.

    Control characters and line ends become spaces, one each; characters that reorder a line go.
    """
    line = _CONTROL.sub(" ", _plain(text))
    if len(line) <= limit:
        return line
    if limit <= len(ELLIPSIS):
        return ELLIPSIS[: max(limit, 0)]
    return line[: boundary_before(line, limit - len(ELLIPSIS))] + ELLIPSIS


def _plain(text: str) -> str:
    if text.isascii():
        return text
    return _SURROGATE.sub("\ufffd", _REORDERING.sub("", text))


def _beginning(text: str, enough: int) -> str:
    """Return what `_collapsed` does where the beginning is printable words of usual length, "" elsewhere."""
    head = text[: 2 * enough].replace("\n", " ")
    if not head.isprintable():
        return ""
    line = " ".join(head.split())
    end = line.find(" ", enough)
    if end < 0:
        return "" if len(text) > len(head) or len(line) > enough else line
    return "" if end - line.rfind(" ", 0, end) > enough else line[:end]


def _collapsed(text: str, enough: int) -> str:
    """Return the words of *text* with one space between them, at most a little more than *enough* characters."""
    words: list[str] = []
    length = 0
    for word in _WORD.finditer(text):
        words.append(word[0][:enough])
        length += len(words[-1]) + 1
        if length > enough:
            break
    return " ".join(words)


def _cut(line: str, limit: int) -> str:
    if len(line) <= limit:
        return line
    end = boundary_before(line, limit)
    if line[end] != " ":
        space = line.rfind(" ", 0, end)
        end = space if space > limit * 0.6 else end
    return (line[:end].rstrip(_TRAILING) or line[:end]) + ELLIPSIS


def _fitting(line: str, size_bytes: int) -> int:
    """Return how many characters of *line* take at most *size_bytes*."""
    if 3 * len(line) <= size_bytes and line.isprintable() and ord(max(line, default=" ")) < 0x10000:
        return len(line)  # the common case at once: none takes more than three
    spent = 0
    for index, character in enumerate(line):
        spent += len(character.encode("utf-8", "replace")) + (character in '"\\')
        if spent > size_bytes:
            return index
    return len(line)
