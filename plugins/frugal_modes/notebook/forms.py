"""Forms of the notebook's values: how each is declared to a client and read from what arrives."""

import re
from dataclasses import dataclass
from datetime import date
from typing import Any, ClassVar

from frugal.api import Refusal, Refused, StringForm, Surface, as_text, echo
from frugal_modes.notebook.keys import Key, parse_key
from frugal_modes.notebook.rowids import RowSpan, parse_row_ids
from frugal_modes.notebook.vocabulary import STATUSES, Word, find, listed

KEY_ECHO_CHARACTERS = 400
ROWS_CHARACTERS = 65_536
MOST_ITEMS = 100
_SEPARATORS = re.compile(r"[,\s]+")


@dataclass(frozen=True)
class Prose(StringForm):
    """A text of at most *most* characters, kept verbatim but for blanks around it."""

    most: int = 8_000
    is_blank_allowed: bool = True

    def read(self, raw: Any, surface: Surface) -> str:
        """Return the text; a blank one is "" or refused."""
        text = as_text(raw).strip()
        if not text and not self.is_blank_allowed:
            raise Refusal("blank")
        if len(text) > self.most:
            raise Refusal("too_long", length=len(text), most=self.most, value=echo(text))
        return text


@dataclass(frozen=True)
class OneLine(StringForm):
    """A text on one line: runs of white space become one space, everything else stays."""

    most: int = 400

    def read(self, raw: Any, surface: Surface) -> str:
        """Return the line."""
        line = " ".join(as_text(raw).split())
        if len(line) > self.most:
            raise Refusal("too_long", length=len(line), most=self.most, value=echo(line))
        return line


@dataclass(frozen=True)
class SearchText(StringForm):
    """Words to look for; blank = no search."""

    most: int = 2_000

    def read(self, raw: Any, surface: Surface) -> str:
        """Return the query; one without any letter or digit is refused."""
        text = " ".join(as_text(raw).split())
        if len(text) > self.most:
            raise Refusal("too_long", length=len(text), most=self.most, value=echo(text))
        if text and not any(char.isalnum() for char in text):
            raise Refusal("no_word", value=echo(text))
        return text


@dataclass(frozen=True)
class KeyName(StringForm):
    """The key of a series, or its short part; what it names is looked up later."""

    is_blank_allowed: bool = False

    def read(self, raw: Any, surface: Surface) -> str:
        """Return the key as written."""
        key = as_text(raw).strip()
        if not key and not self.is_blank_allowed:
            raise Refusal("blank")
        if len(key) > KEY_ECHO_CHARACTERS:
            raise Refusal("too_long", length=len(key), most=KEY_ECHO_CHARACTERS, value=echo(key))
        return key


@dataclass(frozen=True)
class NewKey(StringForm):
    """The key of a series to be created."""

    def read(self, raw: Any, surface: Surface) -> Key:
        """Return the key; anything but `project/short` is refused."""
        text = as_text(raw).strip()
        if not text:
            raise Refusal("blank")
        key = parse_key(text)
        if key is None:
            raise Refusal("bad_key", value=echo(text))
        return key


@dataclass(frozen=True)
class KeyList(StringForm):
    """Keys by comma or blank; with *has_removals* one may have `-` in front."""

    takes_list: ClassVar[bool] = True
    has_removals: bool = False

    def read(self, raw: Any, surface: Surface) -> tuple[str, ...]:
        """Return the items as written, repeats dropped."""
        items = tuple(
            dict.fromkeys(item for item in _SEPARATORS.split(as_text(raw, takes_list=True)) if item)
        )
        if len(items) > MOST_ITEMS:
            raise Refusal("too_many_keys", count=len(items), most=MOST_ITEMS)
        problems = [Refusal("bad_key", value=echo(item)) for item in items if not self._is_item(item)]
        if problems:
            raise Refused(problems)
        return items

    def _is_item(self, item: str) -> bool:
        key = item[1:] if self.has_removals and item.startswith("-") else item
        return parse_key(key if "/" in key else f"x/{key}") is not None


@dataclass(frozen=True)
class OneWord(StringForm):
    """A word of a closed vocabulary, in either language; blank = none given unless *is_needed*."""

    vocabulary: tuple[Word, ...] = STATUSES
    key: str = "unknown_status"
    is_needed: bool = False

    def read(self, raw: Any, surface: Surface) -> Word | None:
        """Return the word; an unknown one is refused with the list."""
        text = as_text(raw).strip()
        if not text and not self.is_needed:
            return None
        word = find(self.vocabulary, text)
        if word is None:
            raise Refusal(self.key, value=echo(text), known=listed(self.vocabulary, surface.language))
        return word


@dataclass(frozen=True)
class StatusFilter(StringForm):
    """Statuses by comma; nothing = no filter."""

    takes_list: ClassVar[bool] = True

    def read(self, raw: Any, surface: Surface) -> tuple[Word, ...]:
        """Return the statuses asked for; unknown words are refused with the list."""
        items = [item for item in re.split("[,;]", as_text(raw, takes_list=True)) if item.strip()]
        found = {item: find(STATUSES, item) for item in items}
        known = listed(STATUSES, surface.language)
        problems = [
            Refusal("unknown_status", value=echo(item.strip()), known=known)
            for item, word in found.items()
            if word is None
        ]
        if problems:
            raise Refused(problems[:3])
        return tuple(dict.fromkeys(word for word in found.values() if word))


@dataclass(frozen=True)
class RowIds(StringForm):
    """Ids of rows with one *letter*: `m3,m4`, `m3-m9`."""

    takes_list: ClassVar[bool] = True
    letter: str = "m"

    def read(self, raw: Any, surface: Surface) -> tuple[RowSpan, ...]:
        """Return the spans; whatever is none, or has another letter or name, is refused by name."""
        parsed = parse_row_ids(as_text(raw, takes_list=True))
        wrong = [*parsed.rejected, *(str(span) for span in parsed.spans if span.letter != self.letter)]
        problems = []
        if wrong:
            shown = ", ".join(echo(item) for item in wrong[:5])
            problems.append(Refusal("bad_row_ids", value=shown, count=len(wrong), letter=self.letter))
        foreign = sorted({span.name for span in parsed.spans if span.name})
        foreign = [name for name in foreign if name.casefold() not in surface.names]
        if foreign:
            problems.append(Refusal("foreign_rows", value=echo(", ".join(foreign)), name=surface.name))
        if problems:
            raise Refused(problems)
        return parsed.spans


@dataclass(frozen=True)
class RowText(StringForm):
    """Pasted rows, one a line; an array is taken as its lines."""

    takes_list: ClassVar[bool] = True

    def read(self, raw: Any, surface: Surface) -> str:
        """Return the text as it came."""
        text = "\n".join(as_text(item) for item in raw) if isinstance(raw, list) else as_text(raw)
        if not text.strip():
            raise Refusal("blank")
        if len(text) > ROWS_CHARACTERS:
            raise Refusal("too_long", length=len(text), most=ROWS_CHARACTERS, value=echo(text))
        return text


@dataclass(frozen=True)
class CalendarDate(StringForm):
    """A plain date `2026-11-30`; blank = none given."""

    def read(self, raw: Any, surface: Surface) -> date | None:
        """Return the date; one that no calendar has is refused."""
        text = as_text(raw).strip()
        if not text:
            return None
        try:
            if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
                raise ValueError
            return date.fromisoformat(text)
        except ValueError:
            raise Refusal("bad_date", value=echo(text)) from None


@dataclass(frozen=True)
class Choice(StringForm):
    """One of some fixed words; blank = the first."""

    words: tuple[str, ...] = ()

    def schema(self, surface: Surface) -> dict[str, object]:
        """Declare the words."""
        return {"type": "string", "enum": list(self.words)}

    def read(self, raw: Any, surface: Surface) -> str:
        """Return the word."""
        text = as_text(raw).strip().lower()
        if text and text not in self.words:
            raise Refusal("unknown_choice", value=echo(text), known=", ".join(self.words))
        return text or self.words[0]
