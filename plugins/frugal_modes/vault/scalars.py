"""Texts as YAML scalars that every reader of YAML reads back equal."""

import json
import re
from collections.abc import Iterable
from typing import Any

import yaml

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_UNSURE_IN_LIST = re.compile(r"[?:,\[\]{}]")
"""What one parser of YAML takes in a flow list and another does not."""

_ASTRAL = 0xFFFF


def scalar(text: str, *, is_item: bool = False) -> str:
    """Return *text*, one line, as a scalar: as it is if that reads back equal, else in double quotes with JSON escapes.

    *is_item*: it stands in a flow list.
    """
    if text and text.isprintable() and not (is_item and _UNSURE_IN_LIST.search(text)):
        written = f"[{text}]" if is_item else text
        if _read_back(written) == ([text] if is_item else text):
            return text
    return double_quoted(text)


def _read_back(written: str) -> object:
    try:
        document = yaml.load(f"k: {written}\n", Loader=_Loader)  # a safe loader, chosen above
    except (yaml.YAMLError, ValueError):  # no YAML, or a date that no calendar has
        return None
    return document.get("k") if isinstance(document, dict) and len(document) == 1 else None


def double_quoted(text: str) -> str:
    """Return *text* in double quotes, everything that does not print escaped."""
    escaped = json.dumps(text, ensure_ascii=False)
    return "".join(char if char.isprintable() else _escape(char) for char in escaped)


def _escape(char: str) -> str:
    code = ord(char)
    return f"\\U{code:08x}" if code > _ASTRAL else f"\\u{code:04x}"


def single_quoted(text: str) -> str:
    """Return *text* in single quotes; what does not print cannot be written so."""
    doubled = text.replace("'", "''")
    return f"'{doubled}'" if text.isprintable() else double_quoted(text)


def flow_list(items: Iterable[str]) -> str:
    """Return *items* as `[a, b]`."""
    return f"[{', '.join(scalar(item, is_item=True) for item in items)}]"
