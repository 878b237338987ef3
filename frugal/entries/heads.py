"""What the front matter of a note gives its entries: tags, a date, and the first one a headline and search words."""

from collections.abc import Sequence
from datetime import UTC, datetime

from frugal.entries.forms import MOST_TAGS, TAG_CHARACTERS, is_tag
from frugal.text.frontmatter import Note, note_title, note_words
from frugal.text.normalise import fold_tag
from frugal.text.titles import one_line

HEADLINE_CHARACTERS = 100
WORDS_CHARACTERS = 300
"""As many as `also` of remember takes."""
SEPARATOR = " | "
MARKS = "#*_ \t"


def headline(note: Note) -> str:
    """Return the title of *note* as a bold line to stand before its body, "" if the body begins with it."""
    words = one_line(note_title(note.fields), HEADLINE_CHARACTERS).strip(MARKS)
    if not words or _is_body(note) or _folded(note.body).startswith(_folded(words)):
        return ""
    return f"**{words}**\n\n"


def search_words(note: Note) -> str:
    """Return aliases and description of *note* on one line, "" without any."""
    return "" if _is_body(note) else search_line(note_words(note.fields))


def search_line(words: Sequence[str]) -> str:
    """Return search words, each once, on one line."""
    return one_line(SEPARATOR.join(dict.fromkeys(words)), WORDS_CHARACTERS)


def _is_body(note: Note) -> bool:
    """Tell whether the block stayed in the body, which then says all of it itself."""
    return note.body_start <= 1


def _folded(text: str) -> str:
    return " ".join(text[: 4 * HEADLINE_CHARACTERS].lstrip(f"{MARKS}\r\n").split()).casefold()


def usable_tags(words: Sequence[str]) -> tuple[str, ...]:
    """Return *words* as tags: over-long ones cut, what is no tag dropped, repeats dropped, at most 20."""
    tags: dict[str, str] = {}
    for word in words:
        tag = word.lstrip("#")[:TAG_CHARACTERS]
        if is_tag(tag):
            tags.setdefault(fold_tag(tag), tag)
    return tuple(tags.values())[:MOST_TAGS]


def stamp_of(date: datetime | None, modified: float) -> str:
    """Return the date of a note, else the file's time, as it is stored (UTC)."""
    try:
        moment = date or datetime.fromtimestamp(modified, UTC)
    except (ValueError, OverflowError, OSError):  # a time stamp out of the calendar
        moment = datetime.fromtimestamp(0, UTC)
    return moment.astimezone(UTC).isoformat(sep=" ", timespec="seconds")[:19]
