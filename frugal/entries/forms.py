"""Forms of the values that entry tools share: ids, tags, kinds."""

import unicodedata
from dataclasses import dataclass
from typing import Any

from frugal.errors import Refusal, Refused
from frugal.forms import as_text
from frugal.ids import expand, parse_ids
from frugal.model import EVERY_KIND, NO_KIND, Kind
from frugal.surface import Surface, echo

MOST_TAGS = 20
TAG_CHARACTERS = 64
UNTAGGED = "-"


@dataclass(frozen=True)
class Ids:
    """A list of ids, at least *least* and at most *most* of them, counted before a range is expanded."""

    most: int
    least: int = 1
    takes_list: bool = True

    def schema(self, surface: Surface) -> dict[str, object]:
        """Declare a string such as `72,376-380`."""
        return {"type": "string"}

    def read(self, raw: Any, surface: Surface) -> tuple[int, ...]:
        """Return the ids in order, repeats dropped; anything that is no id refuses the whole."""
        text = as_text(raw, takes_list=True)
        if not text.strip():
            if self.least == 0:
                return ()
            raise Refusal("blank")
        parsed = parse_ids(text)
        problems = []
        if parsed.rejected:
            shown = ", ".join(echo(item) for item in parsed.rejected[:5])
            problems.append(Refusal("bad_ids", value=shown, count=len(parsed.rejected)))
        spans = tuple(
            span for span in parsed.spans if span.name and span.name.casefold() not in surface.names
        )
        if spans:
            foreign = ", ".join(sorted({span.name for span in spans}))
            problems.append(Refusal("foreign_ids", value=echo(foreign), name=surface.name, spans=spans))
        if parsed.count > self.most:
            problems.append(Refusal("too_many_ids", count=parsed.count, most=self.most))
        if problems:
            raise Refused(problems)
        ids = expand(parsed.spans)
        if len(ids) < self.least:
            raise Refusal("too_few_ids", count=len(ids), least=self.least)
        return ids


def split_list(text: str) -> list[str]:
    """Return the items of *text*, apart by white space and commas."""
    return text.replace(",", " ").split()


def is_tag(tag: str) -> bool:
    """Tell whether *tag* is 1 to 64 printable characters with at least one letter, digit or pictograph."""
    if not 1 <= len(tag) <= TAG_CHARACTERS:
        return False
    if not all(char.isprintable() or _joins_pictographs(char) for char in tag):
        return False
    return any(char.isalnum() or unicodedata.category(char) == "So" for char in tag)


def _joins_pictographs(char: str) -> bool:
    """Tell whether *char* is invisible but part of an emoji or of a word: joiners, the letters of a flag."""
    return char in "\u200c\u200d" or "\U000e0020" <= char <= "\U000e007f"


@dataclass(frozen=True)
class Tags:
    """Tags to store: 0 to 20, a leading `#` and repeats (ignoring case) dropped."""

    takes_list: bool = True

    def schema(self, surface: Surface) -> dict[str, object]:
        """Declare a string."""
        return {"type": "string"}

    def read(self, raw: Any, surface: Surface) -> tuple[str, ...]:
        """Return the tags as spelled; what is no tag is refused by name."""
        tags: dict[str, str] = {}
        problems = []
        for item in split_list(as_text(raw, takes_list=True)):
            tag = item.lstrip("#")
            if is_tag(tag):
                tags.setdefault(unicodedata.normalize("NFKC", tag).casefold(), tag)
            else:
                problems.append(Refusal("bad_tag", value=echo(item), most=TAG_CHARACTERS))
        if len(tags) > MOST_TAGS:
            problems.append(Refusal("too_many_tags", count=len(tags), most=MOST_TAGS))
        if problems:
            raise Refused(problems)
        return tuple(tags.values())


@dataclass(frozen=True)
class TagFilter:
    """Tags to search in, OR-combined; `-` means entries without a tag."""

    takes_list: bool = True

    def schema(self, surface: Surface) -> dict[str, object]:
        """Declare a string."""
        return {"type": "string"}

    def read(self, raw: Any, surface: Surface) -> tuple[str, ...]:
        """Return the filters as spelled, repeats dropped."""
        items = [
            item if item == UNTAGGED else item.lstrip("#") or item
            for item in split_list(as_text(raw, takes_list=True))
        ]
        filters = tuple(dict.fromkeys(item for item in items if item))
        if any(len(item) > TAG_CHARACTERS for item in filters) or len(filters) > MOST_TAGS:
            raise Refusal(
                "bad_tag_filter", value=echo(" ".join(filters)), most=MOST_TAGS, length=TAG_CHARACTERS
            )
        return filters


@dataclass(frozen=True)
class OneKind:
    """Exactly one kind, or `unsorted`; *lists_unsorted* puts that word into the declared list."""

    lists_unsorted: bool = False
    takes_list: bool = True

    def schema(self, surface: Surface) -> dict[str, object]:
        """Declare the kinds of the surface's language as an enumeration."""
        words = list(surface.kinds.words(surface.language))
        if self.lists_unsorted:
            return {"type": "string", "enum": [*words, surface.kind(NO_KIND)]}
        return {"type": "string", "enum": words, "default": ""}

    def read(self, raw: Any, surface: Surface) -> Kind:
        """Return the kind; `all`, two kinds and unknown words are refused with the list."""
        words = split_list(as_text(raw, takes_list=True))
        if not words and not self.lists_unsorted:
            return NO_KIND
        found = dict.fromkeys(_find_kind(word, surface) for word in words)
        if len(found) != 1:
            raise Refusal("one_kind", value=echo(" ".join(words)), known=known_kinds(surface))
        (kind,) = found
        if kind is EVERY_KIND:
            raise Refusal("kind_all", value=surface.kind(EVERY_KIND), known=known_kinds(surface))
        return kind


@dataclass(frozen=True)
class KindFilter:
    """Kinds to search in; nothing means every kind that is not hidden."""

    takes_list: bool = True

    def schema(self, surface: Surface) -> dict[str, object]:
        """Declare a string."""
        return {"type": "string"}

    def read(self, raw: Any, surface: Surface) -> tuple[Kind, ...]:
        """Return the kinds asked for, without repeats; `all` stands for itself."""
        words = split_list(as_text(raw, takes_list=True))
        return tuple(dict.fromkeys(_find_kind(word, surface) for word in words))


def _find_kind(word: str, surface: Surface) -> Kind:
    kind = surface.kinds.find(word)
    if kind is None:
        raise Refusal("unknown_kind", value=echo(word), known=known_kinds(surface))
    return kind


def known_kinds(surface: Surface) -> str:
    """Return this mode's kinds and `unsorted` in the surface's language, for a message."""
    return ", ".join((*surface.kinds.words(surface.language), surface.kind(NO_KIND)))
