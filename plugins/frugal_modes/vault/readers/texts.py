"""What every format needs of a text: decoding, a title where there is none, a hash for an id, no half characters."""

import re
from datetime import UTC
from hashlib import sha256

from frugal.api import one_line
from frugal_modes.vault.moments import read_stamp
from frugal_modes.vault.records import Problem

TITLE_CHARACTERS = 80
_BOM = b"\xef\xbb\xbf"
_SURROGATE = re.compile("[\ud800-\udfff]")
_MARKS = re.compile(r"(?:[#>*+-]+[ \t]+|\d{1,4}[.)][ \t]+|\[[ xX]\][ \t]+)+")
_EMPHASIS = re.compile(r"(\*\*|__|`)(?=\S)(.+?)(?<=\S)\1")
_SENTENCE_END = re.compile(r"[.!?](?=\s|\Z)|[。！？]")


def decoded(data: bytes, path: str, member: str = "") -> str | Problem:
    """Return *data* as strict UTF-8 without a byte order mark, or the problem with the first wrong byte (from 1)."""
    try:
        return data.removeprefix(_BOM).decode("utf-8")
    except UnicodeDecodeError as error:
        behind = len(_BOM) if data.startswith(_BOM) else 0
        return Problem(path, f"not_utf8: {error.start + behind + 1}", member)


def storable(value: object) -> str:
    """Return a text of an export without half surrogate pairs, "" for what is no text."""
    if not isinstance(value, str):
        return ""
    return value if value.isascii() else _SURROGATE.sub("\ufffd", value)


def export_time(value: object) -> str:
    """Return a time of an export (ISO text or epoch; without a zone UTC) as a card holds it, "" if it is none."""
    if isinstance(value, str):
        return read_stamp(value, UTC)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return read_stamp(f"{value:.3f}" if abs(value) < 1e14 else "", UTC)
    return ""


def word_list(value: object) -> tuple[str, ...]:
    """Return the words of a list, or of a text with commas, each once whatever its case."""
    items = value if isinstance(value, list | tuple) else storable(value).split(",")
    found: dict[str, str] = {}
    for item in items:
        word = " ".join(storable(item).split()).lstrip("#").strip()
        if word:
            found.setdefault(word.casefold(), word)
    return tuple(found.values())


def first_sentence(text: str) -> str:
    """Return the title of a text without one: its first sentence, at most 80 characters, without list and heading marks."""
    for line in text.splitlines():
        plain = " ".join(_EMPHASIS.sub(r"\2", _MARKS.sub("", line.strip(), count=1)).split())
        if any(char.isalnum() for char in plain):
            end = _SENTENCE_END.search(plain)
            sentence = plain[: end.end()] if end and end.end() > 1 else plain
            return one_line(sentence.rstrip("."), TITLE_CHARACTERS)
    return one_line(" ".join(text[: TITLE_CHARACTERS * 4].split()), TITLE_CHARACTERS)


def hash_id(text: str) -> str:
    """Return the native id of a record that has none: `h:` and 16 hex digits of its text."""
    return "h:" + sha256(text.strip().encode("utf-8", "surrogatepass")).hexdigest()[:16]


class Ids:
    """Makes the native ids of one reading distinct: the second `x` is `x~2`."""

    def __init__(self) -> None:
        self._seen: dict[str, int] = {}

    def distinct(self, wanted: str) -> str:
        """Return *wanted*, or *wanted* with its number."""
        count = self._seen.get(wanted, 0) + 1
        self._seen[wanted] = count
        if count == 1:
            return wanted
        return self.distinct(f"{wanted}~{count}")
