"""Tags as people write them: a list, text with commas, a JSON array as text; and texts that have to fit on one line."""

import json
import re
import unicodedata
from collections.abc import Iterable

TAG_KEYS = ("tags", "tag")
ALIAS_KEYS = ("aliases", "alias")

_BREAK = re.compile("\r\n|[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]")


def one_line(text: str) -> str:
    """Return *text* on one line: each line break and each control character is a space, blanks around it go."""
    joined = _BREAK.sub(" ", text)
    return "".join(" " if unicodedata.category(char) == "Cc" else char for char in joined).strip()


def read_tags(items: Iterable[str]) -> tuple[str, ...]:
    """Return *items* as tags: trimmed, without a leading `#`, each once whatever its case."""
    return unique(item.strip().lstrip("#").strip() for item in items)


def unique(items: Iterable[str]) -> tuple[str, ...]:
    """Return *items* without the blank ones and without those that differ from an earlier one in case alone."""
    found: dict[str, str] = {}
    for item in items:
        if item:
            found.setdefault(item.casefold(), item)
    return tuple(found.values())


def split_items(value: str | tuple[str, ...]) -> tuple[str, ...]:
    """Return the items of *value*; text is cut at commas unless it is a JSON array."""
    if not isinstance(value, str):
        return value
    text = value.strip()
    if text.startswith("[") and not text.startswith("[["):
        try:
            parsed = json.loads(text)
        except (ValueError, RecursionError):
            return tuple(_unquoted(item) for item in text.strip("[]").split(","))
        return tuple(item if isinstance(item, str) else json.dumps(item) for item in parsed)
    return tuple(_unquoted(item) for item in text.split(","))


def _unquoted(item: str) -> str:
    """Return *item* without the quotes around it: text behind which YAML saw no list keeps them."""
    item = item.strip()
    return item[1:-1] if len(item) > 1 and item[0] == item[-1] and item[0] in "\"'" else item
