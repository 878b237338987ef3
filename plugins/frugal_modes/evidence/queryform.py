"""How a query is declared to a client and handed to the tools: an object, or the same as JSON text."""

import json
from dataclasses import dataclass
from typing import Any

from frugal.api import Refusal, Surface, as_text, echo
from frugal_modes.evidence.records import CONVERSATION_TYPES, SENDER_TYPES
from frugal_modes.evidence.vocabulary import LIST_FILTERS, MATCH_KINDS, ROLES

_TEXT = {"type": "string"}
_TEXTS = {"type": "array", "items": _TEXT}
_CLAUSE = {"match": {"enum": list(MATCH_KINDS)}, "text": _TEXT}
_FILTERS: dict[str, object] = {
    **dict.fromkeys(LIST_FILTERS, _TEXTS),
    "conversation_types": {"type": "array", "items": {"enum": list(CONVERSATION_TYPES)}},
    "sender_types": {"type": "array", "items": {"enum": list(SENDER_TYPES)}},
    "from": _TEXT,
    "to": _TEXT,
}
QUERY_SCHEMA: dict[str, object] = {
    "type": "object",
    "properties": {
        "clauses": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    **_CLAUSE,
                    "role": {"enum": list(ROLES)},
                    "group": {"type": "integer"},
                },
            },
        },
        "combine": {"enum": ["all", "any"]},
        "none": {"type": "array", "items": {"type": "object", "properties": _CLAUSE}},
        "filters": {"type": "object", "properties": _FILTERS},
        "timezone": _TEXT,
    },
}
LONGEST_JSON = 256 * 1024


@dataclass(frozen=True)
class QueryObject:
    """A query as it came: an object, or text, in the shell the name of a file. What is in it is checked by the tool."""

    is_outlined: bool = False
    takes_list: bool = False

    def schema(self, surface: Surface) -> dict[str, object]:
        """Declare an object with its fields, or with *is_outlined* without them."""
        return {"type": "object"} if self.is_outlined else dict(QUERY_SCHEMA)

    def read(self, raw: Any, surface: Surface) -> dict[str, Any] | str:
        """Return the object; of a text that begins like one what it says."""
        if isinstance(raw, dict):
            return raw
        if not isinstance(raw, str):
            raise Refusal("bad_query_no_object", where="query")
        text = as_text(raw)
        if not text.lstrip().startswith("{"):
            return text
        return read_json(text)


def read_json(text: str) -> dict[str, Any]:
    """Return the object that *text* is; raise `Refusal` if it is none."""
    if len(text) > LONGEST_JSON:
        raise _no_object(f"{len(text)} > {LONGEST_JSON}")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _no_object(echo(str(error), 160)) from None
    if not isinstance(found, dict):
        raise _no_object(type(found).__name__)
    return found


def _no_object(reason: str) -> Refusal:
    return Refusal("bad_query_json", field="query", reason=reason)


@dataclass(frozen=True)
class Words:
    """Texts of the shell, each kept whole: an option that may be given several times."""

    takes_list: bool = True

    def schema(self, surface: Surface) -> dict[str, object]:
        """Declare a list of texts."""
        return {"type": "array", "items": {"type": "string"}}

    def read(self, raw: Any, surface: Surface) -> tuple[str, ...]:
        """Return the texts."""
        return tuple(as_text(item) for item in raw) if isinstance(raw, list) else (as_text(raw),)


@dataclass(frozen=True)
class OneOf:
    """One of a few English words."""

    words: tuple[str, ...]
    default: str = ""
    takes_list: bool = False

    def schema(self, surface: Surface) -> dict[str, object]:
        """Declare the words."""
        declared: dict[str, object] = {"type": "string", "enum": list(self.words)}
        return {**declared, "default": self.default} if self.default else declared

    def read(self, raw: Any, surface: Surface) -> str:
        """Return the word."""
        word = as_text(raw).strip().lower()
        if word not in self.words:
            raise Refusal("bad_argument_word", value=echo(raw), known=", ".join(self.words))
        return word
