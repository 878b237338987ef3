"""Forms of parameter values: how each is declared to a client, and how strictly or kindly it is read.

Clients send `"3"` for 3 and `"ja"` for true; what can be meant is taken, everything else is refused in words.
"""

import math
import re
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from frugal.errors import Refusal
from frugal.surface import Surface, echo

_TRUE = frozenset({"true", "1", "yes", "ja", "1.0"})
_FALSE = frozenset({"false", "0", "no", "nein", "0.0"})
_INTEGER = re.compile(r"[+-]?[0-9]{1,18}(\.0+)?")
_NUMBER = re.compile(r"[+-]?[0-9]{1,15}([.,][0-9]{1,15})?")
_SURROGATE = re.compile("[\ud800-\udfff]")


class Limit(NamedTuple):
    """A count that was asked for; *was_lowered* says that it was above the maximum."""

    value: int
    was_lowered: bool = False


def as_text(raw: Any, *, takes_list: bool = False) -> str:
    """Return *raw* as text; an integer counts as its digits, with *takes_list* an array as its items."""
    if isinstance(raw, str):
        return _checked(raw)
    if isinstance(raw, int) and not isinstance(raw, bool):
        return str(raw)
    if takes_list and isinstance(raw, list):
        return ",".join(as_text(item) for item in raw)
    raise Refusal("not_list" if takes_list else "not_text", value=echo(raw))


def _checked(text: str) -> str:
    if (position := text.find("\0")) >= 0:
        raise Refusal("nul_character", position=position + 1)
    if match := _SURROGATE.search(text):
        raise Refusal("lone_surrogate", position=match.start() + 1)
    return text


class StringForm:
    """A form that a client sees as a string."""

    takes_list: ClassVar[bool] = False

    def schema(self, surface: Surface) -> dict[str, object]:
        """Declare a string."""
        return {"type": "string"}


@dataclass(frozen=True)
class Text:
    """A text of *least* to *most* characters, kept exactly as it came."""

    most: int
    is_blank_allowed: bool = False
    needs_word: bool = False
    advice: str = "too_long"
    takes_list: bool = False

    def schema(self, surface: Surface) -> dict[str, object]:
        """Declare a string; the length is told in words, since code points and UTF-16 units differ."""
        return {"type": "string"}

    def read(self, raw: Any, surface: Surface) -> str:
        """Return the text; blank, too long or without any letter or digit is refused."""
        text = as_text(raw)
        if not self.is_blank_allowed and not text.strip():
            raise Refusal("blank")
        if len(text) > self.most:
            raise Refusal(self.advice, length=len(text), most=self.most, value=echo(text))
        if self.needs_word and not any(char.isalnum() for char in text):
            raise Refusal("no_word", value=echo(text))
        return text


@dataclass(frozen=True)
class Line:
    """A short text on one line: runs of white space become one space."""

    most: int
    takes_list: bool = False

    def schema(self, surface: Surface) -> dict[str, object]:
        """Declare a string."""
        return {"type": "string"}

    def read(self, raw: Any, surface: Surface) -> str:
        """Return the line without outer blanks; unprintable characters become spaces."""
        text = "".join(char if char.isprintable() else " " for char in as_text(raw))
        line = " ".join(text.split())
        if len(line) > self.most:
            raise Refusal("too_long", length=len(line), most=self.most, value=echo(line))
        return line


@dataclass(frozen=True)
class Integer:
    """A whole number from *least* to *most*; with *lowers*, one above is lowered and read as a `Limit`."""

    least: int
    most: int
    default: int | None = None
    lowers: bool = False
    takes_list: bool = False

    def schema(self, surface: Surface) -> dict[str, object]:
        """Declare an integer, with its default if it has one."""
        return {"type": "integer"} if self.default is None else {"type": "integer", "default": self.default}

    def read(self, raw: Any, surface: Surface) -> Any:
        """Return the number, or a `Limit`."""
        number = as_integer(raw)
        if number is None:
            raise Refusal("not_integer", value=echo(raw), least=self.least, most=self.most)
        if number > self.most and self.lowers:
            return Limit(self.most, was_lowered=True)
        if not self.least <= number <= self.most:
            raise Refusal("out_of_range", value=echo(raw), least=self.least, most=self.most)
        return Limit(number) if self.lowers else number


def as_integer(raw: Any) -> int | None:
    """Return *raw* as a whole number: `3`, `3.0` or their digits as text; None if it is none, a boolean included."""
    if isinstance(raw, bool):
        return None
    if isinstance(raw, int):
        return raw
    if isinstance(raw, float):
        return int(raw) if math.isfinite(raw) and raw == int(raw) else None
    if isinstance(raw, str) and _INTEGER.fullmatch(raw.strip()):
        return int(raw.strip().split(".")[0])
    return None


@dataclass(frozen=True)
class Number:
    """A number from *least* to *most*; a decimal comma is understood."""

    least: float
    most: float
    default: float | None = None
    takes_list: bool = False

    def schema(self, surface: Surface) -> dict[str, object]:
        """Declare a number, with its default if it has one."""
        return {"type": "number"} if self.default is None else {"type": "number", "default": self.default}

    def read(self, raw: Any, surface: Surface) -> float:
        """Return the number."""
        number: float | None = None
        if isinstance(raw, int | float) and not isinstance(raw, bool) and math.isfinite(raw):
            number = float(raw)
        elif isinstance(raw, str) and _NUMBER.fullmatch(raw.strip()):
            number = float(raw.strip().replace(",", "."))
        if number is None:
            raise Refusal("not_number", value=echo(raw), least=self.least, most=self.most)
        if not self.least <= number <= self.most:
            raise Refusal("out_of_range", value=echo(raw), least=self.least, most=self.most)
        return number


@dataclass(frozen=True)
class Switch:
    """A boolean, as value or word of either language."""

    takes_list: bool = False

    def schema(self, surface: Surface) -> dict[str, object]:
        """Declare a boolean."""
        return {"type": "boolean"}

    def read(self, raw: Any, surface: Surface) -> bool:
        """Return the truth value."""
        if isinstance(raw, bool):
            return raw
        word = str(raw).strip().lower() if isinstance(raw, str | int | float) else ""
        if word in _TRUE:
            return True
        if word in _FALSE:
            return False
        raise Refusal("not_switch", value=echo(raw))
