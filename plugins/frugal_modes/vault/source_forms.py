"""Forms of the source commands' values."""

import re
from dataclasses import dataclass
from typing import Any, ClassVar

from frugal.api import Refusal, StringForm, Surface, as_text, echo

NAME = re.compile(r"[^\W_][\w.-]{0,31}")


class Given(StringForm):
    """A text as it was typed, without blanks around it."""

    def read(self, raw: Any, surface: Surface) -> str:
        """Return the text."""
        return as_text(raw).strip()


class SourceName(StringForm):
    """The name of a source: what stands before `:` in its refs."""

    def read(self, raw: Any, surface: Surface) -> str:
        """Return the name; one with blanks, colons or more than 32 characters is refused."""
        text = as_text(raw).strip()
        if text and not NAME.fullmatch(text):
            raise Refusal("bad_source_name", value=echo(text))
        return text


@dataclass(frozen=True)
class Settings:
    """Options of a reader, `key=value` each."""

    takes_list: ClassVar[bool] = True

    def schema(self, surface: Surface) -> dict[str, object]:
        """Declare a list of texts."""
        return {"type": "array", "items": {"type": "string"}}

    def read(self, raw: Any, surface: Surface) -> dict[str, str]:
        """Return the options by key; what has no `=` is refused."""
        items = list(raw) if isinstance(raw, list | tuple) else [raw]
        found: dict[str, str] = {}
        for item in items:
            key, mark, value = as_text(item).partition("=")
            if not mark or not key.strip():
                raise Refusal("bad_source_option", value=echo(as_text(item)))
            found[key.strip()] = value.strip()
        return found
