"""Forms of what is asked: queries, limits that are clamped, the window of a card."""

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from frugal.api import Refusal, StringForm, Surface, as_integer, as_text, echo

LARGEST = 10**15


class Clamped(NamedTuple):
    """A number that was brought into its range; *asked* is what came."""

    value: int
    asked: int

    @property
    def was_changed(self) -> bool:
        """Whether it lay outside."""
        return self.value != self.asked


@dataclass(frozen=True)
class Count:
    """A whole number; one outside *least* to *most* is clamped, anything else refused."""

    least: int
    most: int
    takes_list: ClassVar[bool] = False

    def schema(self, surface: Surface) -> dict[str, object]:
        """Declare an integer."""
        return {"type": "integer"}

    def read(self, raw: Any, surface: Surface) -> Clamped:
        """Return the number and what was asked for."""
        number = as_integer(raw)
        if number is None:
            raise Refusal("not_integer", value=echo(raw), least=self.least, most=self.most)
        return Clamped(min(max(number, self.least), self.most), number)


@dataclass(frozen=True)
class Query(StringForm):
    """Search words: 1 to *most* characters, any punctuation."""

    most: int

    def read(self, raw: Any, surface: Surface) -> str:
        """Return the query on one line; blank, too long or without letter and digit is refused."""
        text = " ".join("".join(char if char.isprintable() else " " for char in as_text(raw)).split())
        if not text:
            raise Refusal("blank")
        if len(text) > self.most:
            raise Refusal("too_long", length=len(text), most=self.most, value=echo(text))
        if not any(char.isalnum() for char in text):
            raise Refusal("no_word", value=echo(text))
        return text


class CardId(StringForm):
    """What names a card: a number (also as JSON integer), `#12`, `name#12`, a ref, a vault path."""

    def read(self, raw: Any, surface: Surface) -> str:
        """Return the reference; an id of another memory is refused."""
        text = as_text(raw).strip()
        if not text:
            raise Refusal("blank")
        if len(text) > 4_096:
            raise Refusal("too_long", length=len(text), most=4_096, value=echo(text))
        name, mark, number = text.rpartition("#")
        if mark and number.isascii() and number.isdecimal() and "/" not in name and ":" not in name:
            if name and name.casefold() not in surface.names:
                raise Refusal("foreign_ids", value=echo(name), name=surface.name)
            return number
        return text
