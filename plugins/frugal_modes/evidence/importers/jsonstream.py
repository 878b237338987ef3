"""JSON documents of any size: walked from one value to the next over chunks of text, each value decoded on its own."""

import codecs
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from frugal_modes.evidence.importers.reading import LINE_BYTES
from frugal_modes.evidence.importers.times import Real

MOST_DIGITS = 40
LONGEST_TOKEN = 16
NUMBER_CHARACTERS = 512
_BLANKS = re.compile(r"[ \t\r\n]*")
_STRUCTURE = re.compile(r'["\\{}\[\]]')
_PLAIN_END = re.compile(r"[,}\]\s]")


class NotJson(Exception):
    """The document is no JSON here; *detail* says why. What follows cannot be read."""


class CutShort(Exception):
    """The document ends before it should."""


class Fault(NamedTuple):
    """A value that could not be decoded and was skipped: *reason* as in a reject."""

    reason: str
    detail: str


def _integer(text: str) -> "int | Real":
    return int(text) if len(text) <= MOST_DIGITS else Real(text)


DECODER = json.JSONDecoder(parse_float=Real, parse_int=_integer, parse_constant=Real)
"""Numbers with a fraction stay text; NaN and Infinity become a value that no field takes."""


def decode_line(data: bytes) -> Any:
    """Return the one value of *data*, or a `Fault`."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return Fault("bad_encoding", f"byte {error.start + 1}")
    try:
        return DECODER.decode(text)
    except RecursionError:
        return Fault("bad_json", "nested too deeply")
    except ValueError as error:
        return Fault("bad_json", str(error))


class Walker:
    """Walks one document. After each step of `fields` or `items` the caller takes exactly one value: `value`, `skip`,
    `fields` or `items`. At most *most* characters of one value are held.
    """

    def __init__(self, chunks: Iterable[bytes], *, most: int = LINE_BYTES) -> None:
        self._chunks = iter(chunks)
        self._decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
        self._most = most
        self._text = ""
        self._at = 0
        self._is_over = False

    def peek(self) -> str:
        """Return the first character of the next value, "" at the end of the document."""
        while True:
            found = _BLANKS.match(self._text, self._at)
            self._at = found.end() if found else self._at
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more():
                return ""

    def fields(self) -> Iterator[str]:
        """Yield the keys of the object that comes next."""
        self._expect("{")
        if self.peek() == "}":
            self._at += 1
            return
        while True:
            if self.peek() != '"':
                raise self._wrong("a key was expected")
            key = self.value()
            if isinstance(key, Fault):
                raise NotJson(key.detail)
            self._expect(":")
            yield str(key)
            if self._ends("}"):
                return

    def items(self) -> Iterator[int]:
        """Yield the ordinals, from 1, of the items of the array that comes next."""
        self._expect("[")
        if self.peek() == "]":
            self._at += 1
            return
        ordinal = 0
        while True:
            ordinal += 1
            yield ordinal
            if self._ends("]"):
                return

    def value(self) -> Any:
        """Return the next value, or a `Fault` with the document behind it."""
        first = self.peek()
        if not first:
            raise CutShort
        if first in "-0123456789NI":
            self._hold(NUMBER_CHARACTERS)
        while True:
            try:
                found, end = DECODER.raw_decode(self._text, self._at)
            except RecursionError:
                return self._skipped("bad_json", "nested too deeply")
            except json.JSONDecodeError as error:
                if self._is_wrong(error):
                    return self._skipped("bad_json", error.msg)
            except ValueError as error:
                return self._skipped("bad_json", str(error))
            else:
                piece = self._text[self._at : end]
                self._at = end
                return _checked(found, piece)
            held = len(self._text) - self._at
            if held > self._most:
                return self._skipped("line_too_long", f"{self._most} characters")
            if self._is_over:
                raise CutShort
            self._hold(max(4096, 2 * held))

    def _is_wrong(self, error: json.JSONDecodeError) -> bool:
        """Tell a mistake from a value whose end was not read yet."""
        if error.msg.startswith("Unterminated string"):
            return False
        end = len(self._text.rstrip()) if self._is_over else len(self._text) - LONGEST_TOKEN
        return error.pos < end

    def skip(self) -> None:
        """Pass over the next value without keeping it."""
        first = self.peek()
        if not first:
            raise CutShort
        if first not in '{["':
            self._skip_plain()
            return
        depth = 0
        is_text = False
        while True:
            found = _STRUCTURE.search(self._text, self._at)
            if not found:
                self._at = len(self._text)
                if not self._more():
                    raise CutShort
                continue
            self._at = found.end()
            mark = found[0]
            if mark == "\\":
                self._pass_one()
            elif mark == '"':
                is_text = not is_text
            elif not is_text:
                depth += 1 if mark in "{[" else -1
            if depth <= 0 and not is_text and mark != "\\":
                return

    def _pass_one(self) -> None:
        """Pass over the character behind a backslash."""
        if self._at >= len(self._text) and not self._more():
            raise CutShort
        self._at += 1

    def _skip_plain(self) -> None:
        while True:
            found = _PLAIN_END.search(self._text, self._at + 1)
            if found:
                self._at = found.start()
                return
            self._at = max(self._at, len(self._text) - 1)
            if not self._more():
                self._at = len(self._text)
                return

    def _skipped(self, reason: str, detail: str) -> Fault:
        self.skip()
        return Fault(reason, detail)

    def _ends(self, end: str) -> bool:
        """Pass over a comma or the end of a list and tell which it was; a comma before the end is let pass."""
        found = self.peek()
        if found == end:
            self._at += 1
            return True
        self._expect(",")
        if self.peek() == end:
            self._at += 1
            return True
        return False

    def _expect(self, mark: str) -> None:
        found = self.peek()
        if not found:
            raise CutShort
        if found != mark:
            raise self._wrong(f"{mark} was expected")
        self._at += 1

    def _wrong(self, what: str) -> NotJson:
        return NotJson(f"{what}: {self._text[self._at : self._at + 20]!r}")

    def _hold(self, wanted: int) -> None:
        """Read until *wanted* characters are there, or all."""
        while len(self._text) - self._at < wanted and self._more():
            pass

    def _more(self) -> bool:
        """Read one chunk more, dropping what was passed; tell whether there was one."""
        chunk = next(self._chunks, None)
        if chunk is None:
            tail = "" if self._is_over else self._decoder.decode(b"", final=True)
            self._is_over = True
            self._text += tail
            return bool(tail)
        self._text = self._text[self._at :] + self._decoder.decode(chunk)
        self._at = 0
        return True


_ESCAPED_BYTE = re.compile("[\udc80-\udcff]")


def _checked(found: Any, piece: str) -> Any:
    """Return *found* unless *piece*, the text it came from, holds bytes that are not UTF-8."""
    if not piece.isascii() and (bad := _ESCAPED_BYTE.search(piece)):
        return Fault("bad_encoding", f"character {bad.start() + 1}")
    return found
